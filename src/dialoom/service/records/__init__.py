"""Works on stored conversations as a whole: import, export, erasure, retention, upkeep and key rotation.

Writing the records of a turn belongs in ``chat.transcript``.
"""
