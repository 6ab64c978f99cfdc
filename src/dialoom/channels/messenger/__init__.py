"""Facebook Messenger (``messenger-1``): webhook events of a page come in, calls of the Send API go out."""

from dialoom.channels.messenger.channel import CHANNEL

__all__ = ["CHANNEL"]
