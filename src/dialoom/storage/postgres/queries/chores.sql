-- name: plan
-- Set the time of a chore that has none.
insert into chores (bot, name, due)
values ($1, $2, $3)
on conflict do nothing

-- name: take
-- Chores that are due; nobody else gets them before $2. The last column is the time that each had.
with next as (
    select bot, name, due from chores where due <= $1 order by due, bot, name limit $3 for update skip locked
)
update chores c set due = $2 from next n where c.bot = n.bot and c.name = n.name
returning c.bot, c.name, n.due

-- name: move
-- The time at which a chore comes again.
insert into chores (bot, name, due)
values ($1, $2, $3)
on conflict (bot, name) do update set due = excluded.due

-- name: end
-- A chore that does not come again.
delete from chores where bot = $1 and name = $2
