"""Whether values beside other words are about something else than the questions that they fit: those of a question, of
an answer that is put off, of another deed (flow-language.md section 5, rule 4, b and c).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dialoom.engine.interpret.said import Said, Spanned
from dialoom.engine.interpret.situation import Situation
from dialoom.understanding.replies import folded_words, reply_words
from dialoom.understanding.words.roles import roles_for

CLAUSES = re.compile(r"(?:[^,;!?？؟，；。.]|[,.](?=\S))+")
"""Stretches between commas and ends of sentences; "1,200" and "p.m." stay whole."""


def is_elsewhere(s: Situation, clause: str, own: frozenset[str]) -> bool:
    """Return whether a clause asks something, puts the answer off or asks for another deed. ``own``: the words of the
    open question and goal."""
    words, replies = folded_words(clause), reply_words(s.language)
    return replies.tells_elsewhere(words, roles_for(s.language).making) or asks_for_another(s, clause, own)


def asks_for_another(s: Situation, clause: str, own: frozenset[str]) -> bool:
    """Return whether a clause asks for another deed than what is open: "cancel the one on Friday", "another table"."""
    words, replies = folded_words(clause), reply_words(s.language)
    if replies.asks_for_one_more(words, own):
        return True
    return roles_for(s.language).making.isdisjoint(words) and replies.does_another(words, own)


def only_asks(s: Situation, said: Said, values: Iterable[Spanned]) -> bool:
    """Return whether a question says of values only what they are: "isn't the 15th a Monday?". A no in it denies
    nothing."""
    return said.is_question and reply_words(s.language).states(said.without(values).folded)
