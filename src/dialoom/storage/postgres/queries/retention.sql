-- name: old
-- Conversations that were last updated before a time, the oldest first. What was updated before it also began before it:
-- so an index that every turn would have to change is not needed.
select id, channel, "user" from conversations
where bot = $1 and started_at < $2 and updated_at < $2 order by started_at, id limit $3

-- name: put_leases
-- The lease rows of chats, so that there is something to lock.
insert into leases (bot, channel, "user")
select $1, c.channel, c."user" from unnest($2::text[], $3::text[]) as c (channel, "user") order by 3, 2
on conflict do nothing

-- name: lock
-- As a turn's commit does, and an accepted event: from here on neither is written. Chats that one of them has just
-- locked are left out, so that nobody waits for us while we wait for him.
select l.channel, l."user" from leases l join unnest($2::text[], $3::text[]) as c (channel, "user")
    on l."user" = c."user" and l.channel = c.channel
where l.bot = $1 for update of l skip locked

-- name: delete_conversations
-- Old conversations, with their messages, unless one was taken up again meanwhile.
with gone as (
    delete from conversations where bot = $1 and id = any($2::text[]) and updated_at < $3 returning id
),
said as (
    delete from messages m using gone g where m.bot = $1 and m.conversation = g.id
)
select count(*) from gone

-- name: forget_users
-- Of those users who have no conversation, and for whom no event and no delivery waits, everything goes: memory, answers,
-- dead letters, files with their pieces, and the lease, unless a process still has the chat.
with forgotten as (
    select c.channel, c."user" from unnest($2::text[], $3::text[]) as c (channel, "user")
    where not exists (
        select 1 from conversations o where o.bot = $1 and o."user" = c."user" and o.channel = c.channel
    ) and not exists (
        select 1 from inbox i where i.bot = $1 and i."user" = c."user" and i.channel = c.channel
    ) and not exists (
        select 1 from outbox d
        where d.bot = $1 and d."user" = c."user" and d.channel = c.channel and d.dead_at is null
    )
),
memory as (
    delete from chats t using forgotten f where t.bot = $1 and t."user" = f."user" and t.channel = f.channel
),
answered as (
    delete from answers t using forgotten f where t.bot = $1 and t."user" = f."user" and t.channel = f.channel
),
dead as (
    delete from outbox t using forgotten f where t.bot = $1 and t."user" = f."user" and t.channel = f.channel
),
sent as (
    delete from files t using forgotten f where t.bot = $1 and t."user" = f."user" and t.channel = f.channel
    returning t.id
),
pieces as (
    delete from file_pieces p using sent s where p.bot = $1 and p.id = s.id
)
delete from leases t using forgotten f
where t.bot = $1 and t."user" = f."user" and t.channel = f.channel and t.holder is null

-- name: forget_answers
-- Some answers that need not be repeated any more; one whose turn still runs stays.
delete from answers where (bot, "user", channel, dedupe) in (
    select bot, "user", channel, dedupe from answers where seen_at < $1 and answer is not null
    limit $2 for update skip locked
)
