"""Whether a message denies what it names: "don't block my card" wishes for no blocking (flow-language.md section 5)."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

from dialoom.languages import reader_words
from dialoom.understanding.normalise import words_of
from dialoom.understanding.replies import GappedPhrases, Phrases, folded_words, reply_words

_CLAUSES = re.compile(r"(?:[^,;:.!?？؟，；。\n]|[,.](?=\S))+")


class _Words(NamedTuple):
    refusals: GappedPhrases
    negations: Phrases
    troubles: frozenset[str]


@cache
def _words(language: str) -> _Words:
    replies = reader_words(language).replies
    troubles = frozenset(word for phrase in replies.troubles for word in folded_words(phrase))
    return _Words(GappedPhrases(replies.refusals), Phrases(replies.negations), troubles)


@cache
def denying_words(language: str) -> frozenset[str]:
    """Return the words that deny, each by itself."""
    replies = reader_words(language).replies
    return frozenset(word for phrase in replies.negations for word in folded_words(phrase))


def split_denied(text: str, language: str) -> tuple[str, str] | None:
    """Return the clauses of a text that deny nothing and those that deny what they name; None where none does."""
    clauses = [clause for part in _CLAUSES.finditer(text) for clause in _parted(part[0], language)]
    denied = [clause for clause in clauses if _denies(folded_words(clause), language)]
    kept = [clause for clause in clauses if clause not in denied]
    return (", ".join(kept), ", ".join(denied)) if denied else None


def has_negation(words: AbstractSet[str], language: str) -> bool:
    """Return whether words that deny are among these, whatever they deny."""
    return any(set(folded_words(phrase)) <= words for phrase in reader_words(language).replies.negations)


def _parted(clause: str, language: str) -> list[str]:
    """Return a clause in its parts before and behind a word such as "but"."""
    breaks = [word.start for word in words_of(clause) if word.folded in reply_words(language).clauses]
    return [clause[start:end] for start, end in zip([0, *breaks], [*breaks, len(clause)], strict=True)]


def _denies(words: tuple[str, ...], language: str) -> bool:
    known = _words(language)
    if known.refusals.are_in(words):
        return True
    rest = known.negations.without(words)
    return 0 < len(rest) < len(words) and known.troubles.isdisjoint(rest)
