-- name: page
-- A page of records, one a line, told by SQL alone, and how many they are; its rows come in the order of the inner query
-- (held by the tests of paging), and a page that is full before the last stretch ends there. A record behind too many bytes
-- is counted and not given: its length stands in the row, its text is not read. Words behind a dollar sign are ours, never
-- a client's text; those of values become numbers.
select convert_to(string_agg(document, e'\n') filter (where bytes - octet_length(document) < $room), 'UTF8'), count(*)
from (
    select document, sum(octet_length(document)) over (rows unbounded preceding) as bytes from (
        select document from ($stretches) as stretches limit $limit offset $skip
    ) as page
) as measured

-- name: page_of_first
-- A page out of the first rows of the order, where no index leads to what is asked for, and how many it has. The inner
-- limit bounds what is read; the server alone would read all rows and sort what it found, for it takes a condition that
-- it knows nothing of for one that hardly any row meets (1,100 against 60 ms of a million rows).
select convert_to(string_agg(document, e'\n') filter (where bytes - octet_length(document) < $room), 'UTF8'), count(*)
from (
    select document, sum(octet_length(document)) over (rows unbounded preceding) as bytes from (
        select document from (
            select * from $table where bot = $bot and ($where) order by $order limit $rows
        ) as looked where ($given) limit $limit offset $skip
    ) as page
) as measured

-- name: deep_page
-- A page behind many rows that are skipped: only the keys of those are read, or carried through a sort.
select
    convert_to(
        string_agg(document, e'\n' order by number) filter (where bytes - octet_length(document) < $room), 'UTF8'
    ),
    count(*)
from (
    select number, document, sum(octet_length(document)) over (order by number rows unbounded preceding) as bytes from (
        select id, row_number() over () as number from (
            select id from $table where bot = $bot and ($condition) order by $order limit $limit offset $skip
        ) as sorted
    ) as places
    join $table as found on found.bot = $bot and found.id = places.id
) as measured

-- name: stretch
-- One stretch of the order.
(select document from $table where bot = $bot and ($condition) order by $order limit $most)

-- name: stretch_with_ties
-- One stretch in which records with equal values come in the opposite order of the index. "ahead" is what the index has
-- first: it holds all rows before its last value, and perhaps not all rows of that value.
(
    with ahead as materialized (
        select $value as value, id, document from $table
        where bot = $bot and ($condition) order by $index_order limit $most
    )
    select document from (
        select document from ahead where value $before_last (select $last(value) from ahead) order by $row_order
    ) as before
    union all
    select document from (
        select document from $table
        where bot = $bot and ($given) and $value = (select $last(value) from ahead) order by $tie_order limit $most
    ) as ties
)

-- name: all_in_order
-- All records that may match, sorted, for the exact predicate to read.
select convert_to(document, 'UTF8') from $table where bot = $bot and ($condition) order by $order

-- name: all
-- All records that may match, in any order, for the exact predicate to read.
select convert_to(document, 'UTF8') from $table where bot = $bot and ($condition)

-- name: count
-- How many match, told by SQL alone.
select count(*) from $table where bot = $bot and ($condition)

-- name: by_id
-- Some records, each with its id.
select id, convert_to(document, 'UTF8') from $table where bot = $1 and id = any($2::text[])
