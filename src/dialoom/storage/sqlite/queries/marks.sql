-- name: marks
-- All times that the service keeps for itself.
select name, at from marks

-- name: put
-- One of them, in the place of what it was.
insert into marks (name, at)
values (?, ?)
on conflict (name) do update set at = excluded.at

-- name: drop
-- One of them does not hold any more.
delete from marks where name = ?
