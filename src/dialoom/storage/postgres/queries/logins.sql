-- name: open
-- A login link's row, unless it has one or its chat is not known any more; an erasure waits until it is written.
insert into logins (bot, channel, "user", link, about, expires_at, taken)
select $1::text, $2::text, $3::text, $4::text, $5::bytea, $6::bigint, $7::boolean from chats c
where c.bot = $1 and c."user" = $3 and c.channel = $2 for key share of c
on conflict do nothing

-- name: login
-- The row of one login link.
select about, expires_at, taken from logins where bot = $1 and channel = $2 and "user" = $3 and link = $4

-- name: change
-- Another state of a login link, where the one that the caller knows still stands.
update logins set about = $1, expires_at = $2, taken = $3
where bot = $4 and channel = $5 and "user" = $6 and link = $7 and about = $8 and expires_at = $9 and taken = $10

-- name: forget
-- Some login links of a bot that expired before a time. By their places, as stored answers.
delete from logins where ctid = any(array(
    select ctid from logins where bot = $1 and expires_at < $2 limit $3 for update skip locked
))
