-- name: put
-- Deliveries of many turns; which of them are the first of their chat and receiver, "mark" says.
insert into outbox (
    bot, channel, user, receiver, id, body, carries, created_at, attempts, dead_at, reason, revision, due, is_first
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)

-- name: mark
-- Of each of these chats and receivers the first that is not dead; it is due at this time if it never was first.
with lines (bot, channel, user, receiver, due) as (
values (?, ?, ?, ?, ?)
)
update outbox set is_first = 1, due = case outbox.due when 0 then f.due else outbox.due end
from (
    select l.due, (
        select o.rowid from outbox o
        where o.bot = l.bot and o.user = l.user and o.channel = l.channel and o.receiver = l.receiver
            and o.dead_at is null
        order by o.revision, o.id limit 1
    ) as place
    from lines l
) f
where outbox.rowid = f.place and is_first = 0

-- name: unmark
-- The same are the first no more, for letters come back that go before them.
with lines (bot, channel, user, receiver) as (
values (?, ?, ?, ?)
)
update outbox set is_first = 0 where rowid in (
    select (
        select o.rowid from outbox o
        where o.bot = l.bot and o.user = l.user and o.channel = l.channel and o.receiver = l.receiver
            and o.dead_at is null
        order by o.revision, o.id limit 1
    )
    from lines l
)

-- name: next
-- Deliveries that are due, of each chat and receiver only the first: those behind it wait for it, also while it is being
-- posted, when its time lies ahead.
select bot, channel, user, receiver, id, body, carries, created_at, due, attempts, dead_at, reason from outbox
where is_first = 1 and due <= ? order by due, id limit ?

-- name: claim
-- Nobody else gets it before this time. That it is a claim shows while both times are the same: whoever settles it, puts
-- it off or gives it back moves the first.
update outbox set due = ?1, claimed_until = ?1
where bot = ?2 and channel = ?3 and user = ?4 and receiver = ?5 and id = ?6

-- name: free
-- Those whose claimers are gone are due as if they had never been taken.
update outbox indexed by outbox_claimed set due = created_at where is_first = 1 and claimed_until = due

-- name: delete
-- It has arrived, and nobody else has taken it meanwhile.
delete from outbox
where bot = ? and channel = ? and user = ? and receiver = ? and id = ? and due = ? and attempts = ? and dead_at is null

-- name: postpone
-- An attempt failed; the time of the next, unless somebody else has taken it meanwhile.
update outbox set due = ?, reason = ?, attempts = attempts + 1
where bot = ? and channel = ? and user = ? and receiver = ? and id = ? and due = ? and attempts = ? and dead_at is null

-- name: bury
-- The last attempt failed, and nobody else has taken it meanwhile.
update outbox set dead_at = ?, reason = ?, attempts = attempts + 1, is_first = 0
where bot = ? and channel = ? and user = ? and receiver = ? and id = ? and due = ? and attempts = ? and dead_at is null

-- name: give_back
-- It was taken and not begun: due again at this time, unless somebody else has taken it meanwhile.
update outbox set due = ?
where bot = ? and channel = ? and user = ? and receiver = ? and id = ? and due = ? and attempts = ? and dead_at is null

-- name: bring_forward
-- Those that lie further ahead than any may are due now; the clock was put back.
update outbox set due = ?1 where rowid in (
    select rowid from outbox where is_first = 1 and due > ?2 order by due, id limit ?3
)

-- name: letters
-- Where some dead letters lie: those with an id of a JSON list, or of all of the bot.
select rowid, bot, channel, user, receiver from outbox
where bot = ?1 and dead_at is not null and (?2 is null or id in (select value from json_each(?2)))
order by created_at, id limit ?3

-- name: resend
-- A dead letter that gets all attempts again.
update outbox set dead_at = null, reason = null, attempts = 0, due = 0 where rowid = ?
