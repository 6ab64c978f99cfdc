-- name: all
-- The operator's indexes.
select collection, property, ready from property_indexes order by collection, property

-- name: put
-- A new one, that nobody uses yet.
insert into property_indexes (collection, property, ready) values ($1, $2, false) on conflict do nothing

-- name: set_ready
-- Whether queries count on it.
update property_indexes set ready = $3 where collection = $1 and property = $2

-- name: remove
-- It is no more.
delete from property_indexes where collection = $1 and property = $2

-- name: lock
-- Whether no other process makes or drops one now.
select pg_try_advisory_lock($1)

-- name: is_whole
-- Whether it is there in one piece: one that was broken off is there, and of no use. Null when it is not there.
select indisvalid from pg_index where indexrelid = to_regclass($1)

-- name: make
-- While turns go on. The name is a hash, the key is SQL of the compiler.
create index concurrently $name on $table (bot, ($key), id)

-- name: look
-- What its keys are like, so that the planner knows when it serves.
analyze $table

-- name: unmake
-- While turns go on.
drop index concurrently if exists $name
