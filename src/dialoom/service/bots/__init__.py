"""Serves the bots of a process: loading, reloading, versions, training, dynamic data, scheduled jobs, outbound calls.

The rule that masks their secrets is here too. Nothing here knows a chat.
"""
