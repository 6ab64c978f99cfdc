"""A stand-in of the Telegram Bot API and of the people who write to the bot there."""

from dialoom.testing.platforms.messenger_3.bot_api import Telegram
from dialoom.testing.platforms.messenger_3.people import TelegramGroup, TelegramUser

__all__ = ["Telegram", "TelegramGroup", "TelegramUser"]
