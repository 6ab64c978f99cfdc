-- name: active
-- The active version of a bot.
select v.bot, v.version, v.files, v.created_at from bots b
join versions v on v.bot = b.bot and v.version = b.active where b.bot = $1

-- name: version
-- One version of a bot.
select bot, version, files, created_at from versions where bot = $1 and version = $2

-- name: versions
-- All versions of a bot without their files, the one that became active last first.
select v.bot, v.version, v.created_at, v.activated_at, v.withdrawn_at, v.version = b.active
from versions v join bots b on b.bot = v.bot where v.bot = $1
order by v.version = b.active desc, v.activated_at desc, v.version

-- name: bots
-- All bots that were ever published.
select bot from bots order by bot

-- name: deployments
-- The active version of each bot, and when its newest dynamic list came.
select bot, active, (select coalesce(max(fetched_at), 0) from lists l where l.bot = b.bot) from bots b order by bot

-- name: keep_list
-- The last good list of an entity type, in the place of the one before.
insert into lists (bot, type, source, elements, fetched_at)
values ($1, $2, $3, $4, $5)
on conflict (bot, type) do update set
    source = excluded.source,
    elements = excluded.elements,
    fetched_at = excluded.fetched_at

-- name: lists
-- The kept lists of a bot, by type.
select bot, type, source, elements, fetched_at from lists where bot = $1 order by type

-- name: chat
-- Memory of one chat.
select state, revision, position from chats where bot = $1 and channel = $2 and "user" = $3

-- name: answered
-- What is known of one inbound key.
select body, answer from answers where bot = $1 and channel = $2 and "user" = $3 and dedupe = $4

-- name: journaled
-- Results of the outside calls of one turn.
select call, result from journal where bot = $1 and channel = $2 and "user" = $3 and number = $4

-- name: said
-- Messages of a chat after a position, in order. Those from elsewhere have position 0: they are of no live chat.
select position, document, client_id, whole from messages
where bot = $1 and channel = $2 and "user" = $3 and position > $4 order by position limit $5

-- name: last_said
-- The last messages of a chat, the newest first.
select position, document, client_id, whole from messages
where bot = $1 and channel = $2 and "user" = $3 and position > 0 order by position desc limit $4

-- name: last_record
-- The record of the conversation that the last message of a chat belongs to.
select c.document from messages m join conversations c on c.bot = m.bot and c.id = m.conversation
where m.bot = $1 and m.channel = $2 and m."user" = $3 and m.position > 0 order by m.position desc limit 1

-- name: record_of
-- The record of a conversation of a chat.
select document from conversations where bot = $1 and channel = $2 and "user" = $3 and id = $4

-- name: later
-- Messages of a chat that no answer has carried yet, in order.
select position, document, client_id, whole from messages
where bot = $1 and channel = $2 and "user" = $3 and later is not null order by position limit $4

-- name: plan_job
-- Set the time of a scheduled job that has none.
insert into scheduled_jobs (bot, name, due)
values ($1, $2, $3)
on conflict do nothing

-- name: move_job
-- The time at which a scheduled job comes again.
insert into scheduled_jobs (bot, name, due)
values ($1, $2, $3)
on conflict (bot, name) do update set due = excluded.due

-- name: end_job
-- A scheduled job that does not come again.
delete from scheduled_jobs where bot = $1 and name = $2

-- name: dead_letters
-- Dead letters of a bot, the oldest first, without what they say.
select bot, channel, "user", receiver, id, carries, created_at, due, attempts, dead_at, reason from outbox
where bot = $1 and dead_at is not null order by created_at, id limit $2

-- name: token
-- The token with this keyed hash, revoked or not.
select bot, id, kind, hash, sealed, channel, scopes, name, created_at, revoked_at from tokens where hash = $1

-- name: tokens
-- All tokens of a bot, the oldest first.
select bot, id, kind, hash, sealed, channel, scopes, name, created_at, revoked_at from tokens
where bot = $1 order by created_at, id

-- name: revoke
-- Take a live token's rights away.
update tokens set revoked_at = $1 where bot = $2 and id = $3 and revoked_at is null

-- name: marks
-- All times that all processes share.
select name, at from marks

-- name: put_mark
-- One of them, in the place of what it was.
insert into marks (name, at)
values ($1, $2)
on conflict (name) do update set at = excluded.at

-- name: drop_mark
-- One of them does not hold any more.
delete from marks where name = $1

-- name: login
-- The row of one login link.
select about, expires_at, taken from logins where bot = $1 and channel = $2 and "user" = $3 and link = $4

-- name: change_login
-- Another state of a login link, where the one that the caller knows still stands.
update logins set about = $1, expires_at = $2, taken = $3
where bot = $4 and channel = $5 and "user" = $6 and link = $7 and about = $8 and expires_at = $9 and taken = $10

-- name: file
-- A file without its content.
select bot, channel, "user", id, about, size, created_at from files where bot = $1 and id = $2 and sent >= 0

-- name: piece
-- A piece of what a file holds, as long as it is the file that the caller knows: not deleted, not sealed again.
select p.content from files f join file_pieces p on p.bot = f.bot and p.id = f.id
where f.bot = $1 and f.id = $2 and f.about = $3 and f.sent >= 0 and p.number = $4

-- name: files_of
-- The files of a user, the oldest first.
select bot, channel, "user", id, about, size, created_at from files
where bot = $1 and channel = $2 and "user" = $3 and sent >= 0 order by created_at, id

-- name: imported_lines
-- How far a file was read.
select line from imports where bot = $1 and source = $2

-- name: studio_row
-- One row of the studio.
select bot, kind, id, revision, body, created_at, updated_at, expires_at from studio_rows
where bot = $1 and kind = $2 and id = $3

-- name: studio_rows
-- Rows of a kind before an id, the greatest id first.
select bot, kind, id, revision, body, created_at, updated_at, expires_at from studio_rows
where bot = $1 and kind = $2 and id < $3 order by id desc limit $4

-- name: last_studio_rows
-- The same from the greatest id on.
select bot, kind, id, revision, body, created_at, updated_at, expires_at from studio_rows
where bot = $1 and kind = $2 order by id desc limit $3

-- name: add_studio_row
-- A row of the studio that is new.
insert into studio_rows (bot, kind, id, revision, body, created_at, updated_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (bot, kind, id) do nothing

-- name: change_studio_row
-- Another revision in the place of the one that the writer knows.
update studio_rows set revision = $1, body = $2, updated_at = $3, expires_at = $4
where bot = $5 and kind = $6 and id = $7 and revision = $8

-- name: replace_studio_row
-- A row of the studio that takes the place of the one before, whatever its revision.
insert into studio_rows (bot, kind, id, revision, body, created_at, updated_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (bot, kind, id) do update set revision = excluded.revision, body = excluded.body,
    created_at = excluded.created_at, updated_at = excluded.updated_at, expires_at = excluded.expires_at

-- name: delete_studio_row
-- One row of the studio, whatever its revision.
delete from studio_rows where bot = $1 and kind = $2 and id = $3

-- name: forget_studio_rows
-- Some rows of the studio that are over.
delete from studio_rows where (bot, kind, id) in (
    select bot, kind, id from studio_rows where expires_at < $1 limit $2
)
