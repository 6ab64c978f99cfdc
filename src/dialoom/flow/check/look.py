"""Checks the colours and fonts of ``look``: how they are written, and which background texts can be read on.

How the chat makes its other colours of these two is in the front end (``frontend/src/view/tokens.ts``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dialoom.flow.finding import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.flow.check.known import Known
    from dialoom.flow.pieces import Piece

is_colour: Final = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}").fullmatch
is_font: Final = re.compile(r"[\w-]+(?:[ ,]+[\w-]+)*").fullmatch
"""Such a text can stand in a style sheet as it is."""
LIGHT_FROM: Final = 0.8
DARK_TO: Final = 0.025
"""Relative luminances of backgrounds (WCAG 2.2). Between them the chat's quiet texts would have less than 4.5:1 to what
they stand on. The front end has the same two numbers."""
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


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rgb`` or ``#rrggbb``, from 0 to 1 (WCAG 2.2, definition)."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    red, green, blue = (_linear(int(digits[place : place + 2], 16) / 255) for place in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def is_readable_on(background: str) -> bool:
    """Return whether the chat's texts can be read on this background, in the light theme or in the dark one."""
    return not DARK_TO < luminance(background) < LIGHT_FROM
