-- name: put_version
-- Keep a version; its content never changes.
insert into versions (bot, version, files, created_at, activated_at)
values ($1, $2, $3, $4, $4)
on conflict do nothing

-- name: activate
-- Make a version the active one of its bot; one that is active already is left out of the changes.
insert into bots (bot, active)
values ($1, $2)
on conflict (bot) do update set active = excluded.active where bots.active <> excluded.active

-- name: note_activation
-- When it became the active one; it is not withdrawn any more.
update versions set activated_at = $1, withdrawn_at = null where bot = $2 and version = $3

-- name: lock
-- The active version of a bot, for nobody else to change meanwhile.
select active from bots where bot = $1 for update

-- name: withdraw
-- Mark a version as rolled back from.
update versions set withdrawn_at = $1 where bot = $2 and version = $3

-- name: versions
-- All versions of a bot without their files, the one that became active last first.
select v.bot, v.version, v.created_at, v.activated_at, v.withdrawn_at, v.version = b.active
from versions v join bots b on b.bot = v.bot where v.bot = $1
order by v.version = b.active desc, v.activated_at desc, v.version

-- name: deployments
-- The active version of each bot, and when its newest dynamic list came.
select bot, active, (select coalesce(max(fetched_at), 0) from lists l where l.bot = b.bot) from bots b order by bot

-- name: active
-- The active version of a bot.
select v.bot, v.version, v.files, v.created_at from bots b
join versions v on v.bot = b.bot and v.version = b.active where b.bot = $1

-- name: version
-- One version of a bot.
select bot, version, files, created_at from versions where bot = $1 and version = $2

-- name: is_kept
-- Whether a version is there.
select 1 from versions where bot = $1 and version = $2

-- name: bots
-- All bots that were ever published.
select bot from bots order by bot

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
