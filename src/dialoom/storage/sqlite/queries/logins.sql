-- name: open
-- A login link's row, unless it has one or its chat is not known any more.
insert into logins (bot, channel, user, link, about, expires_at, taken)
select ?1, ?2, ?3, ?4, ?5, ?6, ?7 where exists (select 1 from chats where bot = ?1 and user = ?3 and channel = ?2)
on conflict do nothing

-- name: login
-- The row of one login link.
select about, expires_at, taken from logins where bot = ? and channel = ? and user = ? and link = ?

-- name: change
-- Another state of a login link, where the one that the caller knows still stands.
update logins set about = ?, expires_at = ?, taken = ?
where bot = ? and channel = ? and user = ? and link = ? and about = ? and expires_at = ? and taken = ?

-- name: forget
-- Some login links of a bot that expired before a time.
delete from logins where rowid in (select rowid from logins where bot = ? and expires_at < ? limit ?)
