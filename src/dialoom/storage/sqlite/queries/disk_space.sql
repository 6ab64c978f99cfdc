-- name: fill
-- So many bytes, in a place that no bot has.
insert into file_pieces (bot, id, number, content) values ('', '', 0, zeroblob(?))

-- name: clear
-- The same go.
delete from file_pieces where bot = '' and id = ''
