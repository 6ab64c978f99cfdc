"""Strict stand-ins of the platforms that channels speak with, one each. They refuse what the platforms refuse."""

from dialoom.testing.platforms.messenger_3 import Telegram
from dialoom.testing.platforms.stand_in import Answer, Exchange, StandIn

__all__ = ["Answer", "Exchange", "StandIn", "Telegram"]
