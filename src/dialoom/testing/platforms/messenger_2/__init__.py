"""A stand-in of the Viber bot API and of the people who write to the bot there."""

from dialoom.testing.platforms.messenger_2.bot_api import Viber
from dialoom.testing.platforms.messenger_2.people import ViberUser

__all__ = ["Viber", "ViberUser"]
