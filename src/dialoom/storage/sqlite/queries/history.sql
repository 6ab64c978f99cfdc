-- Two ways to a page. Along the order: its index is named, so that rows come as they lie there and the reading ends with
-- the page. By the condition: whatever index finds the rows, which are sorted then; the inner limit keeps the order from
-- having a say in that, and only what is sorted by is carried through the sort. Words behind a dollar sign are ours,
-- never a client's text. Each limit also keeps the order of its rows (held by the tests of paging).

-- name: page
-- A page of records along the order, one a line, told by SQL alone.
select cast(group_concat(document, char(10)) as blob) from (
    select document from $table indexed by $index where bot = ? and ($condition) order by $order limit ? offset ?
)

-- name: page_of_runs
-- The same from several runs of the order, one behind the other: what is full before the last of them ends there.
select cast(group_concat(document, char(10)) as blob) from (select document from ($runs) limit ? offset ?)

-- name: rest
-- All records from a place on along the order, told by SQL alone.
select cast(document as blob) from $table indexed by $index where bot = ? and ($condition) order by $order
limit -1 offset ?

-- name: rest_of_runs
-- The same from several runs of the order.
select cast(document as blob) from ($runs) limit -1 offset ?

-- name: run
-- One run of the order.
select document from (
    select document from $table indexed by $index where bot = ? and ($condition) order by $order limit ?
)

-- name: turned_run
-- One run in whose order equal values come the other way round than in the index. "ahead" is what lies there first; it
-- holds all rows before its last value, and perhaps not all of that.
select document from (
    with ahead as materialized (
        select $value as value, id, document from $table indexed by $index
        where bot = ? and ($condition) order by $lying limit ?
    )
    select document from (
        select document from ahead where value $sign (select $last(value) from ahead) order by $order limit -1
    )
    union all
    select document from (
        select document from $table indexed by $index
        where bot = ? and ($given) and $value = (select $last(value) from ahead) order by $of_value limit ?
    )
)

-- name: page_by_condition
-- A page of records by the condition, one a line.
select cast(group_concat(document, char(10)) as blob) from (
    select found.document from (
        select place from (select rowid as place, $columns from $table $by_index where bot = ? and ($condition) limit -1)
        where $behind order by $order limit ? offset ?
    ) cross join $table as found on found.rowid = place
)

-- name: rest_by_condition
-- All records from a place on, by the condition.
select cast(found.document as blob) from (
    select place from (select rowid as place, $columns from $table $by_index where bot = ? and ($condition) limit -1)
    where $behind order by $order limit -1 offset ?
) cross join $table as found on found.rowid = place

-- name: all
-- All records that may match, in any order, for the exact predicate to read.
select cast(document as blob) from $table $by_index where bot = ? and ($condition)

-- name: count
-- How many match, told by SQL alone.
select count(*) from $table $by_index where bot = ? and ($condition)

-- name: by_id
-- One record.
select cast(document as blob) from $table where bot = ? and id = ?
