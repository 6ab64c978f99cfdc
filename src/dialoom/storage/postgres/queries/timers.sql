-- name: due
-- Timers that are due, of chats that are ours or that no living process has.
select bot, channel, "user", name, due from due_timers($1, $2, $3, $4)

-- name: next_due
-- When the first of theirs is due.
select next_timer($1, $2)
