-- name: plan
-- Set the time of a chore that has none.
insert into chores (bot, name, due)
values (?, ?, ?)
on conflict do nothing

-- name: due
-- Chores that are due, the oldest first.
select bot, name, due from chores where due <= ? order by due, bot, name limit ?

-- name: move
-- The time at which a chore comes again: after a claim that nobody finished, or when it was done.
insert into chores (bot, name, due)
values (?, ?, ?)
on conflict (bot, name) do update set due = excluded.due

-- name: end
-- A chore that does not come again.
delete from chores where bot = ? and name = ?
