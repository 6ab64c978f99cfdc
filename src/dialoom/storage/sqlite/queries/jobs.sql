-- name: due
-- Scheduled jobs that are due, the oldest first.
select bot, name, due from scheduled_jobs where due <= ? order by due, bot, name limit ?
