-- What the studio keeps: drafts, try-outs, traces of turns and the like. body: sealed.
create table studio_rows (
    kind text not null,
    bot text not null,
    id text not null,
    revision integer not null,
    body blob not null,
    created_at integer not null,
    updated_at integer not null,
    expires_at integer,
    primary key (bot, kind, id)
) strict;

create index studio_rows_expired on studio_rows (expires_at) where expires_at is not null;
