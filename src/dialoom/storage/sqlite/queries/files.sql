-- name: put_file
-- A file, unless the user's files since a time and this one are more bytes, or more files, than a user may keep; and
-- the same of the channel's files of users of the same kind: anonymous ones take nothing from those whom a user token
-- names.
insert into files (bot, channel, user, id, about, size, created_at, sent)
select ?1, ?2, ?3, ?4, ?5, ?6, ?7, 0
where (
    select coalesce(sum(size), 0) + ?6 <= ?8 and count(*) < ?9 from files
    where bot = ?1 and user = ?3 and channel = ?2 and created_at > ?10
) and (
    select coalesce(sum(size), 0) + ?6 <= ?11 and count(*) < ?12 from files
    where bot = ?1 and channel = ?2 and created_at > ?10
        and (length(user) = 36 and user glob 'web_*') = (length(?3) = 36 and ?3 glob 'web_*')
)

-- name: put_piece
-- A piece of what it holds, unless its user was erased meanwhile.
insert into file_pieces (bot, id, number, content)
select ?1, ?2, ?3, ?4 where exists (select 1 from files where bot = ?1 and id = ?2 and sent >= 0)

-- name: piece
-- A piece of what a file holds.
select content from file_pieces where bot = ? and id = ? and number = ?

-- name: send
-- A message names the file: it is kept as long as the message. One that is gone, or going, is left out of the changes.
update files set sent = 1 where bot = ? and channel = ? and user = ? and id = ? and sent >= 0

-- name: begin_forgetting
-- From here on nobody finds these files; what a stop leaves of them is found again. The index knows sent <= 0, which
-- for the database does not follow from sent = 0.
update files set sent = -1 where bot = ? and created_at < ? and sent <= 0 and sent = 0

-- name: forgetting
-- Files that are being deleted, with the number of the last piece that is left.
select f.bot, f.id, (select max(number) from file_pieces p where p.bot = f.bot and p.id = f.id)
from files f where f.bot = ? and f.created_at < ? and f.sent <= 0 and f.sent = -1

-- name: delete_piece
-- A piece of a file that goes.
delete from file_pieces where bot = ? and id = ? and number = ?

-- name: delete_file
-- A file whose pieces are gone.
delete from files where bot = ? and id = ? and sent = -1
