"""How texts are made comparable: Unicode NFKC, case, accents, punctuation; and cut into words with their places.

Nothing here knows a language. Positions always count code points of the text as the user sent it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

import msgspec

# Scripts written without spaces are cut into characters, so that a "word boundary" exists at all: Han, kana, Thai,
# Lao, Khmer, Myanmar (a base character with its marks). Pictographs are words of their own ("👍").
_UNSPACED = (
    "[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]*"
    "|[\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6][\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd]*"
    "|[\u1000-\u1021\u1780-\u17a2][\u102b-\u103e\u17b6-\u17d3]*"
    "|[\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]"
)
# ``\w`` leaves out combining marks, which would cut Devanagari words and decomposed accents into pieces.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2"
    "\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0981-\u0dff"
)
_PICTOGRAPHS = "[\u2600-\u27bf\U0001f300-\U0001f3fa\U0001f400-\U0001faff]"
# The outer repeat is possessive: marks and letters overlap in Indic scripts, and nothing is read in a second way.
_WORD = re.compile(f"{_UNSPACED}|(?:(?!{_UNSPACED})[^\\W_][{_MARKS}]*+)++|{_PICTOGRAPHS}")
_ASCII_WORD = re.compile("[A-Za-z0-9]+")
_UNSPACED_WORD = re.compile(_UNSPACED)

# Accents that may be left out when typing. Only these: the vowel signs of Indic scripts and the tone marks of Thai
# are combining marks too, and words differ by nothing else.
_ACCENTS = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670]")
_IGNORED = re.compile("[\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff\U0001f3fb-\U0001f3ff]")
# Letters that have no decomposition but are typed without their stroke.
_STROKES = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "ς": "σ"})

MAX_MARKS_IN_A_ROW = 30
"""Combining marks in a row that are kept (Stream-Safe Text Format, UAX 15): normalisation sorts each such run by
insertion, so that a run of 8,000 marks takes 0.4 s."""
_GROWTH = 100
"""Characters that even a short text may grow by when it is normalised: one character may become 18."""
_LONG_RUN = re.compile(rf"[^\w\s\x00-\x7f]{{{MAX_MARKS_IN_A_ROW + 1},}}")
MAX_SPACES_IN_A_ROW = 2
"""White space in a row that stays in a folded text for patterns: one that repeats ``\\s`` tries no more than that."""
MAX_SIGNS_IN_A_ROW = 9
"""Signs beyond ASCII, such as pictographs, with or without spaces between, that stay in a folded text for patterns:
none of them reads more."""
_SIGN = r"[^\w\s\x00-\x7f]\s{0,2}"
_LONG_GAP = re.compile(
    rf"(?<=\s{{{MAX_SPACES_IN_A_ROW}}})\s+|(?:{_SIGN}){{{MAX_SIGNS_IN_A_ROW}}}(?P<more>(?:{_SIGN})+)"
)
MAX_KEPT_TEXTS = 16
"""Texts whose normalised form is kept: one message is compared with phrases and expressions four or five times."""
MAX_FOLDED_CHARACTERS = 3_000
"""Characters of a folded text for patterns: one character may fold into 18."""


class Word(msgspec.Struct, frozen=True):
    """A word of a text: how it compares, and where it stands."""

    folded: str
    start: int
    end: int


T = TypeVar("T")
P = ParamSpec("P")
_forgetting: list[Callable[[], None]] = []


def kept_within_turn(size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator that keeps the last answers of a function of a text, until ``forget_texts``."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        kept = lru_cache(maxsize=size)(function)
        _forgetting.append(kept.cache_clear)
        return cast("Callable[P, T]", kept)

    return decorate


def forget_texts() -> None:
    """Forget all texts that are kept. Called when a turn ends: of a user who is erased no process keeps a message."""
    for forget in _forgetting:
        forget()


def fold(text: str) -> str:
    """Return a text without case, accents and compatibility forms; punctuation and spaces stay as they are."""
    if text.isascii():
        return text.lower()
    return _fold_long(text) if len(text) > LONG_CHARACTERS else _fold(text)


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFD", compatible(text).casefold())
    plain = _ACCENTS.sub("", _IGNORED.sub("", plain))
    return unicodedata.normalize("NFC", plain).translate(_STROKES)


LONG_CHARACTERS = 200
"""Of a text that is kept folded and cut while its message is read: each reader asks for it again."""
MAX_KEPT_LONG_TEXTS = 4
_fold_long = kept_within_turn(MAX_KEPT_LONG_TEXTS)(_fold)


def compatible(text: str) -> str:
    """Return a text in Unicode's form NFKC, in time linear in its length; cut where it grows to more than twice its
    length."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _LONG_RUN.sub(_first_marks, text))[: 2 * len(text) + _GROWTH]


