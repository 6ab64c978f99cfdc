"""The trace of a turn: how a message was understood, which steps were visited and with what outcome, which values
changed, which calls were made, which texts were sent.

``turn(..., is_traced=True)`` makes one. A ``TraceWriter`` hangs on the running turn and on its memory; whatever happens
there is written down where it happens, in order. Without one each of these places is a look at None. A turn that waits
for a call is run again from its start, so that the last run holds the whole trace and nothing of it is kept between.
Values are as memory has them: whoever shows or keeps a trace masks it first (``service.bots.masked_trace``).
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dialoom.engine.effects import Request
from dialoom.engine.events import Fetched

Meant = Literal[
    "value",
    "conversation",
    "answer",
    "restart",
    "back",
    "stop",
    "skip",
    "page",
    "ask-again",
    "which-question",
    "decline",
    "offer",
    "own-question",
    "old-options",
    "after-login",
    "silent",
    "nothing",
]
"""What a message came to. ``which-question``: it fits several questions; ``decline``: no to a suggested value;
``offer``: nothing for sure, and the likeliest wishes are offered; ``own-question``: the reply to a question that the
service asks by itself; ``old-options``: a tap on options of an earlier question; ``after-login``: it only shows that
the user is back; ``silent``: the bot says nothing now."""

StepOutcome = Literal[
    "asked",
    "ran",
    "failed",
    "has-value",
    "left-empty",
    "has-run",
    "condition-false",
    "login-needed",
    "held-back",
]
"""What the walk did at a step. ``left-empty``: the user skipped the optional question; ``has-run``: it ran earlier;
``held-back``: a question on the way to what the message names, or a failed step that the message does not try again."""


def path_of(step: str) -> str:
    """Return where a step, ``conversation/index`` or a conversation's key, stands in ``flow.json``; "" for none."""
    if not step:
        return ""
    conversation, _, index = step.rpartition("/")
    return f"conversations/{conversation}/steps/{index}" if conversation else f"conversations/{step}"


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a part of the text may mean: ``text[start:end]`` of the message, in code points."""

    type: str
    value: Any
    confidence: float
    start: int
    end: int
    text: str
    taken_by: str = ""
    """The step of the question that took it, or the conversation that it names; "" where nothing did."""
    entity: str | None = None
    """Of the question that took it."""
    lost: tuple[Reading, ...] = ()
    """What else the same part of the text may mean; of a wish the next likeliest ones."""


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """What a message was not taken for, although it was proposed."""

    kind: str
    """As in ``interpret.proposals``: fill, deny, start ..."""
    what: str
    """The entity, conversation or value."""
    by: str
    """Who proposed it."""


class Understood(msgspec.Struct, frozen=True, kw_only=True, tag="understood"):
    """What the user's message was taken for. A yes to "did you mean ..." has two: the yes, and the message that it
    confirms."""

    meant: Meant
    text: str | None = None
    question: str = ""
    """The step that asked the open question; "" with none open."""
    entity: str | None = None
    """Of that question."""
    taken: tuple[Reading, ...] = ()
    unused: tuple[Reading, ...] = ()
    """Readings that nothing took, and that no other reading of the same part kept out."""
    offered: tuple[Reading, ...] = ()
    """The wishes that the user is asked about: "did you mean ..."."""
    reopened: tuple[str, ...] = ()
    """Steps of the questions that the message wants asked again."""
    row: str = ""
    """The row of the decision table that the message was taken by; "" where nobody had to decide."""
    refused: tuple[Refused, ...] = ()


class Visited(msgspec.Struct, frozen=True, kw_only=True, tag="visited"):
    """A step that the walk came to. What it changed, called and sent follows it, up to the next ``Visited``."""

    step: str
    outcome: StepOutcome
    condition: int | None = None
    """Index of the first condition that is false."""
    condition_text: str = ""
    reason: str = ""
    """Of a failure, for the flow's author; without values of memory."""

    @property
    def path(self) -> str:
        """Return where the step stands in ``flow.json``, with its false condition if it has one; "" where nothing that
        stands there failed."""
        path = path_of(self.step)
        return path if self.condition is None else f"{path}/conditions/{self.condition}"


class Changed(msgspec.Struct, frozen=True, kw_only=True, tag="changed"):
    """An entity or a key of the context that got another value. None: it has none."""

    name: str
    before: Any
    after: Any
    step: str = ""
    """The step that did it; "" for the message, the event's context or the end of a conversation."""


class Called(msgspec.Struct, frozen=True, kw_only=True, tag="called"):
    """An outside call that a step made. Without method and address: a login was renewed."""

    step: str
    method: str = ""
    url: str = ""
    status: int | None = None
    """None without an answer."""
    failure: str = ""
    """Why there was no answer."""
    milliseconds: int | None = None
    """What it took; None where nobody measured it."""


class Sent(msgspec.Struct, frozen=True, kw_only=True, tag="sent"):
    """A text of the bot."""

    text: str
    step: str
    """``conversation/index`` of the step that says it; the conversation key alone for system texts."""


Entry = Understood | Visited | Changed | Called | Sent


class Trace(msgspec.Struct, frozen=True):
    entries: tuple[Entry, ...]
    """In the order in which they happened."""


class TraceWriter:
    """Writes the trace of one run of a turn."""

    __slots__ = ("_entries", "_start", "_step")

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._step = ""
        """The step that is being visited; "" between two."""
        self._start = 0
        """How many entries there were when the visit began."""

    def trace(self) -> Trace:
        return Trace(tuple(self._entries))

    def understand(self, understood: Understood) -> None:
        """Write down what the message was taken for, before all texts: a page is known by having been sent."""
        texts = (index for index, entry in enumerate(self._entries) if isinstance(entry, Sent))
        self._entries.insert(next(texts, len(self._entries)), understood)

    def visit(self, step: str) -> None:
        """Begin the visit of a step; ``leave`` tells what came of it."""
        self._step, self._start = step, len(self._entries)

    def leave(
        self, outcome: StepOutcome, *, condition: int | None = None, condition_text: str = "", reason: str = ""
    ) -> None:
        """End the visit of the step; its entry goes before what was written during the visit."""
        visited = Visited(
            step=self._step, outcome=outcome, condition=condition, condition_text=condition_text, reason=reason
        )
        self._entries.insert(self._start, visited)
        self._step = ""

    def fail(self, step: str, reason: str) -> None:
        """Write down a failure: of the step that is visited, or of one at which a value of the message was checked."""
        if not self._step:
            self.visit(step)
        self.leave("failed", reason=reason)

    def change(self, name: str, before: Any, after: Any) -> None:
        if before is after or (type(before) is type(after) and before == after):
            return
        self._entries.append(Changed(name=name, before=before, after=after, step=self._step))

    def call(self, step: str, request: Request | None, fetched: Fetched) -> None:
        """Write down a call and what came of it. ``request``: None for the renewal of a login."""
        response, failure = fetched.response, fetched.failure
        no_answer = "no answer" if failure is None else failure.detail
        self._entries.append(
            Called(
                step=step,
                method="" if request is None else request.method,
                url="" if request is None else request.url,
                status=None if response is None else response.status,
                failure=no_answer if response is None else "",
                milliseconds=fetched.milliseconds,
            )
        )

    def send(self, text: str, step: str) -> None:
        self._entries.append(Sent(text=text, step=step))
