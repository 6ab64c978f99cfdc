"""Checks what a bot does in a talk: steps that never run, acts without consent, silence, values that are never set."""
