"""A language's words as its readers take them: those of its data file, and those of libraries where it lacks some.

The words themselves stand in ``dialoom.languages``.
"""

from __future__ import annotations

from functools import cache

from dialoom.languages import Words, reader_words
from dialoom.understanding.normalise import words_of
from dialoom.understanding.words.dateparser_words import words_of_library

__all__ = ["common_words", "correcting_words", "words_before_values", "words_for"]


def words_for(language: str) -> Words:
    """Return the words of a language tag such as ``en-GB``, as its readers take them."""
    own = reader_words(language).words
    return own if own is not None and not own.with_library else words_of_library(language, own)


@cache
def common_words(language: str) -> frozenset[str]:
    """Common words of a language, folded, which are no slips of others: "think" is not "thank"."""
    vocabulary = reader_words(language).vocabulary
    listed = [word for line in vocabulary.words for word in line.split()] if vocabulary is not None else []
    return frozenset(found.folded for one in (*listed, *words_for(language).common) for found in words_of(one))


@cache
def words_before_values(language: str) -> frozenset[str]:
    """Return the words of a language that may stand in front of a value and be read with it ("at 8", "the 12th"),
    folded."""
    words = words_for(language)
    before = (*words.common, *words.articles, *words.at, *words.on, *words.near, *words.until, *words.within)
    return frozenset(found.folded for one in before for found in words_of(one))


@cache
def correcting_words(language: str) -> frozenset[str]:
    """Return words that beside a value only say that it is meant, mostly instead of another, folded; none for most
    languages.

    A sentence of such words and values is no wish of its own: "no, 4 pm" is not the "no" that some bot is trained to
    take as giving up.
    """
    return frozenset(found.folded for one in reader_words(language).correcting for found in words_of(one))
