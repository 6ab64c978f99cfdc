"""Where everything is kept: one ``Store`` protocol, its memory twin and the SQLite store."""
