"""Names of months, days, hours and parts of the day with one slip of the finger, put right before they are read:
"Febuary", "tomorow mornign", "8 oclockk".

One slip is what keywords allow (a letter more, less or other, two neighbours swapped) in words of five letters or more.
Months are next to common words ("match", "Marco", Dutch "kaart"), so that the first letter must be right and a
language's ``not_slips`` are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.languages import Words
from dialoom.understanding.keywords import MIN_TOLERANT_CHARS, SLIPPED, is_one_slip
from dialoom.understanding.normalise import Folded, fold

_WORD = re.compile(rf"[^\W\d_]{{{MIN_TOLERANT_CHARS},20}}")
_MIN_DAY_CHARS = 6
"""Letters from which a word such as "tomorrow" or "morning" is put right too."""
_MIN_BESIDE_CHARS = 7
"""Letters from which a word beside a weekday ("nächsten", "prochain") is put right too."""
_TABLES = (
    *("numbers", "months", "weekdays", "days", "ordinals", "units", "parts", "feasts", "lengths", "fixed_times"),
    *("before_hour", "after_hour", "common", "yes", "no", "neither", "not_slips", "polite", "near", "next_week"),
    *("after_next", "coming", "last", "this", "countable", "ordinal_nouns", "day_shifts", "unread_before"),
    *("unread_after",),
)
"""Fields of ``Words`` whose words mean something already and so are no slips."""


class Slips:
    """The names of a language that are put right."""

    def __init__(self, words: Words) -> None:
        days = (day for day in (*words.days, *words.parts) if len(day) >= _MIN_DAY_CHARS)
        hours = (word for word in words.hour_words if len(word) >= _MIN_DAY_CHARS)
        beside = (word for word in (*words.next_week, *words.coming) if len(word) >= _MIN_BESIDE_CHARS)
        tolerant = (*words.months, *words.weekdays, *days, *hours, *beside)
        self._names = sorted({name for name in map(fold, tolerant) if _WORD.fullmatch(name)})
        self._known = frozenset(_all_words(words))
        self._near: dict[str, list[str]] = {}
        for name in self._names:
            for shortened in _shortened(name):
                self._near.setdefault(shortened, []).append(name)

    def put_right(self, folded: Folded) -> tuple[Folded, float]:
        """Return the text with slipped names as they are spelled, and how sure it is; their places are still those of
        what was typed."""
        changes = [
            (found.start(), found.end(), name)
            for found in _WORD.finditer(folded.text)
            if found[0] not in self._known and (name := self._meant(found[0])) is not None
        ]
        if not changes:
            return folded, 1.0
        pieces, starts, ends, last = list[str](), list[int](), list[int](), 0
        for start, end, name in [*changes, (len(folded.text), len(folded.text), "")]:
            kept = range(last, start)
            first, final = folded.span(start, end)
            pieces += folded.text[last:start], name
            starts += [folded.span(place, place + 1)[0] for place in kept] + [first] * len(name)
            ends += [folded.span(place, place + 1)[1] for place in kept] + [final] * len(name)
            last = end
        return Folded("".join(pieces), starts, ends), SLIPPED

    def _meant(self, typed: str) -> str | None:
        near = {name for shortened in _shortened(typed) for name in self._near.get(shortened, ())}
        fitting = [name for name in near if name[0] == typed[0] and is_one_slip(typed, name)]
        return fitting[0] if len(fitting) == 1 else None


def _shortened(word: str) -> set[str]:
    return {word, *(word[:index] + word[index + 1 :] for index in range(len(word)))}


def _all_words(words: Words) -> Iterator[str]:
    """Yield every word of these tables."""
    for name in _TABLES:
        for phrase in getattr(words, name):
            yield from fold(phrase).split()
