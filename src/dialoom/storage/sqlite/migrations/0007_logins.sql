-- Login links whose page was opened: where the browser and the chat meet. about: what the login is about, sealed. taken: 1
-- once its one use has begun.
create table logins (
    bot text not null,
    channel text not null,
    user text not null,
    link text not null,
    about blob not null,
    expires_at integer not null,
    taken integer not null,
    primary key (bot, user, channel, link)
) strict;
create index logins_expires_at on logins (bot, expires_at);
-- They go with the memory of their chat, however that goes.
create trigger chats_went after delete on chats begin
    delete from logins where bot = old.bot and user = old.user and channel = old.channel;
end;
