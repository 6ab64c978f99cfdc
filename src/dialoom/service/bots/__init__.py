"""The bots that a process serves: loading, checking, reloading, versions, training, dynamic data, scheduled jobs, the
calls that their flows ask for, and the rule that masks their secrets. Nothing here knows a chat.
"""
