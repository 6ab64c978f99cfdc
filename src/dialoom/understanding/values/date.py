"""Date: days by their name, by their distance from today, by number and month, in digits. Value ``YYYY-MM-DD``.

Decided here, where the specification is silent:

- A date without a year is the next such date on or after today; "the 12th" the next 12th on or after today.
- A bare weekday is the first one after today, "this Friday" the first one from today on, "next Friday" the one in the
  week (from Monday) after this one; words such as "coming", "prochain" mean the first one after today, "last Friday"
  the last one before it, "Friday before last" the one before that.
- A weekday in two or three letters ("fr", "sáb") is one as a whole message only, surely enough for an open question.
- "Tuesday week" and "Tuesday in two weeks" are counted from the first Tuesday after today.
- A weekday of a month without a number ("a Tuesday in March"), and a numbered one without its month, are no day.
- The end of a month is its last day, the beginning its first, the middle the 15th. A week or a month is no day.
- A weekday beside a full date is only company; beside a bare day ("Friday the 12th") it picks the month, unless the
  day behind an "or" tells it ("Thursday the 3rd or Friday the 4th of December").
- What looks like a date and is none ("31 February") gives nothing, nor does any part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING

from dialoom.languages import Words
from dialoom.languages.sections import DateOrder, Unit
from dialoom.understanding.by_position import LAST, ordinals_for
from dialoom.understanding.candidate import Stretch, longest_and_blocked
from dialoom.understanding.values.calendar import (
    Edge,
    at_distance,
    coming_days,
    edge_of,
    full_year,
    last_of,
    month_ahead,
    next_date,
    next_edge,
    nth_weekday,
)
from dialoom.understanding.values.message import ENDS, SmallNumbers, edges, folded_keys, once, one_of, plain, plain_all
from dialoom.understanding.values.neighbours import MAX_BESIDE_CHARS, UNREAD
from dialoom.understanding.values.number import ONLY_ASKED
from dialoom.understanding.values.pieces.date_pieces import (
    HAN_DIGITS,
    YEAR,
    DatePieces,
    gap_of,
    han_number,
    ordinal_suffix,
)
from dialoom.understanding.values.pieces.day_shifts import DayShifts, whole_weeks
from dialoom.understanding.values.pieces.denied_pairs import DeniedPairs
from dialoom.understanding.values.pieces.short_weekdays import ShortWeekday, ShortWeekdays

if TYPE_CHECKING:
    from dialoom.understanding.values.duration import Lengths
    from dialoom.understanding.values.message import Message
    from dialoom.understanding.values.neighbours import Neighbours
    from dialoom.understanding.values.slips import Slips

    _Read = Callable[[re.Match[str], date], date | None]
    _Way = tuple[str, _Read]
    """A pattern, and what reads a stretch that it matched."""

_ISO = r"(?P<year>\d{4})(?P<sign>[-./])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})(?!\d|[-/]\d|\.\d)"
_DIGITS = (
    r"(?<![\d][-./:,])(?<!version )(?P<a>\d{1,2})(?P<sign>[-./])(?P<b>\d{1,2})(?P=sign)(?P<year>\d{4}|\d{2})"
    r"(?!\d|[-/:]\d|\.\d)"
)
_SPACED = r"(?<![\d][-./:,])(?P<a>\d{1,2})\.\s(?P<b>\d{1,2})\.\s?(?P<year>\d{4})(?!\d)"
_SHORT = r"(?<![\d][-./:,])(?!24/7(?!\d))(?P<a>\d{1,2})/(?P<b>\d{1,2})(?!\d|[-/:.,]\d)"
_DOTTED = r"(?<![\d][-./:,])(?P<a>\d{1,2})\.\s?(?P<b>\d{1,2})\.(?!\d)"
_SMALL = rf"\d{{1,2}}|[{HAN_DIGITS}十]{{1,3}}"
_HAN = rf"(?:(?P<year>\d{{4}})\s*[年년]\s*)?(?P<month>{_SMALL})\s*[月월]\s*(?P<day>{_SMALL})\s*[日号號일]"

_MAX_DAY_CHARS = 40
"""Characters of a day of the month in digits, with what follows them ("3-ти", "3rd of December 2027")."""
_ISO_TIME = r"(?=t\d\d:)"
"""The "T" of ISO 8601 may follow: "2027-03-03T15:00"."""

_MONTH_FIRST = frozenset({"us", "ph", "pr", "gu", "as", "vi", "fm", "pw", "mh"})
_YEAR_FIRST = frozenset({"zh", "ja", "ko", "hu", "lt", "mn", "fa"})


def date_order(words: Words, language: str) -> DateOrder:
    """Return the order of numeric dates: the table's, a region's, or day before month."""
    name, *rest = language.lower().replace("_", "-").split("-")
    region = next((part for part in rest if len(part) == 2), None)
    if region in _MONTH_FIRST:
        return "month-day"
    return "year-month" if name in _YEAR_FIRST else words.order if region is None else "day-month"


class DateReader:
    """Dates of a language."""

    def __init__(self, words: Words, language: str, lengths: Lengths, slips: Slips, neighbours: Neighbours) -> None:
        self._order = date_order(words, language)
        self._numbers = SmallNumbers(words)
        self._lengths = lengths
        self._slips = slips
        self._neighbours = neighbours
        self._shifts = DayShifts(words, lengths)
        self._places = ordinals_for(language).places
        self._later = folded_keys(words.weekday_later)
        self._months = {name.rstrip("."): number for name, number in folded_keys(words.months).items()}
        self._weekdays = {name.rstrip("."): number for name, number in folded_keys(words.weekdays).items()}
        self._short_weekdays = ShortWeekdays(words)
        self._denied = DeniedPairs(words, language)
        self._days = folded_keys(words.days)
        self._ordinals = folded_keys(words.ordinals)
        self._months_near = folded_keys(words.months_near)
        self._feasts = folded_keys(words.feasts)
        self._edges: dict[str, Edge] = {
            **dict.fromkeys(plain_all(words.start_of), "start"),
            **dict.fromkeys(plain_all(words.middle_of), "middle"),
            **dict.fromkeys(plain_all(words.end_of), "end"),
        }
        self._weeks = {**dict.fromkeys(plain_all(words.next_week), 1), **dict.fromkeys(plain_all(words.after_next), 2)}
        self._this = frozenset(plain_all(words.this))
        self._last = frozenset(plain_all(words.last))
        self._before_last = frozenset(plain_all(words.before_last))
        self._ago = frozenset(plain_all((*words.ago, *words.ago_before)))
        self._now = re.compile(rf"\W*+{one_of(words.now)}\W*+")
        starts, ends = edges(words)
        say = DatePieces(words)
        self._beside = re.compile(rf"{starts}{say.beside}$") if say.beside else None
        self._joined = re.compile(rf"[\s,]{{0,3}}{one_of((*words.until, *words.number_joiners))}?\s*{say.on}")
        self._last_number = re.compile(rf"(?<!\d)(?P<day>\d{{1,2}}){say.suffix}(?:,?{say.of}-?{say.month}{say.year})?$")
        goes_on = one_of((*words.at, *words.parts, *words.polite))
        second = rf"(?P<second>{say.other_company}{say.on}(?P<day>\d{{1,2}}){say.suffix})"
        self._following_day = re.compile(
            rf",?\s*(?:[-–]|{one_of(words.until)})\s*{second}(?=\s*(?:$|[.,;!?](?!\d)|{goes_on}{ENDS}))"
        )
        self._digital = (self._full, self._numeric)
        self._yearly = (self._full, self._numeric, self._spoken, self._edge, self._feast, self._nth_weekday)
        self._patterns = [
            (re.compile(f"{starts}(?:{pattern})(?:{ends}|{_ISO_TIME})"), read)
            for pattern, read in self._grammar(words, say)
        ]

    def find(self, said: Message) -> list[Stretch]:
        return once(said, self, self._found)

    def _found(self, said: Message) -> list[Stretch]:
        return self._denied.joined(said.text, list(self._find(said)))

    def _find(self, said: Message) -> Iterator[Stretch]:
        today = said.now.date()
        if alone := [self._short_weekday(said, one, today) for one in self._short_weekdays.find(said.folded.text)]:
            said.kept[self, UNREAD] = []
            yield from alone
            return
        folded, sure = self._slips.put_right(said.folded)
        found = longest_and_blocked(self._stretches(folded.text, today))
        unread = [one for one in found if one.value is None]
        days = self._whole(folded.text, [one for one in found if one.value is not None], unread)
        said.kept[self, UNREAD] = [folded.span(one.start, one.end) for one in unread]
        for stretch in days:
            yield Stretch(*folded.span(stretch.start, stretch.end), stretch.value, sure, stretch.others)

    def _short_weekday(self, said: Message, one: ShortWeekday, today: date) -> Stretch:
        day = today + timedelta(days=(one.weekday - today.weekday() - 1) % 7 + 1)
        last = day - timedelta(days=7 if (day - today).days < 7 else 14)
        sure = 1.0 if one.is_sure else ONLY_ASKED
        return Stretch(*said.folded.span(one.start, one.end), day.isoformat(), sure, (last.isoformat(),))

    def _whole(self, text: str, found: list[Stretch], rest: list[Stretch]) -> list[Stretch]:
        """The days whose neighbouring words were read too, and those that go on with one ("March 3 or 4"). "The Monday
        after Christmas" is neither of its two days, and "every Monday and Friday" none at all. What is not read goes to
        ``rest``."""
        whole: list[Stretch] = []
        unread = taken = -1
        for index, one in enumerate(found):
            if one.start < taken:
                continue
            following = found[index + 1] if index + 1 < len(found) else None
            is_changed = self._neighbours.change(text, one.start, one.end)
            if is_changed or (unread >= 0 and self._joined.fullmatch(text, unread, one.start) is not None):
                unread = one.end
                rest.append(one)
                continue
            start, value = self._shifts.applied(text, one)
            if value is not None:
                earlier = (self._shifts.applied(text, Stretch(one.start, one.end, other))[1] for other in one.others)
                whole.append(Stretch(start, one.end, value, others=tuple(day for day in earlier if day is not None)))
                if (second := self._next_day(text, one, following)) is not None:
                    whole.append(second)
                    taken = second.end
            elif whole and not text[whole[-1].end : start].strip():
                whole.pop()
        return whole

    def _next_day(self, text: str, day: Stretch, other: Stretch | None) -> Stretch | None:
        """The second day of "March 3 or 4", "March 3 or Friday the 4th", in the month of the first. ``other``: what was
        read behind the first."""
        last = self._last_number.search(text, max(day.start, day.end - _MAX_DAY_CHARS), day.end)
        following = None if last is None else self._following_day.match(text, day.end)
        if last is None or following is None:
            return None
        if other is not None and other.start < following.end() < other.end:
            return None
        number = int(following["day"])
        if int(day.value[-2:]) == int(last["day"]) < number:
            try:
                value = date.fromisoformat(day.value).replace(day=number).isoformat()
            except ValueError:
                return None
            return Stretch(following.start("second"), following.end(), value)
        return None

    def _stretches(self, text: str, today: date) -> Iterator[Stretch]:
        spoken: set[tuple[int, int]] = set()
        for pattern, read in self._patterns:
            for found in pattern.finditer(text):
                if read == self._spoken:
                    spoken.add(found.span())
                elif read == self._bare_day and found.span() in spoken:
                    continue  # "am 8. oder 9. August" tells the month
                try:
                    day = read(found, today)
                except (ValueError, OverflowError):
                    day = None
                start = self._with_weekday(text, found.start()) if read in self._digital else found.start()
                if day is None:
                    yield Stretch(start, found.end(), None)
                    continue
                last = self._last_such(found, read, day, today)
                others = () if last is None else (last.isoformat(),)
                yield Stretch(start, found.end(), day.isoformat(), others=others)
        if self._now.fullmatch(text):
            yield Stretch(0, len(text), today.isoformat())

    def _with_weekday(self, text: str, start: int) -> int:
        """Return where a date in digits begins with its weekday: "Donnerstag den 3.12."."""
        beside = None if self._beside is None else self._beside.search(text, max(0, start - MAX_BESIDE_CHARS), start)
        return start if beside is None else beside.start()

    # ---- ways of saying a date -----------------------------------------------------------------------------------
    # The longest reading of a stretch wins, not the first.

    def _grammar(self, words: Words, say: DatePieces) -> Iterator[_Way]:
        yield from self._in_digits(words)
        yield from self._by_month(words, say)
        yield from self._by_day(words, say)
        yield from self._by_weekday(words, say)
        yield from self._from_today(words)
        yield one_of(words.not_days), _nothing

    def _in_digits(self, words: Words) -> Iterator[_Way]:
        for pattern in (_DIGITS, _SPACED, _SHORT):
            yield pattern, self._numeric
        for pattern in (_ISO, _HAN):
            yield pattern, self._full
        if "." in words.ordinal_suffixes or self._order == "day-month":
            yield _DOTTED, self._numeric

    def _by_month(self, words: Words, say: DatePieces) -> Iterator[_Way]:
        """ "3rd March 2027", "March 3", "end of March", "the 12th of next month"."""
        counted = [word for word, value in words.numbers.items() if value < 32] if words.counted_days else []
        number = rf"(?P<day>\d{{1,2}}|{one_of((*words.ordinals, *counted))})"
        dated = rf"{say.suffix},?{say.of}-?{say.month}-?{say.year}"
        yield rf"{say.dated_company}{say.on}{number}{dated}", self._spoken
        until = rf",?\s*(?:[-–]|{one_of(words.until)})\s*"
        second = rf"{say.other_company}{say.on}(?:\d{{1,2}}|{one_of(words.ordinals)})"
        # "Monday the 3rd, Tuesday the 4th or Wednesday the 5th of May".
        middle = rf"(?(weekday)(?:,\s*{say.other_company}{say.on}\d{{1,2}}{say.suffix})?)" if words.weekdays else ""
        yield rf"{say.company}{say.on}{number}{say.suffix}(?={middle}{until}{second}{dated})", self._spoken
        day = rf"(?P<day>\d{{1,2}}|{one_of(words.ordinals)})"
        yield rf"{say.dated_company}{say.on}{say.month}\s+{say.on}{day}{say.suffix}(?![.:,]?\d){say.year}", self._spoken
        article = rf"{one_of((*words.on, *words.bare_days))}\s*" if words.on or words.bare_days else r"(?!)"
        suffixed = rf"(?P<day>\d{{1,2}}(?={ordinal_suffix(words)})|{one_of(words.ordinals)})"
        for said in (rf"{article}{day}", suffixed):  # "March, the 5", "March, 5th"
            yield rf"{say.company}{say.on}{say.month},\s*{said}{say.suffix}{say.closing}", self._spoken
        edge = rf"(?P<edge>{one_of((*words.start_of, *words.middle_of, *words.end_of))})"
        yield rf"{edge}[\s-]{{0,5}}(?:{one_of(words.of)}\s+)?{say.month}{say.year}", self._edge
        yield rf"{edge}{say.of}\s*{say.near}", self._edge_near
        yield rf"{say.near}\s?{edge}", self._edge_near
        leading = one_of((*words.before_days, *words.bare_days, *words.on))
        yield rf"{say.company}{say.on}{day}{say.suffix}{say.of}\s*{say.near}", self._near
        near = rf"(?P<near>{one_of(name for name, ahead in words.months_near.items() if ahead)})"
        yield rf"{near},?\s+{leading}\s*{day}{say.suffix}(?![.:,/-]?\d)", self._near
        yield rf"(?P<feast>{one_of(words.feasts)})(?:\s+{YEAR})?", self._feast
        yield rf"{one_of(words.streets)}\s+{say.on}{number}{say.suffix}{say.of}{say.month}{say.year}", _nothing
        yield rf"{number}{say.suffix}{say.of}{say.month}\s+{one_of(words.streets_after)}", _nothing

    def _by_day(self, words: Words, say: DatePieces) -> Iterator[_Way]:
        """ "The 12th", "Friday the 12th", French "le 12"."""
        nouns = rf"(?!{say.suffix}\s+{one_of(words.ordinal_nouns)}{ENDS})" if words.ordinal_nouns else ""
        if words.bare_suffix:
            yield rf"{say.company}{say.on}(?P<day>\d{{1,2}}{ordinal_suffix(words)}){nouns}", self._bare_day
        if words.bare_days:
            digits = r"(?P<day>\d{1,2})(?![.:,/-]?\d)"
            yield rf"{say.company}{one_of(words.bare_days)}\s*{digits}{say.suffix}{nouns}", self._bare_day
        yield rf"{say.company}{one_of(words.before_days)}\s+(?P<day>\d{{1,2}}){say.closing}", self._bare_day
        ending = r"(?=\s*(?:$|[.,;!?]))"
        yield rf"{say.company}{one_of(words.on)}\s+(?P<day>{one_of(words.ordinals)}){ending}", self._bare_day
        if words.counted_days:
            day = rf"(?P<weekday>{one_of(words.weekdays)})\s+(?P<day>\d{{1,2}})"
            yield day + say.closing, self._bare_day
            # "Jueves 3 y viernes 4".
            second = rf"{say.other_company.removesuffix('?')}{say.on}\d{{1,2}}{say.closing}"
            yield rf"{day}(?=,?\s*{one_of(words.until)}\s*{second})", self._bare_day

    def _by_weekday(self, words: Words, say: DatePieces) -> Iterator[_Way]:
        if not words.weekdays:
            return
        phrases = (*words.next_week, *words.after_next, *words.coming, *words.this, *words.last, *words.before_last)
        modifier = one_of(phrases)
        later = tuple(f"{word} " for word in (*words.later_than, *words.earlier_than))
        # "After next Friday" is not the Friday after next, nor "before last Friday" the Friday before last.
        before = one_of(phrase for phrase in phrases if not phrase.startswith(later))
        join = gap_of(words)
        on = rf"(?:{one_of((*words.on, *words.on_weekday))}\s+)?"
        weekday = rf"(?P<weekday>{one_of(words.weekdays)})\.?"
        # In "Dienstag morgen" the word for tomorrow is that for the morning.
        morning = rf"(?:{join}{one_of(day for day, ahead in words.days.items() if ahead == 1)})?"
        yield rf"(?:(?P<before>{before}){join}{on})?{weekday}(?:,?{join}(?P<after>{modifier}))?{morning}", self._weekday
        yield from self._weekdays_counted(words, say, weekday, join)

    def _weekdays_counted(self, words: Words, say: DatePieces, weekday: str, join: str) -> Iterator[_Way]:
        """ "Tuesday week", "Tuesday in two weeks", "the first Monday in December"."""
        coming = rf"(?:{one_of((*words.coming, *words.this))}{join})?"
        yield rf"{coming}{weekday},?{join}(?P<later>{one_of(words.weekday_later)})", self._weekday_later
        length = rf"(?P<length>{self._lengths.pattern})"
        yield rf"{coming}{weekday},?{join}{one_of(words.within)}{join}{length}", self._weekday_later
        counted = rf"\d\s?{one_of(words.ordinal_suffixes)}"
        month = rf"{join}(?:{one_of(words.in_month)}\s*)?(?:{say.month}{say.year}|{say.near})"
        yield rf"{say.on}(?P<nth>{counted}|{one_of(self._places)}){join}{weekday}{month}", self._nth_weekday
        yield rf"{weekday}{month}", _nothing
        alone = [name for name, place in self._places.items() if place != LAST and name not in self._weekdays]
        yield rf"(?:{counted}|{one_of(alone)}){join}{weekday}", _nothing

    def _from_today(self, words: Words) -> Iterator[_Way]:
        """ "Tomorrow", "in three days", "two weeks ago", "today week", German "heute in 14 Tagen"."""
        gap = gap_of(words)
        units = one_of(unit for unit, name in words.units.items() if name in ("day", "week", "month", "year"))
        counted = rf"{one_of(words.within)}{gap}(?P<length>{self._numbers.counted}\s*{units})"
        later = rf"(?:{gap}(?:{counted}|(?P<later>{one_of(words.weekday_later)})))?"
        yield rf"(?P<phrase>{one_of(words.days)}){later}", self._near_day
        length = rf"(?P<length>{self._lengths.pattern})"
        yield rf"{one_of(words.within)}{gap_of(words)}{length}", self._counted
        yield rf"{length}\s+(?P<back>{one_of((*words.from_now, *words.ago))})", self._counted
        yield rf"(?P<back>{one_of(words.ago_before)})\s+{length}", self._counted
        for pattern, unit, direction in self._lengths.counted:
            yield pattern, partial(self._counted_in, unit, direction)

    # ---- what they mean ------------------------------------------------------------------------------------------

    def _full(self, found: re.Match[str], today: date) -> date | None:
        day, month, year = han_number(found["day"]), han_number(found["month"]), found["year"]
        return date(int(year), month, day) if year else next_date(today, month, day)

    def _numeric(self, found: re.Match[str], today: date) -> date | None:
        first, second, groups = int(found["a"]), int(found["b"]), found.groupdict()
        # Dots always part day from month in that order, also where slashes do not.
        has_dots = groups.get("sign", ".") == "." and "/" not in found[0]
        is_month_first = self._order == "month-day" and not has_dots
        is_month_first |= self._order == "year-month" and "year" not in groups
        month, day = (first, second) if is_month_first else (second, first)
        if month > 12 >= day:
            month, day = day, month
        return date(full_year(found["year"]), month, day) if "year" in groups else next_date(today, month, day)

    def _spoken(self, found: re.Match[str], today: date) -> date | None:
        month, day = self._months[plain(found["name"]).rstrip(".")], self._day(found["day"])
        year = found.groupdict().get("year")
        return date(full_year(year), month, day) if year else next_date(today, month, day)

    def _edge(self, found: re.Match[str], today: date) -> date | None:
        edge, month = self._edges[plain(found["edge"])], self._months[plain(found["name"]).rstrip(".")]
        return edge_of(full_year(found["year"]), month, edge) if found["year"] else next_edge(today, month, edge)

    def _edge_near(self, found: re.Match[str], today: date) -> date | None:
        edge, months = self._edges[plain(found["edge"])], self._months_near[plain(found["near"])]
        day = edge_of(*month_ahead(today, months), edge)
        return day if day >= today or months else edge_of(*month_ahead(today, 1), edge)

    def _near(self, found: re.Match[str], today: date) -> date | None:
        return date(*month_ahead(today, self._months_near[plain(found["near"])]), self._day(found["day"]))

    def _feast(self, found: re.Match[str], today: date) -> date | None:
        month, day = self._feasts[plain(found["feast"])]
        return date(full_year(found["year"]), month, day) if found["year"] else next_date(today, month, day)

    def _near_day(self, found: re.Match[str], today: date) -> date | None:
        day = today + timedelta(days=self._days[plain(found["phrase"])])
        if found["later"]:
            return day + timedelta(days=self._later[plain(found["later"])])
        return at_distance(day, self._lengths.read(found["length"]), 1) if found["length"] else day

    def _weekday(self, found: re.Match[str], today: date) -> date:
        weekday = self._weekdays[plain(found["weekday"]).rstrip(".")]
        modifier = plain(found["before"] or found["after"] or "")
        if (weeks := self._weeks.get(modifier)) is not None:
            return today + timedelta(days=7 * weeks - today.weekday() + weekday)
        ahead = (weekday - today.weekday()) % 7
        if modifier in self._last or modifier in self._before_last:
            return today + timedelta(days=ahead - (14 if modifier in self._before_last else 7))
        return today + timedelta(days=ahead if ahead or modifier in self._this else 7)

    def _weekday_later(self, found: re.Match[str], today: date) -> date | None:
        ahead = (self._weekdays[plain(found["weekday"]).rstrip(".")] - today.weekday() - 1) % 7 + 1
        groups = found.groupdict()
        days = self._later[plain(groups["later"])] if "later" in groups else whole_weeks(self._lengths, found["length"])
        return today + timedelta(days=ahead + days) if days else None

    def _nth_weekday(self, found: re.Match[str], today: date) -> date | None:
        nth = int(found["nth"][0]) if found["nth"][0].isdecimal() else self._places[plain(found["nth"])]
        weekday = self._weekdays[plain(found["weekday"]).rstrip(".")]
        if found["near"]:
            ahead = self._months_near[plain(found["near"])]
            day = nth_weekday(*month_ahead(today, ahead), weekday, nth)
            return day if ahead or day is None or day >= today else nth_weekday(*month_ahead(today, 1), weekday, nth)
        month = self._months[plain(found["name"]).rstrip(".")]
        if found["year"]:
            return nth_weekday(full_year(found["year"]), month, weekday, nth)
        day = nth_weekday(today.year, month, weekday, nth)
        return day if day is not None and day >= today else nth_weekday(today.year + 1, month, weekday, nth)

    def _counted(self, found: re.Match[str], today: date) -> date | None:
        is_back = "back" in found.re.groupindex and plain(found["back"]) in self._ago
        return at_distance(today, self._lengths.read(found["length"]), -1 if is_back else 1)

    def _counted_in(self, unit: Unit, direction: int, found: re.Match[str], today: date) -> date | None:
        return at_distance(today, {unit: self._lengths.number(found.groupdict().get("n"))}, direction)

    def _bare_day(self, found: re.Match[str], today: date) -> date | None:
        digits = re.match(r"\d+", found["day"])
        day = int(digits[0]) if digits else self._day(found["day"])
        name = found.groupdict().get("weekday")
        weekday = self._weekdays[plain(name).rstrip(".")] if name else None
        days = [one for one in coming_days(today, day, 13) if weekday is None or one.weekday() == weekday]
        return days[0] if days else next(coming_days(today, day, 13), None)

    def _last_such(self, found: re.Match[str], read: _Read, day: date, today: date) -> date | None:
        """Return the last such day before today, where the words leave open whether the next one is meant."""
        groups = found.groupdict()
        if groups.get("year") or groups.get("near") or day <= today:
            return None
        if read == self._weekday:
            modifier = plain(groups["before"] or groups["after"] or "")
            is_open = not modifier or modifier in self._this
            return day - timedelta(days=7 if (day - today).days < 7 else 14) if is_open else None
        months = 1 if read == self._bare_day else 12 if read in self._yearly else None
        return None if months is None else last_of(partial(read, found), today, months)

    def _day(self, text: str) -> int:
        ordinal = self._ordinals.get(plain(text))
        return ordinal if ordinal is not None else self._numbers.value(text)


def _nothing(_found: re.Match[str], _today: date) -> date | None:
    """Return None: of what is said with the words of a date and means no day."""
    return None
