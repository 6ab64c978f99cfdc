-- name: lock
-- One new file of a channel at a time: what is kept so far must be known for sure.
select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))

-- name: put_file
-- A file, unless the user's files since a time and this one are more bytes, or more files, than a user may keep; and
-- the same of the channel's files of users of the same kind: anonymous ones take nothing from those whom a user token
-- names.
insert into files (bot, channel, "user", id, about, size, created_at, sent)
select $1, $2, $3, $4, $5, $6, $7, 0
where (
    select coalesce(sum(size), 0) + $6::bigint <= $8::bigint and count(*) < $9::bigint from files
    where bot = $1 and "user" = $3 and channel = $2 and created_at > $10
) and (
    select coalesce(sum(size), 0) + $6::bigint <= $11::bigint and count(*) < $12::bigint from files
    where bot = $1 and channel = $2 and created_at > $10
        and (length("user") = 36 and starts_with("user", 'web_')) = (length($3) = 36 and starts_with($3, 'web_'))
)

-- name: put_piece
-- A piece of what it holds, unless its user was erased meanwhile; an erasure waits until it is written.
insert into file_pieces (bot, id, number, content)
select $1::text, $2::text, $3::integer, $4::bytea from files f
where f.bot = $1 and f.id = $2 and f.sent >= 0 for key share of f

-- name: pieces
-- What a file holds, in its order.
select p.content from files f join file_pieces p on p.bot = f.bot and p.id = f.id
where f.bot = $1 and f.id = $2 and f.sent >= 0 order by p.number

-- name: forget_unsent
-- Files that no message has named, with their pieces. One that a turn is just about to name is left alone.
with going as (
    select bot, id from files where bot = $1 and created_at < $2 and sent <= 0 limit $3 for update skip locked
),
gone as (
    delete from files f using going g where f.bot = g.bot and f.id = g.id
),
pieces as (
    delete from file_pieces p using going g where p.bot = g.bot and p.id = g.id
)
select count(*) from going
