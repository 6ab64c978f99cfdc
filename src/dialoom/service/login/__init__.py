"""Logging users in: links, the provider's side of it, and what is kept of a login (login.md)."""
