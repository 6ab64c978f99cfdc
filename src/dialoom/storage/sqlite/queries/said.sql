-- name: said
-- Messages of a chat after a position, in order. Those from elsewhere have position 0: they are of no live chat.
select position, document, client_id from messages
where bot = ? and channel = ? and user = ? and position > max(?, 0) order by position limit ?

-- name: last_said
-- The last messages of a chat, the newest first.
select position, document, client_id from messages
where bot = ? and channel = ? and user = ? and position > 0 order by position desc limit ?

-- name: later
-- Messages of a chat that no answer has carried yet, in order.
select position, document, client_id from messages
where bot = ? and channel = ? and user = ? and later is not null order by position limit ?
