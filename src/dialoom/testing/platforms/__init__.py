"""Strict stand-ins of the platforms that channels speak with, one each. They refuse what the platforms refuse."""

from dialoom.testing.platforms.messenger_1 import Messenger
from dialoom.testing.platforms.messenger_2 import Viber
from dialoom.testing.platforms.messenger_3 import Telegram
from dialoom.testing.platforms.stand_in import Answer, Exchange, StandIn
from dialoom.testing.platforms.voice_assistant import Alexa
from dialoom.testing.platforms.workplace_chat import Teams

__all__ = ["Alexa", "Answer", "Exchange", "Messenger", "StandIn", "Teams", "Telegram", "Viber"]
