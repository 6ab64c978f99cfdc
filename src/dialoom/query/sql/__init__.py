"""Compiles a query to SQL of SQLite or PostgreSQL. Meanings belong in ``query``, running the SQL in ``storage``."""
