-- name: put_conversations
-- Records from elsewhere; one that is there stays, and is left out of the count of changes.
insert into conversations (
    bot, id, user, channel, status, started_at, updated_at, ended_at, goal, errors, messages_user, messages_bot,
    provider_name, first_name, last_name, document, body
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, jsonb(?))
on conflict do nothing

-- name: put_messages
-- The same for messages.
insert into messages (
    bot, id, conversation, user, channel, sender, type, created_at, sequence, position, document, body
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, jsonb(?))
on conflict do nothing

-- name: put_line
-- How far a file was read; less than before where it is read again.
insert into imports (bot, source, line) values (?, ?, ?)
on conflict (bot, source) do update set line = excluded.line
