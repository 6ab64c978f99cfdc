-- name: put_version
-- Keep a version; its content never changes.
insert into versions (bot, version, files, created_at)
values (?, ?, ?, ?)
on conflict do nothing

-- name: activate
-- Make a version the active one of its bot.
insert into bots (bot, active)
values (?, ?)
on conflict (bot) do update set active = excluded.active

-- name: active
-- The active version of a bot.
select v.bot, v.version, v.files, v.created_at from bots b
join versions v on v.bot = b.bot and v.version = b.active where b.bot = ?

-- name: version
-- One version of a bot.
select bot, version, files, created_at from versions where bot = ? and version = ?

-- name: bots
-- All bots that were ever published.
select bot from bots order by bot

-- name: keep_list
-- The last good list of an entity type, in the place of the one before.
insert into lists (bot, type, source, elements, fetched_at)
values (?, ?, ?, ?, ?)
on conflict (bot, type) do update set
    source = excluded.source,
    elements = excluded.elements,
    fetched_at = excluded.fetched_at

-- name: lists
-- The kept lists of a bot, by type.
select bot, type, source, elements, fetched_at from lists where bot = ? order by type
