"""Logs users in: links, the provider's side, binding to a browser, log-out and revocation.

What a chat keeps of a login belongs in ``chat.login_values``, checks of a provider's answers in ``dialoom.auth``.
"""
