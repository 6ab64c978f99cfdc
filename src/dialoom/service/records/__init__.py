"""Stored conversations as a whole: import, export, erasure, retention and sealing with a new key."""
