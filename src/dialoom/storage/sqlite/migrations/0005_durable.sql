-- When a version became active, and since when it is rolled back from.
alter table versions add column activated_at integer not null default 0;
alter table versions add column withdrawn_at integer;
update versions set activated_at = created_at;

-- Deliveries to the outside. body: what it takes to post one, sealed. carries: once delivered, the later messages of the
-- chat are carried up to there. Of a chat and receiver the first that is not dead is the next.
create table outbox (
    bot text not null,
    channel text not null,
    user text not null,
    receiver text not null,
    id text not null,
    body blob not null,
    carries integer not null,
    created_at integer not null,
    due integer not null,
    attempts integer not null,
    dead_at integer,
    reason text,
    primary key (bot, user, channel, receiver, id)
) strict;
create index outbox_due on outbox (due) where dead_at is null;
create index outbox_dead on outbox (bot, id) where dead_at is not null;

-- Work of a bot that has a time, such as retention.
create table chores (
    bot text not null,
    name text not null,
    due integer not null,
    primary key (bot, name)
) strict;

-- Whether anything of a user is left.
create index conversations_user on conversations (bot, user, channel);
