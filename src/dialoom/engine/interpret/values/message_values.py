"""What becomes of the values of a message: which questions take them, which change nothing, which are denied."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.replies.asides import without
from dialoom.engine.interpret.replies.other_deeds import only_asks
from dialoom.engine.interpret.said import Said, Spanned
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import Slot, Stretch
from dialoom.engine.interpret.values.asked_numbers import with_persons_told
from dialoom.engine.interpret.values.assign import Assigned, assign
from dialoom.engine.interpret.values.bare_numbers import BareNumbers, bare_numbers
from dialoom.engine.interpret.values.difference import difference
from dialoom.engine.interpret.values.leaning import with_limits
from dialoom.engine.interpret.values.unmeant import find_unmeant
from dialoom.engine.interpret.wishes.wish import sure_values, words_for_values
from dialoom.understanding import Candidate


class Values(msgspec.Struct, frozen=True):
    """The values of a message: what was recognised, which questions take it, what is left open."""

    recognised: dict[str, list[Candidate]]
    numbers: BareNumbers
    assigned: Assigned
    asides: tuple[Candidate, ...] = ()
    """Those that change nothing."""
    stray: tuple[Fill, ...] = ()
    """Numbers that nothing says to be meant as a correction."""

    @property
    def used(self) -> list[Stretch]:
        return [*self.assigned.used, *self.numbers.repeated]


def values_of(
    s: Situation,
    said: Said,
    recognised: dict[str, list[Candidate]],
    slots: list[Slot],
    own: Callable[[], frozenset[str]],
    *,
    is_reply: bool,
) -> Values:
    """Return what becomes of the values of a message. ``own``: gives the words of the open question and goal.
    ``is_reply``: to a confirmation."""
    words = words_for_values(s, said)
    recognised = with_persons_told(s, said, slots, recognised)
    moved = difference(s, said, slots, words)
    if moved.spans:
        recognised = without(recognised, _inside(recognised, moved.spans))
    slots = with_limits(s, slots, recognised)
    numbers = bare_numbers(s, said, slots, recognised, words, is_reply=is_reply)
    assigned = assign(slots, numbers.recognised, s.flow.sense_types, words)
    fills, stray, denied = assigned.fills, list[Fill](), [*assigned.denied, *numbers.denied]
    if s.node is not None:
        if only_asks(s, said, sure_values(s, numbers.recognised)):
            stray = [fill for fill in fills if not fill.found.is_asked and s.value(fill.what) != fill.found.value]
            denied = []
        else:
            stray = find_unmeant(s, said, assigned, words, own, is_reply=is_reply)
    taken = [fill for fill in fills if fill not in stray] if stray else list(fills)
    if sure := (*numbers.fills, *moved.fills):
        surely = {id(fill.found.node) for fill in sure}
        taken = [*(fill for fill in taken if id(fill.found.node) not in surely), *sure]
    replaced = (*assigned.replaced, *numbers.fills)
    if denied:
        filled, turned_down = {id(fill.found.node) for fill in taken}, {id(slot.node) for slot in numbers.denied}
        denied = list({id(slot.node): slot for slot in denied if id(slot.node) not in filled}.values())
        replaced += tuple(fill for fill in taken if id(fill.found.node) in turned_down)
    replaced = tuple(fill for fill in taken if fill in replaced) if replaced else ()
    return Values(numbers.recognised, numbers, Assigned(tuple(taken), tuple(denied), replaced), stray=tuple(stray))


def _inside(recognised: dict[str, list[Candidate]], spans: Sequence[Spanned]) -> list[Candidate]:
    """Return the values that stand in parts of the text."""
    read = (one for found in recognised.values() for one in found)
    return [one for one in read if any(one.start < span.end and span.start < one.end for span in spans)]
