-- name: lock
-- One new token at a time: the same text must not become two tokens, which no index over all bots may forbid.
select pg_advisory_xact_lock($1)

-- name: put_token
-- A new token; it may take the place of a revoked one with its id, never that of a live one.
insert into tokens (bot, id, kind, hash, sealed, channel, scopes, name, created_at, revoked_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (bot, id) do update set
    kind = excluded.kind,
    hash = excluded.hash,
    sealed = excluded.sealed,
    channel = excluded.channel,
    scopes = excluded.scopes,
    name = excluded.name,
    created_at = excluded.created_at,
    revoked_at = excluded.revoked_at
where tokens.revoked_at is not null
