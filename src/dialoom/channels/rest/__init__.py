"""Implements the rest channel, for programs: calls that are answered with what the bot says, and signed posts."""

from dialoom.channels.rest.channel import CHANNEL, RestBody, forms, later

__all__ = ["CHANNEL", "RestBody", "forms", "later"]
