-- works with: 1

-- Jobs have the name that the code and the docs give them. The release before reads and writes them through the view, which a
-- later step drops.
alter table chores rename to scheduled_jobs;
create view chores as select bot, name, due from scheduled_jobs;
