"""Chooses the language of a page by the header ``Accept-Language``."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from dialoom.languages import LANGUAGES

MAX_LANGUAGES: Final = 32
"""Of an ``Accept-Language`` that are looked at."""
STUDIO_LANGUAGES: Final = ("en", "de")
"""That the studio speaks: each has a build of its page."""
_QUALITY: Final = re.compile(r"[01](\.\d{0,3})?")


def spoken(accepted: str, among: Collection[str] = LANGUAGES) -> str:
    """Return the best language of an ``Accept-Language`` with texts (RFC 9110 section 12.5.4), else English."""
    wanted = []
    for place, part in enumerate(accepted.split(",")[:MAX_LANGUAGES]):
        tag, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
        weight = float(quality) if _QUALITY.fullmatch(quality) else 0.0
        wanted.append((-weight, place, tag.partition("-")[0]))
    return next((tag for weight, _, tag in sorted(wanted) if weight and tag in among), "en")
