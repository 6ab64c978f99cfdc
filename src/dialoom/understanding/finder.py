"""Whether a text holds a value of a type, for checks of what the options of a flow say when they are chosen."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from dialoom.flow.model import KeywordsType, RegexType
from dialoom.understanding.recogniser import Recogniser

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_SOME_DAY = datetime(2027, 3, 1, 12, tzinfo=UTC)
"""That a text holds a date is so on any day, and nothing here asks for the time."""


def finder(language: str, definitions: Sequence[object]) -> Callable[[str, str], bool]:
    """Return a function of a type and a text. ``definitions``: of keywords and regex types, as training.json has
    them."""
    types = msgspec.convert(definitions, tuple[KeywordsType | RegexType, ...])
    recogniser = Recogniser(types, language)

    def finds(entity_type: str, text: str) -> bool:
        if recogniser.reads(entity_type, text, _SOME_DAY) is not None:
            return True
        return bool(recogniser.recognise(text, [entity_type], _SOME_DAY)[entity_type])

    return finds
