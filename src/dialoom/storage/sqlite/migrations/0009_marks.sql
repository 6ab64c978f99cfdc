-- Times that the service keeps for itself, of no bot: the last heartbeat, since when its clock is doubted, when all pages
-- were read, before when links count no more. Milliseconds since 1970.
create table marks (
    name text not null primary key,
    at integer not null
) strict, without rowid;
