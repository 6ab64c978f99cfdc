"""A stand-in of Microsoft Teams behind the Bot Framework connector, and of the people who write to the bot there."""

from dialoom.testing.platforms.workplace_chat.people import TeamsUser
from dialoom.testing.platforms.workplace_chat.teams import Teams

__all__ = ["Teams", "TeamsUser"]
