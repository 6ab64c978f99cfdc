-- name: old
-- Conversations that began before a time, on from one, the oldest first: whether nothing came into them since, and nothing
-- waits for their chat. What was updated before a time also began before it: so an index that every turn would have to
-- change is not needed.
select id, channel, user, started_at, updated_at < ?2
    and not exists (select 1 from inbox i where i.bot = ?1 and i.user = c.user and i.channel = c.channel)
    and not exists (
        select 1 from outbox o where o.bot = ?1 and o.user = c.user and o.channel = c.channel and o.dead_at is null
    )
from conversations c
where bot = ?1 and started_at < ?2 and (started_at, id) > (?3, ?4) order by started_at, id limit ?5

-- name: delete_messages
-- Some messages of a conversation; gives each, with its text where that may name a file.
delete from messages where rowid in (select rowid from messages where bot = ? and conversation = ? limit ?)
returning iif(instr(document, '/files/') > 0, document, null)

-- name: naming
-- The texts of a user's messages that may name a file.
select document from messages where bot = ? and channel = ? and user = ? and instr(document, '/files/') > 0

-- name: delete_conversation
-- A conversation whose messages are gone.
delete from conversations where bot = ? and id = ?

-- name: is_kept
-- Whether a user has a conversation, an event that waits or a delivery that waits.
select exists (select 1 from conversations where bot = ?1 and user = ?3 and channel = ?2)
    or exists (select 1 from inbox where bot = ?1 and user = ?3 and channel = ?2)
    or exists (select 1 from outbox where bot = ?1 and user = ?3 and channel = ?2 and dead_at is null)

-- name: bare
-- Chats in which nothing was ever said and into which nothing came since a time, on from one, the longest quiet first.
-- Whether something keeps them all the same, "is_kept" tells.
select bare_since, rowid, channel, user from chats
where bot = ?1 and bare_since < ?2 and (bare_since, rowid) > (?3, ?4) order by bare_since, rowid limit ?5

-- name: delete_chat
-- The memory of a user, with the timers.
delete from chats where bot = ? and channel = ? and user = ?

-- name: delete_answers
-- The stored answers of a user.
delete from answers where bot = ? and channel = ? and user = ?

-- name: delete_journal
-- The results of a user's outside calls.
delete from journal where bot = ? and channel = ? and user = ?

-- name: delete_dead
-- The dead letters of a user.
delete from outbox where bot = ? and channel = ? and user = ? and dead_at is not null

-- name: begin_deleting_files
-- From here on nobody finds the files of a user; their pieces go one by one.
update files set sent = -1 where bot = ? and channel = ? and user = ?

-- name: begin_deleting_some_files
-- The same for some of them, found by their ids: a user may have thousands.
update files set sent = -1
where bot = ? and +channel = ? and +user = ? and sent = 1 and id in (select value from json_each(?))
