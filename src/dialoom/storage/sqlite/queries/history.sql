-- Two ways to a page. Along the order: its index is named, so that rows come as they lie there and the reading ends with
-- the page. By the condition: whatever index finds the rows, which are sorted then; the inner limit keeps the order from
-- having a say in that, and only what is sorted by is carried through the sort. Words behind a dollar sign are ours,
-- never a client's text. Each limit also keeps the order of its rows (held by the tests of paging).

-- name: page
-- A page of records along the order, one a line; a page that is full before the last stretch ends there.
select cast(group_concat(document, char(10)) as blob) from (select document from ($stretches) limit ? offset ?)

-- name: stretch
-- One stretch of the order.
select document from (
    select document from $table indexed by $index where bot = ? and ($condition) order by $order limit ? offset ?
)

-- name: stretch_with_ties
-- One stretch in which records with equal values come in the opposite order of the index. "ahead" is what the index has
-- first: it holds all rows before its last value, and perhaps not all rows of that value.
select document from (
    with ahead as materialized (
        select $value as value, id, document from $table indexed by $index
        where bot = ? and ($condition) order by $index_order limit ?
    )
    select document from (
        select document from ahead where value $before_last (select $last(value) from ahead) order by $row_order limit -1
    )
    union all
    select document from (
        select document from $table indexed by $index
        where bot = ? and ($given) and $value = (select $last(value) from ahead) order by $tie_order limit ?
    )
)

-- name: page_by_condition
-- A page of records by the condition, one a line.
select cast(group_concat(document, char(10)) as blob) from (
    select found.document from (
        select place from (select rowid as place, $columns from $table $by_index where bot = ? and ($condition) limit -1)
        where $after order by $order limit ? offset ?
    ) cross join $table as found on found.rowid = place
)

-- name: all_in_order
-- All records that may match, sorted, for the exact predicate to read.
select cast(found.document as blob) from (
    select place from (select rowid as place, $columns from $table $by_index where bot = ? and ($condition) limit -1)
    where $after order by $order limit -1
) cross join $table as found on found.rowid = place

-- name: all
-- All records that may match, in any order, for the exact predicate to read.
select cast(document as blob) from $table $by_index where bot = ? and ($condition)

-- name: count
-- How many records match.
select count(*) from $table $by_index where bot = ? and ($condition)

-- name: by_id
-- One record.
select cast(document as blob) from $table where bot = ? and id = ?
