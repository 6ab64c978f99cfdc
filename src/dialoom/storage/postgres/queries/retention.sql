-- name: old
-- Conversations that began before a time, on from one, the oldest first: whether nothing came into them since, and nothing
-- waits for their chat. What was updated before a time also began before it: so an index that every turn would have to
-- change is not needed.
select id, channel, "user", started_at, updated_at < $2
    and not exists (select from inbox i where i.bot = $1 and i."user" = c."user" and i.channel = c.channel)
    and not exists (
        select from outbox o where o.bot = $1 and o."user" = c."user" and o.channel = c.channel and o.dead_at is null
    ) as is_old
from conversations c
where bot = $1 and started_at < $2 and (started_at, id) > ($3, $4) order by started_at, id limit $5

-- name: bare
-- Chats in which nothing was ever said and into which nothing came since a time, on from one, the longest quiet first.
-- Whether something keeps them all the same, "forget_users" finds out.
select bare_since, "user", channel from chats
where bot = $1 and bare_since < $2 and (bare_since, "user", channel) > ($3, $4, $5)
order by bare_since, "user", channel limit $6

-- name: put_leases
-- The lease rows of chats, so that there is something to lock; in the order that all others make and lock them in.
insert into leases (bot, channel, "user")
select $1, c.channel, c."user" from unnest($2::text[], $3::text[]) as c (channel, "user")
order by c."user" collate "C", c.channel collate "C"
on conflict do nothing

-- name: lock
-- As a turn's commit does, and an accepted event: from here on neither is written. Chats that one of them has just
-- locked are left out, so that nobody waits for us while we wait for him.
select l.channel, l."user" from leases l join unnest($2::text[], $3::text[]) as c (channel, "user")
    on l."user" = c."user" and l.channel = c.channel
where l.bot = $1 for update of l skip locked

-- name: delete_conversations
-- Old conversations, with their messages, unless one was taken up again meanwhile or something waits for its chat by now.
-- Gives how many, and the texts that may name files.
with gone as (
    delete from conversations c where c.bot = $1 and c.id = any($2::text[]) and c.updated_at < $3
        and not exists (select from inbox i where i.bot = $1 and i."user" = c."user" and i.channel = c.channel)
        and not exists (
            select from outbox o
            where o.bot = $1 and o."user" = c."user" and o.channel = c.channel and o.dead_at is null
        )
    returning c.id
),
said as (
    delete from messages m using gone g where m.bot = $1 and m.conversation = g.id returning m.document
)
select (select count(*) from gone), array(select document from said where position('/files/' in document) > 0)

-- name: forget_files
-- Of those that deleted messages named, the files of these users that no other message of theirs does.
with going as (
    delete from files f using unnest($2::text[], $3::text[]) as c (channel, "user")
    where f.bot = $1 and f.id = any($4::text[]) and f."user" = c."user" and f.channel = c.channel and f.sent = 1
        and not exists (
            select from messages m where m.bot = $1 and m."user" = f."user" and m.channel = f.channel
                and position('/files/' || f.id || '?' in m.document) > 0
        )
    returning f.id
)
delete from file_pieces p using going g where p.bot = $1 and p.id = g.id

-- name: forget_users
-- Of those users who have no conversation, and for whom no event and no delivery waits, everything goes: memory, answers,
-- results of outside calls, dead letters, files with their pieces, and the lease. A process that still has the chat finds
-- out with its next turn, which is computed again. Gives how many users.
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
results as (
    delete from journal t using forgotten f where t.bot = $1 and t."user" = f."user" and t.channel = f.channel
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
),
freed as (
    delete from leases t using forgotten f where t.bot = $1 and t."user" = f."user" and t.channel = f.channel
)
select count(*) from forgotten
