"""Lays the steps of conversations that run in place out as one list, so that a walk is a loop over an index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom.engine.compiled import InPlace, Place

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_NESTED_CONVERSATIONS = 10
"""Conversations inside each other (flow-language.md section 5, rule 10)."""
MAX_STEPS = 10_000
"""As many as a turn may visit; what lies beyond could never be reached in one turn anyway."""


def lay_out(key: str, steps: Mapping[str, tuple[Place, ...]]) -> tuple[Place, ...]:
    """The places of a conversation. Where nesting goes too deep stands a place that stops the flow."""
    places: list[Place | None] = []
    _lay(steps, key, 0, places, False)
    return tuple(place for place in places if place is not None)


def _lay(
    steps: Mapping[str, tuple[Place, ...]], key: str, depth: int, places: list[Place | None], is_protected: bool
) -> None:
    for step in steps.get(key, ()):
        index = len(places)
        if index >= MAX_STEPS:
            places.append(_too_deep(step, index))
            return
        inner = step.step
        is_guarded = is_protected or step.is_protected
        if not isinstance(inner, InPlace):
            places.append(msgspec.structs.replace(step, index=index, after=index + 1, is_protected=is_guarded))
            continue
        places.append(None)
        if depth == MAX_NESTED_CONVERSATIONS:
            places.append(_too_deep(step, index + 1))
        else:
            _lay(steps, inner.conversation, depth + 1, places, is_guarded)
        places[index] = msgspec.structs.replace(step, index=index, after=len(places))


def _too_deep(step: Place, index: int) -> Place:
    return Place(index=index, after=index + 1, path=step.path, kind="too-deep", step=None)
