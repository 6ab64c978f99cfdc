"""Which values of a message correct none of the answers that they differ from (flow-language.md section 5, rule 4: what
the open question's reader did not take changes nothing).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dialoom.engine.compiled import Question
from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.replies.other_deeds import CLAUSES, is_elsewhere
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import Stretch
from dialoom.engine.interpret.values.assign import Assigned
from dialoom.engine.interpret.values.correction_marks import count_other_words, has_mark, is_bare, is_marked
from dialoom.engine.interpret.values.value_words import ValueWords, correction_marks
from dialoom.understanding.replies import folded_words, reply_words
from dialoom.understanding.words.roles import roles_for

_PIECES = ("Number", "Time", "Date")
"""Types whose values may be told by a number alone."""


def find_unmeant(
    s: Situation,
    said: Said,
    assigned: Assigned,
    words: ValueWords,
    own: Callable[[], frozenset[str]],
    *,
    is_reply: bool,
) -> list[Fill]:
    """Return the changes of answers that are not meant. ``own``: gives the words of the open question and goal.
    ``is_reply``: to a confirmation, where a number is meant if nothing else is said."""
    changes = [fill for fill in assigned.fills if _changes(s, fill)]
    if not changes:
        return []
    about_another = [fill for fill in changes if _is_about_another(s, said, fill, words, own())]
    doubtful = [
        fill
        for fill in changes
        if fill not in about_another
        and fill not in assigned.replaced
        and _is_doubtful(s, said, fill, is_reply=is_reply)
    ]
    return about_another + _unsaid(s, said, assigned.fills, doubtful, words, is_reply=is_reply)


def _changes(s: Situation, fill: Fill) -> bool:
    """Return whether a value differs from the known one, or leaves open which is meant."""
    found = fill.found
    is_new = found.is_ambiguous or s.value(fill.what) != found.value
    return is_new and not found.is_asked and s.has(fill.what) and bool(fill.spans)


def _is_about_another(s: Situation, said: Said, fill: Fill, words: ValueWords, own: frozenset[str]) -> bool:
    """Return whether a value is no correction, as its clause is about something else or it stands in a question about
    what is known ("isn't the 15th a Monday?") or about itself ("is neutering painful?")."""
    clauses = (
        one[0]
        for one in CLAUSES.finditer(said.text)
        if any(one.start() < span.end and span.start < one.end() for span in fill.spans)
    )
    if any(is_elsewhere(s, clause, own) for clause in clauses):
        return True
    return said.is_question and (_names_known(s, fill, words) or _is_inquiry(s, said, fill))


def _names_known(s: Situation, fill: Fill, words: ValueWords) -> bool:
    current = s.value(fill.what)
    is_known = any(current in span.values or any(current in others for others in span.others) for span in fill.spans)
    return is_known and not words.is_change


def _is_inquiry(s: Situation, said: Said, fill: Fill) -> bool:
    """Return whether a question that begins as no wish says more than a value and that it is meant."""
    words, replies = said.folded, reply_words(s.language)
    if has_mark(said, s.language) or replies.asks_for_change(words):
        return False
    is_wish = replies.wishes.any_in(words) or not roles_for(s.language).making.isdisjoint(words)
    is_own = all(one.type in s.flow.custom_types for one in fill.spans)
    rest = [one for one in said.without(fill.spans).folded if is_own or one not in replies.asking_for]
    return not is_wish and count_other_words(Said(" ".join(rest)), (), s.answered(), s.language) > 0


def _is_doubtful(s: Situation, said: Said, fill: Fill, *, is_reply: bool) -> bool:
    """Return whether a known value would be changed by a number, a day or an hour; at a confirmation by a bare number
    alone."""
    if s.value(fill.what) is None or (fill.found.is_ambiguous and is_reply):
        return False
    return all(one.type in _PIECES and (not is_reply or is_bare(said, one, s.language)) for one in fill.spans)


def _unsaid(
    s: Situation, said: Said, fills: Sequence[Fill], doubtful: list[Fill], words: ValueWords, *, is_reply: bool
) -> list[Fill]:
    """Return the doubtful changes that no unit, no name and no mark of correction says to be meant."""
    if not doubtful:
        return []
    spans = sorted((one for fill in fills for one in fill.spans), key=lambda one: one.start)
    others = count_other_words(said, spans, [slot for slot in s.slots() if not slot.is_open], s.language)
    if is_reply and not others:
        return []
    words.among(spans)
    # In a sentence about something else only a mark counts: "my 2 kids get home at 3". At a text it is asked.
    is_aside = not is_reply and others > 0 and not s.asks_text
    is_answered = any(fill.found.is_asked for fill in fills)
    meant = {
        id(fill)
        for fill in doubtful
        for one in fill.spans
        if not _is_part_of_us(s, said, one)
        if (is_marked(said, one, s.language) and not words.is_measured(one))
        or (not is_aside and _says_itself(s, said, one, fill, words, is_answered=is_answered))
    }
    return [fill for fill in doubtful if id(fill) not in meant]


def _is_part_of_us(s: Situation, said: Said, value: Stretch) -> bool:
    """Return whether a number counts some of those who come, of whom more is said: "2 of us are vegan"."""
    behind = [word.folded for word in said.words if word.start >= value.end]
    length = correction_marks(s.language).at(behind, 0) if behind else 0
    clause = next((one for one in CLAUSES.finditer(said.text) if one.start() <= value.start < one.end()), None)
    if not length or clause is None:
        return False
    rest = folded_words(said.text[value.end : clause.end()])[length:]
    return bool(reply_words(s.language).polite.without(rest))


def _says_itself(s: Situation, said: Said, one: Stretch, fill: Fill, words: ValueWords, *, is_answered: bool) -> bool:
    """Return whether a name or a unit says what a value is for, or where the open question is not answered, that it is
    a whole day or hour."""
    step = fill.found.node.step
    names = step.names if isinstance(step, Question) else ()
    return words.is_of(one, step.entity, names) or not (is_answered or is_bare(said, one, s.language))
