"""Whether a text holds a value of a type, for checks of what the options of a flow say when they are chosen."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from dialoom.flow.model import KeywordsType, RegexType
from dialoom.understanding.recogniser import Recogniser

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def finder(language: str, definitions: Sequence[object]) -> Callable[[str, str], bool]:
    """Return a function of a type and a text. ``definitions``: of keywords and regex types, as training.json has
    them."""
    types = msgspec.convert(definitions, tuple[KeywordsType | RegexType, ...])
    recogniser, now = Recogniser(types, language), datetime.now(UTC)

    def finds(entity_type: str, text: str) -> bool:
        if recogniser.reads(entity_type, text, now) is not None:
            return True
        return bool(recogniser.recognise(text, [entity_type], now)[entity_type])

    return finds
