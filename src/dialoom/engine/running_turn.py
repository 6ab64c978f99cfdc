"""A turn while it runs: its state, what it has sent, and the limits on what it may use.

Collects effects and counts limits, and makes the next state; what to do is decided by the modules above it.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgspec

from dialoom.engine.compiled import NO_MEMORY, AskingNode, CompiledConversation, Flow, Texts, asks
from dialoom.engine.effects import Send
from dialoom.engine.events import Event, Fetched
from dialoom.engine.memory import Memory
from dialoom.engine.record import Record
from dialoom.engine.state import Ask, Choice, Failures, Frame, OwnQuestion, State, SuggestionPages
from dialoom.engine.trace import TraceWriter
from dialoom.errors import TemplateError
from dialoom.messages import BotMessage
from dialoom.template import Scope

NEWLINE = "</newline>"
_MASK = (1 << 64) - 1


class SeededChoice:
    """The choices of one turn: splitmix64 from the event's seed, so that a replay chooses alike.

    A hundred times cheaper to begin than the standard generator, whose start fills 2.5 kB of state for one number.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def pick(self, count: int) -> int:
        """Return a number from 0 up to, not including, ``count``."""
        self._state = mixed = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) % count


class Outcome(Enum):
    ON = "on"
    """On to the next step."""
    AGAIN = "again"
    """A value changed: the walk starts over."""
    WAIT = "wait"
    """The turn ends here."""
    LEFT = "left"
    """Another conversation runs now, or none."""


class FlowBroken(Exception):
    """A step failed. ``reason`` is a sentence for the flow's author and holds no values of memory.

    ``is_endless``: a limit against flows that never end was hit; the flow is stopped (``opening.stop``), since the next
    message would only run into it again.
    """

    def __init__(self, step: str, reason: str, *, is_endless: bool = False) -> None:
        super().__init__(reason)
        self.step = step
        self.reason = reason
        self.is_endless = is_endless


class ActsOnGuess(Exception):
    """The walk came to a step that acts, in a conversation that was only guessed at: the turn asks first."""


class Interrupted(BaseException):
    """Raised into a running turn from outside, by a signal handler (``service.chat.turn_limit``), at any place in the
    code.

    No ``Exception``, so that nothing on the way takes it for a failure of its own. ``turn`` notes in it which step the
    walk had come to ("" before the first) and lets it through; ``stop`` gives what becomes of the event.
    """

    step = ""


MAX_ACTING_STEPS = 100
"""Steps of one turn that send, ask, call or command (flow-language.md section 5, rule 10)."""
MAX_VISITED_STEPS = 10_000


class OpenConversation(msgspec.Struct, eq=False):
    """An open conversation while a turn runs; ``state.Frame``, whose words these are, is what is kept of it."""

    script: CompiledConversation
    ran: set[int] = set()
    recheck: set[int] = set()
    reoffer: set[int] = set()
    inherited: set[str] = set()
    reviewed: int = -1
    declined: set[int] = set()
    unsure: dict[int, list[Any]] = {}
    given: set[str] = set()
    answered: list[int] = []

    def take(self, entity: str, index: int, *, is_new: bool) -> None:
        """Note that the user gave the entity a value here, for BACK in order. ``is_new``: it had none, so that it is
        this conversation's own."""
        if is_new:
            self.given.add(entity)
        if index in self.answered:
            self.answered.remove(index)
        self.answered.append(index)

    def frame(self) -> Frame:
        return Frame(
            self.script.key,
            tuple(sorted(self.ran)) if self.ran else (),
            tuple(sorted(self.recheck)) if self.recheck else (),
            tuple(sorted(self.reoffer)) if self.reoffer else (),
            tuple(sorted(self.inherited)) if self.inherited else (),
            self.reviewed,
            tuple(sorted(self.declined)) if self.declined else (),
            tuple(sorted(self.unsure.items(), key=lambda item: item[0])) if self.unsure else (),
            tuple(sorted(self.given)) if self.given else (),
            tuple(self.answered),
        )


def resume(script: CompiledConversation, frame: Frame) -> OpenConversation:
    return OpenConversation(
        script,
        set(frame.ran),
        set(frame.recheck),
        set(frame.reoffer),
        set(frame.inherited),
        frame.reviewed,
        set(frame.declined),
        dict(frame.unsure),
        set(frame.given),
        list(frame.answered),
    )


