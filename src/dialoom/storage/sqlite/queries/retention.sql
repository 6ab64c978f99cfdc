-- name: old
-- Conversations that were last updated before a time, the oldest first. What was updated before it also began before it:
-- so an index that every turn would have to change is not needed.
select id, channel, user from conversations
where bot = ?1 and started_at < ?2 and updated_at < ?2 order by started_at, id limit ?3

-- name: delete_messages
-- Some messages of a conversation.
delete from messages where rowid in (select rowid from messages where bot = ? and conversation = ? limit ?)

-- name: delete_conversation
-- A conversation whose messages are gone.
delete from conversations where bot = ? and id = ?

-- name: is_kept
-- Whether a user has a conversation, an event that waits or a delivery that waits.
select exists (select 1 from conversations where bot = ?1 and user = ?3 and channel = ?2)
    or exists (select 1 from inbox where bot = ?1 and user = ?3 and channel = ?2)
    or exists (select 1 from outbox where bot = ?1 and user = ?3 and channel = ?2 and dead_at is null)

-- name: delete_chat
-- The memory of a user, with the timers.
delete from chats where bot = ? and channel = ? and user = ?

-- name: delete_answers
-- The stored answers of a user.
delete from answers where bot = ? and channel = ? and user = ?

-- name: delete_dead
-- The dead letters of a user.
delete from outbox where bot = ? and channel = ? and user = ? and dead_at is not null

-- name: begin_deleting_files
-- From here on nobody finds the files of a user; their pieces go one by one.
update files set sent = -1 where bot = ? and channel = ? and user = ?
