-- name: channels
-- The channels on which anything is kept of a user, what is half deleted too.
select channel from chats where bot = ?1 and user = ?2
union select channel from conversations where bot = ?1 and user = ?2
union select channel from messages where bot = ?1 and user = ?2
union select channel from inbox where bot = ?1 and user = ?2
union select channel from journal where bot = ?1 and user = ?2
union select channel from answers where bot = ?1 and user = ?2
union select channel from outbox where bot = ?1 and user = ?2
union select channel from files where bot = ?1 and user = ?2
order by channel

-- name: begin_deleting_files
-- From here on nobody finds the files of a user; their pieces go one by one.
update files set sent = -1 where bot = ? and channel = ? and user = ? and sent >= 0

-- name: has_files
-- Whether a file of a user is left, found or not.
select exists (select 1 from files where bot = ? and channel = ? and user = ?)

-- name: deleting
-- The files of a user that are being deleted, with the number of the last piece that is left.
select f.bot, f.id, (select max(number) from file_pieces p where p.bot = f.bot and p.id = f.id)
from files f where f.bot = ? and f.channel = ? and f.user = ? and f.sent = -1

-- name: conversations
-- Some conversations of a user.
select id from conversations where bot = ? and channel = ? and user = ? limit ?

-- name: delete_messages_of
-- Some messages of a conversation, whosever they say they are.
delete from messages where rowid in (select rowid from messages where bot = ? and conversation = ? limit ?)

-- name: delete_conversation
-- A conversation whose messages are gone.
delete from conversations where bot = ? and id = ?

-- name: delete_messages
-- Some messages of a user whose conversation is not there.
delete from messages where rowid in (
    select rowid from messages where bot = ? and channel = ? and user = ? limit ?
)

-- name: delete_deliveries
-- Some deliveries of a user, dead or not. The last of a line go first: were the marked one gone and others left, none of
-- them would ever be due.
delete from outbox where rowid in (
    select rowid from outbox where bot = ? and channel = ? and user = ? order by revision desc, id desc limit ?
)

-- name: delete_answers
-- Some stored answers of a user.
delete from answers where rowid in (
    select rowid from answers where bot = ? and channel = ? and user = ? limit ?
)

-- name: delete_journal
-- The results of a user's outside calls.
delete from journal where bot = ? and channel = ? and user = ?

-- name: delete_inbox
-- The events of a user that wait for their turn.
delete from inbox where bot = ? and channel = ? and user = ?

-- name: delete_chat
-- The memory of a user, with the timers.
delete from chats where bot = ? and channel = ? and user = ?

-- name: note
-- Somebody was erased, or logged out beside the service.
update erasures set last = random()

-- name: last
-- The number of the last erasure.
select last from erasures
