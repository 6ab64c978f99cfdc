"""Holds what a chat is made of: inbound events, inbox, stored state, transcript, files, signed links, chats in memory.

Running a turn belongs in ``turns``, sharing chats among processes in ``cluster``.
"""
