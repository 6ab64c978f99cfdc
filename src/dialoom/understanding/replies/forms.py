"""Tells whether a word is another form of a known one: "booked" of "book", Spanish "resérvala" of "reservo"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

_SHARED = 4
"""Letters that two forms of a word begin with alike: "book" and "booked"."""
_ENDING = 3
"""Letters that one of them may have more."""
_STEM = 5
"""Letters that two forms of a verb begin with alike, whatever their endings: "annuleer" and "annuleren"."""
_MAX_CHARS = 40
"""Letters of a verb with such pronouns."""
_CLITICS = 2
"""Pronouns that may hang at a verb: "resérva-me-la"."""


class Forms:
    """Words and their other forms: "booked" is in the forms of "book"."""

    def __init__(self, words: AbstractSet[str]) -> None:
        self._words = words
        self._by_start: dict[str, list[str]] | None = None

    def __contains__(self, word: str) -> bool:
        if word in self._words:
            return True
        if len(word) < _SHARED or word.isdigit():
            return False
        if self._by_start is None:
            self._by_start = {}
            for other in self._words:
                self._by_start.setdefault(other[:_SHARED], []).append(other)
        return any(_is_form(word, other) for other in self._by_start.get(word[:_SHARED], ()))


def without_clitics(word: str, clitics: Iterable[str]) -> Iterator[str]:
    """Yield a word, and what is left of it without the pronouns that may hang at its end; "prenotarlo" lacks the last
    letter of "prenotare" as well."""
    yield word
    left = {word} if len(word) <= _MAX_CHARS else set()
    for _ in range(_CLITICS):
        cut = {one.removesuffix(end) for one in left for end in clitics if one.endswith(end)}
        left = {one for one in cut if len(one) >= _SHARED}
        for one in sorted(left):
            yield from (one, f"{one}e")


def _is_form(word: str, verb: str) -> bool:
    if len(verb) < _SHARED:
        return False
    common = _common(word, verb)
    if common >= _STEM and max(len(word), len(verb)) - common <= _ENDING:
        return True
    return abs(len(verb) - len(word)) <= _ENDING and common >= min(len(word), len(verb)) - 1


def _common(one: str, other: str) -> int:
    """Return how many letters two words begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))
