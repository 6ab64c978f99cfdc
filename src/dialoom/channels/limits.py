"""What every channel of ours refuses at its door (service.md, Limits and abuse), as a 400 that names the part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.errors import RequestError
from dialoom.flow.model import Authentication, Command, Confirmation, Question, Webhook

if TYPE_CHECKING:
    from dialoom.flow.model import Bot

LONGEST_TEXT = 8000
LONGEST_ID = 256
LONGEST_CONTEXT = 65_536
"""Bytes of JSON of the context of one request."""


def check_text(text: str, pointer: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise RequestError(
            400,
            "text-too-long",
            f"A text has at most {LONGEST_TEXT} characters; this one has {len(text)}.",
            pointer=pointer,
        )
    return text


def check_id(id: str, pointer: str) -> str:
    if not id or len(id) > LONGEST_ID:
        raise RequestError(400, "bad-id", f"An id has 1 to {LONGEST_ID} characters.", pointer=pointer)
    return id


def check_trusted_context(context: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Context of the rest channel may set all but names that begin with ``_`` (flow-language.md section 5)."""
    for name in context:
        if name.startswith("_"):
            raise _refused(name, pointer, "names that begin with _ belong to the service")
    return context


def check_page_context(context: dict[str, Any], bot: Bot, pointer: str) -> dict[str, Any]:
    """Context from a page, which anybody can forge, never sets what the flow relies on (flow-language.md section 5)."""
    reserved = page_reserved(bot)
    for name in check_trusted_context(context, pointer):
        if name in reserved:
            raise _refused(name, pointer, reserved[name])
    return context


def page_reserved(bot: Bot) -> dict[str, str]:
    """Names that unsigned context may not set, each with its reason."""
    reserved = {"user": "it is the user's profile", "conversation": "it is the key of the open goal"}
    settings = bot.flow.settings
    authentication: Authentication | None = settings.authentication
    if authentication is not None:
        reserved[authentication.entity] = "it holds the login"
    for name in settings.persist_entities:
        reserved[name] = "it is kept across conversations (persist-entities)"
    for conversation in bot.flow.conversations.values():
        for step in conversation.steps:
            if isinstance(step, Question):
                continue
            if isinstance(step, Webhook | Confirmation | Command) and step.entity:
                reserved[step.entity] = f"a {step.__struct_config__.tag} step writes it"
    return reserved


def _refused(name: str, pointer: str, reason: str) -> RequestError:
    return RequestError(
        400,
        "context-refused",
        f'The context may not set "{name}": {reason}. Leave it out.',
        pointer=f"{pointer}/{name}",
    )