def _first_marks(run: re.Match[str]) -> str:
    kept, marks = [], 0
    for sign in run[0]:
        marks = marks + 1 if unicodedata.combining(sign) else 0
        if marks <= MAX_MARKS_IN_A_ROW:
            kept.append(sign)
    return "".join(kept)


def words_of(text: str) -> list[Word]:
    """Return the words of a text in order, each with its place."""
    return list(_words_of_long(text)) if len(text) > LONG_CHARACTERS else _words_of(text)


def _words_of(text: str) -> list[Word]:
    if text.isascii():
        return [Word(found[0].lower(), found.start(), found.end()) for found in _ASCII_WORD.finditer(text)]
    folded: dict[str, str] = {}  # a word that is said again and again is folded once
    words = []
    for found in _WORD.finditer(text):
        word = found[0]
        if word not in folded:
            folded[word] = fold(word)
        words.append(Word(folded[word], found.start(), found.end()))
    return words


_words_of_long = kept_within_turn(MAX_KEPT_LONG_TEXTS)(_words_of)


def is_unspaced_letter(word: str) -> bool:
    """Return whether a word is one letter or syllable of a script that is written without spaces; Han characters, which
    have a meaning of their own, are none."""
    return not word.isascii() and _UNSPACED_WORD.fullmatch(word) is not None and not "\u3400" <= word[0] <= "\U0003134f"


@kept_within_turn(MAX_KEPT_TEXTS)
def normalise(text: str) -> str:
    """Return the words of a text, folded, one space between; a text without any word is only folded and trimmed."""
    folded = fold(text)
    words = (_ASCII_WORD if folded.isascii() else _WORD).findall(folded)
    return " ".join(words) if words else folded.strip()


class Folded(msgspec.Struct, frozen=True):
    """A folded text for patterns of words, and for each of its characters the place it came from."""

    text: str
    starts: list[int] | None
    ends: list[int] | None
    """None for an ASCII text, where every character stays in its place."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the original text behind a stretch of the folded one."""
        if self.starts is None or self.ends is None:
            return start, end
        if end <= start:
            return (self.starts[start], self.starts[start]) if start < len(self.starts) else (0, 0)
        return self.starts[start], self.ends[end - 1]


_CLUSTER = re.compile(f".[{_MARKS}]*", re.DOTALL)


def fold_with_places(text: str) -> Folded:
    """Fold with a way back: keep the places of the folded characters in the original text. White space is cut to
    ``MAX_SPACES_IN_A_ROW``, signs to ``MAX_SIGNS_IN_A_ROW``, the whole to ``MAX_FOLDED_CHARACTERS``."""
    if text.isascii():
        return _with_short_gaps(Folded(text[:MAX_FOLDED_CHARACTERS].lower(), None, None))
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    folded: dict[str, str] = {}
    for cluster in _CLUSTER.finditer(text):
        if cluster[0] not in folded:
            folded[cluster[0]] = fold(cluster[0])
        piece = folded[cluster[0]]
        pieces.append(piece)
        starts.extend([cluster.start()] * len(piece))
        ends.extend([cluster.end()] * len(piece))
        if len(starts) > MAX_FOLDED_CHARACTERS:
            break
    return _with_short_gaps(Folded("".join(pieces), starts, ends))


def _with_short_gaps(folded: Folded) -> Folded:
    gaps = [found.span("more" if found["more"] else 0) for found in _LONG_GAP.finditer(folded.text)]
    if not gaps:
        return folded
    places = range(len(folded.text))
    starts = places if folded.starts is None else folded.starts
    ends = range(1, len(folded.text) + 1) if folded.ends is None else folded.ends
    kept = list(zip([0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(folded.text)], strict=True))
    return Folded(
        "".join(folded.text[first:last] for first, last in kept),
        [place for first, last in kept for place in starts[first:last]],
        [place for first, last in kept for place in ends[first:last]],
    )
