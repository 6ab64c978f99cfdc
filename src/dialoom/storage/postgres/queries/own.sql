-- name: open_login
-- A login link's row, unless it has one or its chat is not known any more; an erasure waits until it is written.
insert into logins (bot, channel, "user", link, about, expires_at, taken)
select $1::text, $2::text, $3::text, $4::text, $5::bytea, $6::bigint, $7::boolean from chats c
where c.bot = $1 and c."user" = $3 and c.channel = $2 for key share of c
on conflict do nothing

-- name: change_record
-- Another document of a conversation, where the one that the caller knows still stands.
update conversations set document = $1::text, body = $1::text::jsonb, updated_at = $2
where bot = $3 and channel = $4 and "user" = $5 and id = $6 and document = $7

-- name: forget_logins
-- Some login links of a bot that expired before a time. By their places, as stored answers.
delete from logins where ctid = any(array(
    select ctid from logins where bot = $1 and expires_at < $2 limit $3 for update skip locked
))

-- name: drop_letters
-- Dead letters that go: those with an id of a JSON list, or all of the bot; no more than $3.
with l as materialized (
    select channel, "user", receiver, id from outbox
    where bot = $1 and dead_at is not null and ($2::jsonb is null or id in (select jsonb_array_elements_text($2::jsonb)))
    order by created_at, id limit $3 for update
)
delete from outbox o using l
where o.bot = $1 and o."user" = l."user" and o.channel = l.channel and o.receiver = l.receiver and o.id = l.id

-- name: forget_letters
-- Dead letters that are older than a time go, no more than $3.
with l as materialized (
    select channel, "user", receiver, id from outbox
    where bot = $1 and dead_at is not null and created_at < $2
    order by created_at, id limit $3 for update
)
delete from outbox o using l
where o.bot = $1 and o."user" = l."user" and o.channel = l.channel and o.receiver = l.receiver and o.id = l.id

-- name: outbox_counts
-- Bots with deliveries that wait or are dead; each half is read from an index alone.
select bot, sum(waiting)::bigint, sum(dead)::bigint from (
    select bot, count(*) as waiting, 0 as dead from outbox where dead_at is null group by bot
    union all
    select bot, 0, count(*) from outbox where dead_at is not null group by bot
) counted
group by bot order by bot

-- name: forget_answers
-- Some answers of a bot that need not be repeated any more; one whose turn still runs stays. By their places in the table
-- and not by a join, which a planner that takes the table for empty makes once for each row: then it takes 10 s where it
-- should take 0.01, and more of them than the limit.
delete from answers where ctid = any(array(
    select ctid from answers where bot = $1 and seen_at < $2 and answer is not null
    limit $3 for update skip locked
))

-- name: forget_results
-- Some results of outside calls whose turn is done. By their places, as above.
delete from journal where ctid = any(array(
    select j.ctid from journal j where j.bot = $1 and not exists (
        select from inbox i
        where i.bot = j.bot and i."user" = j."user" and i.channel = j.channel and i.number = j.number
    )
    limit $2 for update of j skip locked
))
