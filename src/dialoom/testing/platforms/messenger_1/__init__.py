"""A stand-in of the Messenger Platform and of the people who write to the page there."""

from dialoom.testing.platforms.messenger_1.graph_api import Messenger
from dialoom.testing.platforms.messenger_1.people import MessengerUser

__all__ = ["Messenger", "MessengerUser"]
