"""Telegram (``messenger-3``): updates of the Bot API come in, calls of its methods go out."""

from dialoom.channels.telegram.channel import CHANNEL

__all__ = ["CHANNEL"]
