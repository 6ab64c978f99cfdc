"""Reads one built-in type in one language, for the tests of this folder."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from dialoom.understanding.values import readers_for
from dialoom.understanding.values.message import message

WEDNESDAY = datetime(2027, 2, 24, 10, 0, tzinfo=ZoneInfo("Europe/Sofia"))


def read(type_: str, text: str, language: str = "en", now: datetime = WEDNESDAY) -> list[tuple[Any, str]]:
    """The values of a type in a text, each with the words that say it."""
    found = list(readers_for(language)[type_].find(message(text, now)))
    return [(one.value, text[one.start : one.end]) for one in sorted(found, key=lambda one: one.start)]


def values(type_: str, text: str, language: str = "en", now: datetime = WEDNESDAY) -> list[Any]:
    return [value for value, _ in read(type_, text, language, now)]
