"""What the ways of saying a date have in common: pieces of patterns, and numbers in Chinese characters."""

from __future__ import annotations

from dialoom.languages import Words
from dialoom.understanding.values.message import one_of

YEAR = r"(?P<year>(?:19|20|21|25)\d\d|['’]\d\d)(?!\d|[.,:]\d)"
HAN_DIGITS = "一二三四五六七八九"


class DatePieces:
    """What several ways of saying a date have in common, as patterns of a language."""

    def __init__(self, words: Words) -> None:
        self.of = rf"(?:\s*(?:{one_of(words.of)}\s+)?)"
        on = (*words.on, *words.bare_days)
        self.on = rf"(?:{one_of(on)}\s*)?" if on else ""
        self.company = rf"(?:(?P<weekday>{one_of(words.weekdays)})\.?,?\s+)?" if words.weekdays else ""
        self.suffix = rf"(?:\s?{one_of(words.ordinal_suffixes)}|\.)?" if words.ordinal_suffixes else r"\.?"
        self.month, self.near = rf"(?P<name>{one_of(words.months)})\.?", rf"(?P<near>{one_of(words.months_near)})"
        self.closing = rf"(?=\s*(?:$|[.,;!?](?!\d)|{one_of((*words.at, *words.near, *words.parts))}\s))"
        self.year = rf"(?:,?{self.of}{YEAR})?" if words.of else rf"(?:,?\s*{YEAR})?"


def han_number(text: str) -> int:
    """Return a number below a hundred, in digits or as in 二十五."""
    if text.isdecimal():
        return int(text)
    tens, ten, units = text.rpartition("十")
    return 10 * bool(ten) * (HAN_DIGITS.index(tens) + 1 if tens else 1) + (HAN_DIGITS.index(units) + 1 if units else 0)


def gap_of(words: Words) -> str:
    return r"\s+" if words.spaced else r"\s*"
