"""Which slot of an expression each value of a message stands for: in "from {start} to {end}" the words beside a slot
and the order of the slots tell the start from the end. Pure; which question then takes which value is the engine's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Sequence

import msgspec

from dialoom.flow.patterns.expression_slots import SlotTypes, slots_in
from dialoom.understanding.candidate import Candidate
from dialoom.understanding.intents.slot_words import SURE
from dialoom.understanding.normalise import Word, words_of
from dialoom.understanding.words import words_before_values

MAX_BETWEEN = 2
"""Words such as "the" that may stand between a word of the expression and the value behind it."""


class SlotPlace(msgspec.Struct, frozen=True):
    """A slot of an expression: its name, its type, and the words right before and right behind it, folded; empty where
    the expression begins or ends or another slot stands there."""

    name: str
    type: str
    before: str
    behind: str


class SlotExpression(msgspec.Struct, frozen=True):
    """An expression with its slots in order, and all of its words outside of them."""

    slots: tuple[SlotPlace, ...]
    words: frozenset[str]


def read_expression(expression: str, slots: SlotTypes) -> SlotExpression | None:
    """Return the slots of an expression; None where it has none that can be read."""
    found = [slot for slot in slots_in(expression) if slot.name in slots]
    ends = [0, *(slot.end for slot in found)]
    starts = [*(slot.start for slot in found), len(expression)]
    pieces = [[word.folded for word in words_of(expression[a:b])] for a, b in zip(ends, starts, strict=True)]
    places = [
        SlotPlace(slot.name, slots[slot.name], before[-1] if before else "", behind[0] if behind else "")
        for slot, before, behind in zip(found, pieces, pieces[1:], strict=False)
        if slots[slot.name]
    ]
    return SlotExpression(tuple(places), frozenset(word for piece in pieces for word in piece)) if places else None


def share_out(
    text: str, expressions: Iterable[SlotExpression], values: Iterable[Candidate], language: str
) -> dict[str, Candidate]:
    """Return the values of a message by the names of the slots that they stand for, by the expression that fits best:
    the one with the most slots, then with the most words in the message, then the first. Empty where none fits.

    An expression fits where each of its slots, in order, finds a value of its type: behind the same word as in the
    expression, or before the same where no word stands before the slot. Words that stand anywhere else do not matter.
    """
    words = words_of(text)
    order = sorted((one for one in values if one.confidence > SURE), key=lambda one: (one.end, one.start))
    said, before = frozenset(word.folded for word in words), words_before_values(language)
    best: dict[str, Candidate] = {}
    rank = (0, 0)
    for expression in expressions:
        mine = (len(expression.slots), len(expression.words & said))
        if mine > rank and (found := _fitting(expression.slots, words, order, before)) is not None:
            best, rank = found, mine
    return best


def _fitting(
    slots: Sequence[SlotPlace], words: list[Word], values: Sequence[Candidate], before: Container[str]
) -> dict[str, Candidate] | None:
    """Return for each slot the first value that fits it behind that of the slot before; None where one has none."""
    found: dict[str, Candidate] = {}
    place = 0
    for slot in slots:
        fits = (
            one for one in values if one.type == slot.type and one.start >= place and _stands(slot, one, words, before)
        )
        value = next(fits, None)
        if value is None:
            return None
        found.setdefault(slot.name, value)
        place = value.end
    return found


def _stands(slot: SlotPlace, value: Candidate, words: list[Word], before: Container[str]) -> bool:
    """Return whether a value stands beside the word that the slot stands beside."""
    first = bisect_right(words, value.start, key=lambda word: word.end)
    behind = bisect_right(words, value.end - 1, key=lambda word: word.start)
    if not slot.before:
        return not slot.behind or (behind < len(words) and words[behind].folded == slot.behind)
    # "at 8" is read with its "at"; "to the harbour" has a word between.
    for word in words[first:behind]:
        if word.folded not in before:
            break
        if word.folded == slot.before:
            return True
    for word in reversed(words[max(0, first - 1 - MAX_BETWEEN) : first]):
        if word.folded == slot.before:
            return True
        if word.folded not in before:
            return False
    return False
