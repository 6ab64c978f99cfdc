"""Tells a page about its bot: the name, the language and the look (channels.md section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from dialoom.flow.model import Bot

_SHOWN = ("brand", "background", "font", "radius", "header", "launcher")


def bot_form(bot: Bot) -> dict[str, Any]:
    """Return the bot as the chat and the picker read it; ``look`` has the keys that its author wrote."""
    look = bot.file.look
    shown = {key: value for key, value in msgspec.structs.asdict(look).items() if key in _SHOWN and value is not None}
    about = {
        "id": bot.id,
        "name": bot.name,
        "avatarUrl": look.avatar or bot.file.avatar,
        "language": bot.file.language,
    }
    return about | ({"look": shown} if shown else {})
