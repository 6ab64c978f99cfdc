"""The bots that a process serves: loading, reloading, versions, training, dynamic data, scheduled jobs, outbound calls.

The rule that masks their secrets is here too. Nothing here knows a chat.
"""
