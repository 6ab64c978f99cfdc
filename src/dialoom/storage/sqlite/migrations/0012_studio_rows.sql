-- What the studio keeps: drafts, try-outs, people, audit entries. body: JSON, sealed. revision: counts the changes, so that of
-- two writers the second one is told. expires_at: null for what stays.
create table studio_rows (
    bot text not null,
    kind text not null,
    id text not null,
    revision integer not null,
    body blob not null,
    created_at integer not null,
    updated_at integer not null,
    expires_at integer,
    primary key (bot, kind, id)
) strict;
create index studio_rows_expires_at on studio_rows (expires_at) where expires_at is not null;
