-- name: beat
-- Say that this process is alive.
select is_known, others from beat($1, $2, $3, $4)

-- name: leave
-- A process that stops: its chats are free at once. Locked in the order of their keys, as everywhere.
with gone as (
    delete from processes where process = $1
),
mine as (
    select l.bot, l.channel, l."user" from leases l where l.holder = $1
    order by l.bot, l."user", l.channel for no key update of l
)
update leases l set holder = null from mine
where l.bot = mine.bot and l."user" = mine."user" and l.channel = mine.channel

-- name: hold
-- Take a chat, with what waits in it.
select state, revision, position, number, id, event, dedupe, body, accepted_at from hold_chat($1, $2, $3, $4, $5)

-- name: let_go
-- Free chats of ours.
select let_go_chats($1, $2, $3, $4)

-- name: orphans
-- Chats with waiting events that no living process has.
select distinct i.bot, i.channel, i."user" from inbox i
left join leases l on l.bot = i.bot and l."user" = i."user" and l.channel = i.channel
where l.holder is null or not exists (
    select from processes p
    where p.process = l.holder and p.beat_at > clock_timestamp() - make_interval(secs => $1)
)

-- name: waiting
-- Chats of ours in which events wait.
select distinct i.bot, i.channel, i."user" from inbox i
join leases l on l.bot = i.bot and l."user" = i."user" and l.channel = i.channel
where l.holder = $1

-- name: tell
-- Tell the other processes.
select pg_notify('dialoom', payload) from unnest($1::text[]) as payload
