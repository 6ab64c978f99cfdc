-- name: said
-- Messages of a chat after a position, in order. Those from elsewhere have position 0: they are of no live chat.
select position, document, client_id from messages
where bot = $1 and channel = $2 and "user" = $3 and position > greatest($4::bigint, 0) order by position limit $5

-- name: last_said
-- The last messages of a chat, the newest first.
select position, document, client_id from messages
where bot = $1 and channel = $2 and "user" = $3 and position > 0 order by position desc limit $4

-- name: later
-- Messages of a chat that no answer has carried yet, in order.
select position, document, client_id from messages
where bot = $1 and channel = $2 and "user" = $3 and later is not null order by position limit $4
