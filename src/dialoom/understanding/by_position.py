"""Finds which of the shown options a message names by its place alone: "the second one", "2", "the last".

Which options are shown, and whether anything else is meant, is left to the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import msgspec

from dialoom.languages import Ordinals, reader_words
from dialoom.understanding.normalise import fold, words_of

LAST = -1
"""The place of "the last one"."""
MAX_ORDINAL = 10
MAX_TEXT_CHARS = 80
"""Characters of a message that may be such a choice."""
_DIGITS = re.compile(r"([0-9]{1,4})(\w{0,9})")
_ANY_DIGITS = re.compile("[0-9]{1,9}")


class Places(msgspec.Struct, frozen=True):
    """The places that a message names, from 1 on; ``LAST`` for the last."""

    numbers: tuple[int, ...]
    is_explicit: bool
    """It says of what: "the second one"; a bare "2" may be any number."""
    is_numeric: bool
    """In digits or in words for numbers."""


@cache
def ordinals_for(language: str) -> Ordinals:
    """Return the words for places in the language of a tag, folded; none where only digits are known ("2")."""
    own = reader_words(language).ordinals
    folded = {name: frozenset(map(fold, getattr(own, name))) for name in _LISTS}
    return msgspec.structs.replace(own, places={fold(word): place for word, place in own.places.items()}, **folded)


_LISTS = ("suffixes", "nouns", "around", "around_numbers", "both", "not_alone")


@cache
def _numbers_for(language: str) -> dict[str, int]:
    """Return folded words for numbers from two on ("number two"), in a language that has words for places."""
    own = reader_words(language)
    numbers = own.words.numbers if own.words is not None and own.ordinals.places else {}
    return {fold(word): value for word, value in numbers.items() if 1 < value <= MAX_ORDINAL}


def places_named(text: str, language: str, most: int = MAX_ORDINAL) -> Places | None:
    """Return the places that a message names; None where it says anything else besides. ``most``: up to which digits
    are places."""
    if len(text) > MAX_TEXT_CHARS:
        return None
    table, counted = ordinals_for(language), _numbers_for(language)
    words = [word.folded for word in words_of(text)]
    is_explicit = any(word in table.nouns for word in words)
    is_numeric = any(_counted(word, table, counted, most) is not None for word in words)
    may_be_quantity = not is_explicit and any(word.isdecimal() or word in counted for word in words)
    around = table.around_numbers if may_be_quantity else table.around
    numbers: list[int] = []
    for word in words:
        number = table.places.get(word) or _counted(word, table, counted, most)
        if number is not None:
            if word in table.not_alone and not is_explicit:
                return None
            numbers.append(number)
        elif word not in table.nouns | around and not (numbers and word in table.both | table.suffixes):
            return None
    return Places(tuple(dict.fromkeys(numbers)), is_explicit, is_numeric) if numbers else None


def _counted(word: str, table: Ordinals, counted: dict[str, int], most: int) -> int | None:
    found = _DIGITS.fullmatch(word)
    if found is None:
        return counted.get(word)
    number = int(found[1])
    return number if 1 <= number <= most and (not found[2] or found[2] in table.suffixes) else None


def chosen_places(places: Places, titles: Iterable[str], language: str) -> list[int]:
    """Return the indexes among the shown titles; none where there are not so many, nor where a title speaks of another
    place or number than its own ("Second class" shown first, "4 persons" shown second), since that may be meant."""
    table, counted = ordinals_for(language), _numbers_for(language)
    count = 0
    for title in titles:
        count += 1
        for word in words_of(title):
            number = table.places.get(word.folded)
            if number is None and places.is_numeric:
                number = _number_in(word.folded, counted)
            if number is not None and (number != count or number == LAST):
                return []
    indexes = [count - 1 if number == LAST else number - 1 for number in places.numbers]
    return indexes if all(0 <= index < count for index in indexes) else []


def _number_in(word: str, counted: dict[str, int]) -> int | None:
    digits = _ANY_DIGITS.search(word)
    return counted.get(word) if digits is None else int(digits[0])
