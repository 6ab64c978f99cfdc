"""Checks the colours and fonts of ``look``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.flow.finding import Fault
from dialoom.flow.look import DARK_TO, LIGHT_FROM, is_colour, is_font, is_readable_on, luminance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.flow.check.known import Known
    from dialoom.flow.pieces import Piece

MAX_FONT_CHARS = 200


def spellings(bot: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each colour and font that no style sheet could take as it stands."""
    for key, text in _texts(bot):
        if key in ("brand", "background") and not is_colour(text):
            message = f'"{text}" is no colour here. Write it as #rrggbb, as in "#0b6bcb".'
            yield Fault(path=bot.at("look", key), message=message)
        if key == "font" and (not is_font(text) or len(text) > MAX_FONT_CHARS):
            message = f'"{text}" is no list of fonts. Write their names with commas between them, as in "Inter, Arial".'
            yield Fault(path=bot.at("look", key), message=message)


def backgrounds(bot: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a background that is neither light nor dark enough."""
    for key, text in _texts(bot):
        if key == "background" and is_colour(text) and not is_readable_on(text):
            message = (
                f"Texts cannot be read on {text}, whose luminance is {luminance(text):.2f}: the chat leaves it out. "
                f"Take a lighter colour (from {LIGHT_FROM:g}) or a darker one (up to {DARK_TO:g})."
            )
            yield Fault(path=bot.at("look", key), message=message)


def _texts(bot: Piece) -> Iterator[tuple[str, str]]:
    look = bot.value.get("look")
    for key, value in look.items() if isinstance(look, dict) else ():
        if isinstance(value, str):
            yield key, value
