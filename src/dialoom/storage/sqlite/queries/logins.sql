-- name: open
-- A login link's row, unless it has one or its chat is not known any more.
insert into logins (bot, channel, user, link, about, expires_at, taken)
select ?1, ?2, ?3, ?4, ?5, ?6, ?7 where exists (select 1 from chats where bot = ?1 and user = ?3 and channel = ?2)
on conflict do nothing

-- name: forget
-- Some login links of a bot that expired before a time.
delete from logins where rowid in (select rowid from logins where bot = ? and expires_at < ? limit ?)
