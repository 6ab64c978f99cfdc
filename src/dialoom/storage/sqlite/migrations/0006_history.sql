-- How far files of records from elsewhere were read.
create table imports (
    bot text not null,
    source text not null,
    line integer not null,
    primary key (bot, source)
) strict;

-- The operator's own indexes on properties of records. All records are in one that is ready; mark: a random text, of the
-- work that makes it or lets it go. The keys of each stand in a table "property_..." of its own, which triggers of that
-- name keep: whoever rebuilds a table of records makes them anew.
create table property_indexes (
    collection text not null,
    property text not null,
    state text not null check (state in ('making', 'ready', 'going')),
    mark text not null,
    primary key (collection, property)
) strict;

-- One row: a random number that every erasure of a user changes. A service beside which a command erased somebody forgets
-- the chats it has loaded; of whom was erased nothing is kept.
create table erasures (last integer not null) strict;
insert into erasures (last) values (0);

-- Pages in the order of a property, and of the records with one value of it, go by _id within it. The time of the begin
-- stands behind, so that conditions on both are told in the index.
drop index conversations_status;
create index conversations_status on conversations (bot, status, id, started_at);
drop index conversations_errors;
create index conversations_errors on conversations (bot, errors, id, started_at);
drop index conversations_messages_user;
create index conversations_messages_user on conversations (bot, messages_user, id, started_at);
drop index conversations_provider_name;
create index conversations_provider_name on conversations (bot, provider_name, id, started_at);
drop index conversations_first_name;
create index conversations_first_name on conversations (bot, first_name, id, started_at);
drop index conversations_last_name;
create index conversations_last_name on conversations (bot, last_name, id, started_at);
