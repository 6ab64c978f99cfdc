"""Names of memory that a flow relies on, which unsigned context may therefore not set (flow-language.md section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.flow.model import Command, Confirmation, EntitiesConfirmation, Webhook

if TYPE_CHECKING:
    from dialoom.flow.model import Bot


def page_reserved(bot: Bot) -> dict[str, str]:
    """Each name with its reason."""
    reserved = {"user": "it is the user's profile", "conversation": "it is the key of the open goal"}
    settings = bot.flow.settings
    login_from_page = any(channel.login_from_page for channel in bot.channels)
    if settings.authentication is not None and not login_from_page:
        reserved[settings.authentication.entity] = "it holds the login"
    for name in settings.persist_entities:
        reserved[name] = "it is kept across conversations (persist-entities)"
    for conversation in bot.flow.conversations.values():
        for step in conversation.steps:
            if isinstance(step, Webhook | Confirmation | EntitiesConfirmation | Command) and step.entity:
                reserved[step.entity] = f"a {step.__struct_config__.tag} step writes it"
    return reserved
