"""The store of many processes on any number of machines: one PostgreSQL database."""
