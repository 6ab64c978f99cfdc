-- name: waking
-- Chats that may have a timer that is due, the first first, of equal ones by their key.
select bot, channel, user, wake, timers from chats where wake <= ? order by wake, bot, channel, user limit ?

-- name: first_waking
-- The chat that wakes first.
select bot, channel, user, wake, timers from chats where wake is not null order by wake limit 1

-- name: move_wake
-- Put the wake-up of a chat to its least timer, or take it away.
update chats set wake = ? where bot = ? and channel = ? and user = ?
