-- Files that users sent. Whose they are stands beside them, so that erasure and retention find them; what they are
-- called and hold is sealed. sent: 1 when a message names it, 0 before that, -1 while it is being deleted.
create table files (
    bot text not null,
    id text not null,
    channel text not null,
    user text not null,
    about blob not null,
    size integer not null,
    created_at integer not null,
    sent integer not null,
    primary key (bot, id)
) strict;
create index files_user on files (bot, user, channel, created_at, size);
create index files_channel on files (bot, channel, created_at, size);
-- Those that no message has named yet, and that go when they are old.
create index files_unsent on files (created_at) where sent <= 0;

-- In pieces, each written and deleted by a commit of its own: 10 MiB at once held up all turns for 100 ms.
create table file_pieces (
    bot text not null,
    id text not null,
    number integer not null,
    content blob not null,
    primary key (bot, id, number)
) strict;
