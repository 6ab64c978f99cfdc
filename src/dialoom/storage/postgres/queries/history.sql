-- name: page
-- A page of records, one a line, told by SQL alone; its rows come in the order of the inner query (held by the tests of
-- paging). $table, $condition and $order are ours, never a client's text; the other names become numbers.
select convert_to(string_agg(document, e'\n'), 'UTF8') from (
    select document from $table where bot = $bot and ($condition) order by $order limit $limit offset $skip
) as page

-- name: rest
-- All records from a place on, told by SQL alone.
select convert_to(document, 'UTF8') from $table where bot = $bot and ($condition) order by $order offset $skip

-- name: in_order
-- Records that may match, for the exact predicate to read in the order that was asked for.
select convert_to(document, 'UTF8') from $table where bot = $bot and ($condition) order by $order

-- name: in_no_order
-- The same where the order is made, or does not matter, afterwards.
select convert_to(document, 'UTF8') from $table where bot = $bot and ($condition)

-- name: count
-- How many match, told by SQL alone.
select count(*) from $table where bot = $bot and ($condition)
