-- name: size
-- Bytes of the data file.
select page_count * page_size from pragma_page_count, pragma_page_size

-- name: tables
-- All tables whose pages can be looked at, that of the tables first.
select name from (
    select 'sqlite_schema' as name, 0 as place
    union all select name, 1 from sqlite_schema where type = 'table' and rootpage > 0
) order by place, name

-- name: check
-- What is damaged in the pages of a table and its indexes; one row "ok" where nothing is.
select quick_check from pragma_quick_check(?)

-- name: counts
-- How much a whole data file holds, for whoever looks at a copy of it; in tables that every release had.
select (select count(*) from bots), (select count(*) from conversations), (select count(*) from messages)
