"""Time: "15:00", "3pm", "half past 11 in the morning", "noon", "at 4". Value ``HH:mm``.

Decided here, where the specification is silent:

- An hour from 1 to 7 that is said without morning or afternoon is one of the day ("at 4" is 16:00, "half past three"
  15:30); 8 to 12 are taken as they are. In digits ("4:30") this holds in languages of the twelve-hour clock only, and
  never with a leading zero ("04:30").
- "At night" is 18:00 to 05:59: "11 at night" is 23:00, "2 at night" 02:00, "12 at night" 00:00.
- "Quarter to 12 in the morning" is 11:45: the morning is that of the time which is meant.
- A bare hour before a name may be a house number ("at 1 Embarcadero Center"): it is unsure, and none beside a sure one.
- A message that is nothing but a whole number of hours ("16", "4"), or digits such as "9.30" and "1530", is a time,
  surely enough for an open question only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from dialoom.languages import Words
from dialoom.languages.sections import PartOfDay, Unit
from dialoom.understanding.candidate import Stretch, longest_and_blocked
from dialoom.understanding.keywords import SLIPPED
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import ENDS, SmallNumbers, edges, folded_keys, once, one_of, plain
from dialoom.understanding.values.neighbours import UNREAD
from dialoom.understanding.values.pieces.day_halves import MAX_DIAL_HOUR, DayHalves
from dialoom.understanding.values.pieces.time_pieces import TimePieces, clock, loose, minutes_after, names_behind

if TYPE_CHECKING:
    from dialoom.understanding.values.duration import Lengths
    from dialoom.understanding.values.message import Message
    from dialoom.understanding.values.neighbours import Neighbours
    from dialoom.understanding.values.slips import Slips

    _Way = tuple[str, Callable[[re.Match[str], datetime], int | None]]
    """A pattern, and what reads a stretch that it matched."""

BARE_HOUR = 0.5
"""Confidence of a message that is one bare number; a written time has 1."""

_CLOCK = (
    r"(?<!\d[:.,/])(?P<hour>[01]?\d|2[0-4])(?P<sign>[:.hu])(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?"
    r"(?![\d]|[:.]\d)"
)
_BARE_CLOCK = re.compile(r"\s*(?P<hour>[01]?\d|2[0-3])(?:[. ]|(?<=\d\d))(?P<minute>[0-5]\d)[\s.!]*+")
"""A message that is no more than "9.30" or "0930": a time where one is asked for, else a number."""
_CAPITAL = re.compile(r"\s{0,5}(?:,?\s{0,5}\d{1,9})?\s{1,5}([^\W\d_]\w{0,39})")
_AFTER_DATE = r"(?<=\dt)"
"""The "T" of ISO 8601 may stand before: "2027-03-03T15:00"."""


class TimeReader:
    """Times of a language."""

    def __init__(self, words: Words, lengths: Lengths, slips: Slips, neighbours: Neighbours) -> None:
        self._lengths = lengths
        self._slips = slips
        self._neighbours = neighbours
        self._twelve_hours = words.twelve_hours
        self._numbers = SmallNumbers(words)
        self._halves = DayHalves(self._numbers, twelve_hours=words.twelve_hours)
        self._parts = folded_keys(words.parts)
        self._fixed = folded_keys(words.fixed_times)
        self._before = folded_keys(words.before_hour)
        self._after = folded_keys(words.after_hour)
        self._to = frozenset(folded_keys(dict.fromkeys((*words.to, *words.after_to), 0)))
        self._days = folded_keys(words.days)
        self._number = self._numbers.pattern
        self._now = re.compile(rf"\W*+{one_of(words.now)}\W*+")
        polite = rf"(?:{one_of(words.polite)}\W*+)?"
        self._bare_number = re.compile(rf"\W*+({self._numbers.pattern})\W*+{polite}")
        joiner = rf"(?:{one_of(words.number_joiners)}\s+)?" if words.after_hour else ""
        hours = one_of(word for word, value in words.numbers.items() if value < 24)
        self._bare_words = re.compile(rf"\W*+(?P<hour>{hours})[\s-]{joiner}(?P<minute>{self._number})\W*+{polite}")
        self._known = frozenset(names_behind(words))
        self._lasting = re.compile(rf"(?<!\w){one_of(words.lasting)}\s+$") if words.lasting else None
        starts, ends = edges(words)
        joins = (word for word in words.until if word not in words.number_joiners)
        self._following = re.compile(rf"\s*{one_of(joins)}\s+(?P<hour>{self._number})(?![.:,]?\d){loose(words)}{ENDS}")
        self._opening = re.compile(rf"(?:\W|{one_of((*words.fillers, *words.either))}(?!\w)){{0,8}}")
        self._loose = re.compile(loose(words))
        self._leading = frozenset(folded_keys(dict.fromkeys((*words.at, *words.near), 0)))
        self._joiners = frozenset(folded_keys(dict.fromkeys(words.number_joiners, 0)))
        self._ranging = self._to & frozenset(folded_keys(dict.fromkeys(words.until, 0)))
        self._by_dial = (self._clock, self._hour, self._offset, self._relation)
        self._pair = re.compile(rf"{starts}(?<!\d[-./:,])(?<!\d\s)(?<![$€£#]){self._two_hours(words)}{ends}")
        self._patterns = [
            (re.compile(f"(?:{starts}|{_AFTER_DATE})(?:{pattern}){ends}"), read)
            for pattern, read in self._grammar(words)
        ]

    def find(self, said: Message) -> list[Stretch]:
        return once(said, self, self._find)

    def _find(self, said: Message) -> Iterator[Stretch]:
        right = self._slips.put_right(said.folded)
        most = 1.0 if right is said.folded else SLIPPED
        said = msgspec.structs.replace(said, folded=right)
        seen = longest_and_blocked(self._stretches(said, said.now))
        found = [one for one in seen if one.value is not None]
        unread = [right.span(one.start, one.end) for one in seen if one.value is None]
        said.kept[self, UNREAD] = unread
        if not found:
            yield from self._bare(said)
        sure = max((stretch.confidence for stretch in found), default=1.0)
        for index, stretch in enumerate(found):
            if stretch.confidence != sure:
                continue
            value, start, end = stretch.value
            if self._neighbours.change(right.text, start, end):
                unread.append(right.span(start, end))
                continue
            yield Stretch(*right.span(start, end), value, min(sure, most), stretch.others)
            until = found[index + 1].start if index + 1 < len(found) else len(right.text)
            if (other := self._next_hour(right.text, end, until, value)) is not None:
                yield Stretch(*right.span(other.start, other.end), other.value, min(sure, most), other.others)

    def _next_hour(self, text: str, end: int, until: int, first: str) -> Stretch | None:
        """The second hour of "half past ten or eleven". Another time begins at ``until``."""
        found = self._following.match(text, end)
        if found is None or found.end() > until:
            return None
        minutes = self._halves.minutes(self._numbers.value(found["hour"]), 0, None, is_exact=found["hour"][0] == "0")
        if minutes is None:
            return None
        if first >= "13:00" and minutes < 720 and f"{minutes // 60 + 12}:00" > first:
            minutes += 720
        others = self._halves.others(found["hour"], minutes, None, is_digital=False)
        return Stretch(*found.span("hour"), f"{minutes // 60:02}:00", others=others)

    def _stretches(self, said: Message, now: datetime) -> Iterator[Stretch]:
        pairs = [one for found in self._pair.finditer(said.folded.text) for one in self._hours_of_pair(found)]
        yield from pairs
        taken = {(one.start, one.end) for one in pairs}
        for pattern, read in self._patterns:
            for found in pattern.finditer(said.folded.text):
                if found.span() in taken:
                    continue
                taken.add(found.span())
                minutes = read(found, now)
                if minutes is None and read in (self._hour, self._relation):
                    # "pm at 71 Saint Peter": no hour, but "six pm" before it is one. "9 to 11" are two hours.
                    continue
                value = None if minutes is None else clock(minutes)
                if value is not None and self._is_length(said.folded.text, found):
                    continue
                is_house = "bare" in pattern.groupindex and self._is_before_a_name(said, found.end())
                is_guess = "guess" in pattern.groupindex or (read == self._relation and self._may_be_range(found))
                sure = BARE_HOUR if is_house or is_guess else 1.0
                others = self._others(found, minutes) if read in self._by_dial else ()
                yield Stretch(*found.span(), None if value is None else (value, *self._place(found)), sure, others)

    def _may_be_range(self, found: re.Match[str]) -> bool:
        """Return whether "10 to 12" may be ten minutes before as well as from ten on."""
        groups = found.groupdict()
        minutes, hour = groups["minutes"], groups["hour"]
        is_digits = minutes.isdecimal() and hour.isdecimal() and int(minutes) <= MAX_DIAL_HOUR
        return is_digits and not groups.get("part2") and plain(found["relation"]) in self._ranging

    def _hours_of_pair(self, found: re.Match[str]) -> Iterator[Stretch]:
        """The two hours of "between 9 and 11" or "10 or 11 pm". In bare numbers they are unsure."""
        if not (found["minute2"] or found["word2"] or found["part2"]) and not self._loose.match(
            found.string, found.end()
        ):
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
            found.start("join")
            if is_second_led and not found["at2"]
            else found.start("at2" if found["at2"] else "hour2"),
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
            names = (
                ("hour", "minute", "word") if said and plain(said) in self._days else ("hour", "minute", "word", "part")
            )
            end = max(found.end(f"{name}{number}") for name in names)
            others = self._halves.others(found[f"hour{number}"], minutes, part, is_digital=minute is not None)
            yield Stretch(start, end, (clock(minutes), start, end), sure, others)

    def _two_hours(self, words: Words) -> str:
        """Two hours of which one is meant, or between which: "10 or 11", "from 3 to 5 pm"."""
        say = TimePieces(words, self._number)
        leading = rf"(?:{say.at}|{say.near})\s+"
        first, second = (
            rf"(?P<hour{n}>{self._number})(?:[:h](?P<minute{n}>[0-5]\d))?(?![.:,]?\d)"
            rf"(?P<word{n}>\s*{one_of(words.hour_words)})?(?:\s*(?P<part{n}>{say.part}))?"
            for n in (1, 2)
        )
        joins = rf"(?P<join>(?:[-–]|{one_of(words.until)})\s*)"
        part = rf"(?:(?<!\d)(?<!\d\s)(?P<part0>{say.part})[,\s]\s*)?"
        before = rf"{part}(?P<range>{one_of(words.range_before)}\s+)?(?P<at1>{leading})?"
        return rf"{before}{first}\s*{joins}(?P<at2>{leading})?{second}"

    def _is_length(self, text: str, found: re.Match[str]) -> bool:
        """Return whether what was read says how long: "for two hours"."""
        if self._lasting is None or self._lasting.search(text, max(0, found.start() - 24), found.start()) is None:
            return False
        return self._lengths.starts_at(text, found.start())

    def _place(self, found: re.Match[str]) -> tuple[int, int]:
        """Return where a time stands: without a word that is a day as well ("tonight at 8"), which Date must find
        free."""
        start, end = found.span()
        groups = found.groupdict()
        if (before := groups.get("part1")) and plain(before) in self._days:
            rest = found[0][found.end("part1") - start :]
            start = end - len(rest.lstrip(" ,\t\n"))
        if groups.get("between"):
            end = start + len(found.string[start : found.start("between")].rstrip(" ,\t\n"))
        elif (after := groups.get("part2")) and plain(after) in self._days:
            end = start + len(found.string[start : found.start("part2")].rstrip(" ,\t\n"))
        return start, end

    def _is_before_a_name(self, said: Message, end: int) -> bool:
        """Return whether a word with a capital letter follows that is no name of a day: a street, in most languages."""
        word = _CAPITAL.match(said.text, said.folded.span(end - 1, end)[1])
        if word is None or not word[1][0].isupper() or fold(word[1]) in self._known:
            return False
        return not said.text.isupper()

    def _bare(self, said: Message) -> Iterator[Stretch]:
        if self._now.fullmatch(said.folded.text):
            start, end = 0, len(said.folded.text)
            yield Stretch(*said.folded.span(start, end), f"{said.now:%H:%M}")
            return
        digits = _BARE_CLOCK.fullmatch(said.folded.text)
        if digits is not None:
            start, end = said.folded.span(digits.start("hour"), digits.end("minute"))
            minutes = 60 * int(digits["hour"]) + int(digits["minute"])
            others = self._halves.others(digits["hour"], minutes, None, is_digital=True)
            yield Stretch(start, end, clock(minutes), BARE_HOUR, others)
            return
        yield from self._bare_hour(said)

    def _bare_hour(self, said: Message) -> Iterator[Stretch]:
        spoken = self._bare_words.fullmatch(said.folded.text)
        if spoken is not None and self._bare_number.fullmatch(said.folded.text) is None:
            yield from self._spoken_clock(said, spoken)
            return
        whole = self._bare_number.fullmatch(said.folded.text)
        if whole is not None and not re.search(r"[-+#%$€£]", said.folded.text):
            hour = self._numbers.value(whole[1])
            minutes = self._halves.minutes(hour, 0, None, is_exact=whole[1].startswith("0"))
            if minutes is not None:
                start, end = said.folded.span(whole.start(1), whole.end(1))
                others = self._halves.others(whole[1], minutes, None, is_digital=False)
                yield Stretch(start, end, clock(minutes), BARE_HOUR, others)

    def _spoken_clock(self, said: Message, found: re.Match[str]) -> Iterator[Stretch]:
        """ "Seven thirty"."""
        hour, minute = self._numbers.value(found["hour"]), self._numbers.value(found["minute"])
        minutes = self._halves.minutes(hour, minute, None, is_exact=False)
        if minutes is not None and minute >= 10:
            start, end = said.folded.span(found.start("hour"), found.end("minute"))
            others = self._halves.others(found["hour"], minutes, None, is_digital=False)
            yield Stretch(start, end, clock(minutes), BARE_HOUR, others)

    def _grammar(self, words: Words) -> Iterator[_Way]:
        """Yield each way of saying a time and what reads it. The longest reading of a stretch wins, not the first."""
        say = TimePieces(words, self._number)
        yield from self._in_digits(say)
        yield from self._by_hour(words, say)
        yield from self._by_offset(words, say)
        about = rf"(?:\s?-?{one_of(words.loose_after)})?"
        leading = rf"(?:(?:{say.at}|{say.near})\s+){{0,2}}"  # "at about noon"
        yield rf"{leading}(?P<fixed>{one_of(words.fixed_times)}){about}", self._fixed_time
        length = rf"(?P<length>{self._lengths.pattern})"
        yield rf"{one_of(words.within)}{say.gap}{length}", self._counted
        yield rf"{length}\s+{one_of(words.from_now)}", self._counted
        for pattern, unit, direction in self._lengths.counted:
            if direction > 0 and unit in ("hour", "minute"):
                yield pattern, partial(self._counted_in, unit)

    def _in_digits(self, say: TimePieces) -> Iterator[_Way]:
        """ "15:00", "7.30pm", "evening 6:15"."""
        yield rf"{say.before}{_CLOCK.replace('.hu', 'hu')}{say.hour_words}?{say.after}", self._clock
        yield rf"(?:{say.at}|{say.near})\s+{_CLOCK.replace(':.hu', '.')}{say.after}", self._clock
        yield rf"{say.before}{_CLOCK}{say.hour_words}{say.after}", self._clock
        yield rf"{say.before}{_CLOCK}\s*(?P<part2>{say.part})", self._clock

    def _by_hour(self, words: Words, say: TimePieces) -> Iterator[_Way]:
        """ "3pm", "at 4", "15 Uhr 30", "4 in the morning"."""
        follows = loose(words)
        # Where "half" stands before the hour, "9 and 11" are two hours and no minutes.
        joiner = rf"(?:{one_of(words.number_joiners)}\s+)?" if words.after_hour else ""
        hour, minutes = say.hour, rf"(?:{say.gap}{joiner}(?P<minute>[0-5]\d|{self._number}))"
        yield rf"{hour}\s*(?P<part2>{say.part})", self._hour
        at = rf"(?:(?:{say.at}|{say.near})\s+)?"
        yield from self._loosely(words, say, follows)
        yield rf"{say.part1}[,\s]\s*{at}{hour}{say.hour_words}?(?![:.,/-]?\d)(?P<bare>)", self._hour
        yield rf"{say.at}\s+{hour}(?![:.,/-]?\d|\s*[%$€£]){say.hour_words}?{say.after}(?P<bare>)", self._hour
        yield rf"{say.near}\s+{hour}(?![:.,/-]?\d)(?:\s*(?P<part2>{say.part})|{follows})(?P<bare>)", self._hour
        yield (
            rf"{say.before}{at}{hour}{say.hour_words}(?:{minutes}(?:\s*{one_of(words.minute_words)})?)?{say.after}",
            self._hour,
        )
        yield rf"{say.not_a_range}{say.before}{hour}{minutes}\s*(?P<part2>{say.part})", self._hour
        yield rf"{say.not_a_range}{say.at}\s+{hour}{minutes}{say.after}(?!\s*{one_of(words.units)})", self._hour

    def _loosely(self, words: Words, say: TimePieces, follows: str) -> Iterator[_Way]:
        """ "10ish", "16h", "at 1430": without a word beside them they may be other numbers."""
        about = rf"\s?-?{one_of(words.loose_after)}"
        leading = rf"(?:{say.at}|{say.near})\s+"
        yield rf"{say.hour}{about}{follows}(?P<guess>)", self._hour
        yield rf"{leading}{say.hour}{about}{follows}", self._hour
        yield rf"(?:{leading})?{_CLOCK.replace('.hu', 'hu')}{about}", self._clock
        yield rf"{leading}(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d){say.hour_words}?(?P<guess>)", self._clock
        yield rf"(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d){say.hour_words}", self._clock
        yield rf"(?P<hour>[01]?\d)(?P<minute>[0-5]\d)\s?(?P<part2>{say.part})", self._clock
        if "h" not in words.hour_words:
            yield rf"(?P<hour>[89]|1\d|2[0-3])\s?h{follows}(?P<guess>)", self._hour  # "2h" is a length

    def _by_offset(self, words: Words, say: TimePieces) -> Iterator[_Way]:
        """ "Half past three", "ten to five", German "fünf vor halb drei"."""
        at = rf"(?:(?:{say.at}|{say.near})\s+)?"
        hour, rest = say.hour, rf"{say.hour_words}?{say.after}"
        minutes = rf"(?P<minutes>{self._number})\s*(?:{one_of(words.minute_words)}\s+)?"
        relation = rf"(?P<relation>{one_of((*words.past, *words.to))})"
        before = rf"(?P<offset>{one_of(words.before_hour)})"
        sure = rf"(?:{say.at}\s+)?"
        yield rf"{say.before}{at}{before}\s+{hour}{rest}", self._offset
        yield (
            rf"{say.before}{at}{hour}{say.hour_words}?{say.gap}(?P<offset>{one_of(words.after_hour)}){say.after}",
            self._offset,
        )
        yield rf"{say.not_a_range}{say.before}{sure}{minutes}{relation}\s+{hour}{rest}", self._relation
        yield rf"{say.before}{sure}{minutes}{relation}\s+{before}\s+{hour}{rest}", self._relation
        after_to = rf"(?P<relation>{one_of(words.after_to)})"
        yield rf"{say.before}{at}{hour}{say.hour_words}?\s+{after_to}\s+{minutes.rstrip()}{say.after}", self._relation

    # ---- readings ------------------------------------------------------------------------------------------------

    def _clock(self, found: re.Match[str], _now: datetime) -> int | None:
        hour, minute = int(found["hour"]), int(found["minute"])
        is_exact = found["hour"].startswith("0") or not self._twelve_hours
        return self._halves.minutes(hour, minute, self._part(found), is_exact=is_exact)

    def _hour(self, found: re.Match[str], _now: datetime) -> int | None:
        groups = found.groupdict()
        minute = self._numbers.value(groups["minute"]) if groups.get("minute") else 0
        hour = self._numbers.value(found["hour"])
        return self._halves.minutes(hour, minute, self._part(found), is_exact=found["hour"].startswith("0"))

    def _offset(self, found: re.Match[str], _now: datetime) -> int | None:
        return self._with_offset(found, self._offset_of(found["offset"]))

    def _relation(self, found: re.Match[str], _now: datetime) -> int | None:
        minutes = self._numbers.value(found["minutes"])
        if minutes % 5 and found["minutes"].isdecimal() and plain(found["relation"]) in self._ranging:
            return None
        offset = -minutes if plain(found["relation"]) in self._to else minutes
        half = found.groupdict().get("offset")
        return self._with_offset(found, offset + (self._offset_of(half) if half else 0))

    def _offset_of(self, phrase: str) -> int:
        return self._before.get(plain(phrase), self._after.get(plain(phrase), 0))

    def _with_offset(self, found: re.Match[str], offset: int) -> int | None:
        hour, part = self._numbers.value(found["hour"]), self._part(found)
        if not -60 < offset < 60 or hour == 0:
            return None
        if offset < 0 and part == "am" and hour == 12:
            return 720 + offset
        minutes = self._halves.minutes(hour, 0, part, is_exact=found["hour"].startswith("0"))
        return None if minutes is None else (minutes + offset) % 1440

    def _fixed_time(self, found: re.Match[str], _now: datetime) -> int:
        return self._fixed[plain(found["fixed"])]

    def _counted(self, found: re.Match[str], now: datetime) -> int | None:
        length = self._lengths.read(found["length"])
        if not length or not length.keys() <= {"hour", "minute", "second"}:
            return None
        return minutes_after(now, length)

    def _counted_in(self, unit: Unit, found: re.Match[str], now: datetime) -> int:
        return minutes_after(now, {unit: self._lengths.number(found.groupdict().get("n"))})

    # ---- the other half of the day ------------------------------------------------------------------------------

    def _others(self, found: re.Match[str], minutes: int | None) -> tuple[str, ...]:
        is_digital = found.re.groupindex.get("sign") is not None
        return () if minutes is None else self._halves.others(found["hour"], minutes, self._part(found), is_digital)

    def _part(self, found: re.Match[str]) -> PartOfDay | None:
        groups = found.groupdict()
        # "Morning 3:30 pm": what stands behind is the more exact.
        phrase = groups.get("part2") or groups.get("part1")
        return self._parts[plain(phrase)] if phrase else None
