"""The last stage: what a message means, as one value that ``respond`` acts on; and how it is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from dialoom.engine.interpret.proposals import Fill, Proposal
from dialoom.engine.interpret.slots import Slot
from dialoom.engine.state import Choice, Wish
from dialoom.engine.values.reactions import Found
from dialoom.understanding import Candidate


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """What a message means for the bot. At most one of ``named`` and ``answer`` is there."""

    found: tuple[Found, ...] = ()
    named: str | None = None
    """The conversation that it asks for."""
    answer: tuple[str, str] | None = None
    """The QnA type and value that it asks for."""
    later: str | None = None
    """The conversation that a text names although it answers the open question."""
    again: Choice | None = None
    """The value of an entities-confirmation that is to be asked for again."""
    declines: bool = False
    """True if the message says no to the past value that was suggested."""
    reopened: tuple[Slot, ...] = ()
    """Questions that are to be asked again: named as wrong, or with their value denied."""
    which: tuple[Slot, ...] = ()
    """The questions that a name or a number fits equally."""
    which_value: str = ""
    """The number, for the one that is meant."""
    change: Fill | None = None
    """The answer that a text may correct, which is asked; a no takes the text as the answer to the open question."""
    is_no_yes: bool = False
    """A reply to a confirmation that is neither a plain yes nor a plain no, and says nothing else."""
    passes: bool = False
    """True if the message leaves the open optional question without a value."""
    command: Literal["", "back", "stop"] = ""
    confidence: float = 1.0
    """How sure ``named`` is."""
    offered: tuple[Wish, ...] = ()
    """The likeliest conversations or answers to offer, where nothing was understood."""
    understanding: dict[str, Any] = {}
    """What the record keeps of it."""
    next_wish: tuple[str, str] | None = None
    """Another goal that is wished for beside the answer, and the words for it; it starts when the open one has
    ended."""
    row: str = ""
    """The name of the row that decided (``decision``)."""
    refused: tuple[Proposal, ...] = ()
    """What else was proposed, where a trace is asked for."""


NOTHING = Meaning()


def found_of(fills: Iterable[Fill]) -> tuple[Found, ...]:
    return tuple(fill.found for fill in fills)


def whole(type: str, text: str, value: Any) -> dict[str, Any]:
    """Return the record of a text that is one value as a whole."""
    return {type: [{"value": value, "confidence": 1.0, "start": 0, "end": len(text), "text": text}]}


def shown(recognised: Mapping[str, list[Candidate]]) -> dict[str, Any]:
    """Return the record of what was recognised."""
    return {
        type: [
            {"value": one.value, "confidence": one.confidence, "start": one.start, "end": one.end, "text": one.text}
            for one in candidates
        ]
        for type, candidates in recognised.items()
        if candidates
    }
