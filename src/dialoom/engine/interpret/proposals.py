"""The second stage: what a message may mean, as values of one closed set of kinds (understanding.md, "From a message to
its meaning"). Proposers make them and know nothing of each other; ``decision`` chooses among them.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from dialoom.engine.interpret.slots import Slot, Stretch
from dialoom.engine.state import Choice
from dialoom.engine.values.reactions import Found

Kind = Literal[
    "choose", "fill", "deny", "ask-again", "yes", "no", "start", "answer", "back", "stop", "skip", "page", "restart"
]


class _Proposal(msgspec.Struct, frozen=True, kw_only=True):
    kind: ClassVar[Kind]

    by: str
    """The proposer."""
    spans: tuple[Stretch, ...] = ()
    """The parts of the text that say it; empty where the whole text does."""
    confidence: float = 1.0

    @property
    def what(self) -> str:
        """Return what it is about, for people: an entity, a conversation, a value."""
        return ""


class Choose(_Proposal, frozen=True, kw_only=True):
    """Options of the open question."""

    kind = "choose"
    choices: tuple[Choice, ...]

    @property
    def what(self) -> str:
        return ", ".join(choice.title for choice in self.choices)


class Fill(_Proposal, frozen=True, kw_only=True):
    """A value for a question."""

    kind = "fill"
    found: Found

    @property
    def what(self) -> str:
        return self.found.node.step.entity


class Deny(_Proposal, frozen=True, kw_only=True):
    """The stored value of a question is not wanted."""

    kind = "deny"
    slot: Slot

    @property
    def what(self) -> str:
        return self.slot.entity


class AskAgain(_Proposal, frozen=True, kw_only=True):
    """A question is named as wrong; ``slots``: those that the name fits equally."""

    kind = "ask-again"
    slots: tuple[Slot, ...]

    @property
    def what(self) -> str:
        return ", ".join(slot.entity for slot in self.slots)


class Yes(_Proposal, frozen=True, kw_only=True):
    kind = "yes"


class No(_Proposal, frozen=True, kw_only=True):
    kind = "no"


class Start(_Proposal, frozen=True, kw_only=True):
    """A conversation, with the values that the message tells for its questions."""

    kind = "start"
    key: str
    fills: tuple[Fill, ...] = ()

    @property
    def what(self) -> str:
        return self.key


class Answer(_Proposal, frozen=True, kw_only=True):
    """A QnA answer."""

    kind = "answer"
    type: str
    value: str

    @property
    def what(self) -> str:
        return self.value


class Back(_Proposal, frozen=True, kw_only=True):
    kind = "back"


class Stop(_Proposal, frozen=True, kw_only=True):
    kind = "stop"


class Skip(_Proposal, frozen=True, kw_only=True):
    kind = "skip"


Proposal = Choose | Fill | Deny | AskAgain | Yes | No | Start | Answer | Back | Stop | Skip
