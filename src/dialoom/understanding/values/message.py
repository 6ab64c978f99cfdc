"""What the readers of built-in types are given, and the pieces their patterns are made of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import datetime, tzinfo
from typing import Any, Protocol, TypeVar

import msgspec

from dialoom.languages import Words
from dialoom.understanding.candidate import Stretch
from dialoom.understanding.normalise import Folded, Word, fold, fold_with_places, kept_within_turn, words_of

_V = TypeVar("_V")

STARTS = r"(?<![^\W_])"
ENDS = r"(?![^\W_])"
"""Word boundaries for folded text; ``\\b`` would not hold beside a sign such as the dot of "a.m."."""


_APOSTROPHE = "['’‘`´ʼ\"”]"
"""A quotation mark is typed for it as well: ``5 o"clock``."""


def edges(words: Words) -> tuple[str, str]:
    """Return the word boundaries of a language; one that writes no spaces has them only beside digits."""
    return (STARTS, ENDS) if words.spaced else (r"(?<!\d)", r"(?!\d)")


DIGITS = {
    **{
        place: chr(ord("0") + unicodedata.decimal(chr(place)))
        for place in range(0x660, 0xFF1A)
        if chr(place).isdecimal()
    },
    ord("\u066b"): ".",
    ord("\u066c"): ",",
}
"""The digits of other scripts as those of ASCII, and the Arabic signs between them."""


class Message(msgspec.Struct, frozen=True):
    """A text in the forms that readers look at, and the time that "tomorrow" counts from."""

    text: str
    folded: Folded
    words: list[Word]
    now: datetime
    kept: dict[object, list[Any]] = msgspec.field(default_factory=dict)
    """What a reader found that others build on (a date in a date with time), so that it looks only once."""


def message(text: str, now: datetime) -> Message:
    """Return a text made ready for the readers."""
    return _message(text, now, now.tzinfo)


@kept_within_turn(4)
def _message(text: str, now: datetime, zone: tzinfo | None) -> Message:
    """``zone``: of ``now``, since two times of different zones may be equal."""
    folded = fold_with_places(text)
    if not text.isascii():
        folded = Folded(folded.text.translate(DIGITS), folded.starts, folded.ends)
    return Message(text, folded, words_of(text), now)


class Reader(Protocol):
    """Finds the values of one built-in type; places are those of the text as the user sent it."""

    def find(self, said: Message) -> Iterable[Stretch]: ...


class TextReader:
    """Finds the whole message without the white space around it, unless it is blank. That only an open question takes
    it, the engine knows."""

    def find(self, said: Message) -> Iterable[Stretch]:
        text = said.text.strip()
        start = len(said.text) - len(said.text.lstrip())
        return [Stretch(start, start + len(text), text)] if text else []


GAP = r"[\s-]{1,5}"
"""Between two words of a phrase. Patterns repeat nothing without end but white space, of which ``fold_with_places``
leaves two in a row: so an attempt to match looks at a bounded stretch, and a search takes time linear in the text."""


def one_of(phrases: Iterable[str]) -> str:
    """Return a pattern for any of these phrases, the longest first; one that nothing matches when there is none."""
    folded = sorted({fold(phrase) for phrase in phrases}, key=lambda phrase: (-len(phrase), phrase))
    if not folded:
        return r"(?!)"
    return "(?:" + "|".join(_spaced(phrase) for phrase in folded) + ")"


def _spaced(phrase: str) -> str:
    escaped = re.sub(r"(?:\\ |\\-)+", lambda _: GAP, re.escape(phrase))
    return re.sub("['’‘`´ʼ]", _APOSTROPHE + "?", escaped)


def folded_keys(table: dict[str, _V]) -> dict[str, _V]:
    """Return a table of words by their folded form, white space and apostrophes as ``plain`` leaves them."""
    return {plain(fold(phrase)): value for phrase, value in table.items()}


def plain_all(phrases: Iterable[str]) -> list[str]:
    """Return phrases as they stand in a table."""
    return [plain(fold(phrase)) for phrase in phrases]


def plain(phrase: str) -> str:
    """Return a matched phrase as it stands in a table: single spaces for hyphens too, no apostrophes."""
    return " ".join(re.sub(_APOSTROPHE, "", phrase.replace("-", " ")).split())


def once(said: Message, reader: object, find: Callable[[Message], Iterable[_V]]) -> list[_V]:
    """Return what a reader finds in a message, from its second question on without looking again."""
    found: list[_V] | None = said.kept.get(reader)
    if found is None:
        found = said.kept[reader] = list(find(said))
    return found


def whole(said: Message, found: Iterable[Stretch]) -> Stretch | None:
    """Return the stretch that takes in every word of a message; None where values only stand among other words."""
    for one in found:
        if all(one.start <= word.start and word.end <= one.end for word in said.words):
            return one
    return None


class SmallNumbers:
    """Numbers below a hundred in digits or words, as part of a date or a time."""

    def __init__(self, words: Words) -> None:
        self._values = folded_keys({word: value for word, value in words.numbers.items() if value < 100})
        self._joiners = frozenset(fold(joiner) for joiner in words.number_joiners)
        self._articles = frozenset(fold(article) for article in words.articles)
        tens = one_of(word for word, value in self._values.items() if value >= 20 and value % 10 == 0)
        units = one_of(word for word, value in self._values.items() if 0 < value < 10)
        joiner = rf"(?:{one_of(words.number_joiners)}\s+)?" if words.number_joiners else ""
        spoken = rf"{tens}(?:\s+|-){joiner}{units}"
        self.pattern = rf"(?:\d{{1,2}}|{spoken}|{one_of(self._values)})"
        self.counted = rf"(?:\d{{1,3}}|{spoken}|{one_of((*self._values, *words.articles))})"
        """The same where "a" and "an" are one: "in an hour"."""

    def value(self, text: str) -> int:
        if text.isdecimal():
            return int(text)
        whole = self._values.get(plain(text))
        if whole is not None:
            return whole
        parts = [part for part in re.split(r"[\s-]+", plain(text)) if part not in self._joiners or part in self._values]
        return sum(1 if part in self._articles and part not in self._values else self._values[part] for part in parts)
