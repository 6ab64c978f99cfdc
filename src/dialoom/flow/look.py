"""Reads the colours and fonts of ``look``: how they are written, and which background texts can be read on.

How the chat makes its other colours of these two is in the front end (``frontend/src/view/tokens.ts``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dialoom.flow.model import Look

is_colour: Final = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}").fullmatch
is_font: Final = re.compile(r"[\w-]+(?:[ ,]+[\w-]+)*").fullmatch
"""Such a text can stand in a style sheet as it is."""
LIGHT_FROM: Final = 0.8
DARK_TO: Final = 0.025
"""Relative luminances of backgrounds (WCAG 2.2). Between them the chat's quiet texts would have less than 4.5:1 to what
they stand on. The front end has the same two numbers."""


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


def custom_properties(look: Look) -> dict[str, str]:
    """Return what the styles of the chat and of the pages read of a look, by the names of the custom properties."""
    found = {
        "--look-brand": look.brand,
        "--look-background": look.background,
        "--look-font": look.font,
        "--look-radius": None if look.radius is None else f"{look.radius}px",
    }
    return {name: value for name, value in found.items() if value is not None}
