-- name: put
-- Deliveries of many turns.
insert into outbox (
    bot, channel, user, receiver, id, body, carries, created_at, due, attempts, dead_at, reason
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: next
-- Deliveries that are due, of each chat and receiver only the first that is not dead: those behind it wait for it, also
-- while it is being posted, when its time lies ahead.
select bot, channel, user, receiver, id, body, carries, created_at, due, attempts, dead_at, reason from outbox o
where dead_at is null and due <= ? and not exists (
    select 1 from outbox e
    where e.bot = o.bot and e.user = o.user and e.channel = o.channel and e.receiver = o.receiver and e.id < o.id
        and e.dead_at is null
)
order by due, id, bot, channel, user, receiver limit ?

-- name: claim
-- Nobody else gets it before this time.
update outbox set due = ? where bot = ? and channel = ? and user = ? and receiver = ? and id = ?

-- name: delete
-- It has arrived.
delete from outbox where bot = ? and channel = ? and user = ? and receiver = ? and id = ?

-- name: postpone
-- An attempt failed; the time of the next.
update outbox set due = ?, reason = ?, attempts = attempts + 1
where bot = ? and channel = ? and user = ? and receiver = ? and id = ? and dead_at is null

-- name: bury
-- The last attempt failed.
update outbox set dead_at = ?, reason = ?, attempts = attempts + 1
where bot = ? and channel = ? and user = ? and receiver = ? and id = ? and dead_at is null

-- name: dead
-- Dead letters of a bot, the oldest first.
select bot, channel, user, receiver, id, body, carries, created_at, due, attempts, dead_at, reason from outbox
where bot = ? and dead_at is not null order by id limit ?

-- name: resend
-- Dead letters that get all attempts again: those with an id of a JSON list, or all of the bot.
update outbox set dead_at = null, reason = null, attempts = 0, due = ?1
where bot = ?2 and dead_at is not null and (?3 is null or id in (select value from json_each(?3)))

-- name: drop
-- Dead letters that go: those with an id of a JSON list, or all of the bot.
delete from outbox
where bot = ?1 and dead_at is not null and (?2 is null or id in (select value from json_each(?2)))

-- name: counts
-- Bots with deliveries that wait or are dead.
select bot, sum(dead_at is null), sum(dead_at is not null) from outbox group by bot order by bot
