-- works with: 1

-- outside a transaction
-- Those that were there before the step before this one.
update chats set bare_since = server_clock() where position = 0 and bare_since is null;
create index concurrently if not exists chats_bare_next on chats (bot, bare_since) where bare_since is not null;

-- in the transaction

alter index chats_bare_next rename to chats_bare;
