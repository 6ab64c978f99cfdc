-- name: fill
-- About 300 kB in a table of their own: one that is there may have room in itself where the others have to grow.
create table room as select generate_series(1, 8192) as number
