-- name: take
-- Scheduled jobs that are due; nobody else gets them before $2. The last column is the time that each had.
with next as (
    select bot, name, due from scheduled_jobs where due <= $1 order by due, bot, name limit $3 for update skip locked
)
update scheduled_jobs j set due = $2 from next n where j.bot = n.bot and j.name = n.name
returning j.bot, j.name, n.due
