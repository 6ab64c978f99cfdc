-- name: plan
-- Until the end of the transaction the rows are read in the order of their index. A planner that does not know yet how many
-- there are sorts all of them for each page: 300 ms for 30,000 chats, where it should take 0.3.
set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off

-- name: page
-- Rows with something sealed, in the order of their places, on from one; the value where it does not begin with a mark.
select $place, case when substr($value, 1, length($1::bytea)) <> $1 then $value end, $beside
from $table where bot = $2 and ($place) > ($signs) $held order by $place limit $3

-- name: put
-- Another value in a place where the one that the caller knows still stands.
update $table set $value = $1 where bot = $2 and ($place) = ($signs) and $value = $3

-- name: put_both
-- The same, with what stands beside it.
update $table set $value = $1, $beside = $4 where bot = $2 and ($place) = ($signs) and $value = $3

-- name: put_about
-- What a file is, where nobody has changed or deleted it.
update files set about = $1 where bot = $2 and id = $3 and about = $4 and sent >= 0

-- name: put_piece
-- A piece of what it holds.
update file_pieces set content = $1 where bot = $2 and id = $3 and number = $4
