"""What a bot says and what is kept of it: one vocabulary for engine, channels and history."""

from dialoom.messages.records import ConversationRecord, MessageRecord
from dialoom.messages.said import BotMessage, Dialog, Option, Profile

__all__ = ["BotMessage", "ConversationRecord", "Dialog", "MessageRecord", "Option", "Profile"]
