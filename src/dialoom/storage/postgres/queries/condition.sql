-- name: server
-- What the server is, and the settings on which it rests that nothing written is lost.
select
    current_setting('server_version'),
    current_setting('fsync') = 'on',
    current_setting('full_page_writes') = 'on',
    (select count(*)::integer from pg_stat_activity where backend_type = 'client backend'),
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer

-- name: clock
-- The server's clock, in seconds since 1970; also what a question and its answer take.
select extract(epoch from clock_timestamp())::double precision

-- name: is_made
-- Whether there are tables of ours.
select to_regclass('schema_steps') is not null

-- name: step
-- The last step of the tables, and the least that code must know to work with it.
select step, works_with from schema_steps order by step desc limit 1

-- name: tokens
-- All tokens, by which one sees whether the keys are right.
select bot, id, kind, hash, sealed, channel, scopes, name, created_at, revoked_at from tokens order by bot, id

-- name: versions
-- The active version of each bot.
select v.bot, v.version, v.files, v.created_at from bots b
join versions v on v.bot = b.bot and v.version = b.active order by v.bot

-- name: newest
-- The latest time at which a token or a version was made.
select greatest((select max(created_at) from tokens), (select max(created_at) from versions))

-- name: outbox
-- What waits and what is dead, by bot, and since when the oldest waits.
select bot, count(*) - count(dead_at), count(dead_at), min(created_at) filter (where dead_at is null)
from outbox group by bot order by bot

-- name: late
-- By bot, in how many chats an event waits since before a time, and since when the oldest does.
select bot, count(*), min(since) from (
    select bot, min(accepted_at) as since from inbox where accepted_at < $1 group by bot, "user", channel
) as late group by bot order by bot

-- name: marks
-- The times that services keep for themselves.
select name, at from marks
