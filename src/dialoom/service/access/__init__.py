"""Who may do what: server and channel tokens, studio sign-in, rate limits, and the check that the vault's keys fit
the store. How a request carries them belongs in ``dialoom.http``.
"""
