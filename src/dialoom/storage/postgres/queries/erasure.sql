-- name: channels
-- The channels on which anything is kept of a user, a lease alone too.
select channel from leases where bot = $1 and "user" = $2
union select channel from chats where bot = $1 and "user" = $2
union select channel from conversations where bot = $1 and "user" = $2
union select channel from messages where bot = $1 and "user" = $2
union select channel from inbox where bot = $1 and "user" = $2
union select channel from journal where bot = $1 and "user" = $2
union select channel from answers where bot = $1 and "user" = $2
union select channel from outbox where bot = $1 and "user" = $2
union select channel from files where bot = $1 and "user" = $2
order by channel

-- name: erase
-- A step of erasing a user.
select conversations, messages, files, deliveries, had_memory, is_done from erase_user($1, $2, $3, $4)
