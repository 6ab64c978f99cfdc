-- name: take
-- Scheduled jobs that are due; nobody else gets them before $2. The last column is the time that each had.
with next as (
    select bot, name, due from chores where due <= $1 order by due, bot, name limit $3 for update skip locked
)
update chores c set due = $2 from next n where c.bot = n.bot and c.name = n.name
returning c.bot, c.name, n.due
