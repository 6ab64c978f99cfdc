"""Texts drawn to take the readers of values long: pieces of a language's tables and signs, repeated, in blocks, mixed.

A seed gives the same texts on every machine. What reads them, and how long that takes, is left to ``hostile_text``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import msgspec

from dialoom.languages import LANGUAGES, PARTIAL
from dialoom.understanding.words import words_for

MAX_CHARACTERS = 8_000
"""Of a message (docs/look-up/channels.md)."""
READ_LANGUAGES = (*LANGUAGES, *PARTIAL, "el", "hi", "ko", "xx")
"""Those with tables of their own, some that have only ``dateparser``'s, and one that nobody knows."""

_DIGITS = ("1", "0", "7", "12", "2027", "123456789", "٣", "１", "½", "²")
_DATES = ("1/1", "31.12.", "3.3.2027", "2027-03-03", "2027-03-03T15:00", "24/7", "三月", "3月3日", "3rd", "le 12")
_TIMES = ("5pm", "5 pm", "15:00", "9.30", "16h", "1430", "10ish", "at 4", "half past", "15:00:00.1")
_LENGTHS = ("2h30", "3h", "90 min", "P1D", "PT1H30M", "P1", "1,5 h", "an hour and a half")
_AMOUNTS = ("$", "€", "5$", "$5", "5 EUR", "5 euros 50", "r$", "kr.", "元", "20元", "лв.")
_ADDRESSES = (
    "a@b.de",
    "@",
    "a@",
    "a@b.",
    "mailto:",
    "http://",
    "https://a.b/",
    "www.",
    "(www.",
    "a.b.c.",
    ".com",
    "a.de)",
)
_PHONES = ("+359888123456", "+", "(0)", "00", "(02) 1", "1-2-3", "+1 ", "+12345678")
_SIGNS = (
    " ",
    "  ",
    "\n",
    "\t",
    ",",
    "-",
    ".",
    ":",
    "/",
    "'",
    "\u2019",
    '"',
    "(",
    ")",
    "_",
    "!",
    "?",
    "\u00a0",
    "\u3000",
    "\x0b",
    "-, ",
)
_MARKS = (
    "\u0301",
    "\u0316",
    "\u0316\u0301",
    "\u0344",
    "\u0e31",
    "\u093e",
    "\u064b",
    "\u20dd",
    "\ufe0f",
    "\u200d",
    "e\u0301",
)
_EXPANDING = (
    "\ufdfa",
    "\ufdfb",
    "\u3300",
    "\u00df",
    "\ufb03",
    "\u1f82",
    "\ufc5e",
    "\u00a8",
    "\u3371",
    "\u33c2",
    "\u2167",
)
_LETTERS = ("a", "A", "é", "я", "ก", "क", "字", "あ", "한", "ع", "👍", "👎\U0001f3fd", "x5", "5x", "İ")
_SHARED = (
    *(*_DIGITS, *_DATES, *_TIMES, *_LENGTHS, *_AMOUNTS, *_ADDRESSES, *_PHONES),
    *(*_SIGNS, *_MARKS, *_EXPANDING, *_LETTERS),
)


class Drawn(msgspec.Struct, frozen=True):
    """A text for one language; ``shape`` says how it was put together."""

    language: str
    shape: str
    text: str

    @property
    def shown(self) -> str:
        """The text, shortened."""
        text = ascii(self.text)
        return text if len(text) <= 60 else f"{text[:40]}...{text[-15:]}"


@cache
def table_words(language: str) -> tuple[str, ...]:
    """Every word and phrase of a language's table."""
    words = words_for(language)
    found: list[str] = []
    for field in words.__struct_fields__:
        value = getattr(words, field)
        if field == "counted":
            found += [phrase.replace("{n}", "3") for phrase, _, _ in value]
        elif isinstance(value, dict | tuple):
            found += [phrase for phrase in value if isinstance(phrase, str)]
    return tuple(dict.fromkeys(found))


def drawn_texts(seed: int, count: int, languages: tuple[str, ...] = READ_LANGUAGES) -> Iterator[Drawn]:
    """``count`` texts, the languages in turn."""
    chance = random.Random(seed)
    for number in range(count):
        yield draw(chance, languages[number % len(languages)])


def draw(chance: random.Random, language: str, size: int = MAX_CHARACTERS) -> Drawn:
    """One text of about ``size`` characters, of one of four shapes."""
    pieces = [_piece(chance, language) for _ in range(chance.randint(1, 5))]
    shape = chance.choice((_repeated, _in_blocks, _mixed, _around_a_run))
    return Drawn(language, shape.__name__.strip("_"), shape(chance, pieces, size)[:size])


def _piece(chance: random.Random, language: str) -> str:
    own = table_words(language)
    piece = chance.choice(own) if own and chance.random() < 0.6 else chance.choice(_SHARED)
    return piece + chance.choice(("", " ", " ", " ", ", ", "  ", "-"))


def _repeated(_chance: random.Random, pieces: list[str], size: int) -> str:
    together = "".join(pieces)
    return together * (size // len(together) + 1)


def _in_blocks(_chance: random.Random, pieces: list[str], size: int) -> str:
    """All dates, then all that lies between, then all times: what is paired with what is far off."""
    share = size // len(pieces)
    return "".join((piece * (share // len(piece) + 1))[:share] + " " for piece in pieces)


def _mixed(chance: random.Random, pieces: list[str], size: int) -> str:
    shortest = min(map(len, pieces))
    return "".join(chance.choices(pieces, k=size // shortest + 1))


def _around_a_run(chance: random.Random, pieces: list[str], size: int) -> str:
    """A long run of one sign between two halves, or one such run after each piece."""
    run = chance.choice((*_SIGNS, *_MARKS, *_EXPANDING, "1", "a")) * chance.choice((3, 40, 300, size // 2))
    together = "".join(pieces) + run + chance.choice(pieces)
    return together * (size // len(together) + 1)
