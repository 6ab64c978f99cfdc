"""A stand-in of Alexa as it calls a custom skill, and of the people who speak to it."""

from dialoom.testing.platforms.voice_assistant.alexa import Alexa
from dialoom.testing.platforms.voice_assistant.people import AlexaUser

__all__ = ["Alexa", "AlexaUser"]
