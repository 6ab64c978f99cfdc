-- name: page
-- Rows with something sealed, in the order of their places, on from one; the value where it does not begin with a mark.
select $place, case when substr($value, 1, length(?1)) <> ?1 then $value end, $beside
from $table where bot = ?2 and ($place) > ($signs) $held order by $place limit ?

-- name: put
-- Another value in a place where the one that the caller knows still stands.
update $table set $value = ? where bot = ? and ($place) = ($signs) and $value = ?

-- name: put_both
-- The same, with what stands beside it.
update $table set $value = ?, $beside = ? where bot = ? and ($place) = ($signs) and $value = ?

-- name: put_about
-- What a file is, where nobody has changed or deleted it.
update files set about = ? where bot = ? and id = ? and about = ? and sent >= 0

-- name: put_piece
-- A piece of what it holds.
update file_pieces set content = ? where bot = ? and id = ? and number = ?
