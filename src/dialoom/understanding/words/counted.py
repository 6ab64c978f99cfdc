"""What people count: the word beside a number that says what it is a number of ("4 people", "3-star").

A word stands for a thing, which has one name in all languages: an entity ``guests`` takes "4 Personen". Which question
that makes a number belong to is left to the engine.
"""

from __future__ import annotations

from functools import cache

from dialoom.languages import reader_words
from dialoom.understanding.normalise import fold

WHOLE = frozenset({"persons", "children", "rooms", "days"})
"""Things of which there is no half: "4.2" counts none of them."""
_GROUPS = {"children": "persons"}
"""A child is a person too; only where both are asked for does the word tell them apart."""


_PLURALS = {"en": (("s", 3),), "de": (("en", 4), ("e", 4), ("n", 4), ("s", 3)), "nl": (("en", 4), ("s", 3))}
"""Endings of plurals, each with the letters that must be left: "plane" is no "plan"."""


@cache
def linking_words(language: str) -> frozenset[str]:
    """Return words of a language tag behind which another thought begins, folded; the English ones where there are
    none."""
    counted = reader_words(language).counted or reader_words("en").counted
    return frozenset(map(fold, counted.linking)) if counted is not None else frozenset()


@cache
def things_for(language: str) -> dict[str, str]:
    """Return a folded word to the thing it counts, of a language tag such as ``en-GB``; English words always count,
    since names of entities may be English."""
    tables = [counted.things for tag in ("en", language) if (counted := reader_words(tag).counted) is not None]
    return {fold(word): thing for table in tables for thing, words in table.items() for word in words}


def group_of(thing: str) -> str:
    """Return the wider thing that a thing is one of; itself where there is none."""
    return _GROUPS.get(thing, thing)


def singular(word: str, language: str) -> str:
    """Return a word without the ending of a plural: "guest" for "guests", German "hund" for "Hunde"."""
    for ending, least in _PLURALS.get(language[:2], _PLURALS["en"]):
        if word.endswith(ending) and len(word) >= least + len(ending):
            return word[: -len(ending)]
    return word
