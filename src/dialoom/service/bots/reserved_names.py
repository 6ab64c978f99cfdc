"""Names of memory that a flow relies on, which unsigned context may therefore not set (flow-language.md section 5)."""

from __future__ import annotations

from collections.abc import Mapping

from dialoom.flow.channels import Channel
from dialoom.flow.model import Bot
from dialoom.flow.steps import Command, Confirmation, EntitiesConfirmation, Webhook


def page_reserved(bot: Bot) -> dict[str, str]:
    """Return the names that context from a page may not set, each with its reason."""
    settings = bot.flow.settings
    reserved = {}
    for conversation in bot.flow.conversations.values():
        for step in conversation.steps:
            if isinstance(step, Webhook | Confirmation | EntitiesConfirmation | Command) and step.entity:
                reserved[step.entity] = f"{_named(step)} writes it"
    for name in settings.persist_entities:
        reserved[name] = "it is kept across conversations (persist-entities)"
    if settings.authentication is not None:
        reserved[settings.authentication.entity] = "it holds the login, and the channel has no login-from-page"
    reserved["user"] = "it is the user's profile"
    reserved["conversation"] = "it is the key of the open goal"
    return reserved


def _named(step: Webhook | Confirmation | EntitiesConfirmation | Command) -> str:
    """Return the type of a step in the words of the flow. Of commands only ``set-entity`` has an entity of its own."""
    return "a set-entity step" if isinstance(step, Command) else f"a step of type {step.__struct_config__.tag}"


def reserved_on(bot: Bot, reserved: Mapping[str, str], channel: Channel) -> Mapping[str, str]:
    """Return the reserved names of this channel: ``login-from-page`` opens the login entity, whatever else
    reserves it, since the author allows it by name."""
    authentication = bot.flow.settings.authentication
    if authentication is None or not channel.login_from_page:
        return reserved
    entity = authentication.entity
    is_engines = entity in {"user", "conversation"}
    return reserved if is_engines else {name: reason for name, reason in reserved.items() if name != entity}
