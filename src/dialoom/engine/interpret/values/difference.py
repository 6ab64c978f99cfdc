"""Values told as a difference to the known one: "one more guest", "an hour later".

Only where the message says nothing else and one answered question fits; else no value is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from datetime import date, time, timedelta
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import Slot, Stretch
from dialoom.engine.interpret.values.assign import BY
from dialoom.engine.interpret.values.correction_marks import says_only
from dialoom.engine.interpret.values.value_words import ValueWords
from dialoom.engine.values.reactions import Found
from dialoom.languages import reader_words
from dialoom.understanding.replies import Phrases, folded_words, reply_words
from dialoom.understanding.words import words_for
from dialoom.understanding.words.counted import things_for

_LENGTH = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?")
"""A duration that a day or an hour can be moved by, not by months."""
_MOVED_BY = {"Number": "Number", "Date": "Duration", "Time": "Duration"}
MINUTES_OF_DAY = 1440
MAX_PHRASES = 2
"""In a message: "noch eine Person mehr"."""


class _Words(NamedTuple):
    directions: tuple[tuple[str, int, Phrases], ...]
    """What makes a number or a duration a difference: its type, its sign, the phrases."""
    first: frozenset[str]
    """Their first words."""


@cache
def _words(language: str) -> _Words:
    counted = reader_words(language).counted
    if counted is None:
        return _Words((), frozenset())
    number, length = "Number", "Duration"
    signs = (
        (number, 1, counted.more),
        (number, -1, counted.less),
        (length, 1, counted.later),
        (length, -1, counted.earlier),
    )
    found = tuple((type, sign, Phrases(phrases)) for type, sign, phrases in signs)
    return _Words(found, frozenset().union(*(phrases.first_words for *_, phrases in found)))


class Difference(NamedTuple):
    told_at: tuple[Stretch, ...] = ()
    """The part of the text that tells a difference, which is no value itself."""
    fills: tuple[Fill, ...] = ()
    """The answer that it changes; none where it would leave the day or go below zero."""


def difference(s: Situation, said: Said, slots: Sequence[Slot], words: ValueWords) -> Difference:
    """Return the difference to an answer that is all that a message says."""
    directions, first = _words(s.language)
    if first.isdisjoint(said.folded):
        return Difference()
    units = {word for slot in slots for name in slot.node.step.names for word in folded_words(name)}
    units.update(things_for(s.language))
    found = [
        (sign, amount, whole)
        for type, sign, phrases in directions
        if 0 < len(spans := list(phrases.find(said.folded))) <= MAX_PHRASES
        for amount in _amounts(s, said, type, units)
        if (whole := _with_phrases(said, amount, spans, units)) is not None
    ]
    if len({amount.type for _, amount, _ in found}) > 1:  # "une heure plus tard" is not "une heure plus"
        found = [one for one in found if one[1].type == "Duration"]
    if len(found) != 1:
        return Difference()
    sign, amount, whole = found[0]
    rest = reply_words(s.language).wishes.without(said.without([whole]).folded)
    if not says_only(Said(" ".join(rest)), (), s.answered(), s.language):
        return Difference()
    words.among([amount])
    fitting = [
        slot
        for slot in slots
        if slot.type in _MOVED_BY and amount.type == _MOVED_BY[slot.type] and slot.current is not None
        if not slot.is_open and not slot.takes_many and words.fits(amount, slot)
    ]
    named = [slot for slot in fitting if words.is_of(amount, slot.entity, slot.node.step.names)]
    behind = [word.folded for word in said.words if word.start >= whole.end]
    if not named and amount.type == "Number" and reply_words(s.language).polite.without(behind):
        return Difference()  # "one more time" is no guest
    moved = [
        Fill(by=BY, spans=(whole,), found=Found(slot.key, slot.node, value, is_asked=False))
        for slot in named or fitting
        if (value := _moved(slot, amount.values[0], sign)) is not None
    ]
    return Difference((whole,) if fitting else (), tuple(moved) if len(moved) == 1 else ())


def _amounts(s: Situation, said: Said, type: str, units: Set[str]) -> Iterator[Stretch]:
    """Yield the numbers or durations of a text. An article before what is counted is a one."""
    read = s.sure_values((type,), said.text)
    yield from (Stretch(type, one.start, one.end, (one.value,)) for one in read)
    if type == "Number":
        articles, starts = frozenset(words_for(s.language).articles), {one.start for one in read}
        for word, behind in pairwise(said.words):
            if word.folded in articles and behind.folded in units and word.start not in starts:
                yield Stretch(type, word.start, word.end, (1,))


def _with_phrases(said: Said, amount: Stretch, spans: Sequence[tuple[int, int]], units: Set[str]) -> Stretch | None:
    """Return an amount with the word for what it counts and the phrases right before and behind; None without any of
    those."""
    words = said.words
    first = next(index for index, word in enumerate(words) if word.end > amount.start)
    last = next((index for index, word in enumerate(words) if word.start >= amount.end), len(words))
    start, end, is_moved = first, last, False
    for before, behind in spans:
        if behind == first:
            start, is_moved = before, True
        elif before == last or (before == last + 1 and words[last].folded in units):
            end, is_moved = behind, True
    if not is_moved:
        return None
    return Stretch(amount.type, words[start].start, words[end - 1].end, amount.values)


def _moved(slot: Slot, amount: Any, sign: int) -> Any:
    """Return the known value of a question, moved; None where it cannot be."""
    if slot.type == "Number":
        if not isinstance(slot.current, int | float):  # a value that a data source gave
            return None
        value = slot.current + sign * amount
        return value if value >= 0 else None
    found = _LENGTH.fullmatch(amount)
    if found is None:
        return None
    days, hours, minutes = (int(one or 0) for one in found.groups())
    try:
        if slot.type == "Date":
            by = timedelta(days=days)
            return (date.fromisoformat(slot.current) + sign * by).isoformat() if not (hours or minutes) else None
        known = time.fromisoformat(slot.current)
    except (TypeError, ValueError, OverflowError):  # a value that a data source gave, the end of the calendar
        return None
    moved = 60 * known.hour + known.minute + sign * (60 * hours + minutes)
    return f"{moved // 60:02}:{moved % 60:02}" if not days and 0 <= moved < MINUTES_OF_DAY else None
