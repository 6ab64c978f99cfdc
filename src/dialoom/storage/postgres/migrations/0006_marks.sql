-- works with: 1

-- Times that all processes share, of no bot: the last heartbeat, since when a clock is doubted, before when links count no
-- more. Milliseconds since 1970. A few rows: where tables are distributed, a reference table.
create table marks (
    name text collate "C" not null primary key,
    at bigint not null
);