class Stack(list[OpenConversation]):
    """The open conversations, the running one last, and what is asked in it. The walk and ``conversations`` change
    it."""

    __slots__ = ("ask", "asks", "before", "flow", "misses", "named", "old_value", "touched")

    def __init__(self, flow: Flow, state: State) -> None:
        super().__init__()
        self.flow = flow
        for frame in state.stack:
            script = flow.scripts.get(frame.key)
            if script is not None:  # else the flow was changed under a conversation whose version is gone
                self.append(resume(script, frame))
        self.ask: Ask | None = state.ask if len(self) == len(state.stack) else None
        """The open question. The walk takes it away and puts it back when it asks again."""
        self.before: tuple[str, Ask] | None = (self[-1].script.key, self.ask) if self.ask and self else None
        """What was open when the turn began; its options serve again while nothing they depend on changes."""
        self.asks, self.misses = state.asks, state.misses
        self.named: CompiledConversation | None = None
        """What the first message of a session names, while ``welcome`` and the rest of that turn run."""
        self.old_value: tuple[int, Any] | None = None
        """The question that the user went back to and its value, which is the first of its options."""
        self.touched: set[str] = set()
        """Entities that got or lost a value in this turn."""

    @property
    def running(self) -> OpenConversation | None:
        return self[-1] if self else None

    @property
    def goal(self) -> OpenConversation | None:
        """Return the open goal, the topmost one; None if there is none."""
        for conversation in reversed(self):
            if conversation.script.is_goal:
                return conversation
        return None

    def find(self, key: str) -> OpenConversation | None:
        for conversation in self:
            if conversation.script.key == key:
                return conversation
        return None

    def open_node(self) -> AskingNode | None:
        """Return the step that asked the open question; None if there is none."""
        ask = self.ask
        nodes = self[-1].script.nodes if self and ask is not None else ()
        if ask is None or not 0 <= ask.node < len(nodes):
            return None
        node = nodes[ask.node]
        return node if asks(node) else None

    def name_goal(self, memory: Memory) -> None:
        """Bring ``conversation`` of memory up to date with what is open."""
        goal = self.goal
        memory.name_conversation(self.named if goal is None else goal.script)


class Output(msgspec.Struct, eq=False, gc=False):
    """What the bot says, and what stands under its last message: suggestions, or a question of the service itself."""

    memory: Memory
    record: Record
    trace: TraceWriter | None
    chance: SeededChoice
    suggested: tuple[Choice, ...]
    """The replies of a message that nothing was said after."""
    suggestion_pages: SuggestionPages | None
    """Their pages, which what the same turn says leaves."""
    old_pages: SuggestionPages | None
    own: OwnQuestion | None
    is_after_own_question: bool = False
    """The message comes after a question of the service itself: what was meant is not asked about twice in a row."""

    def render(self, texts: Texts, step: str, scope: Scope | None = None) -> list[str]:
        """Render one alternative as the messages that it becomes: untrimmed, the blank ones left out. ``scope``: what
        the texts see in place of the memory."""
        if not texts:
            return []
        messages: list[str] = []
        try:
            for template in texts[self.chance.pick(len(texts)) if len(texts) > 1 else 0]:
                text = template.text(NO_MEMORY if template.is_constant else scope or self.memory.scope())
                parts = text.split(NEWLINE) if NEWLINE in text else (text,)
                messages += [part for part in parts if part and not part.isspace()]
        except TemplateError as error:
            raise FlowBroken(step, str(error)) from error
        return messages

    def say(self, texts: Texts, step: str, scope: Scope | None = None) -> None:
        """Render and send texts."""
        for text in self.render(texts, step, scope):
            self.send(BotMessage(text), step)

    def send(self, message: BotMessage, step: str, *, is_page: bool = False, person: str | None = None) -> None:
        self.record.effects.append(Send(message, step, is_page, person))
        self.record.is_open = True
        if self.trace is not None:
            self.trace.send(message.text, step)
        self.suggested = ()
        if self.suggestion_pages is self.old_pages:
            self.suggestion_pages = None
        self.own = None  # what is said now comes after it


class Calls(msgspec.Struct, eq=False, gc=False):
    """Outside calls of the turn: what they are made of, what came of them."""

    flow: Flow
    event: Event
    memory: Memory
    results: dict[str, Fetched]
    """Answers that are known already, by key."""
    trace: TraceWriter | None
    failures: Failures | None
    counts: dict[str, int] = {}
    """Calls of each step."""
    labels: dict[str, list[str]] = {}
    """What the image labeller named in this turn, by the image's address."""


