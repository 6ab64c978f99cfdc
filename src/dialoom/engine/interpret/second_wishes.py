"""A second wish beside an answer: "yes, and also extend my loan" (flow-language.md section 5, rule 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from dialoom.engine.interpret.assign import Assigned
from dialoom.engine.interpret.proposals import Start
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.wishes import wish
from dialoom.languages import reader_words
from dialoom.understanding.replies import Phrases, reply_words

MAX_WORDS = 60
"""Of a message that may hold two wishes."""
MAX_PARTINGS = 6
"""Places at which a message is parted, to see what is behind."""
_PARTING = re.compile(r"[,;.!](?=\s)")


class TwoWishes(NamedTuple):
    answer: Said
    wish: str


def second_wish(s: Situation, said: Said) -> TwoWishes | None:
    """Return an answer and another goal that is wished for behind it; None for a message that holds no such thing.
    Words of doubt behind the answer are about the answer: "yes, but I want to change my address"."""
    if not 1 < len(said.words) <= MAX_WORDS or s.expression(said.text) is not None:
        return None
    for end, start in list(_partings(s, said))[:MAX_PARTINGS]:
        rest = Said(said.text[start:].strip())
        if not rest.words or reply_words(s.language).doubts.at(rest.folded, 0):
            continue
        asked = wish(s, rest, {}, Assigned()).asked
        script = s.flow.scripts.get(asked.key) if isinstance(asked, Start) and s.is_other(asked.key) else None
        if script is not None and script.is_goal:
            return TwoWishes(Said(said.text[:end]), rest.text)
    return None


def _partings(s: Situation, said: Said) -> Iterator[tuple[int, int]]:
    """Yield where a first part may end and the other begin: around words such as "and also", at the ends of clauses."""
    words = said.words
    joins = _joins(s.language).find(said.folded)
    places = [(words[first].start, words[after - 1].end) for first, after in joins if first]
    places += [found.span() for found in _PARTING.finditer(said.text)]
    yield from sorted(places)


@cache
def _joins(language: str) -> Phrases:
    return Phrases(reader_words(language).replies.seconds)
