-- name: take
-- Deliveries that are due; nobody else gets them for $2 milliseconds. The last column is the time that each had.
select bot, channel, "user", receiver, id, body, carries, created_at, due, attempts, dead_at, reason, was_due
from take_deliveries($1, $2, $3)

-- name: settle
-- It has arrived ($9 null), or is given up.
select settle_delivery($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: postpone
-- An attempt failed; the time of the next, unless somebody else has taken it meanwhile.
update outbox set due = coalesce($1::bigint, server_clock()) + $2, reason = $3, attempts = attempts + 1
where bot = $4 and channel = $5 and "user" = $6 and receiver = $7 and id = $8 and due = $9 and attempts = $10
    and dead_at is null

-- name: give_back
-- Deliveries that were taken and not begun, as far as the claims still hold: due again after $2 milliseconds.
update outbox o set due = coalesce($1::bigint, server_clock()) + $2
from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::integer[])
    as u (bot, channel, "user", receiver, id, due, attempts)
where o.bot = u.bot and o."user" = u."user" and o.channel = u.channel and o.receiver = u.receiver and o.id = u.id
    and o.due = u.due and o.attempts = u.attempts and o.dead_at is null

-- name: bring_forward
-- Those that lie further ahead than any may are due now; a clock was put back.
with clock as materialized (select coalesce($1::bigint, server_clock()) as now_at),
ahead as materialized (
    select bot, channel, "user", receiver, id from outbox
    where is_first and due > (select now_at from clock) + $2 order by due, id limit $3 for update skip locked
)
update outbox o set due = (select now_at from clock) from ahead a
where o.bot = a.bot and o."user" = a."user" and o.channel = a.channel and o.receiver = a.receiver and o.id = a.id

-- name: resend
-- Dead letters that get all attempts again, no more than $4.
select resend_letters($1, $2, $3, $4)
