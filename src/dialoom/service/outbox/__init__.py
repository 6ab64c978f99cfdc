"""Deliveries to the outside that are stored with a turn and sent after it: callbacks and hand-overs."""
