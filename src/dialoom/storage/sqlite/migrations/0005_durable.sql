-- When a version became active, and since when it is rolled back from.
alter table versions add column activated_at integer not null default 0;
alter table versions add column withdrawn_at integer;
update versions set activated_at = created_at;

-- Deliveries to the outside. carries: once delivered, the later messages of the chat are carried up to there. Those of a
-- chat and receiver go by revision (of the chat, by the turn that wrote it), then by id, which rises within a turn: no
-- clock decides. is_first: of each chat and receiver exactly one that is not dead is the next. Only that one lies in the
-- index of what is due, so that a look costs what it takes, not what waits behind. due: 0 for those behind that were
-- never first; they are due when they are. body: what it takes to post one, sealed; it stands last, so that nobody reads
-- it who wants the rest.
create table outbox (
    bot text not null,
    channel text not null,
    user text not null,
    receiver text not null,
    id text not null,
    revision integer not null,
    carries integer not null,
    created_at integer not null,
    due integer not null,
    attempts integer not null,
    is_first integer not null,
    dead_at integer,
    reason text,
    body blob not null,
    primary key (bot, user, channel, receiver, id)
) strict;
create index outbox_due on outbox (due, id) where is_first = 1;
create index outbox_line on outbox (bot, user, channel, receiver, revision, id) where dead_at is null;
create index outbox_dead on outbox (bot, created_at, id) where dead_at is not null;

-- How many of a bot wait and are dead, kept with each change, for they are asked for every few seconds: counting 200,000
-- took the one look-up thread 25 to 95 ms.
create table outbox_counts (
    bot text not null primary key,
    waiting integer not null,
    dead integer not null
) strict, without rowid;
create trigger outbox_came after insert on outbox begin
    insert into outbox_counts (bot, waiting, dead) values (new.bot, new.dead_at is null, new.dead_at is not null)
    on conflict (bot) do update set waiting = waiting + excluded.waiting, dead = dead + excluded.dead;
end;
create trigger outbox_went after delete on outbox begin
    update outbox_counts set waiting = waiting - (old.dead_at is null), dead = dead - (old.dead_at is not null)
    where bot = old.bot;
end;
create trigger outbox_died after update of dead_at on outbox begin
    update outbox_counts set
        waiting = waiting + (new.dead_at is null) - (old.dead_at is null),
        dead = dead + (new.dead_at is not null) - (old.dead_at is not null)
    where bot = new.bot;
end;

-- Work of a bot that has a time, such as retention.
create table chores (
    bot text not null,
    name text not null,
    due integer not null,
    primary key (bot, name)
) strict;

-- Whether anything of a user is left.
create index conversations_user on conversations (bot, user, channel);

-- What is forgotten after a time, each bot's on its own.
drop index answers_seen_at;
create index answers_seen_at on answers (bot, seen_at);
drop index files_unsent;
create index files_unsent on files (bot, created_at) where sent <= 0;
