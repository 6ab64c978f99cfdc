"""Where everything is kept: one ``Store`` protocol, SQLite for one process, PostgreSQL for many."""
