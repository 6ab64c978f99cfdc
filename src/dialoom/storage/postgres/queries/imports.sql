-- name: put_conversations
-- Records from elsewhere; one that is there stays, and is left out of the count.
insert into conversations (
    bot, id, "user", channel, status, started_at, updated_at, ended_at, goal, errors, messages_user, messages_bot,
    provider_name, first_name, last_name, document, body
)
select $1, r.id, r."user", r.channel, r.status, r.started_at, r.updated_at, r.ended_at, r.goal, r.errors,
    r.messages_user, r.messages_bot, r.provider_name, r.first_name, r.last_name, r.document,
    coalesce(r.body, r.document)::jsonb
from unnest(
    $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::integer[],
    $11::integer[], $12::integer[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[]
) as r (
    id, "user", channel, status, started_at, updated_at, ended_at, goal, errors, messages_user, messages_bot,
    provider_name, first_name, last_name, document, body
)
on conflict do nothing

-- name: put_messages
-- The same for messages.
insert into messages (
    bot, id, conversation, "user", channel, sender, type, created_at, sequence, position, document, body
)
select $1, m.id, m.conversation, m."user", m.channel, m.sender, m.type, m.created_at, m.sequence, m.position,
    m.document, coalesce(m.body, m.document)::jsonb
from unnest(
    $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::integer[], $10::bigint[],
    $11::text[], $12::text[]
) as m (
    id, conversation, "user", channel, sender, type, created_at, sequence, position, document, body
)
on conflict do nothing

-- name: put_line
-- How far a file was read; less than before where it is read again.
insert into imports (bot, source, line) values ($1, $2, $3)
on conflict (bot, source) do update set line = excluded.line
