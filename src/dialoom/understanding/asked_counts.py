"""What a Number question counts, by its name and its texts, and counts that are told in other words than one number:
"just me", "two adults and a child", "4ppl", "einen Hund".

Which numbers of a message count what is left to ``words.counted``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from dialoom.languages import Counted, reader_words
from dialoom.understanding.normalise import fold, words_of
from dialoom.understanding.replies import Phrases, folded_words
from dialoom.understanding.replies.forms import Forms
from dialoom.understanding.words import correcting_words, words_for
from dialoom.understanding.words.counted import group_of, things_for
from dialoom.understanding.words.roles import roles_for

_WHOLE = frozenset({"persons", "children", "rooms"})
"""Known things of which nobody asks for a half; of days, stars and baths people do."""
_NAMING = frozenset({"count", "size", "total", "num", "the"})
"""In the name of an entity beside what it counts: ``party-size``. A ``room-temperature`` counts no rooms."""
_BEHIND = 3
"""Words behind "how many" among which stands what is counted."""
_OTHERS = 4
"""Words behind a number among which "and me" is looked for."""
_BRACES = re.compile(r"\{{2,3}[^{}]{0,500}\}{2,3}")
_GLUED = re.compile(r"(?<!\w)(\d{1,3})([^\W\d_]{2,20})(?!\w)")
_MAX_GLUED_CHARS = 200
"""Of a reply in which a number with its unit behind it is looked for."""
_MAX_WORDS = 12
"""Of a reply that says who comes and no more."""


class AskedCount(NamedTuple):
    """What a question asks the number of."""

    wholes: bool = False
    """It has no half: guests, pizzas."""
    persons: bool = False


class CountTold(NamedTuple):
    """A count and where a text tells it."""

    number: int
    start: int
    end: int


def asked_count(name: Sequence[str], texts: Iterable[str], language: str) -> AskedCount:
    """Return what a question counts. ``name``: the folded words of its entity's name."""
    things, known = things_for(language), _AskingWords(language)
    found = {things[word] for word in name if word in things}
    if not all(word in things or word in known.naming for word in name):
        found.clear()
    wholes = False
    for text in texts:
        for part in _BRACES.split(text):
            words = folded_words(part)
            for _, end in known.asking.find(words):
                behind = words[end : end + _BEHIND]
                here = {things[word] for word in behind if word in things}
                found |= here
                wholes = wholes or (bool(behind) and not here and known.uncounted.isdisjoint(behind))
    persons = any(group_of(thing) == "persons" for thing in found)
    return AskedCount(wholes or not _WHOLE.isdisjoint(found), persons)


def may_tell_persons(words: Sequence[str], language: str) -> bool:
    """Return whether a word stands there with which a phrase for a number of persons begins."""
    return not _people(language).first.isdisjoint(words)


def read_persons(text: str, language: str) -> CountTold | None:
    """Return how many persons a reply names without a number: "just me" is one. None where it says anything else."""
    known, found_words = _people(language), words_of(text)
    words = tuple([word.folded for word in found_words])
    if len(words) > _MAX_WORDS:
        return None
    found = list(known.phrases.find(words))
    if len(found) != 1:
        return None
    [(start, end)] = found
    said = (*words[:start], *words[end:])
    beside = (*known.polite.without(words[:start]), *known.polite.without(words[end:]))
    is_all = known.more.isdisjoint(said) and all(word in known.beside for word in beside)
    if not is_all:
        return None
    return CountTold(known.persons[words[start:end]], found_words[start].start, found_words[end - 1].end)


def add_kinds(text: str, numbers: Sequence[CountTold], language: str) -> CountTold | None:
    """Return the sum of several kinds of persons that is all that a text says: "two adults and a child". None for any
    other text: "2 adults or 3", "4 guests, 2 adults and 2 children". ``numbers``: those of the text that stand for
    themselves."""
    known, words = _people(language), words_of(text)
    if len(words) > _MAX_WORDS or any(word.folded in known.alternatives for word in words):
        return None
    told = {one.start: one.number for one in numbers}
    articles = frozenset(words_for(language).articles)
    found: dict[str, CountTold] = {}
    beside: list[str] = []
    index = 0
    while index < len(words):
        word, behind = words[index], words[index + 1] if index + 1 < len(words) else None
        number = told.get(word.start, 1 if word.folded in articles else None)
        if number is not None and behind is not None and behind.folded in known.kinds:
            if behind.folded in found:
                return None
            found[behind.folded] = CountTold(number, word.start, behind.end)
            index += 2
            continue
        if not found or word.folded not in known.joining:
            beside.append(word.folded)
        index += 1
    if len(found) < 2 or not all(one in known.beside for one in known.polite.without(beside)):
        return None
    if len(numbers) > sum(one.start in told for one in found.values()):
        return None
    counts = list(found.values())
    return CountTold(sum(one.number for one in counts), counts[0].start, counts[-1].end)


