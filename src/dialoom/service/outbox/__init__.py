"""Sends deliveries that are stored with a turn, after it: callbacks, hand-overs, their queues and attempts.

Calls that a flow waits for belong in ``bots.outbound_calls``.
"""
