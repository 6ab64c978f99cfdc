-- works with: 1

-- Login links whose page was opened: where the browser and the chat meet. about: what the login is about, sealed. taken:
-- its one use has begun. They go with the memory of their chat, however that goes, also by a release that knows nothing of
-- them.
create table logins (
    bot text collate "C" not null,
    channel text collate "C" not null,
    "user" text collate "C" not null,
    link text collate "C" not null,
    about bytea not null,
    expires_at bigint not null,
    taken boolean not null,
    primary key (bot, "user", channel, link),
    foreign key (bot, "user", channel) references chats (bot, "user", channel) on delete cascade
);
create index logins_expires_at on logins (bot, expires_at);
