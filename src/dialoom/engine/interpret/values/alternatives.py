"""Whether a message leaves open which of its values is meant: "10 or 11", or "between 9 and 11", which is no value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.slots import Stretch
from dialoom.understanding.replies import Phrases, folded_words
from dialoom.understanding.words import words_for
from dialoom.understanding.words.roles import roles_for

MAX_OPENING_WORDS = 4
"""Words up to the end of the first value among which a range begins: "between about 9"."""
_RANGE_SIGNS = frozenset("-–—")
_LONG = re.compile(r"\d{3}")
"""Digits of a telephone number, a year and the like, which a dash joins to one number."""


def are_alternatives(said: Said, stretches: Sequence[Stretch], language: str) -> bool:
    """Return whether each value is joined to the next by no more than a word such as "or", or as the ends of a
    range."""
    return all(_are_joined(said, one, other, language) for one, other in pairwise(stretches))


def _are_joined(said: Said, one: Stretch, other: Stretch, language: str) -> bool:
    roles = roles_for(language)
    between = _joining(said, one, other, language)
    if between and all(word in roles.alternatives for word in between):
        return True
    if not roles.changing.isdisjoint(said.folded):
        return False  # "change it from 10 to 11"
    if not between:
        is_long = _LONG.search(said.text, one.start, one.end) or _LONG.search(said.text, other.start, other.end)
        return said.text[one.end : other.start].strip() in _RANGE_SIGNS and not is_long
    return _is_range(said, one, between, language)


def _joining(said: Said, one: Stretch, other: Stretch, language: str) -> list[str]:
    """Return the words that join two values, without those such as "about the"."""
    roles, ranging = roles_for(language), _range_words(language)[0]
    between = [word.folded for word in said.words if one.end <= word.start and word.end <= other.start]
    if not between:  # "9 [until 11]"
        first = next((word for word in said.words if word.start == other.start and word.end < other.end), None)
        between = [first.folded] if first is not None and first.folded in ranging else []
    return [word for word in between if word not in roles.passed | roles.articles] or between


def _is_range(said: Said, one: Stretch, between: Sequence[str], language: str) -> bool:
    both, (ranging, opening) = roles_for(language).both, _range_words(language)
    before = [word.folded for word in said.words if word.end <= one.end][-MAX_OPENING_WORDS:]
    is_opened = opening.any_in(before)
    return all(word in ranging and (is_opened or word not in both) for word in between)


@cache
def _range_words(language: str) -> tuple[frozenset[str], Phrases]:
    """Return the words that join the two ends of a range, and the phrases that it begins with."""
    words = words_for(language)
    return frozenset(word for phrase in words.until for word in folded_words(phrase)), Phrases(words.range_before)
