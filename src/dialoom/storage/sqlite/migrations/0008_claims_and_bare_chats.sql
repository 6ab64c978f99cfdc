-- A delivery that was taken is claimed until a time, its due time then. claimed_until: the same, so that a claim shows
-- while both are equal; the next start, at which nobody is left who could have taken one, frees those.
alter table outbox add column claimed_until integer;
create index outbox_claimed on outbox (due) where is_first = 1 and claimed_until = due;

-- A chat in which nothing was ever said has no conversation by whose age it could be forgotten. bare_since: of such a one
-- when something last came into it. Others have none, and do not lie in the index.
alter table chats add column bare_since integer;
update chats set bare_since = unixepoch() * 1000 where position = 0;
create index chats_bare on chats (bot, bare_since) where bare_since is not null;
