-- name: all
-- The operator's indexes.
select collection, property, state from property_indexes order by collection, property

-- name: ready
-- The indexed properties of a collection.
select property from property_indexes where collection = ? and state = 'ready'

-- name: begin
-- Who adds one that is not ready goes on with it, under a mark that ends the work of others: makes it, where nobody uses it
-- yet, or first lets it go, where it goes already.
insert into property_indexes (collection, property, mark, state) values (?, ?, ?, 'making')
on conflict do update set mark = excluded.mark where state <> 'ready'

-- name: state
-- How far one is.
select state from property_indexes where collection = ? and property = ?

-- name: let_go
-- From here on nobody uses it, and the work of others on it ends.
update property_indexes set mark = ?3, state = 'going' where collection = ?1 and property = ?2

-- name: is_mine
-- Whether the work of this mark goes on.
select exists (select 1 from property_indexes where collection = ? and property = ? and mark = ?)

-- name: finish
-- From here on queries use it.
update property_indexes set state = 'ready' where collection = ? and property = ?

-- name: remove
-- It is no more.
delete from property_indexes where collection = ? and property = ?

-- name: make
-- The table of its keys, and what keeps it true from now on. The names are hashes, the rest is SQL of the compiler.
create table if not exists $name (
    bot text not null,
    kind integer not null,
    value any not null,
    id text not null,
    primary key (bot, kind, value, id)
) strict, without rowid;
create trigger if not exists $name_came after insert on $table begin
    insert or ignore into $name (bot, kind, value, id) values (new.bot, $new_kind, $new_value, new.id);
end;
create trigger if not exists $name_went after delete on $table begin
    delete from $name where bot = old.bot and kind = $old_kind and value = $old_value and id = old.id;
end;
create trigger if not exists $name_changed after update of body on $table
when ($old_kind, $old_value) is not ($new_kind, $new_value) begin
    delete from $name where bot = old.bot and kind = $old_kind and value = $old_value and id = old.id;
    insert or ignore into $name (bot, kind, value, id) values (new.bot, $new_kind, $new_value, new.id);
end;

-- name: step
-- The last of the next records to be taken in.
select max(place) from (select rowid as place from $table where rowid > ? order by rowid limit ?)

-- name: fill
-- Take in the records of a step; those that changed meanwhile are in already.
insert or ignore into $name (bot, kind, value, id)
select bot, $kind, $value, id from $table where rowid > ? and rowid <= ?

-- name: thin
-- Some keys of an index that goes.
delete from $name where (bot, kind, value, id) in (select bot, kind, value, id from $name limit ?)

-- name: unmake
-- Its end.
drop trigger if exists $name_came;
drop trigger if exists $name_went;
drop trigger if exists $name_changed;
drop table if exists $name;
