"""Decides who may do what: server and channel tokens, studio sign-in, rate limits, and whether the vault's keys fit the
store.

How a request carries them belongs in ``dialoom.http``.
"""
