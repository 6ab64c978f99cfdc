-- What the bot said on a channel that is asked for it, and no answer has carried yet: 1 until one has, null otherwise.
-- The index holds those alone, so that a turn whose answer carries its messages pays nothing for it.
alter table messages add column later integer;
create index messages_later on messages (bot, user, channel, position) where later is not null;
