"""Whether a message denies what it names: "don't block my card" wishes for no blocking (flow-language.md section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
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
    clauses = _clauses(text, language)
    denied = [clause for clause in clauses if _denies(folded_words(clause), language)]
    kept = [clause for clause in clauses if clause not in denied]
    return (", ".join(kept), ", ".join(denied)) if denied else None


def has_negation(words: Sequence[str], language: str) -> bool:
    """Return whether a word or phrase that denies is said, whatever it denies."""
    return _words(language).negations.any_in(words)


def without_negations(text: str, language: str) -> str:
    """Return the words of a text without those that deny: what it would say if it denied nothing."""
    return " ".join(_words(language).negations.without(folded_words(text)))


def clause_words(texts: Iterable[str], language: str) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """Return the words of each clause of some texts: of those without a word that denies, and of those with one."""
    plain, denying = list[frozenset[str]](), list[frozenset[str]]()
    for clause in (clause for text in texts for clause in _clauses(text, language)):
        words = folded_words(clause)
        known = _words(language)
        has_denial = known.negations.any_in(words) or known.refusals.are_in(words)
        (denying if has_denial else plain).append(frozenset(words))
    return plain, denying


def _clauses(text: str, language: str) -> list[str]:
    """Return the clauses of a text, cut before words such as "but" as well."""
    found: list[str] = []
    for part in _CLAUSES.finditer(text):
        breaks = [word.start for word in words_of(part[0]) if word.folded in reply_words(language).clauses]
        found += [part[0][start:end] for start, end in pairwise([0, *breaks, len(part[0])])]
    return found


def _denies(words: tuple[str, ...], language: str) -> bool:
    known = _words(language)
    if known.refusals.are_in(words):
        return True
    rest = known.negations.without(words)
    return 0 < len(rest) < len(words) and known.troubles.isdisjoint(rest)