def glued_count(text: str, language: str) -> CountTold | None:
    """Return the one number that is written together with what it counts: "4ppl"."""
    things = things_for(language)
    found = [
        one for one in _GLUED.finditer(text[:_MAX_GLUED_CHARS]) if group_of(things.get(fold(one[2]), "")) == "persons"
    ]
    return CountTold(int(found[0][1]), *found[0].span()) if len(found) == 1 else None


def read_article(text: str, about: Forms, language: str) -> CountTold | None:
    """Return a one that only an article tells: "nur einen", "einen Hund". ``about``: the words of the question."""
    known, words = _people(language), words_of(text)[: _MAX_WORDS + 1]
    said = known.polite.without([word.folded for word in words])
    articles = frozenset(words_for(language).articles)
    found = [word for word in words if word.folded in articles]
    rest = [one for one in said if one not in articles]
    is_told = len(words) <= _MAX_WORDS and len(found) == 1 and len(said) == len(rest) + 1
    is_told = is_told and not known.marks.any_in([word.folded for word in words])  # "einen Moment"
    if not is_told or not all(one in known.beside or one in about for one in rest):
        return None
    if found[0].folded in words_for("en").articles and not any(one in about for one in rest):
        return None  # "a" alone is no one
    return CountTold(1, found[0].start, found[0].end)


def counts_others(text: str, start: int, end: int, language: str) -> bool:
    """Return whether a number of persons leaves out who speaks: "me and two friends", "a couple of friends and I"."""
    known, words = _people(language), words_of(text)
    before = [word.folded for word in words if word.end <= start][-2:]
    behind = [word.folded for word in words if word.start >= end][:_OTHERS]
    is_led = len(before) == 2 and before[0] in known.speaker and before[1] in known.both
    return is_led or any(one in known.both and other in known.speaker for one, other in pairwise(behind))


class _AskingWords:
    """The words of a language and the English ones, since names of entities may be English."""

    def __init__(self, language: str) -> None:
        tables = [_counted(tag) for tag in dict.fromkeys((language, "en"))]
        phrases = [phrase for table in tables if table is not None for phrase in table.asking]
        own = tables[0]
        self.asking = Phrases(() if own is None else own.asking)
        self.naming = _NAMING.union(*map(folded_words, phrases))
        units = (*words_for(language).units, *(() if own is None else own.uncounted))
        self.uncounted = frozenset(map(fold, units))


class _People:
    def __init__(self, language: str) -> None:
        own, words = _counted(language), words_for(language)
        said = {} if own is None else own.persons
        self.persons = {folded_words(phrase): count for phrase, count in said.items()}
        self.phrases = Phrases(said)
        self.first = frozenset(self.phrases.first_words)
        # "Just me and you" are two, "not just me" are more.
        roles = roles_for(language)
        self.both = roles.both
        self.speaker = frozenset(() if own is None else map(fold, own.speaker))
        self.more = {found.folded for one in words.number_joiners for found in words_of(one)} | roles.both | roles.not_
        self.kinds = frozenset() if own is None else frozenset(map(fold, own.kinds))
        self.alternatives = roles.alternatives
        self.joining = roles.both | {found.folded for one in words.number_joiners for found in words_of(one)} | {"plus"}
        self.marks = Phrases(reader_words(language).replies.marks)
        self.polite = Phrases((*words.fillers, *words.polite, *words.yes, *words.no))
        common = frozenset(word for one in words.common for word in folded_words(one))
        self.beside = common | correcting_words(language)


@cache
def _people(language: str) -> _People:
    return _People(language)


def _counted(language: str) -> Counted | None:
    return reader_words(language).counted
