"""Values told as a difference to the known one: "one more guest", "an hour later".

Only where the message says nothing else and one answered question fits. Beside other words the number is no value
either: "one more guest might come" leaves the guests as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from datetime import date, time, timedelta
from functools import cache
from itertools import islice, pairwise
from typing import Any, NamedTuple

from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import Slot, Stretch
from dialoom.engine.interpret.values.assign import BY
from dialoom.engine.interpret.values.correction_marks import says_only
from dialoom.engine.interpret.values.leaning import MINUTES_OF_DAY
from dialoom.engine.interpret.values.value_words import ValueWords
from dialoom.engine.values.reactions import Found
from dialoom.languages import reader_words
from dialoom.understanding.denied_wishes import has_negation, split_denied
from dialoom.understanding.replies import Phrases, folded_words, reply_words
from dialoom.understanding.words import words_for
from dialoom.understanding.words.counted import things_for

_LENGTH = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?")
"""A duration that a day or an hour can be moved by, not by months."""
_MOVED_BY = {"Number": "Number", "Date": "Duration", "Time": "Duration"}
_TAKES = {"Number": ("Number", "Amount"), "Duration": ("Date", "Time", "Datetime", "Duration")}
"""Types of an open question that may take a number or a duration itself."""
MAX_AMOUNTS = 20
"""In a message that are looked at."""
MAX_PHRASES = 2
"""In a message: "noch eine Person mehr"."""


class _Directions(NamedTuple):
    phrases: tuple[tuple[str, int, Phrases], ...]
    """What makes a number or a duration a difference: its type, its sign, the phrases."""
    first: frozenset[str]
    """Their first words."""


@cache
def _directions(language: str) -> _Directions:
    counted = reader_words(language).counted
    if counted is None:
        return _Directions((), frozenset())
    number, length = "Number", "Duration"
    signs = (
        (number, 1, counted.more),
        (number, -1, counted.less),
        (length, 1, counted.later),
        (length, -1, counted.earlier),
    )
    found = tuple((type, sign, Phrases(phrases)) for type, sign, phrases in signs)
    return _Directions(found, frozenset().union(*(phrases.first_words for *_, phrases in found)))


class Difference(NamedTuple):
    spans: tuple[Stretch, ...] = ()
    """The parts of the text that tell differences, which are no values themselves."""
    fills: tuple[Fill, ...] = ()
    """The answer that is changed; none beside other words, and where it would leave the day or go below zero."""


def difference(s: Situation, said: Said, slots: Sequence[Slot], words: ValueWords) -> Difference:
    """Return the difference to an answer that a message tells."""
    directions, first = _directions(s.language)
    if first.isdisjoint(said.folded):
        return Difference()
    units = {word for slot in slots for name in slot.node.step.names for word in folded_words(name)}
    units.update(things_for(s.language))
    found = [
        (sign, amount, span)
        for type, sign, phrases in directions
        if 0 < len(spans := list(phrases.find(said.folded))) <= MAX_PHRASES
        for amount in islice(_amounts(s, said, type, units), MAX_AMOUNTS)
        if (span := _with_phrases(said, amount, spans, units)) is not None
    ]
    lengths = [span for _, amount, span in found if amount.type == "Duration"]
    found = [one for one in found if one[1].type == "Duration" or not _overlaps(one[2], lengths)]
    told = [(one, fitting) for one in found if (fitting := _fitting(s, said, one[1], one[2], slots, words))]
    told_at = tuple(span for (_, _, span), _ in told)
    if len(found) != 1 or not told or not _says_only(s, said, told_at[0]):
        return Difference(told_at)
    (sign, amount, span), fitting = told[0]
    moved = [
        Fill(by=BY, spans=(span,), found=Found(slot.key, slot.node, value, is_asked=False))
        for slot in fitting
        if (value := _moved(slot, amount.values[0], sign)) is not None
    ]
    return Difference(told_at, tuple(moved) if len(moved) == 1 else ())


def _says_only(s: Situation, said: Said, span: Stretch) -> bool:
    """Return whether a text says a difference and nothing else, and does not deny it."""
    replies, rest = reply_words(s.language), said.without([span])
    words = rest.folded[replies.no.at(rest.folded, 0) if rest.folded else 0 :]  # "no, one more guest" denies nothing
    is_denied = replies.denying.any_in(rest.folded) or has_negation(words, s.language)
    if is_denied or split_denied(said.text, s.language) is not None:
        return False
    return says_only(Said(" ".join(replies.wishes.without(rest.folded))), (), s.answered(), s.language)


def _overlaps(span: Stretch, others: Sequence[Stretch]) -> bool:
    """Return whether a number is a part of a duration: "une heure plus tard" is not "une heure plus"."""
    return any(span.start < other.end and other.start < span.end for other in others)


def _fitting(
    s: Situation, said: Said, amount: Stretch, span: Stretch, slots: Sequence[Slot], words: ValueWords
) -> list[Slot]:
    """Return the answered questions that an amount may be a difference to; none where the open question may take it
    itself ("2 more" at "How many children?")."""
    words.among([amount])
    fitting = [
        slot
        for slot in slots
        if _MOVED_BY.get(slot.type) == amount.type and slot.current is not None and not slot.is_open
        if not slot.takes_many and words.fits(amount, slot)
    ]
    named = [slot for slot in fitting if words.is_of(amount, slot.entity, slot.node.step.names)]
    question = s.question
    if question is not None and question.type in _TAKES[amount.type]:
        is_of_open = words.is_of(amount, question.entity, question.names)
        return named if len(named) == 1 and not is_of_open and not question.counts.persons else []
    behind = [word.folded for word in said.words if word.start >= span.end]
    if not named and amount.type == "Number" and reply_words(s.language).polite.without(behind):
        return []  # "one more time" is no guest
    return named or fitting


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
        return value if value > 0 or (value == 0 and not slot.node.step.counts.wholes) else None
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
