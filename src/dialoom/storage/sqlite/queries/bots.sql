-- name: put_version
-- Keep a version; its content never changes.
insert into versions (bot, version, files, created_at)
values (?, ?, ?, ?)
on conflict do nothing

-- name: activate
-- Make a version the active one of its bot; one that is active already is left out of the changes.
insert into bots (bot, active)
values (?, ?)
on conflict (bot) do update set active = excluded.active where active <> excluded.active

-- name: active_name
-- The active version of a bot.
select active from bots where bot = ?

-- name: note_activation
-- When it became the active one; it is not withdrawn any more.
update versions set activated_at = ?, withdrawn_at = null where bot = ? and version = ?

-- name: withdraw
-- Mark the active version of a bot as rolled back from, unless it is the one that is rolled back to.
update versions set withdrawn_at = ?1
where bot = ?2 and version = (select active from bots where bot = ?2) and version <> ?3
