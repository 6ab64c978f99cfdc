"""Time: "15:00", "3pm", "half past 11 in the morning", "noon", "at 4". Value ``HH:mm``.

Decided here, where the specification is silent:

- An hour from 1 to 7 that is said without morning or afternoon is one of the day ("at 4" is 16:00, "half past three"
  15:30); 8 to 12 are taken as they are. In digits ("4:30") this holds in languages of the twelve-hour clock only, and
  never with a leading zero ("04:30").
- "At night" is 18:00 to 05:59: "11 at night" is 23:00, "2 at night" 02:00, "12 at night" 00:00.
- A message that is nothing but a whole number of hours ("16", "4") is a time, surely enough for an open question only.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch, longest
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import ENDS, STARTS, SmallNumbers, folded_keys, one_of, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from dialoom.understanding.values.message import Message
    from dialoom.understanding.words.table import PartOfDay, Words

BARE_HOUR = 0.5
"""Confidence of a message that is one bare number; a written time has 1."""

_CLOCK = (
    r"(?<!\d[:.,/])(?P<hour>[01]?\d|2[0-4])(?P<sign>[:.h])(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?"
    r"(?![\d]|[:.]\d)"
)
_STARTS_TIME = rf"(?:{STARTS}|(?<=\dt))"
"""The "T" of ISO 8601 may stand before: "2027-03-03T15:00"."""


class TimeReader:
    """Times of a language."""

    def __init__(self, words: Words) -> None:
        self._twelve_hours = words.twelve_hours
        self._numbers = SmallNumbers(words)
        self._parts = folded_keys(words.parts)
        self._fixed = folded_keys(words.fixed_times)
        self._before = folded_keys(words.before_hour)
        self._after = folded_keys(words.after_hour)
        self._to = frozenset(folded_keys(dict.fromkeys((*words.to, *words.after_to), 0)))
        self._days = folded_keys(words.days)
        self._units = folded_keys(words.units)
        self._patterns = [
            (re.compile(f"{_STARTS_TIME}(?:{pattern}){ENDS}"), read) for pattern, read in self._grammar(words)
        ]

    def find(self, said: Message) -> Iterator[Stretch]:
        found = longest(self._stretches(said.folded.text, said.now))
        for stretch in found:
            value, start, end = stretch.value
            yield Stretch(*said.folded.span(start, end), value)
        if not found:
            yield from self._bare(said)

    def _stretches(self, text: str, now: datetime) -> Iterator[Stretch]:
        taken: set[tuple[int, int]] = set()
        for pattern, read in self._patterns:
            for found in pattern.finditer(text):
                if found.span() in taken:
                    continue
                taken.add(found.span())
                minutes = read(found, now)
                value = None if minutes is None else f"{minutes // 60 % 24:02}:{minutes % 60:02}"
                yield Stretch(*found.span(), None if value is None else (value, *self._place(found)))

    def _place(self, found: re.Match[str]) -> tuple[int, int]:
        """Where a time stands: without a word that is a day as well ("tonight at 8"), which Date must find free."""
        start, end = found.span()
        groups = found.groupdict()
        if (before := groups.get("part1")) and plain(before) in self._days:
            rest = found[0][found.end("part1") - start :]
            start = end - len(rest.lstrip(" ,\t\n"))
        if (after := groups.get("part2")) and plain(after) in self._days:
            end = start + len(found.string[start : found.start("part2")].rstrip(" ,\t\n"))
        return start, end

    def _bare(self, said: Message) -> Iterator[Stretch]:
        whole = re.fullmatch(rf"\W*({self._numbers.pattern})\W*", said.folded.text)
        if whole is not None and not re.search(r"[-+#%$€£]", said.folded.text):
            hour = self._numbers.value(whole[1])
            minutes = self._daytime(hour, 0, None, is_exact=whole[1].startswith("0"))
            if minutes is not None:
                start, end = said.folded.span(whole.start(1), whole.end(1))
                yield Stretch(start, end, f"{minutes // 60 % 24:02}:00", BARE_HOUR)

    def _grammar(self, words: Words) -> list[tuple[str, Callable[[re.Match[str], datetime], int | None]]]:
        """Each way of saying a time and what reads it. The longest reading of a stretch wins, not the first."""
        part = one_of(words.parts)
        number = self._numbers.pattern
        at, near = one_of(words.at), one_of(words.near)
        before = rf"(?:(?P<part1>{part})[,\s]\s*(?:(?:{at}|{near})\s+)?)?" if words.parts else "(?P<part1>(?!))?"
        after = rf"(?:[,\s]*(?P<part2>{part}))?" if words.parts else "(?P<part2>(?!))?"
        hour_words = rf"(?:\s*{one_of(words.hour_words)})" if words.hour_words else r"(?!)"
        loose = rf"(?=\s*(?:$|[.,;:!?)]|{one_of((*words.common, *words.days, *words.weekdays, *words.months))}{ENDS}))"
        not_a_range = "".join(rf"(?<!{re.escape(fold(word))}\s)" for word in words.range_before)
        hour = rf"(?P<hour>{number})"
        spoken_minutes = rf"(?:\s+(?:{one_of(words.number_joiners)}\s+)?(?P<minute>[0-5]\d|{number}))"
        minutes = rf"(?P<minutes>{number})\s*(?:{one_of(words.minute_words)}\s+)?"
        relation = f"(?P<relation>{one_of((*words.past, *words.to))})"
        return [
            (rf"{before}{_CLOCK.replace('.h', 'h')}{hour_words}?{after}", self._clock),
            (rf"(?:{at}|{near})\s+{_CLOCK.replace(':.h', '.')}{after}", self._clock),
            (rf"{before}{_CLOCK}{hour_words}{after}", self._clock),
            (rf"{before}{_CLOCK}\s*(?P<part2>{part})", self._clock),
            (rf"{hour}\s*(?P<part2>{part})", self._hour),
            (rf"(?P<part1>{part})[,\s]\s*(?:(?:{at}|{near})\s+)?{hour}{hour_words}?(?![:.,/-]?\d)", self._hour),
            (rf"{at}\s+{hour}(?![:.,/-]?\d|\s*[%$€£]){hour_words}?{after}", self._hour),
            (rf"{near}\s+{hour}(?![:.,/-]?\d){loose}", self._hour),
            (rf"{before}{hour}{hour_words}{spoken_minutes}?{after}", self._hour),
            (rf"{before}{hour}{spoken_minutes}\s*(?P<part2>{part})", self._hour),
            (rf"{at}\s+{hour}{spoken_minutes}{after}(?!\s*{one_of(words.units)})", self._hour),
            (rf"{before}(?P<offset>{one_of(words.before_hour)})\s+{hour}{hour_words}?{after}", self._offset),
            (rf"{before}{hour}{hour_words}?\s+(?P<offset>{one_of(words.after_hour)}){after}", self._offset),
            (
                f"{not_a_range}{before}{minutes}{relation}\\s+{hour}{hour_words}?{after}",
                self._relation,
            ),
            (
                rf"{before}{hour}{hour_words}?\s+(?P<relation>{one_of(words.after_to)})\s+(?P<minutes>{number}){after}",
                self._relation,
            ),
            (rf"(?P<fixed>{one_of(words.fixed_times)})", self._fixed_time),
            (
                rf"{one_of(words.within)}\s+(?P<count>{self._numbers.counted})\s*(?P<unit>{one_of(words.units)})",
                self._counted,
            ),
        ]

    # ---- readings ------------------------------------------------------------------------------------------------

    def _clock(self, found: re.Match[str], _now: datetime) -> int | None:
        hour, minute = int(found["hour"]), int(found["minute"])
        is_exact = found["hour"].startswith("0") or not self._twelve_hours
        return self._daytime(hour, minute, self._part(found), is_exact=is_exact)

    def _hour(self, found: re.Match[str], _now: datetime) -> int | None:
        groups = found.groupdict()
        minute = self._numbers.value(groups["minute"]) if groups.get("minute") else 0
        hour = self._numbers.value(found["hour"])
        return self._daytime(hour, minute, self._part(found), is_exact=found["hour"].startswith("0"))

    def _offset(self, found: re.Match[str], _now: datetime) -> int | None:
        phrase = plain(found["offset"])
        return self._with_offset(found, self._before.get(phrase, self._after.get(phrase, 0)))

    def _relation(self, found: re.Match[str], _now: datetime) -> int | None:
        minutes = self._numbers.value(found["minutes"])
        return self._with_offset(found, -minutes if plain(found["relation"]) in self._to else minutes)

    def _with_offset(self, found: re.Match[str], offset: int) -> int | None:
        hour = self._numbers.value(found["hour"])
        if not -60 < offset < 60 or hour == 0:
            return None
        minutes = self._daytime(hour, 0, self._part(found), is_exact=found["hour"].startswith("0"))
        return None if minutes is None else (minutes + offset) % 1440

    def _fixed_time(self, found: re.Match[str], _now: datetime) -> int:
        return self._fixed[plain(found["fixed"])]

    def _counted(self, found: re.Match[str], now: datetime) -> int | None:
        unit = self._units[plain(found["unit"])]
        if unit not in ("hour", "minute"):
            return None
        count = self._numbers.value(found["count"])
        then = now + (timedelta(hours=count) if unit == "hour" else timedelta(minutes=count))
        return then.hour * 60 + then.minute

    def _part(self, found: re.Match[str]) -> PartOfDay | None:
        groups = found.groupdict()
        phrase = groups.get("part1") or groups.get("part2")
        return self._parts[plain(phrase)] if phrase else None

    def _daytime(self, hour: int, minute: int, part: PartOfDay | None, *, is_exact: bool) -> int | None:
        """Minutes since midnight; None for an hour or minute that no clock shows."""
        if hour > 24 or minute > 59 or (hour == 24 and minute):
            return None
        if part == "am":
            hour = 0 if hour == 12 else hour
        elif part == "pm":
            hour += 12 if hour < 12 else 0
        elif part == "night":
            hour = 0 if hour == 12 else hour + 12 if 6 <= hour < 12 else hour
        elif not is_exact and 1 <= hour <= 7:
            hour += 12
        return hour % 24 * 60 + minute
