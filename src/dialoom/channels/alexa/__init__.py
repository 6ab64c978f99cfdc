"""Alexa (``voice-assistant``): requests of a custom skill come in, what the bot says is the answer to each."""

from dialoom.channels.alexa.channel import CHANNEL

__all__ = ["CHANNEL"]
