"""Stored conversations as a whole: import, export, erasure, retention, upkeep and sealing with a new key. Writing the
records of a turn belongs in ``chat.transcript``.
"""
