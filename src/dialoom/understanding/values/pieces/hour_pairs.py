"""Two hours of which one is meant, or between which: "10 or 11 pm", "from 3 to 5", "half past ten or eleven"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.languages import Words
from dialoom.understanding.candidate import Stretch
from dialoom.understanding.values.message import ENDS, SmallNumbers, edges, folded_keys, one_of, plain, plain_all
from dialoom.understanding.values.pieces.day_halves import MAX_DIAL_HOUR, DayHalves
from dialoom.understanding.values.pieces.time_pieces import BARE_HOUR, TimePieces, clock, loose


class HourPairs:
    """Pairs of hours of a language."""

    def __init__(self, words: Words, numbers: SmallNumbers, halves: DayHalves) -> None:
        self._numbers = numbers
        self._halves = halves
        self._twelve_hours = words.twelve_hours
        self._parts = folded_keys(words.parts)
        self._days = folded_keys(words.days)
        self._leading = frozenset(plain_all((*words.at, *words.near)))
        self._joiners = frozenset(plain_all(words.number_joiners))
        self._loose = re.compile(loose(words))
        self._opening = re.compile(rf"(?:\W|{one_of((*words.fillers, *words.either))}(?!\w)){{0,8}}")
        joins = (word for word in words.until if word not in words.number_joiners)
        self._following = re.compile(
            rf"\s*{one_of(joins)}\s+(?P<hour>{numbers.pattern})(?![.:,]?\d){loose(words)}{ENDS}"
        )
        starts, ends = edges(words)
        two = _two_hours(words, numbers.pattern)
        self._pair = re.compile(rf"{starts}(?<!\d[-./:,])(?<!\d\s)(?<![$€£#]){two}{ends}")

    def find(self, text: str) -> Iterator[Stretch]:
        """Yield the hours of each pair, as values with their places. In bare numbers they are unsure."""
        for found in self._pair.finditer(text):
            yield from self._read(found)

    def _read(self, found: re.Match[str]) -> Iterator[Stretch]:
        is_clear_behind = found["minute2"] or found["word2"] or found["part2"]
        if not is_clear_behind and not self._loose.match(found.string, found.end()):
            return
        is_range = found["range"] or found["at1"]
        is_clear = any(found[f"{name}{n}"] for name in ("minute", "word", "part") for n in (1, 2))
        if plain(found["join"]) in self._joiners and not is_range:
            return  # "for 1 and at 1 o'clock"
        if not is_range and not self._opening.fullmatch(found.string, 0, found.start()) and not is_clear:
            return  # "a table for 2 or 3"
        parts = [self._parts[plain(found[name])] if found[name] else None for name in ("part1", "part2")]
        hours = [self._numbers.value(found[name]) for name in ("hour1", "hour2")]
        if parts[0] is None and hours[0] <= hours[1]:
            parts[0] = parts[1]  # "10 or 11 pm"; but "11 to 2 pm" begins in the morning
        elif parts[1] is None and hours[0] <= hours[1] < 12:
            parts[1] = parts[0]  # "10 pm or 11"
        if found["part0"]:
            parts = [part or self._parts[plain(found["part0"])] for part in parts]
        is_led = found["at1"] or plain(found["range"] or "") in self._leading
        is_second_led = found["at2"] or plain(found["join"]) in self._leading
        sure = 1.0 if is_led or is_second_led or is_clear else BARE_HOUR
        starts = (
            found.start("range" if found["range"] else "at1") if is_led else found.start("hour1"),
            found.start("at2" if found["at2"] else "join" if is_second_led else "hour2"),
        )
        first = 0
        for number, hour, part, start in zip("12", hours, parts, starts, strict=True):
            minute = found[f"minute{number}"]
            is_exact = found[f"hour{number}"][0] == "0" or (minute is not None and not self._twelve_hours)
            minutes = self._halves.minutes(hour, int(minute or 0), part, is_exact=is_exact)
            if minutes is None:
                return
            if number == "2" and not any(parts) and hours[0] < hour <= MAX_DIAL_HOUR and first >= 780 > minutes:
                minutes += 720  # "from 7 to 9" in the evening
            first = minutes
            said = found[f"part{number}"]
            names = ("hour", "minute", "word", "part")[: 3 if said and plain(said) in self._days else 4]
            end = max(found.end(f"{name}{number}") for name in names)
            others = self._halves.others(found[f"hour{number}"], minutes, part, is_digital=minute is not None)
            yield Stretch(start, end, (clock(minutes), start, end), sure, others)

    def next_hour(self, text: str, end: int, until: int, first: str) -> Stretch | None:
        """Return the second hour of "half past ten or eleven". Another time begins at ``until``."""
        found = self._following.match(text, end)
        if found is None or found.end() > until:
            return None
        minutes = self._halves.minutes(self._numbers.value(found["hour"]), 0, None, is_exact=found["hour"][0] == "0")
        if minutes is None:
            return None
        if first >= "13:00" and minutes < 720 and clock(minutes + 720) > first:
            minutes += 720
        others = self._halves.others(found["hour"], minutes, None, is_digital=False)
        return Stretch(*found.span("hour"), clock(minutes), others=others)


def _two_hours(words: Words, number: str) -> str:
    say = TimePieces(words, number)
    first, second = (
        rf"(?P<hour{n}>{number})(?:[:h](?P<minute{n}>[0-5]\d))?(?![.:,]?\d)"
        rf"(?P<word{n}>\s*{one_of(words.hour_words)})?(?:\s*(?P<part{n}>{say.part}))?"
        for n in (1, 2)
    )
    joins = rf"(?P<join>(?:[-–]|{one_of(words.until)})\s*)"
    part = rf"(?:(?<!\d)(?<!\d\s)(?P<part0>{say.part})[,\s]\s*)?"
    before = rf"{part}(?P<range>{one_of(words.range_before)}\s+)?(?P<at1>{say.leading})?"
    return rf"{before}{first}\s*{joins}(?P<at2>{say.leading})?{second}"
