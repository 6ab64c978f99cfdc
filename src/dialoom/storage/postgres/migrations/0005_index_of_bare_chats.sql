-- works with: 1

-- outside a transaction
create index concurrently if not exists chats_bare_next
on chats (bot, bare_since, "user", channel) where bare_since is not null;

-- in the transaction
-- Made with a step of its own, for the column has to be there before. Not an index with a condition on "position": that
-- changes with each turn, and what an index knows cannot be changed in place.
alter index chats_bare_next rename to chats_bare;
