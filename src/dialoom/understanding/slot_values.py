"""A message with its values replaced: the tokens that a classifier sees, and the trained expression that it equals.

Which values it holds is found by ``recogniser``; how expressions are cut into words by ``intents.slot_words``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from dialoom.flow.model import QnAType, TraitType
from dialoom.flow.patterns.expression_slots import SlotTypes, is_slotted
from dialoom.understanding.candidate import Spans, Stretch
from dialoom.understanding.intents.slot_words import expression_words, is_token, token, type_of
from dialoom.understanding.normalise import Word

_VALUE = ""
"""The key of a node under which the value stands whose expression ends there; no word is empty."""
_Node = dict[str, Any]


class SlotExpressions:
    """The expressions of a type that hold slots, as a tree of words and tokens. One that is a slot alone is none of
    them: an answer to any question of that type would equal it."""

    def __init__(self, one: TraitType | QnAType, slots: SlotTypes) -> None:
        self._root: _Node = {}
        for value in one.data:
            for expression in value.expressions:
                words = expression_words(expression, slots) if is_slotted(expression, slots) else ()
                if len(words) > 1:
                    self._learn(words, value.value)

    def __bool__(self) -> bool:
        return bool(self._root)

    def _learn(self, words: Sequence[str], value: str) -> None:
        node = self._root
        for word in words:
            node = node.setdefault(word, {})
        node.setdefault(_VALUE, value)

    def value_of(self, words: Sequence[Word], values: Mapping[int, list[tuple[str, int]]]) -> str | None:
        """Return the value one of whose expressions a message equals. ``values``: at each word the tokens of values
        that begin there, each with the word behind."""
        open_nodes: list[tuple[_Node, int]] = [(self._root, 0)]
        seen: set[tuple[int, int]] = set()
        while open_nodes:
            node, place = open_nodes.pop()
            if (id(node), place) in seen:
                continue
            seen.add((id(node), place))
            if place == len(words):
                if _VALUE in node:
                    return str(node[_VALUE])
                continue
            ways = [(words[place].folded, place + 1), *values.get(place, ())]
            open_nodes += [(node[word], end) for word, end in reversed(ways) if word in node]
        return None


def places_of(
    words: Sequence[Word], values: Iterable[Stretch], before: Container[str]
) -> dict[int, list[tuple[str, int]]]:
    """Return at each word the tokens of the values that begin there, each with the index of the word behind it.
    ``values``: stretches whose value is their type. A value may be read from its first telling word on, too: "at 8" is
    a time, and "at" stands in the expression."""
    found: dict[int, list[tuple[str, int]]] = {}
    starts, ends = [word.start for word in words], [word.end for word in words]
    for one in values:
        first, behind = bisect_right(ends, one.start), bisect_left(starts, one.end)
        for start in range(first, behind):
            found.setdefault(start, []).append((token(one.value), behind))
            if words[start].folded not in before:
                break
    return found


def apart(values: Iterable[Stretch]) -> list[Stretch]:
    """Return what remains when of overlapping stretches the longest wins, then the one with a type, the surer and the
    first; in text order."""
    spans = Spans()
    order = sorted(values, key=lambda one: (one.start - one.end, not one.value, -one.confidence, one.start))
    return sorted((one for one in order if spans.add(one.start, one.end)), key=lambda one: one.start)


def with_types(text: str, words: Iterable[Word]) -> str:
    """Return a text with each token among its words written as a slot of its type."""
    pieces: list[str] = []
    place = 0
    for word in words:
        if is_token(word.folded):
            pieces += [text[place : word.start], f"{{{type_of(word.folded)}}}"]
            place = word.end
    return "".join([*pieces, text[place:]])


def with_tokens(
    words: Sequence[Word], values: Iterable[Stretch], before: Container[str]
) -> tuple[list[Word], list[str]]:
    """Return the words of a message with a token in the place of each value, and the words that went. Values do not
    overlap; what stands before the first telling word of one stays ("at 8", "the 12th")."""
    kept: list[Word] = []
    gone: list[str] = []
    place = 0
    for one in values:
        while place < len(words) and words[place].end <= one.start:
            kept.append(words[place])
            place += 1
        inside: list[Word] = []
        while place < len(words) and words[place].start < one.end:
            inside.append(words[place])
            place += 1
        while len(inside) > 1 and inside[0].folded in before:
            kept.append(inside.pop(0))
        if inside:
            kept.append(Word(token(one.value), inside[0].start, inside[-1].end))
            gone += [word.folded for word in inside]
    return [*kept, *words[place:]], gone
