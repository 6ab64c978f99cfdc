-- name: put_inbox
-- Accepted events of many chats.
insert into inbox (bot, channel, user, number, id, event, dedupe, body, accepted_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: put_seen
-- Their keys; one that was seen is left out of the count of changes.
insert into answers (bot, channel, user, dedupe, body, number, seen_at)
values (?, ?, ?, ?, ?, ?, ?)
on conflict do nothing

-- name: put_journal
-- Results of outside calls; the first one that was stored stays. None of a turn that is done.
with v (bot, channel, user, number, call, result) as (
values (?, ?, ?, ?, ?, ?)
)
insert into journal (bot, channel, user, number, call, result)
select v.bot, v.channel, v.user, v.number, v.call, v.result from v
where exists (
    select 1 from inbox i
    where i.bot = v.bot and i.user = v.user and i.channel = v.channel and i.number = v.number
)
on conflict do nothing

-- name: seen
-- The same for the writer, with the number of the inbox row that came with the key.
select number, body, answer from answers where bot = ? and channel = ? and user = ? and dedupe = ?

-- name: is_waiting
-- Whether an inbox row is there.
select 1 from inbox where bot = ? and channel = ? and user = ? and number = ?

-- name: last_number
-- The highest number that any inbox row has.
select coalesce(max(number), 0) from inbox

-- name: waiting
-- What was accepted for a chat and is not done, in its order.
select bot, channel, user, number, id, event, dedupe, body, accepted_at from inbox
where bot = ? and channel = ? and user = ? order by number

-- name: orphans
-- Chats with events that are not done.
select distinct bot, channel, user from inbox order by bot, channel, user
