"""The words of an expression or a message as a classifier sees them: in the place of a value a token of its type, which
no user can type."""

from __future__ import annotations

from dialoom.flow.patterns.expression_slots import READ_INSIDE, SlotTypes, slots_in
from dialoom.understanding.normalise import words_of

_SIGN = "{"
"""Begins every token; it stands in no word."""
SURE = 0.5
"""The confidence up to which a reading is a guess ("23" as an hour), which only an open question makes likely."""


def token(type_: str) -> str:
    """Return what stands for any value of a type."""
    return _SIGN + type_


def is_token(word: str) -> bool:
    return word[0] == _SIGN


def type_of(word: str) -> str:
    return word[1:]


def tells_by_itself(word: str) -> bool:
    """Return whether a value of this token's type says what a sentence is about: a service or a town does, and a day or
    a number belongs to anything."""
    return word[1:] not in READ_INSIDE


def expression_words(expression: str, slots: SlotTypes) -> tuple[str, ...]:
    """Return the words of an expression; a slot of a type that is not read inside a sentence (``Text``) is left out."""
    found = [slot for slot in slots_in(expression) if slot.name in slots] if slots else []
    if not found:
        return tuple(word.folded for word in words_of(expression))
    words: list[str] = []
    place = 0
    for slot in found:
        words += [word.folded for word in words_of(expression[place : slot.start])]
        if slots[slot.name]:
            words.append(token(slots[slot.name]))
        place = slot.end
    return (*words, *(word.folded for word in words_of(expression[place:])))
