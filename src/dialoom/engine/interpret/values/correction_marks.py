"""Words that say that a value corrects an answer ("no wait", "I meant"), and what else a text says beside them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

from dialoom.engine.interpret.said import Said, Spanned
from dialoom.engine.interpret.slots import GUESS, Slot, Stretch
from dialoom.engine.interpret.values.value_words import correction_marks, name_words
from dialoom.languages import reader_words
from dialoom.understanding.replies import Phrases, folded_words, reply_words
from dialoom.understanding.words import correcting_words, words_for
from dialoom.understanding.words.counted import things_for
from dialoom.understanding.words.roles import near_words, roles_for


class _Words(NamedTuple):
    marks: Phrases
    passed: frozenset[str]
    """What may stand between a mark and its value, and beside them."""
    fillers: Phrases
    changing: frozenset[str]
    days: frozenset[str]
    """Words that make a date more than a number: months, weekdays, "tomorrow"."""
    numbers: frozenset[str]
    first: frozenset[str]
    """Those with which a mark, a no or a denial begins: "not 7, 8"."""


@cache
def _words(language: str) -> _Words:
    own, replies = words_for(language), reader_words(language).replies
    passed = correcting_words(language) | reply_words(language).beside | near_words(language)
    passed |= _all_words((*own.at, *roles_for(language).leading_to_persons))
    days = _all_words((*own.months, *own.weekdays, *own.days, *own.feasts))
    marks, changing = correction_marks(language), _all_words(replies.changing)
    replied = reply_words(language)
    first = frozenset((*marks.first_words, *replied.no.first_words, *replied.denying.first_words))
    return _Words(marks, passed, Phrases(own.fillers), changing, days, _all_words(own.numbers), first)


def _all_words(phrases: Iterable[str]) -> frozenset[str]:
    return frozenset(word for phrase in phrases for word in folded_words(phrase))


def is_marked(said: Said, value: Spanned, language: str) -> bool:
    """Return whether a mark of correction stands before or behind a value, nothing but function words between."""
    words = _words(language)
    inside = (word for word in said.words if value.start <= word.start < value.end and word.folded not in words.passed)
    start = next((word.start for word in inside), value.start)  # "to 8" begins with the 8
    before = [word.folded for word in said.words if word.end <= start]
    last = max((after for _, after in words.marks.find(before)), default=None)
    if last is not None and words.passed.issuperset(before[last:]):
        return True
    behind = [word.folded for word in said.words if word.start >= value.end]
    first = next((start for start, _ in words.marks.find(behind)), None)
    return first is not None and words.passed.issuperset(behind[:first])


def has_mark(said: Said, language: str) -> bool:
    """Return whether a text has a mark of correction."""
    return _words(language).marks.any_in(said.folded)


def may_correct(said: Said, language: str) -> bool:
    """Return whether a text has a word with which a mark of correction, a no or a denial begins."""
    return not _words(language).first.isdisjoint(said.folded)


def beginning(said: Said, language: str) -> Literal["", "no", "mark"]:
    """Return whether a text begins with a mark of correction, a no or an "oh" before it at most; else whether it begins
    with a no."""
    words, (marks, _, fillers, *_) = said.folded, _words(language)
    no = reply_words(language).no
    index, begins_with_no = 0, False
    while index < len(words):
        if marks.at(words, index):
            return "mark"
        denied = no.at(words, index)
        behind = said.words[index + denied : index + denied + 1] if denied else []
        if behind and behind[0].folded.isdecimal() and "," not in said.text[said.words[index].end : behind[0].start]:
            break  # "No. 7"
        length = max(denied, fillers.at(words, index))
        if not length:
            break
        begins_with_no = begins_with_no or denied > 0
        index += length
    return "no" if begins_with_no else ""


def says_only(said: Said, values: Iterable[Spanned], slots: Iterable[Slot], language: str) -> bool:
    """Return whether a text says no more than values, marks, a yes or a no, polite words and function words, names and
    units. ``slots``: the questions whose names count."""
    return count_other_words(said, values, slots, language) == 0


def count_other_words(said: Said, values: Iterable[Spanned], slots: Iterable[Slot], language: str) -> int:
    """Return how many words a text has beside those of ``says_only``."""
    words, replies = _words(language), reply_words(language)
    rest = words.marks.without(said.without(values).folded)
    for start, end in reversed(replies.answering(rest)):
        del rest[start:end]
    names = {word for slot in slots for name in (slot.entity, *slot.node.step.names) for word in name_words(name)}
    known = (words.passed, replies.clauses, things_for(language), words.changing, names)
    return sum(not word.isdecimal() and not any(word in one for one in known) for word in rest)


def is_bare(said: Said, value: Stretch, language: str) -> bool:
    """Return whether a value is told by no more than a number: "5", "about 9", "the 5th"."""
    inside = folded_words(said.text[value.start : value.end])
    if value.type == "Time":
        is_number = inside[-1:] != () and (inside[-1].isdecimal() or inside[-1] in _words(language).numbers)
        return value.sureness <= GUESS or (is_number and near_words(language).issuperset(inside[:-1]))
    if value.type == "Number":  # "zu dritt" says that it counts persons
        return any(not one.isalpha() or one in _words(language).numbers for one in inside)
    return _words(language).days.isdisjoint(inside)
