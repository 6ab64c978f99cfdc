-- name: put_chats
-- Memory of new chats; one that is there already is left out of the count of changes.
insert into chats (bot, channel, user, state, revision, position, timers, bare_since)
values (?, ?, ?, ?, ?, ?, json_patch('{}', ?), ?)
on conflict do nothing

-- name: update_chats
-- Memory of known chats, each from the revision it was computed from; any other is left out of the count of changes.
-- One that is gone would be inserted: the caller looks whether a row came in (an UPDATE ... FROM took twice the time).
insert into chats (bot, channel, user, state, revision, position, timers, bare_since)
values (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (bot, user, channel) do update set
    state = excluded.state,
    revision = excluded.revision,
    position = excluded.position,
    timers = case when excluded.timers is null then timers else json_patch(coalesce(timers, '{}'), excluded.timers) end,
    bare_since = excluded.bare_since
where revision = excluded.revision - 1

-- name: wake_chats
-- Bring forward the wake-up of chats that got an earlier timer.
with v (bot, channel, user, wake) as (
values (?, ?, ?, ?)
)
update chats set wake = v.wake from v
where chats.bot = v.bot and chats.user = v.user and chats.channel = v.channel
    and (chats.wake is null or chats.wake > v.wake)

-- name: put_conversations
-- Records whose indexed columns are as they were, but for the number of messages: what most turns change.
insert into conversations (
    bot, id, user, channel, status, started_at, updated_at, ended_at, goal, errors, messages_user, messages_bot,
    provider_name, first_name, last_name, document, body
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, jsonb(?))
on conflict (bot, id) do update set
    updated_at = excluded.updated_at,
    ended_at = excluded.ended_at,
    goal = excluded.goal,
    messages_user = excluded.messages_user,
    messages_bot = excluded.messages_bot,
    document = excluded.document,
    body = excluded.body
where status = excluded.status and errors = excluded.errors and started_at = excluded.started_at
    and user = excluded.user and channel = excluded.channel and provider_name = excluded.provider_name
    and first_name is excluded.first_name and last_name is excluded.last_name

-- name: finish_conversations
-- Records that ended, failed or were taken up again: the same with the status, and with one index more to change.
insert into conversations (
    bot, id, user, channel, status, started_at, updated_at, ended_at, goal, errors, messages_user, messages_bot,
    provider_name, first_name, last_name, document, body
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, jsonb(?))
on conflict (bot, id) do update set
    status = excluded.status,
    updated_at = excluded.updated_at,
    ended_at = excluded.ended_at,
    goal = excluded.goal,
    messages_user = excluded.messages_user,
    messages_bot = excluded.messages_bot,
    document = excluded.document,
    body = excluded.body
where errors = excluded.errors and started_at = excluded.started_at
    and user = excluded.user and channel = excluded.channel and provider_name = excluded.provider_name
    and first_name is excluded.first_name and last_name is excluded.last_name

-- name: replace_conversations
-- Records of which anything may have changed.
insert into conversations (
    bot, id, user, channel, status, started_at, updated_at, ended_at, goal, errors, messages_user, messages_bot,
    provider_name, first_name, last_name, document, body
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, jsonb(?))
on conflict (bot, id) do update set
    user = excluded.user,
    channel = excluded.channel,
    status = excluded.status,
    started_at = excluded.started_at,
    updated_at = excluded.updated_at,
    ended_at = excluded.ended_at,
    goal = excluded.goal,
    errors = excluded.errors,
    messages_user = excluded.messages_user,
    messages_bot = excluded.messages_bot,
    provider_name = excluded.provider_name,
    first_name = excluded.first_name,
    last_name = excluded.last_name,
    document = excluded.document,
    body = excluded.body

-- name: put_messages
-- Messages of many turns; each is written once and never changed.
insert into messages (
    bot, id, conversation, user, channel, sender, type, created_at, sequence, position, client_id, later, whole, document,
    body
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, jsonb(?))

-- name: carry
-- What an answer has carried waits no more.
with v (bot, channel, user, position) as (
values (?, ?, ?, ?)
)
update messages set later = null from v
where messages.bot = v.bot and messages.user = v.user and messages.channel = v.channel
    and messages.position <= v.position and messages.later is not null

-- name: put_answers
-- Answers of turns whose inbox row was never written; a key that was seen is left out of the count of changes.
insert into answers (bot, channel, user, dedupe, body, answer, seen_at)
values (?, ?, ?, ?, ?, ?, ?)
on conflict do nothing

-- name: fill_answers
-- Answers of turns whose keys came into the inbox first.
insert into answers (bot, channel, user, dedupe, body, number, answer, seen_at)
values (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (bot, user, channel, dedupe) do update set answer = excluded.answer, seen_at = excluded.seen_at
where number = excluded.number and answer is null

-- name: delete_inbox
-- The inbox rows of turns that are done.
delete from inbox where (bot, user, channel, number) in (select column1, column3, column2, column4 from (
values (?, ?, ?, ?)
))

-- name: delete_journals
-- The results of their outside calls.
delete from journal where (bot, user, channel, number) in (select column1, column3, column2, column4 from (
values (?, ?, ?, ?)
))
