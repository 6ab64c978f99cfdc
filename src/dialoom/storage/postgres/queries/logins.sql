-- name: open
-- A login link's row, unless it has one or its chat is not known any more; an erasure waits until it is written.
insert into logins (bot, channel, "user", link, about, expires_at, taken)
select $1::text, $2::text, $3::text, $4::text, $5::bytea, $6::bigint, $7::boolean from chats c
where c.bot = $1 and c."user" = $3 and c.channel = $2 for key share of c
on conflict do nothing

-- name: forget
-- Some login links of a bot that expired before a time. By their places, as stored answers.
delete from logins where ctid = any(array(
    select ctid from logins where bot = $1 and expires_at < $2 limit $3 for update skip locked
))
