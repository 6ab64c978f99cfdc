-- works with: 1

-- What the studio keeps: drafts, try-outs, traces of turns and the like. body: sealed.
create table studio_rows (
    kind text collate "C" not null,
    bot text collate "C" not null,
    id text collate "C" not null,
    revision bigint not null,
    body bytea not null,
    created_at bigint not null,
    updated_at bigint not null,
    expires_at bigint,
    primary key (bot, kind, id)
);

create index studio_rows_expired on studio_rows (expires_at) where expires_at is not null;
