-- works with: 1

-- What the studio keeps: drafts, try-outs, people, audit entries. body: JSON, sealed. revision: counts the changes, so that of
-- two writers the second one is told. expires_at: null for what stays.
create table studio_rows (
    bot text collate "C" not null,
    kind text collate "C" not null,
    id text collate "C" not null,
    revision bigint not null,
    body bytea not null,
    created_at bigint not null,
    updated_at bigint not null,
    expires_at bigint,
    primary key (bot, kind, id)
);
create index studio_rows_expires_at on studio_rows (expires_at) where expires_at is not null;
