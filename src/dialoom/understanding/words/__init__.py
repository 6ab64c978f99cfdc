"""Word tables by language; which one a bot uses is decided here, what the words mean in ``values``."""

from __future__ import annotations

from importlib import import_module

from dialoom.understanding.words.others import words_of_others
from dialoom.understanding.words.table import Words

__all__ = ["LANGUAGES", "Words", "words_for"]

LANGUAGES = ("bg", "de", "en", "es", "fr", "it", "nl", "pt")
"""The languages that have a table of their own; what is known of others is in ``others`` and ``more``."""


def words_for(language: str) -> Words:
    """The words of a language tag such as ``en-GB``."""
    primary = language.lower().replace("_", "-").split("-")[0]
    if primary not in LANGUAGES:
        return words_of_others(language)
    words = import_module(f"dialoom.understanding.words.{primary}").WORDS
    if not isinstance(words, Words):
        raise TypeError(f"dialoom.understanding.words.{primary}.WORDS must be a Words table.")
    return words
