"""Time: "15:00", "3pm", "half past 11 in the morning", "noon", "at 4". Value ``HH:mm``.

Decided here, where the specification is silent:

- An hour from 1 to 7 that is said without morning or afternoon is one of the day ("at 4" is 16:00, "half past three"
  15:30); 8 to 12 are taken as they are. In digits ("4:30") this holds in languages of the twelve-hour clock only, and
  never with a leading zero ("04:30").
- "At night" is 18:00 to 05:59: "11 at night" is 23:00, "2 at night" 02:00, "12 at night" 00:00.
- "Quarter to 12 in the morning" is 11:45: the morning is that of the time which is meant.
- A bare hour before a name may be a house number ("at 1 Embarcadero Center"): it is unsure, and none beside a sure one.
- What is counted is no minutes ("at 12 3 dogs"), nor is a single digit that more words follow.
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
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import SmallNumbers, edges, folded_keys, once, one_of, plain, plain_all
from dialoom.understanding.values.neighbours import UNREAD
from dialoom.understanding.values.pieces.day_halves import MAX_DIAL_HOUR, DayHalves
from dialoom.understanding.values.pieces.denied_pairs import DeniedPairs
from dialoom.understanding.values.pieces.hour_pairs import HourPairs
from dialoom.understanding.values.pieces.time_pieces import (
    BARE_HOUR,
    TimePieces,
    clock,
    loose,
    minutes_after,
    names_behind,
)
from dialoom.understanding.words.counted import things_for

if TYPE_CHECKING:
    from dialoom.understanding.values.duration import Lengths
    from dialoom.understanding.values.message import Message
    from dialoom.understanding.values.neighbours import Neighbours
    from dialoom.understanding.values.slips import Slips

    _Way = tuple[str, Callable[[re.Match[str], datetime], int | None]]
    """A pattern, and what reads a stretch that it matched."""

_CLOCK = (
    r"(?<!\d[:.,/])(?P<hour>[01]?\d|2[0-4])(?P<sign>[:.hu])(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?"
    r"(?![\d]|[:.]\d)"
)
_BARE_CLOCK = re.compile(r"\s*(?P<hour>[01]?\d|2[0-3])(?:[. ]|(?<=\d\d))(?P<minute>[0-5]\d)[\s.!]*+")
"""A message that is no more than "9.30" or "0930": a time where one is asked for, else a number."""
_CAPITAL = re.compile(r"\s{0,5}(?:,?\s{0,5}\d{1,9})?\s{1,5}([^\W\d_]\w{0,39})")
_WORD_BEHIND = re.compile(r"\s{1,5}([^\W\d_]{2,40})")
_AFTER_DATE = r"(?<=\dt)"
"""The "T" of ISO 8601 may stand before: "2027-03-03T15:00"."""


class TimeReader:
    """Times of a language."""

    def __init__(self, words: Words, lengths: Lengths, slips: Slips, neighbours: Neighbours, language: str) -> None:
        self._lengths = lengths
        self._slips = slips
        self._neighbours = neighbours
        self._twelve_hours = words.twelve_hours
        self._numbers = SmallNumbers(words)
        self._halves = DayHalves(self._numbers, twelve_hours=words.twelve_hours)
        self._pairs = HourPairs(words, self._numbers, self._halves)
        self._parts = folded_keys(words.parts)
        self._fixed = folded_keys(words.fixed_times)
        self._before = folded_keys(words.before_hour)
        self._after = folded_keys(words.after_hour)
        self._to = frozenset(plain_all((*words.to, *words.after_to)))
        self._days = folded_keys(words.days)
        self._number = self._numbers.pattern
        self._now = re.compile(rf"\W*+{one_of(words.now)}\W*+")
        polite = rf"(?:{one_of(words.polite)}\W*+)?"
        self._bare_number = re.compile(rf"\W*+(?P<hour>{self._number})\W*+{polite}")
        joiner = rf"(?:{one_of(words.number_joiners)}\s+)?" if words.after_hour else ""
        hours = one_of(word for word, value in words.numbers.items() if value < 24)
        self._bare_words = re.compile(rf"\W*+(?P<hour>{hours})[\s-]{joiner}(?P<minute>{self._number})\W*+{polite}")
        self._known = frozenset(names_behind(words))
        self._lasting = re.compile(rf"(?<!\w){one_of(words.lasting)}\s+$") if words.lasting else None
        starts, ends = edges(words)
        self._ranging = self._to.intersection(plain_all(words.until))
        self._by_dial = (self._clock, self._hour, self._hour_minute, self._offset, self._relation)
        self._denied = DeniedPairs(words, language)
        self._things = frozenset((*things_for(language), *map(fold, words.countable)))
        self._loose = re.compile(loose(words))
        self._closing = re.compile(rf"\W{{0,8}}(?:{one_of(words.polite)}\W{{0,8}})?$")
        self._patterns = [
            (re.compile(f"(?:{starts}|{_AFTER_DATE})(?:{pattern}){ends}"), read)
            for pattern, read in self._grammar(words)
        ]

    def find(self, said: Message) -> list[Stretch]:
        return once(said, self, self._found)

    def _found(self, said: Message) -> list[Stretch]:
        return self._denied.joined(said.text, sorted(self._find(said), key=lambda one: one.start))

    def _find(self, said: Message) -> Iterator[Stretch]:
        right, most = self._slips.put_right(said.folded)
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
            if (other := self._pairs.next_hour(right.text, end, until, value)) is not None:
                yield Stretch(*right.span(other.start, other.end), other.value, min(sure, most), other.others)

    def _stretches(self, said: Message, now: datetime) -> Iterator[Stretch]:
        pairs = list(self._pairs.find(said.folded.text))
        yield from pairs
        taken = {(one.start, one.end) for one in pairs}
        for pattern, read in self._patterns:
            for found in pattern.finditer(said.folded.text):
                if found.span() in taken:
                    continue
                taken.add(found.span())
                minutes = read(found, now)
                if minutes is None and read in (self._hour, self._hour_minute, self._relation):
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
        """A message that is no more than an hour, in digits or words ("seven thirty"), or "now"."""
        text = said.folded.text
        if self._now.fullmatch(text):
            yield Stretch(*said.folded.span(0, len(text)), f"{said.now:%H:%M}")
            return
        digits, number = _BARE_CLOCK.fullmatch(text), self._bare_number.fullmatch(text)
        found = digits or number or self._bare_words.fullmatch(text)
        if found is None or (found is number and re.search(r"[-+#%$€£]", text)):
            return
        hour, end = found["hour"], found.end("hour" if found is number else "minute")
        minute = self._numbers.value(found["minute"]) if found is not number else 0
        is_exact = found is digits or hour.startswith("0")
        minutes = self._halves.minutes(self._numbers.value(hour), minute, None, is_exact=is_exact)
        if minutes is not None and (minute >= 10 or found is digits or found is number):
            others = self._halves.others(hour, minutes, None, is_digital=found is digits)
            yield Stretch(*said.folded.span(found.start("hour"), end), clock(minutes), BARE_HOUR, others)

    def _grammar(self, words: Words) -> Iterator[_Way]:
        """Yield each way of saying a time and what reads it. The longest reading of a stretch wins, not the first."""
        say = TimePieces(words, self._number)
        yield from self._in_digits(say)
        yield from self._by_hour(words, say)
        yield from self._by_offset(words, say)
        about = rf"(?:\s?-?{one_of(words.loose_after)})?"
        # "At about noon".
        yield rf"{say.leading}{{0,2}}(?P<fixed>{one_of(words.fixed_times)}){about}", self._fixed_time
        length = rf"(?P<length>{self._lengths.pattern})"
        yield rf"{one_of(words.within)}{say.gap}{length}", self._counted
        yield rf"{length}\s+{one_of(words.from_now)}", self._counted
        for pattern, unit, direction in self._lengths.counted:
            if direction > 0 and unit in ("hour", "minute"):
                yield pattern, partial(self._counted_in, unit)

    def _in_digits(self, say: TimePieces) -> Iterator[_Way]:
        """ "15:00", "7.30pm", "evening 6:15"."""
        yield rf"{say.before}{_CLOCK.replace('.hu', 'hu')}{say.hour_words}?{say.after}", self._clock
        yield rf"{say.leading}{_CLOCK.replace(':.hu', '.')}{say.after}", self._clock
        yield rf"{say.before}{_CLOCK}{say.hour_words}{say.after}", self._clock
        yield rf"{say.before}{_CLOCK}\s*(?P<part2>{say.part})", self._clock

    def _by_hour(self, words: Words, say: TimePieces) -> Iterator[_Way]:
        """ "3pm", "at 4", "15 Uhr 30", "4 in the morning"."""
        follows = loose(words)
        # Where "half" stands before the hour, "9 and 11" are two hours and no minutes.
        joiner = rf"(?:{one_of(words.number_joiners)}\s+)?" if words.after_hour else ""
        hour, minutes = say.hour, rf"{say.gap}(?P<joiner>{joiner})(?P<minute>[0-5]\d|{self._number})"
        yield rf"{hour}\s*(?P<part2>{say.part})", self._hour
        yield from self._loosely(words, say, follows)
        yield rf"{say.part1}[,\s]\s*{say.leading}?{hour}{say.hour_words}?(?![:.,/-]?\d)(?P<bare>)", self._hour
        yield rf"{say.at}\s+{hour}(?![:.,/-]?\d|\s*[%$€£]){say.hour_words}?{say.after}(?P<bare>)", self._hour
        yield rf"{say.near}\s+{hour}(?![:.,/-]?\d)(?:\s*(?P<part2>{say.part})|{follows})(?P<bare>)", self._hour
        yield rf"{say.before}{say.leading}?{hour}{say.hour_words}{say.after}", self._hour
        told = rf"{minutes}(?:\s*(?P<told>{one_of(words.minute_words)}))?{say.after}"
        yield rf"{say.before}{say.leading}?{hour}{say.hour_words}{told}", self._hour_minute
        yield rf"{say.not_a_range}{say.before}{hour}{minutes}\s*(?P<part2>{say.part})", self._hour_minute
        yield rf"{say.not_a_range}{say.at}\s+{hour}{minutes}{say.after}(?!\s*{one_of(words.units)})", self._hour_minute

    def _loosely(self, words: Words, say: TimePieces, follows: str) -> Iterator[_Way]:
        """ "10ish", "16h", "at 1430": without a word beside them they may be other numbers."""
        about = rf"\s?-?{one_of(words.loose_after)}"
        yield rf"{say.hour}{about}{follows}(?P<guess>)", self._hour
        yield rf"{say.leading}{say.hour}{about}{follows}", self._hour
        yield rf"{say.leading}?{_CLOCK.replace('.hu', 'hu')}{about}", self._clock
        yield rf"{say.leading}(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d){say.hour_words}?(?P<guess>)", self._clock
        yield rf"(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d){say.hour_words}", self._clock
        yield rf"(?P<hour>[01]?\d)(?P<minute>[0-5]\d)\s?(?P<part2>{say.part})", self._clock
        if "h" not in words.hour_words:
            yield rf"(?P<hour>[89]|1\d|2[0-3])\s?h{follows}(?P<guess>)", self._hour  # "2h" is a length

    def _by_offset(self, words: Words, say: TimePieces) -> Iterator[_Way]:
        """ "Half past three", "ten to five", German "fünf vor halb drei"."""
        hour, rest = say.hour, rf"{say.hour_words}?{say.after}"
        minutes = rf"(?P<minutes>{self._number})\s*(?:{one_of(words.minute_words)}\s+)?"
        relation = rf"(?P<relation>{one_of((*words.past, *words.to))})"
        before = rf"(?P<offset>{one_of(words.before_hour)})"
        sure = rf"(?:{say.at}\s+)?"
        yield rf"{say.before}{say.leading}?{before}\s+{hour}{rest}", self._offset
        behind = rf"(?P<offset>{one_of(words.after_hour)}){say.after}"
        yield rf"{say.before}{say.leading}?{hour}{say.hour_words}?{say.gap}{behind}", self._offset
        yield rf"{say.not_a_range}{say.before}{sure}{minutes}{relation}\s+{hour}{rest}", self._relation
        yield rf"{say.before}{sure}{minutes}{relation}\s+{before}\s+{hour}{rest}", self._relation
        after_to = rf"(?P<relation>{one_of(words.after_to)})\s+{minutes}{say.after}"
        yield rf"{say.before}{say.leading}?{hour}{say.hour_words}?\s+{after_to}", self._relation

    # ---- readings ------------------------------------------------------------------------------------------------

    def _clock(self, found: re.Match[str], _now: datetime) -> int | None:
        hour, minute = int(found["hour"]), int(found["minute"])
        is_exact = found["hour"].startswith("0") or not self._twelve_hours
        return self._halves.minutes(hour, minute, self._part(found), is_exact=is_exact)

    def _hour(self, found: re.Match[str], _now: datetime) -> int | None:
        groups = found.groupdict()
        if groups.get("bare") is not None and self._is_count(found):
            return None
        minute = self._numbers.value(groups["minute"]) if groups.get("minute") else 0
        hour = self._numbers.value(found["hour"])
        return self._halves.minutes(hour, minute, self._part(found), is_exact=found["hour"].startswith("0"))

    def _hour_minute(self, found: re.Match[str], now: datetime) -> int | None:
        return self._hour(found, now) if self._tells_minutes(found) else None

    def _is_count(self, found: re.Match[str]) -> bool:
        """Return whether the number right behind a part of the day counts something: "tonight 4 people"."""
        if not found.groupdict().get("part1") or found.string[found.end("part1") : found.start("hour")].strip(" ,"):
            return False
        return self._loose.match(found.string, found.end()) is None

    def _counts_thing(self, text: str, end: int) -> bool:
        word = _WORD_BEHIND.match(text, end)
        return word is not None and not {word[1], word[1].removesuffix("s")}.isdisjoint(self._things)

    def _tells_minutes(self, found: re.Match[str]) -> bool:
        """Return whether the number behind an hour is its minutes and counts nothing: none before a noun ("at 12 30
        people"), and less than ten only behind a joiner ("y cinco"), before their word or at the end of the message."""
        groups, end = found.groupdict(), found.end("minute")
        if groups.get("told"):
            return True
        if self._counts_thing(found.string, end):
            return False
        if len(found["minute"]) == 2 and found["minute"].isdecimal():
            return True
        minute = self._numbers.value(found["minute"])
        is_led = found.string[found.end("hour") : found.start("minute")].strip() != ""
        if minute >= 10 or (is_led and groups.get("part2")):  # in "2 7 pm" the 2 is no hour
            return True
        if found["joiner"] and (minute == 5 or self._loose.match(found.string, end) is not None):
            return True
        return self._closing.match(found.string, end) is not None

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
