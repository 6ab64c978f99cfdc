-- name: open_login
-- A login link's row, unless it has one or its chat is not known any more.
insert into logins (bot, channel, user, link, about, expires_at, taken)
select ?1, ?2, ?3, ?4, ?5, ?6, ?7 where exists (select 1 from chats where bot = ?1 and user = ?3 and channel = ?2)
on conflict do nothing

-- name: change_record
-- Another document of a conversation, where the one that the caller knows still stands.
update conversations set document = ?1, body = jsonb(?1), updated_at = ?2
where bot = ?3 and channel = ?4 and user = ?5 and id = ?6 and document = ?7

-- name: forget_logins
-- Some login links of a bot that expired before a time.
delete from logins where rowid in (select rowid from logins where bot = ? and expires_at < ? limit ?)

-- name: drop_letters
-- Dead letters that go: those with an id of a JSON list, or all of the bot; no more than the limit.
delete from outbox where rowid in (
    select rowid from outbox
    where bot = ?1 and dead_at is not null and (?2 is null or id in (select value from json_each(?2)))
    order by created_at, id limit ?3
)

-- name: forget_letters
-- Dead letters that are older than a time go, no more than the limit.
delete from outbox where rowid in (
    select rowid from outbox where bot = ?1 and dead_at is not null and created_at < ?2 order by created_at, id limit ?3
)

-- name: outbox_counts
-- Bots with deliveries that wait or are dead.
select bot, waiting, dead from outbox_counts where waiting > 0 or dead > 0 order by bot

-- name: forget_answers
-- Some answers of a bot that need not be repeated any more; one whose turn still runs stays.
delete from answers where rowid in (
    select rowid from answers where bot = ? and seen_at < ? and answer is not null limit ?
)

-- name: forget_results
-- Some results of outside calls whose turn is done.
delete from journal where rowid in (
    select rowid from journal j where bot = ? and not exists (
        select 1 from inbox i
        where i.bot = j.bot and i.user = j.user and i.channel = j.channel and i.number = j.number
    ) limit ?
)
