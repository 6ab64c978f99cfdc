"""Whether the words around a value say that it is not wanted: "not Friday, Saturday", "any day but Friday", "Friday
no"; but "why not Friday" proposes it.
"""

from __future__ import annotations

import re

from dialoom.engine.interpret.slots import Stretch
from dialoom.engine.interpret.values.placed_values import PlacedValues
from dialoom.understanding.replies import ReplyWords, reply_words
from dialoom.understanding.words.roles import roles_for

_PARTING = " \t\n'’"
_WORDS_BEFORE = 8
"""Words before a value among which "not" or "any day but" is looked for."""
_WORDS_BEHIND = 8
"""Words behind a value in which it is refused: "Friday is really no good for me"."""
_WHEN = ("Date", "Time", "Datetime")
_COUNT_OR_HOUR = {"Number", "Time"}
_CLAUSE_END = re.compile(r"[,.;:!?\n](?=\s|$)")


def is_denied(values: PlacedValues, stretch: Stretch, language: str) -> bool:
    """Return whether the text says that it is not this value."""
    replies = reply_words(language)
    if _is_refused_behind(values, stretch, replies):
        return True
    said, roles = _joined_before(values, stretch), roles_for(language)
    for first, after in denying_in(said, language):
        if all(word in roles.passed | roles.weighing | roles.articles for word in said[after:]):
            return first == 0 or said[first - 1] not in roles.why
    return False


def denying_in(said: list[str], language: str) -> list[tuple[int, int]]:
    """Return where words stand that deny what follows: the first of each and the one behind the last."""
    found, not_ = list(reply_words(language).denying.find(said)), roles_for(language).not_
    return found + [(index, index + 1) for index, word in enumerate(said) if word in not_]


def _joined_before(values: PlacedValues, stretch: Stretch) -> list[str]:
    """Return the words before a value that nothing but spaces and elisions ("l'Audi") part from it."""
    before: list[str] = []
    end, last = stretch.start, values.index_until(stretch.start) - 1
    while stretch.start and last >= 0 and len(before) < _WORDS_BEFORE:
        word = values.words[last]
        if values.text[word.end : end].strip(_PARTING):
            break
        before.append(word.folded)
        end, last = word.start, last - 1
    return before[::-1]


def _is_refused_behind(values: PlacedValues, stretch: Stretch, replies: ReplyWords) -> bool:
    """Return whether the clause goes on behind a value with its refusal: "Friday no", "Friday I can't"."""
    behind = _clause_behind(values, stretch, replies)
    if behind is None:
        return False
    if behind and replies.no.at(behind, 0) == len(behind):
        return True
    return stretch.type in _WHEN and replies.refuses(behind)  # "my Audi doesn't work" is an Audi


def _clause_behind(values: PlacedValues, stretch: Stretch, replies: ReplyWords) -> list[str] | None:
    """Return the words of the clause behind a value without other values; None where one of the same type follows,
    which may be the denied one: "Friday not Saturday", "at 11 not 10"."""
    clause: list[str] = []
    end, others = stretch.end, values.values_behind(stretch)
    other = next(others, None)
    for word in values.behind(stretch):
        if len(clause) > _WORDS_BEHIND or _CLAUSE_END.search(values.text, end, word.start):
            break
        end = word.end
        if other is not None and word.start >= other.start:
            if other.type == stretch.type or {other.type, stretch.type} == _COUNT_OR_HOUR:
                return None
            other = other if word.end < other.end else next(others, None)
        elif word.folded in replies.clauses:
            break
        else:
            clause.append(word.folded)
    return clause
