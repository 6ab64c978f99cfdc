-- name: take
-- Deliveries that are due, of each chat and receiver only the first that is not dead: those behind it wait for it, also
-- while it is being posted, when its time lies ahead. Nobody else gets them before $2; what another process is just
-- taking is left to it. The last column is the time that each had.
with next as (
    select bot, channel, "user", receiver, id, due from outbox o
    where dead_at is null and due <= $1 and not exists (
        select 1 from outbox e
        where e.bot = o.bot and e."user" = o."user" and e.channel = o.channel and e.receiver = o.receiver
            and e.id < o.id and e.dead_at is null
    )
    order by due, id, bot, channel, "user", receiver limit $3
    for update skip locked
)
update outbox o set due = $2 from next n
where o.bot = n.bot and o."user" = n."user" and o.channel = n.channel and o.receiver = n.receiver and o.id = n.id
returning o.bot, o.channel, o."user", o.receiver, o.id, o.body, o.carries, o.created_at, n.due, o.attempts, o.dead_at,
    o.reason

-- name: delivered
-- It has arrived, and what it carries is carried.
with gone as (
    delete from outbox where bot = $1 and channel = $2 and "user" = $3 and receiver = $4 and id = $5
)
update messages set later = null
where bot = $1 and "user" = $3 and channel = $2 and position <= $6 and later is not null

-- name: postpone
-- An attempt failed; the time of the next.
update outbox set due = $1, reason = $2, attempts = attempts + 1
where bot = $3 and channel = $4 and "user" = $5 and receiver = $6 and id = $7 and dead_at is null

-- name: bury
-- The last attempt failed.
update outbox set dead_at = $1, reason = $2, attempts = attempts + 1
where bot = $3 and channel = $4 and "user" = $5 and receiver = $6 and id = $7 and dead_at is null

-- name: dead
-- Dead letters of a bot, the oldest first.
select bot, channel, "user", receiver, id, body, carries, created_at, due, attempts, dead_at, reason from outbox
where bot = $1 and dead_at is not null order by id limit $2

-- name: resend
-- Dead letters that get all attempts again: those with an id of a list, or all of the bot.
update outbox set dead_at = null, reason = null, attempts = 0, due = $1
where bot = $2 and dead_at is not null and ($3::text[] is null or id = any($3::text[]))

-- name: drop
-- Dead letters that go: those with an id of a list, or all of the bot.
delete from outbox where bot = $1 and dead_at is not null and ($2::text[] is null or id = any($2::text[]))

-- name: counts
-- Bots with deliveries that wait or are dead.
select bot, count(*) filter (where dead_at is null), count(*) filter (where dead_at is not null)
from outbox group by bot order by bot
