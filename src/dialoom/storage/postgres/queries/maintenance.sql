-- name: tables
-- All tables of a schema, as a statement may name them.
select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = $1 order by tablename

-- name: size
-- Bytes of all tables of a schema with their indexes.
select coalesce(sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)), 0)::bigint
from pg_tables where schemaname = $1

-- name: database_size
-- Bytes of the database.
select pg_database_size(current_database())
