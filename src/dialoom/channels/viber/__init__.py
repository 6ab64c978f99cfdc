"""Viber (``messenger-2``): callbacks of the bot API come in, calls of ``send_message`` go out."""

from dialoom.channels.viber.channel import CHANNEL

__all__ = ["CHANNEL"]
