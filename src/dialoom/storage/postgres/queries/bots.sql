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

-- name: begin
-- Make a version the active one of a bot that has none.
insert into bots (bot, active) values ($1, $2) on conflict do nothing

-- name: note_activation
-- When it became the active one; it is not withdrawn any more.
update versions set activated_at = $1, withdrawn_at = null where bot = $2 and version = $3

-- name: lock
-- The active version of a bot, for nobody else to change meanwhile.
select active from bots where bot = $1 for update

-- name: withdraw
-- Mark a version as rolled back from.
update versions set withdrawn_at = $1 where bot = $2 and version = $3

-- name: is_kept
-- Whether a version is there.
select 1 from versions where bot = $1 and version = $2
