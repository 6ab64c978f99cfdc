-- What the user of the chat is shown of a message that the record shows masked; sealed. Few messages have one, and the index
-- holds those alone.
alter table messages add column whole blob;
create index messages_whole on messages (bot, user, channel, position) where whole is not null;
