"""What the ways of saying a time have in common: pieces of patterns, and minutes of the day as they are stored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from dialoom.languages import Words
from dialoom.languages.sections import Unit
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import ENDS, one_of

BARE_HOUR = 0.5
"""Confidence of a message that is one bare number; a written time has 1."""


class TimePieces:
    """What several ways of saying a time have in common, as patterns of a language."""

    def __init__(self, words: Words, number: str) -> None:
        self.gap = r"\s+" if words.spaced else r"\s*"
        self.at, self.near, self.part = one_of(words.at), one_of(words.near), one_of(words.parts)
        # "9 am at 5 Bon Air Road": the "am" belongs to the nine.
        not_after = "".join(rf"(?<!{re.escape(fold(word))}\s)" for word in words.not_part_after)
        self.part1 = rf"(?<!\d)(?<!\d\s){not_after}(?P<part1>{self.part})"
        join = r"[,\s]\s*" if words.spaced else r"\s*"
        self.leading = rf"(?:(?:{self.at}|{self.near})\s+)"
        before = rf"(?:{self.part1}{join}{self.leading}?)?"
        self.before = before if words.parts else "(?P<part1>(?!))?"
        # "At 8 tomorrow morning": the day between is left to Date.
        day = one_of((*words.days, *words.weekdays))
        on = one_of((*words.on, *words.on_weekday))
        between = rf"(?:[,\s]{{1,5}}(?P<between>(?:{on}\s+){{0,2}}{day}))?"
        after = rf"(?:{between}[,\s]{{0,5}}(?P<part2>{self.part}))?"
        self.after = after if words.parts else "(?P<part2>(?!))?"
        self.hour_words = rf"(?:\s*{one_of(words.hour_words)})" if words.hour_words else r"(?!)"
        self.hour = rf"(?P<hour>{number})"
        self.not_a_range = "".join(rf"(?<!{re.escape(fold(word))}\s)" for word in words.range_before)


def loose(words: Words) -> str:
    """A pattern for what follows a bare number that counts nothing: no noun."""
    following = one_of((*words.common, *words.days, *words.weekdays, *words.months, *words.until, *words.polite))
    return rf"(?=\s*(?:$|[.,;:!?)]|{following}{ENDS}))"


def names_behind(words: Words) -> Iterator[str]:
    """Yield words that may follow an hour with a capital letter."""
    tables = (words.months, words.weekdays, words.days, words.parts, words.common, words.polite, words.hour_words)
    for phrases in (*tables, words.units, words.near, words.on):
        for phrase in phrases:
            yield from fold(phrase).split()


def clock(minutes: int) -> str:
    """Return minutes since midnight as a stored time."""
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def minutes_after(now: datetime, length: dict[Unit, int]) -> int:
    then = now + timedelta(
        hours=length.get("hour", 0), minutes=length.get("minute", 0), seconds=length.get("second", 0)
    )
    return then.hour * 60 + then.minute
