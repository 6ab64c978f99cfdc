"""Tells whether the limit of a ``range`` can be read, for checks of a flow; the engine compares answers with it."""

from __future__ import annotations

from datetime import UTC, datetime

from dialoom.understanding.values import reads_in

_SOME_DAY = datetime(2027, 3, 1, 12, tzinfo=UTC)
"""Whether a text is a value is the same on any day."""


def reads_limit(language: str, type_: str, text: str) -> bool:
    """Return whether a whole text is a value of a built-in type, in the language or in English: authors write "today"
    in bots of any language."""
    return any(reads_in(one, type_, text, _SOME_DAY) is not None for one in (language, "en"))
