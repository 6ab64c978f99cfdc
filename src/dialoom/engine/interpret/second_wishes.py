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
from dialoom.engine.interpret.wishes import asked_beside, wish
from dialoom.languages import reader_words
from dialoom.understanding.by_position import places_named
from dialoom.understanding.replies import Phrases, reply_words

MAX_WORDS = 60
"""Of a message that may hold two wishes."""
MAX_PARTINGS = 6
"""Places at which a message is parted, to see what is behind."""
_PARTING = re.compile(r"[,;.!](?=\s)")


class TwoWishes(NamedTuple):
    answer: Said
    wish: str


def second_wish(s: Situation, said: Said, known: frozenset[str]) -> TwoWishes | None:
    """Return an answer and another goal that is wished for behind it; None for a message that holds no such thing.
    Words of doubt behind the answer are about the answer: "yes, but I want to change my address". ``known``: the words
    of an open confirmation, which wish for nothing."""
    if not 1 < len(said.words) <= MAX_WORDS or s.expression(said.text) is not None:
        return None
    for end, start, is_parted in list(_partings(s, said))[:MAX_PARTINGS]:
        rest = Said(said.text[start:].strip())
        if rest.words and _wishes(s, rest, known, is_parted=is_parted):
            return TwoWishes(Said(said.text[:end]), rest.text)
    return None


def _wishes(s: Situation, rest: Said, known: frozenset[str], *, is_parted: bool) -> bool:
    """Return whether a text wishes for another goal. ``is_parted``: by more than a comma, behind which it must be an
    expression or begin as a wish."""
    replies = reply_words(s.language)
    if not is_parted and not replies.begins_wish(rest.folded) and s.expression(rest.text) is None:
        return False
    if replies.doubts.at(rest.folded, 0) or places_named(rest.text, s.language) is not None:
        return False
    found = asked_beside(s, rest, (), {}, known) if s.awaits_yes else wish(s, rest, {}, Assigned())[:2]
    asked = None if found is None else found[0]
    script = s.flow.scripts.get(asked.key) if isinstance(asked, Start) and s.is_other(asked.key) else None
    return script is not None and script.is_goal


def _partings(s: Situation, said: Said) -> Iterator[tuple[int, int, bool]]:
    """Yield where a first part may end and the other begin: around words such as "and also", at the ends of clauses;
    with False for a comma."""
    words = said.words
    joins = _joins(s.language).find(said.folded)
    places = [(words[first].start, words[after - 1].end, True) for first, after in joins if first]
    places += [(*found.span(), found[0] != ",") for found in _PARTING.finditer(said.text)]
    yield from sorted(places)


@cache
def _joins(language: str) -> Phrases:
    return Phrases(reader_words(language).replies.seconds)
