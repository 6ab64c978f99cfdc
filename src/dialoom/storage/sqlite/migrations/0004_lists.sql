-- The last good list of each entity type that an endpoint fills. elements: JSON, sealed. source: hash of the data
-- source that it came from.
create table lists (
    bot text not null,
    type text not null,
    source blob not null,
    elements blob not null,
    fetched_at integer not null,
    primary key (bot, type)
) strict;
