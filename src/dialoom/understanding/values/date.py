"""Date: days by their name, by their distance from today, by number and month, in digits. Value ``YYYY-MM-DD``.

Decided here, where the specification is silent:

- A date without a year is the next such date on or after today; "the 12th" the next 12th on or after today.
- A bare weekday is the first one after today, "this Friday" the first one from today on, "next Friday" the one in the
  week (from Monday) after this one; words such as "coming", "prochain" mean the first one after today.
- A weekday beside a full date is only company; beside a bare day ("Friday the 12th") it picks the month.
- What looks like a date and is none ("31 February") gives nothing, nor does any part of it.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch, longest
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import ENDS, STARTS, SmallNumbers, folded_keys, one_of, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dialoom.understanding.values.message import Message
    from dialoom.understanding.words.table import DateOrder, Unit, Words

_YEAR = r"(?P<year>(?:19|20|21)\d\d|['’]\d\d)(?!\d|[.,:]\d)"
_ISO = r"(?P<year>\d{4})(?P<sign>[-./])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})(?!\d|[-/]\d|\.\d)"
_DIGITS = (
    r"(?<![\d][-./:,])(?P<a>\d{1,2})(?P<sign>[-./])(?P<b>\d{1,2})(?P=sign)(?P<year>\d{4}|\d{2})"
    r"(?!\d|[-/:]\d|\.\d)"
)
_SHORT = r"(?<![\d][-./:,])(?P<a>\d{1,2})/(?P<b>\d{1,2})(?!\d|[-/:.,]\d)"
_DOTTED = r"(?<![\d][-./:,])(?P<a>\d{1,2})\.\s?(?P<b>\d{1,2})\.(?!\d)"
_HAN = r"(?:(?P<year>\d{4})\s*[年년]\s*)?(?P<month>\d{1,2})\s*[月월]\s*(?P<day>\d{1,2})\s*[日号號일]"

_ENDS_DATE = rf"(?:{ENDS}|(?=t\d\d:))"
"""The "T" of ISO 8601 may follow: "2027-03-03T15:00"."""

_MONTH_FIRST = frozenset({"us", "ph", "pr", "gu", "as", "vi", "fm", "pw", "mh"})
_YEAR_FIRST = frozenset({"zh", "ja", "ko", "hu", "lt", "mn", "fa"})


def date_order(words: Words, language: str) -> DateOrder:
    """The order of numeric dates: the table's, a region's, or day before month."""
    tag = language.lower().replace("_", "-").split("-")
    regions = [part for part in tag[1:] if len(part) == 2]
    if regions:
        return "month-day" if regions[0] in _MONTH_FIRST else "year-month" if tag[0] in _YEAR_FIRST else "day-month"
    return "year-month" if tag[0] in _YEAR_FIRST else words.order


class DateReader:
    """Dates of a language."""

    def __init__(self, words: Words, language: str) -> None:
        self._order = date_order(words, language)
        self._numbers = SmallNumbers(words)
        self._months = {name.rstrip("."): number for name, number in folded_keys(words.months).items()}
        self._weekdays = {name.rstrip("."): number for name, number in folded_keys(words.weekdays).items()}
        self._days = folded_keys(words.days)
        self._ordinals = folded_keys(words.ordinals)
        self._units = folded_keys(words.units)
        self._next_week = frozenset(plain(fold(phrase)) for phrase in words.next_week)
        self._this = frozenset(plain(fold(phrase)) for phrase in words.this)
        self._ago = frozenset(plain(fold(phrase)) for phrase in (*words.ago, *words.ago_before))
        self._patterns = [
            (re.compile(f"{STARTS}(?:{pattern}){_ENDS_DATE}"), read) for pattern, read in self._grammar(words)
        ]

    def find(self, said: Message) -> Iterator[Stretch]:
        today = said.now.date()
        for stretch in longest(self._stretches(said.folded.text, today)):
            start, end = said.folded.span(stretch.start, stretch.end)
            yield Stretch(start, end, stretch.value)

    def _stretches(self, text: str, today: date) -> Iterator[Stretch]:
        for pattern, read in self._patterns:
            for found in pattern.finditer(text):
                try:
                    day = read(found, today)
                except (ValueError, OverflowError):
                    day = None
                yield Stretch(found.start(), found.end(), day.isoformat() if day is not None else None)

    def _grammar(self, words: Words) -> list[tuple[str, Callable[[re.Match[str], date], date | None]]]:
        """Each way of saying a date and what reads it. The longest reading of a stretch wins, not the first."""
        months, weekdays = rf"(?P<name>{one_of(words.months)})\.?", one_of(words.weekdays)
        of = rf"(?:\s*(?:{one_of(words.of)}\s+)?)"
        on = rf"(?:{one_of((*words.on, *words.bare_days))}\s+)?" if words.on or words.bare_days else ""
        company = rf"(?:(?P<weekday>{weekdays})\.?,?\s+)?" if words.weekdays else ""
        suffix = rf"(?:\s?{one_of(words.ordinal_suffixes)}|\.)?" if words.ordinal_suffixes else r"\.?"
        number = rf"(?P<day>\d{{1,2}}|{one_of((*words.ordinals, *(words.numbers if words.counted_days else ())))})"
        year = rf"(?:,?{of}{_YEAR})?" if words.of else rf"(?:,?\s*{_YEAR})?"
        modifier = one_of((*words.next_week, *words.coming, *words.this))
        counted = rf"(?P<count>{self._numbers.counted})\s*(?P<unit>{one_of(words.units)})"
        nouns = rf"(?!\s+{one_of(words.ordinal_nouns)}{ENDS})" if words.ordinal_nouns else ""
        suffixed = rf"\d{{1,2}}\s?{one_of(words.ordinal_suffixes)}" if words.bare_suffix else r"(?!)"
        grammar: list[tuple[str, Callable[[re.Match[str], date], date | None]]] = [
            (_ISO, self._full),
            (_DIGITS, self._numeric),
            (_SHORT, self._numeric),
            (_HAN, self._full),
            (rf"{company}{on}{number}{suffix},?{of}{months}{year}", self._spoken),
            (
                rf"{company}{on}{months}\s+{on}(?P<day>\d{{1,2}}|{one_of(words.ordinals)}){suffix}(?![.:,]?\d){year}",
                self._spoken,
            ),
            (rf"(?P<phrase>{one_of(words.days)})", self._by_distance),
            (one_of(words.not_days), _nothing),
            (rf"(?:(?P<before>{modifier})\s+)?(?P<weekday>{weekdays})\.?(?:\s+(?P<after>{modifier}))?", self._weekday),
            (rf"{one_of(words.within)}\s+{counted}", self._counted),
            (rf"{counted}\s+(?P<back>{one_of((*words.from_now, *words.ago))})", self._counted),
            (rf"(?P<back>{one_of(words.ago_before)})\s+{counted}", self._counted),
            (rf"{company}{on}(?P<day>{suffixed}){nouns}", self._bare_day),
            (rf"{company}{one_of(words.bare_days)}\s+(?P<day>\d{{1,2}})(?![.:,/-]?\d){suffix}{nouns}", self._bare_day),
            (rf"{company}{one_of(words.on)}\s+(?P<day>{one_of(words.ordinals)})(?=\s*(?:$|[.,;!?]))", self._bare_day),
        ]
        if "." in words.ordinal_suffixes or self._order == "day-month":
            grammar.append((_DOTTED, self._numeric))
        return grammar

    # ---- readings ------------------------------------------------------------------------------------------------

    def _full(self, found: re.Match[str], today: date) -> date | None:
        day, month, year = int(found["day"]), int(found["month"]), found["year"]
        return date(int(year), month, day) if year else next_date(today, month, day)

    def _numeric(self, found: re.Match[str], today: date) -> date | None:
        first, second = int(found["a"]), int(found["b"])
        is_month_first = self._order == "month-day" and found.re.pattern.count(r"\.\s?") == 0 and not _has_dots(found)
        if self._order == "year-month" and "year" not in found.re.groupindex:
            is_month_first = True
        month, day = (first, second) if is_month_first else (second, first)
        if month > 12 >= day:
            month, day = day, month
        if "year" not in found.re.groupindex:
            return next_date(today, month, day)
        return date(full_year(found["year"]), month, day)

    def _spoken(self, found: re.Match[str], today: date) -> date | None:
        month, day = self._months[plain(found["name"]).rstrip(".")], self._day(found["day"])
        if found["year"]:
            return date(full_year(found["year"]), month, day)
        return next_date(today, month, day)

    def _by_distance(self, found: re.Match[str], today: date) -> date:
        return today + timedelta(days=self._days[plain(found["phrase"])])

    def _weekday(self, found: re.Match[str], today: date) -> date:
        weekday = self._weekdays[plain(found["weekday"]).rstrip(".")]
        modifier = plain(found["before"] or found["after"] or "")
        if modifier in self._next_week:
            return today + timedelta(days=7 - today.weekday() + weekday)
        ahead = (weekday - today.weekday()) % 7
        return today + timedelta(days=ahead if ahead or modifier in self._this else 7)

    def _counted(self, found: re.Match[str], today: date) -> date | None:
        unit = self._units[plain(found["unit"])]
        count = self._numbers.value(found["count"])
        if "back" in found.re.groupindex and plain(found["back"]) in self._ago:
            count = -count
        return later(today, count, unit)

    def _bare_day(self, found: re.Match[str], today: date) -> date | None:
        digits = re.match(r"\d+", found["day"])
        day = int(digits[0]) if digits else self._day(found["day"])
        groups = found.re.groupindex
        weekday = (
            self._weekdays[plain(found["weekday"]).rstrip(".")] if "weekday" in groups and found["weekday"] else None
        )
        days = [one for one in _days_numbered(day, today) if weekday is None or one.weekday() == weekday]
        return days[0] if days else next(iter(_days_numbered(day, today)), None)

    def _day(self, text: str) -> int:
        ordinal = self._ordinals.get(plain(text))
        return ordinal if ordinal is not None else self._numbers.value(text)


def _nothing(_found: re.Match[str], _today: date) -> date | None:
    """What is said with the words of a date and means none."""
    return None


def _has_dots(found: re.Match[str]) -> bool:
    """Dots always part day from month in that order, also where slashes do not."""
    return found.groupdict().get("sign") == "."


def _days_numbered(day: int, today: date) -> Iterator[date]:
    """The days of the coming twelve months that bear a number; a month without it is passed over."""
    for months in range(13):
        year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
        try:
            one = date(year, month + 1, day)
        except ValueError:
            continue
        if one >= today:
            yield one


def next_date(today: date, month: int, day: int) -> date | None:
    """The first such date on or after today; 29 February may take eight years."""
    for year in range(today.year, today.year + 9):
        try:
            one = date(year, month, day)
        except ValueError:
            continue
        if one >= today:
            return one
    return None


def full_year(text: str) -> int:
    """A year in four digits, or in two: up to 69 of this century."""
    digits = int(text.lstrip("'’"))
    return digits if digits > 99 else digits + (2000 if digits < 70 else 1900)


def later(today: date, count: int, unit: Unit) -> date | None:
    """The day at a distance; None for distances of less than a day, which are times."""
    if unit in ("day", "week"):
        return today + timedelta(days=count * (7 if unit == "week" else 1))
    if unit in ("month", "year"):
        year, month = divmod(today.year * 12 + today.month - 1 + count * (12 if unit == "year" else 1), 12)
        for day in range(today.day, today.day - 4, -1):
            try:
                return date(year, month + 1, day)
            except ValueError:
                continue
    return None
