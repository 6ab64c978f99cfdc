-- Jobs have the name that the code and the docs give them. No service of the release before runs beside this one.
alter table chores rename to scheduled_jobs;
