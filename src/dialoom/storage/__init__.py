"""Where everything is kept: one ``Store`` protocol, its memory twin, SQLite for one process, PostgreSQL for many."""
