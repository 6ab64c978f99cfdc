-- name: tokens
-- All tokens, by which one sees whether the keys are right.
select bot, id, kind, hash, sealed, channel, scopes, name, created_at, revoked_at from tokens order by bot, id

-- name: versions
-- The active version of each bot.
select v.bot, v.version, v.files, v.created_at from bots b
join versions v on v.bot = b.bot and v.version = b.active order by v.bot

-- name: newest
-- The latest time at which a token or a version was made.
select max(at) from (select max(created_at) as at from tokens union all select max(created_at) from versions)

-- name: outbox
-- What waits and what is dead, by bot, and since when the oldest waits.
select bot, count(*) - count(dead_at), count(dead_at), min(case when dead_at is null then created_at end)
from outbox group by bot order by bot

-- name: late
-- By bot, in how many chats an event waits since before a time, and since when the oldest does.
select bot, count(*), min(since) from (
    select bot, min(accepted_at) as since from inbox where accepted_at < ? group by bot, user, channel
) as late group by bot order by bot

-- name: marks
-- The times that services keep for themselves.
select name, at from marks
