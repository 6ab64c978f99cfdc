"""Whether values beside other words are about something else than the questions that they fit: those of a question, of
an answer that is put off, of another deed (flow-language.md section 5, rule 4, b and c).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.said import Said, Spanned
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.values.corrections import count_other_words, has_mark
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
    """Return whether a clause asks for another deed than what is open: "cancel the one on Friday"."""
    words = folded_words(clause)
    return roles_for(s.language).making.isdisjoint(words) and reply_words(s.language).does_another(words, own)


def changes_nothing(s: Situation, said: Said, fill: Fill, own: frozenset[str]) -> bool:
    """Return whether a value that differs from the known one is no correction, as its clause is about something else or
    is a question that only names it: "is neutering painful?"."""
    if fill.found.is_asked or not s.has(fill.what) or s.value(fill.what) == fill.found.value or not fill.spans:
        return False
    clauses = [one[0] for one in CLAUSES.finditer(said.text) if any(_touch(one, span) for span in fill.spans)]
    return any(is_elsewhere(s, clause, own) for clause in clauses) or _is_inquiry(s, said, fill)


def _touch(clause: re.Match[str], span: Spanned) -> bool:
    return clause.start() < span.end and span.start < clause.end()


def _is_inquiry(s: Situation, said: Said, fill: Fill) -> bool:
    """Return whether a question that begins as no wish says more than a value of the bot's own types and that it is
    meant."""
    words, replies = said.folded, reply_words(s.language)
    is_own = all(one.type in s.flow.custom_types for one in fill.spans)
    if not (is_own and said.is_question) or has_mark(said, s.language) or replies.asks_for_change(words):
        return False
    is_wish = replies.wishes.any_in(words) or not roles_for(s.language).making.isdisjoint(words)
    return not is_wish and count_other_words(said, fill.spans, s.answered(), s.language) > 0


def only_asks(s: Situation, said: Said, values: Iterable[Spanned]) -> bool:
    """Return whether a question says of values only what they are: "isn't the 15th a Monday?". A no in it denies
    nothing."""
    return said.is_question and reply_words(s.language).states(said.without(values).folded)
