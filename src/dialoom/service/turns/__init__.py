"""Runs the turns of chats: the runner (the only loop), the turn, its hook, timers and picker pages.

What a turn reads and writes belongs in ``chat``, logging in in ``login``.
"""
