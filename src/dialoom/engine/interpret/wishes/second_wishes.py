"""A second wish beside an answer: "yes, and also extend my loan" (flow-language.md section 5, rule 4)."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import NamedTuple

from dialoom.engine.compiled import CompiledConversation
from dialoom.engine.interpret.proposals import Start
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.values.assign import Assigned
from dialoom.engine.interpret.values.correction_marks import has_mark, says_only
from dialoom.engine.interpret.wishes.wish import asked_beside, wish
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
    key: str
    """Of the goal that is wished for."""
    wish: str


def second_wish(s: Situation, said: Said, known: frozenset[str]) -> TwoWishes | None:
    """Return an answer and another goal that is wished for behind it; None for a message that holds no such thing.
    Words of doubt behind the answer are about the answer: "yes, but I want to change my address". ``known``: the words
    of an open confirmation, which wish for nothing."""
    if not 1 < len(said.words) <= MAX_WORDS or s.expression(said.text) is not None:
        return None
    for end, start, is_parted in _partings(s, said):
        rest = Said(said.text[start:].strip())
        key = _wished_goal(s, rest, known, is_parted=is_parted) if rest.words else None
        if key is not None:
            return TwoWishes(Said(said.text[:end]), key, rest.text)
    return None


def _wished_goal(s: Situation, rest: Said, known: frozenset[str], *, is_parted: bool) -> str | None:
    """Return the goal that a text wishes for and says nothing else. Where a yes acts, and behind a comma, it must say
    one of the goal's expressions or begin as a wish; a no, a doubt or a mark of correction is about the answer: "yes.
    no, book a taxi instead"."""
    replies = reply_words(s.language)
    words = replies.without_wishes(rest.folded)
    if rest.folded[0] in replies.clauses or replies.doubts.at(rest.folded, 0):
        return None
    if replies.doubts.any_in(words) or replies.no.any_in(words) or replies.is_complaint(words):
        return None
    if has_mark(rest, s.language) or places_named(rest.text, s.language) is not None:
        return None
    own = () if s.question is None else s.sure_values((s.question.type,), rest.text)
    if own and not replies.polite.without(rest.without(own).folded):
        return None  # "dune and emma, please"
    asked = (
        (asked_beside(s, rest, (), {}, known) or (None,))[0] if s.awaits_yes else wish(s, rest, {}, Assigned()).asked
    )
    script = s.flow.scripts.get(asked.key) if isinstance(asked, Start) and s.is_other(asked.key) else None
    if asked is None or script is None or not script.is_goal:
        return None
    if s.awaits_yes and s.is_strict and not is_parted:
        return None  # "ok, cancel my booking" is no yes
    is_enough = is_parted and not (s.awaits_yes and s.is_strict)
    return script.key if is_enough or _says_alone(s, rest, script) else None


def _says_alone(s: Situation, rest: Said, script: CompiledConversation) -> bool:
    """Return whether a text is an expression of a goal beside its values, or begins as a wish."""
    replies = reply_words(s.language)
    if replies.begins_wish(rest.folded):
        return True
    words = rest.without(s.sure_values(script.types, rest.text)).folded
    for expression in script.expressions:
        left = " ".join(word for word in words if word not in expression)
        if expression <= set(rest.folded) and says_only(Said(left), (), (), s.language):
            return True
    return False


def _partings(s: Situation, said: Said) -> list[tuple[int, int, bool]]:
    """Return where a first part may end and the other begin: around words such as "and also", at the ends of clauses;
    with False for a comma."""
    words = said.words
    permitted = {
        after
        for first, after in reply_words(s.language).permitting.find(said.folded)
        if not _PARTING.search(said.text, words[first].start, words[after - 1].end)
    }  # "go ahead and cancel it" is no yes
    joins = islice((one for one in _joins(s.language).find(said.folded) if one[1] not in permitted), MAX_PARTINGS)
    places = [(words[first].start, words[after - 1].end, True) for first, after in joins if first]
    ends = islice(_PARTING.finditer(said.text), MAX_PARTINGS)
    return sorted([*places, *((*found.span(), found[0] != ",") for found in ends)])


@cache
def _joins(language: str) -> Phrases:
    return Phrases(reader_words(language).replies.seconds)
