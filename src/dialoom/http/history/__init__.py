"""Serves the endpoints of the history API and of a user's export and erasure."""
