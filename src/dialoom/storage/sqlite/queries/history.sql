-- name: page
-- A page of records, one a line, told by SQL alone: the limit keeps the inner query as it is, whose rows come in their
-- order (held by the tests of paging). $table, $condition and $order are ours, never a client's text.
select cast(group_concat(document, char(10)) as blob) from (
    select document from $table where bot = ? and ($condition) order by $order limit ? offset ?
)

-- name: rest
-- All records from a place on, told by SQL alone.
select cast(document as blob) from $table where bot = ? and ($condition) order by $order limit -1 offset ?

-- name: all
-- All records that may match, for the exact predicate to read.
select cast(document as blob) from $table where bot = ? and ($condition) order by $order

-- name: count
-- How many match, told by SQL alone.
select count(*) from $table where bot = ? and ($condition)
