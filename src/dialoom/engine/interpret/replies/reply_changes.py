"""What the values and names of a reply to a confirmation change (flow-language.md section 5, rule 4, c and d)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.replies.asides import hours_left_open
from dialoom.engine.interpret.replies.yes_no import Reply
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import Slot
from dialoom.engine.interpret.values.assign import Assigned
from dialoom.engine.interpret.values.bare_numbers import BareNumbers


class Changes(msgspec.Struct, frozen=True):
    fills: tuple[Fill, ...]
    """Values that differ from the stored ones."""
    denied: tuple[Slot, ...]
    """Questions whose value is turned down, and those that a change leaves open."""


def reply_changes(
    s: Situation,
    said: Said,
    reply: Reply,
    slots: Sequence[Slot],
    assigned: Assigned,
    numbers: BareNumbers,
    *,
    has_other_values: bool,
) -> Changes:
    """Return what a reply changes. ``slots``: all questions but the open one. ``has_other_values``: whether it holds
    values that no question takes."""
    filled = [fill for fill in assigned.fills if _is_new(s, fill)]
    denied = list(assigned.denied)
    if s.is_strict:
        denied += [slot for slot in hours_left_open(s, said, filled, slots) if slot not in denied]
    # In "the Volvo, not the Audi" the no is not about the value that it begins with.
    denies_values = reply.denies_values and not has_other_values
    if reply.refuses or denies_values:
        said_again = [fill.found.node for fill in assigned.fills if fill not in filled]
        denied += [slot for slot in slots if slot.node in said_again]
        filled = [] if denies_values else filled
    return Changes(tuple(filled), tuple(denied))


def _is_new(s: Situation, fill: Fill) -> bool:
    return bool(fill.found.is_ambiguous or s.value(fill.what) != fill.found.value)
