"""What the ways of saying a date have in common: pieces of patterns, and numbers in Chinese characters."""

from __future__ import annotations

from collections.abc import Collection

from dialoom.languages import Words
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import one_of

YEAR = r"(?P<year>(?:19|20|21|25)\d\d|['’]\d\d)(?!\d|[.,:]\d)"
HAN_DIGITS = "一二三四五六七八九"


class DatePieces:
    """What several ways of saying a date have in common, as patterns of a language."""

    def __init__(self, words: Words) -> None:
        self.of = rf"(?:\s*(?:{one_of(words.of)}\s+)?)"
        on = (*words.on, *words.bare_days)
        self.on = rf"(?:{one_of(on)}\s*)?" if on else ""
        self.company = _company(words.weekdays)
        # Beside a whole date "Fr" can be nothing else.
        self.dated_company = _company((*words.weekdays, *words.short_weekdays))
        self.beside = _company((*words.weekdays, *words.short_weekdays), self.on).removesuffix("?")
        """The same before digits: "Donnerstag den 3.12."."""
        leading = rf"(?:{one_of((*words.on_weekday, *on))}\s+)?"
        self.other_company = rf"(?:{leading}{one_of(words.weekdays)}\.?,?\s+)?" if words.weekdays else ""
        """Of a day whose own name is not looked at."""
        self.suffix = rf"(?:{ordinal_suffix(words)}|\.)?" if words.ordinal_suffixes else r"\.?"
        self.month, self.near = rf"(?P<name>{one_of(words.months)})\.?", rf"(?P<near>{one_of(words.months_near)})"
        self.closing = rf"(?=\s*(?:$|[.,;!?](?!\d)|{one_of((*words.at, *words.near, *words.parts))}\s))"
        self.year = rf"(?:,?{self.of}{YEAR})?" if words.of else rf"(?:,?\s*{YEAR})?"


def _company(weekdays: Collection[str], on: str = "") -> str:
    """A pattern for a weekday before its date: "Friday the 12th", "Friday (12/4)"."""
    return rf"(?:(?P<weekday>{one_of(weekdays)})\.?,?\s+{on}\(?)?" if weekdays else ""


def ordinal_suffix(words: Words) -> str:
    """A pattern for what follows the digits of an ordinal. "º" is an "o" when it is folded, so that it must stand at
    the digits: "el 3 o el 4"."""
    letters = [suffix for suffix in words.ordinal_suffixes if fold(suffix) in ("o", "a")]
    others = [suffix for suffix in words.ordinal_suffixes if suffix not in letters]
    return rf"(?:\s?{one_of(others)}|{one_of(letters)})"


def han_number(text: str) -> int:
    """Return a number below a hundred, in digits or as in 二十五."""
    if text.isdecimal():
        return int(text)
    tens, ten, units = text.rpartition("十")
    return 10 * bool(ten) * (HAN_DIGITS.index(tens) + 1 if tens else 1) + (HAN_DIGITS.index(units) + 1 if units else 0)


def gap_of(words: Words) -> str:
    return r"\s+" if words.spaced else r"\s*"
