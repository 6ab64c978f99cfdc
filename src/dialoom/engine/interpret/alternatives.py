"""Whether a message leaves open which of its values is meant: "10 or 11", or "between 9 and 11", which is no value."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from dialoom.understanding.replies import Phrases, folded_words
from dialoom.understanding.words import words_for
from dialoom.understanding.words.roles import roles_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.engine.interpret.slots import Stretch
    from dialoom.understanding.normalise import Word

MAX_OPENING_WORDS = 4
"""Words up to the end of the first value among which a range begins: "between about 9"."""
_RANGE_SIGNS = frozenset("-–—")
_LONG = re.compile(r"\d{3}")
"""Digits of a telephone number, a year and the like, which a dash joins to one number."""


def are_alternatives(text: str, words: Sequence[Word], stretches: Sequence[Stretch], language: str) -> bool:
    """Return whether each value is joined to the next by no more than a word such as "or", or as the ends of a
    range. ``words``: those of the text."""
    is_change = any(word.folded in roles_for(language).changing for word in words)
    return all(_are_joined(text, words, pair, language, is_change) for pair in pairwise(stretches))


def _are_joined(
    text: str, words: Sequence[Word], pair: tuple[Stretch, Stretch], language: str, is_change: bool
) -> bool:
    one, other = pair
    roles, (ranging, opening) = roles_for(language), _range_words(language)
    between = [word.folded for word in words if one.end <= word.start and word.end <= other.start]
    first = next((word.folded for word in words if word.start == other.start and word.end < other.end), "")
    between = between or [word for word in (first,) if word in ranging]  # "9 [until 11]"
    between = [word for word in between if word not in roles.passed | roles.articles] or between
    if between and all(word in roles.alternatives for word in between):
        return True
    if is_change:
        return False  # "change it from 10 to 11"
    if not between:
        is_long = _LONG.search(text, one.start, one.end) or _LONG.search(text, other.start, other.end)
        return text[one.end : other.start].strip() in _RANGE_SIGNS and not is_long
    before = [word.folded for word in words if word.end <= one.end][-MAX_OPENING_WORDS:]
    is_opened = opening.any_in(before)
    return all(word in ranging and (is_opened or word not in roles.both) for word in between)


@cache
def _range_words(language: str) -> tuple[frozenset[str], Phrases]:
    """Return the words that join the two ends of a range, and the phrases that it begins with."""
    words = words_for(language)
    return frozenset(word for phrase in words.until for word in folded_words(phrase)), Phrases(words.range_before)