class Limits:
    """How much of what one turn may do it has done."""

    __slots__ = ("acts", "trace", "visited", "visits")

    def __init__(self, trace: TraceWriter | None) -> None:
        self.trace = trace
        self.acts = self.visits = 0
        self.visited = ""
        """The step that the walk has come to; "" before the first."""

    def act(self, step: str) -> None:
        self.acts += 1
        if self.acts > MAX_ACTING_STEPS:
            raise _endless(step, f"{MAX_ACTING_STEPS} steps acted")

    def visit(self, step: str) -> None:
        self.visited = step
        if self.trace is not None:
            self.trace.visit(step)
        self.visits += 1
        if self.visits > MAX_VISITED_STEPS:
            raise _endless(step, f"{MAX_VISITED_STEPS} steps were visited")


def _endless(step: str, too_much: str) -> FlowBroken:
    reason = f"More than {too_much} in one turn: the flow does not come to an end here."
    return FlowBroken(step, reason, is_endless=True)


class WalkRules(msgspec.Struct, eq=False, gc=False):
    """What the walk leaves out in this turn, as the message wants it."""

    is_passing_by: bool = False
    """The message names what comes next: nothing is asked on the way there."""
    is_guess: bool = False
    """What runs is a guess."""
    is_held_back: bool = False
    """Following a guess came to a step that acts, and the turn runs again to ask first."""
    is_not_retried: bool = False
    """The step that failed last is not tried again in this turn: the message asks for something else."""


class Session(msgspec.Struct, eq=False, gc=False):
    now: int
    over_at: int
    is_welcomed: bool
    silent_until: int
    has_stayed: bool = False
    """The user was active, so that the session goes on."""

    @property
    def is_silent(self) -> bool:
        """Return whether a person has the chat now, or the bot was told to say nothing."""
        return self.silent_until > self.now


class LoginProgress(msgspec.Struct, eq=False, gc=False):
    is_awaited: bool
    is_unsaid: bool
    over_at: int
    is_passed_over: bool = False
    """The message only shows that the user is back after a login: it is not understood, unless it names a goal."""
    has_refreshed: bool = False
    """The login was to be renewed in this turn, well or ill."""


class RunningTurn:
    """``trace``: None where none is asked for."""

    __slots__ = (
        "calls",
        "event",
        "flow",
        "limits",
        "login",
        "memory",
        "output",
        "record",
        "rules",
        "session",
        "stack",
        "state",
        "trace",
    )

    def __init__(
        self, flow: Flow, state: State, event: Event, results: dict[str, Fetched], trace: TraceWriter | None = None
    ) -> None:
        self.flow, self.state, self.event, self.trace = flow, state, event, trace
        self.memory = memory = Memory(flow, state, event.profile, event.now, trace)
        self.stack = Stack(flow, state)
        self.record = Record(memory, state.has_record, state.has_had_goal, state.next_wishes)
        pages, own = state.suggestion_pages, state.own if len(self.stack) == len(state.stack) else None
        chance = SeededChoice(event.seed)
        self.output = Output(memory, self.record, trace, chance, state.suggested, pages, pages, own)
        self.calls = Calls(flow, event, memory, results, trace, state.failures)
        self.limits = Limits(trace)
        self.rules = WalkRules()
        self.session = Session(event.now, state.over_at, state.is_welcomed, state.silent_until)
        self.login = LoginProgress(state.is_login_awaited, state.is_login_unsaid, state.login_over_at)

    def next_state(self) -> State:
        old, memory, stack, record, output = self.state, self.memory, self.stack, self.record, self.output
        session, login = self.session, self.login
        frames = tuple([conversation.frame() for conversation in stack])
        return State(
            entities=memory.entities,
            kinds=memory.kinds,
            context=memory.context,
            past=memory.past,
            stack=old.stack if frames == old.stack else frames,
            ask=stack.ask,
            asks=stack.asks,
            suggested=output.suggested if stack.ask is None else (),
            over_at=session.over_at,
            login_over_at=login.over_at,
            is_welcomed=session.is_welcomed,
            silent_until=session.silent_until,
            is_login_awaited=login.is_awaited and bool(frames),
            is_login_unsaid=login.is_unsaid,
            has_record=record.is_open,
            has_had_goal=record.has_had_goal,
            own=output.own,
            misses=stack.misses if stack.ask is not None or not frames else 0,
            failures=self.calls.failures if frames else None,
            suggestion_pages=output.suggestion_pages,
            next_wishes=record.next_wishes if frames else (),
        )
