"""Shares one store among several processes: which process runs which chat, and what they tell each other.

The jobs of bots that one process does for all belong in ``bots``.
"""
