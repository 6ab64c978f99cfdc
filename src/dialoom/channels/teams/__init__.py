"""Microsoft Teams (``workplace-chat``): activities of the Bot Framework connector v3 come in, activities go out."""

from dialoom.channels.teams.channel import CHANNEL

__all__ = ["CHANNEL"]
