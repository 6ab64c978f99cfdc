"""A turn while it runs: its state, what it has sent, and the limits on what it may use.

Collects effects and counts limits, and makes the next state; what to do is decided by the modules above it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from dialoom.engine.compiled import NO_MEMORY, AskingNode, CompiledConversation, Flow, Texts, asks
from dialoom.engine.effects import (
    Effect,
    Ended,
    Failed,
    Fetch,
    GoalStarted,
    HandOver,
    Heard,
    LogIn,
    LogOut,
    Refresh,
    Send,
)
from dialoom.engine.events import Event, Fetched
from dialoom.engine.memory import Memory
from dialoom.engine.state import Ask, Frame, State
from dialoom.engine.trace import TraceWriter
from dialoom.errors import TemplateError
from dialoom.messages import BotMessage
from dialoom.messages.records import Status
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
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) % count


def rendered(texts: Texts, memory: Memory, chance: SeededChoice, scope: Scope | None = None) -> list[str]:
    """Render one alternative as the messages that it becomes: untrimmed, the blank ones left out."""
    if not texts:
        return []
    messages = []
    for template in texts[chance.pick(len(texts)) if len(texts) > 1 else 0]:
        text = template.text(NO_MEMORY if template.is_constant else scope or memory.scope())
        if NEWLINE in text:
            messages += [part for part in text.split(NEWLINE) if not is_blank(part)]
        elif not is_blank(text):
            messages.append(text)
    return messages


def is_blank(text: str) -> bool:
    return not text or text.isspace()


class Outcome(Enum):
    ON = "on"
    """On to the next step."""
    AGAIN = "again"
    """A value changed: the walk starts over."""
    WAIT = "wait"
    """The turn ends here."""
    LEFT = "left"
    """Another conversation runs now, or none."""


class WaitingForCall(Exception):
    """The turn needs what comes of an effect, and is run again from its start when that is there."""

    def __init__(self, wanted: Fetch | Refresh) -> None:
        super().__init__(wanted.key)
        self.wanted = wanted


class FlowBroken(Exception):
    """A step failed. ``reason`` is a sentence for the flow's author and holds no values of memory.

    ``is_endless``: a limit against flows that never end was hit; the flow is stopped (``stack.stop``), since the next
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


class OpenConversation:
    """An open conversation while a turn runs; ``state.Frame`` is what is kept of it."""

    __slots__ = (
        "answered",
        "declined",
        "given",
        "inherited",
        "ran",
        "recheck",
        "reoffer",
        "reviewed",
        "script",
        "unsure",
    )

    def __init__(self, script: CompiledConversation, frame: Frame | None = None, inherited: Iterable[str] = ()) -> None:
        self.script = script
        self.ran = set(frame.ran) if frame is not None else set[int]()
        self.recheck = set(frame.recheck) if frame is not None else set[int]()
        self.reoffer = set(frame.reoffer) if frame is not None else set[int]()
        self.inherited = set(inherited if frame is None else frame.inherited)
        self.reviewed = -1 if frame is None else frame.reviewed
        self.declined = set(frame.declined) if frame is not None else set[int]()
        self.given = set(frame.given) if frame is not None else set[str]()
        self.unsure: dict[int, list[Any]] = dict(frame.unsure) if frame is not None else {}
        self.answered = list(frame.answered) if frame is not None else list[int]()

    def take(self, entity: str, *, is_new: bool) -> None:
        """Note that the user gave the entity a value here; ``is_new``: it had none, so that it is this conversation's
        own."""
        if is_new:
            self.given.add(entity)

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


class RunningTurn:
    """``results``: answers to outside calls that are known already, by key. ``trace``: None where none is asked for."""

    __slots__ = (
        "acts",
        "ask",
        "asks",
        "before",
        "calls",
        "chance",
        "effects",
        "ending",
        "event",
        "failures",
        "first",
        "flow",
        "has_had_goal",
        "has_left_goal",
        "has_record",
        "has_refreshed",
        "has_sent",
        "has_stayed",
        "heard",
        "is_after_own_question",
        "is_guess",
        "is_held_back",
        "is_login_awaited",
        "is_login_unsaid",
        "is_not_retried",
        "is_passed_over",
        "is_passing_by",
        "is_welcomed",
        "labels",
        "login_over_at",
        "memory",
        "misses",
        "named",
        "next_wishes",
        "old_value",
        "over_at",
        "own",
        "results",
        "silent_until",
        "stack",
        "state",
        "suggested",
        "suggestion_pages",
        "touched",
        "trace",
        "visited",
        "visits",
    )
    # Beyond thirty attributes the dictionaries of instances share no keys any more: that costs 8 µs a turn.

    def __init__(
        self,
        flow: Flow,
        state: State,
        event: Event,
        results: dict[str, Fetched],
        trace: TraceWriter | None = None,
    ) -> None:
        self.flow, self.state, self.event = flow, state, event
        self.results, self.trace = results, trace
        self.memory = Memory(flow, state, event.profile, event.now, trace)
        self.chance = SeededChoice(event.seed)
        self.stack: list[OpenConversation] = []
        for frame in state.stack:
            script = flow.scripts.get(frame.key)
            if script is not None:  # else the flow was changed under a conversation whose version is gone
                self.stack.append(OpenConversation(script, frame))
        self.ask: Ask | None = state.ask if len(self.stack) == len(state.stack) else None
        """The open question. The walk takes it away and puts it back when it asks again."""
        self.before: tuple[str, Ask] | None = (self.stack[-1].script.key, self.ask) if self.ask and self.stack else None
        """What was open when the turn began; its options serve again while nothing they depend on changes."""
        self.asks = state.asks
        self.suggested, self.suggestion_pages = state.suggested, state.suggestion_pages
        """The replies of a message that nothing was said after; their pages, which what the same turn says leaves."""
        self.over_at, self.is_welcomed, self.silent_until = state.over_at, state.is_welcomed, state.silent_until
        self.is_login_awaited, self.is_login_unsaid, self.login_over_at = (
            state.is_login_awaited,
            state.is_login_unsaid,
            state.login_over_at,
        )
        self.has_record, self.has_had_goal = state.has_record, state.has_had_goal
        self.first: list[Effect] = []
        """What belongs to the record before this message's: the end of a session that timed out."""
        self.heard: Heard | None = None
        self.effects: list[Effect] = []
        self.has_sent = self.has_stayed = False
        """The user was active, so that the session goes on."""
        self.ending: Ended | None = None
        """The record ends with this at the end of the turn, or before another goal starts."""
        self.named: str | None = None
        """What the first message of a session names, while ``welcome`` and the rest of that turn run."""
        self.has_left_goal = False
        """A ``go-to`` of this turn left the last goal."""
        self.is_passing_by = False
        """The message names what comes next: nothing is asked on the way there."""
        self.is_passed_over = False
        """The message only shows that the user is back after a login: it is not understood, unless it names a goal."""
        self.own = state.own if len(self.stack) == len(state.stack) else None
        """The question of the service itself that is open."""
        self.misses, self.failures, self.next_wishes = state.misses, state.failures, state.next_wishes
        # The step that failed last is not tried again in this turn: the message asks for something else. Following a
        # guess came to a step that acts, and the turn runs again to ask first. What runs is a guess. The message comes
        # after a question of the service itself: what was meant is not asked about twice in a row.
        self.is_not_retried = self.is_held_back = self.is_guess = self.is_after_own_question = False
        self.old_value: tuple[int, Any] | None = None
        """The question that the user went back to and its value, which is the first of its options."""
        self.has_refreshed = False
        """The login was to be renewed in this turn, well or ill."""
        self.touched: set[str] = set()
        """Entities that got or lost a value in this turn."""
        self.visited = ""
        """The step that the walk has come to; "" before the first."""
        self.acts = self.visits = 0
        self.calls: dict[str, int] = {}
        self.labels: dict[str, list[str]] = {}
        """What the image labeller named in this turn, by the image's address."""

    # -- what is open

    @property
    def running(self) -> OpenConversation | None:
        return self.stack[-1] if self.stack else None

    @property
    def goal(self) -> OpenConversation | None:
        """Return the open goal, the topmost one; None if there is none."""
        for conversation in reversed(self.stack):
            if conversation.script.is_goal:
                return conversation
        return None

    def open_node(self) -> AskingNode | None:
        """Return the step that asked the open question; None if there is none."""
        running, ask = self.running, self.ask
        if running is None or ask is None or not 0 <= ask.node < len(running.script.nodes):
            return None
        node = running.script.nodes[ask.node]
        return node if asks(node) else None

    def name_goal(self) -> None:
        """Bring ``conversation`` of memory up to date with what is open."""
        goal = self.goal
        script = goal.script if goal is not None else self.flow.scripts.get(self.named or "")
        if script is None:
            self.memory.name_conversation(None, None)
        else:
            self.memory.name_conversation(script.key, script.display_name)

    # -- what is said

    def render(self, texts: Texts, step: str, scope: Scope | None = None) -> list[str]:
        if not texts:
            return []
        try:
            return rendered(texts, self.memory, self.chance, scope)
        except TemplateError as error:
            raise FlowBroken(step, str(error)) from error

    def say(self, texts: Texts, step: str, scope: Scope | None = None) -> None:
        """Render and send texts. ``scope``: what the texts see in place of the memory."""
        for text in self.render(texts, step, scope):
            self.send(BotMessage(text), step)

    def send(self, message: BotMessage, step: str, *, is_page: bool = False, person: str | None = None) -> None:
        self.effects.append(Send(message, step, is_page, person))
        if self.trace is not None:
            self.trace.send(message.text, step)
        self.suggested = ()
        if self.suggestion_pages is self.state.suggestion_pages:
            self.suggestion_pages = None
        self.own = None  # what is said now comes after it
        self.has_sent = True
        self.has_record = True

    def hand_over(self, agent: str, step: str) -> None:
        self.effects.append(HandOver(agent, step))
        self.has_record = True

    def fail(self, broken: FlowBroken) -> None:
        """Stop the flow: record the error for the author, and send a text to the user."""
        self.effects.append(Failed(broken.step, broken.reason))
        self.has_record = True
        key = broken.step.partition("/")[0]
        try:
            texts = rendered(self.flow.failure_texts, self.memory, self.chance)
        except TemplateError:
            texts = [self.flow.system.general_failure[0]]
        for text in texts:
            self.send(BotMessage(text), key)

    # -- the record

    def start_goal(self, key: str) -> None:
        self.end_record_if_ending()
        self.next_wishes = tuple(one for one in self.next_wishes if one.key != key)
        self.effects.append(GoalStarted(key))
        self.has_record = self.has_had_goal = True

    def end_of_record(self, status: Status) -> Ended:
        return Ended(status, entities=dict(self.memory.entities), context=self.memory.context)

    def end_record(self, ended: Ended, effects: list[Effect] | None = None) -> None:
        self.ending = None
        if ended.status != "success":
            self.next_wishes = ()  # what was wished for beside it
        if self.has_record:
            (self.effects if effects is None else effects).append(ended)
        self.has_record = self.has_had_goal = False

    def leave_last_goal(self) -> None:
        """End the record of the last goal, which a ``go-to`` left: once a turn, or a flow that runs in circles would
        make dozens of records of one message. A goal that the turn only passes leaves what it said to the goal behind
        it."""
        if not self.has_left_goal:
            self.has_left_goal = True
            self.end_record(self.end_of_record("abandoned"))
            return
        ends = [index for index, effect in enumerate(self.effects) if isinstance(effect, Ended)]
        start = ends[-1] + 1 if ends else 0
        self.effects[start:] = [effect for effect in self.effects[start:] if not isinstance(effect, GoalStarted)]
        self.has_record = any(not isinstance(effect, LogIn | LogOut) for effect in self.effects[start:])
        self.has_had_goal = False

    def end_record_if_ending(self) -> None:
        if self.ending is not None:
            self.end_record(self.ending)

    # -- limits

    def act(self, step: str) -> None:
        self.acts += 1
        if self.acts > MAX_ACTING_STEPS:
            raise FlowBroken(
                step,
                f"More than {MAX_ACTING_STEPS} steps acted in one turn: the flow does not come to an end here.",
                is_endless=True,
            )

    def visit(self, step: str) -> None:
        self.visited = step
        if self.trace is not None:
            self.trace.visit(step)
        self.visits += 1
        if self.visits > MAX_VISITED_STEPS:
            raise FlowBroken(
                step,
                f"More than {MAX_VISITED_STEPS} steps were visited in one turn: the flow does not come to an end here.",
                is_endless=True,
            )

    # -- the outcome

    def next_state(self) -> State:
        memory, old = self.memory, self.state
        stack = tuple(conversation.frame() for conversation in self.stack)
        return State(
            entities=memory.entities,
            kinds=memory.kinds,
            context=memory.context,
            past=memory.past,
            stack=old.stack if stack == old.stack else stack,
            ask=self.ask,
            asks=self.asks,
            suggested=self.suggested if self.ask is None else (),
            over_at=self.over_at,
            login_over_at=self.login_over_at,
            is_welcomed=self.is_welcomed,
            silent_until=self.silent_until,
            is_login_awaited=self.is_login_awaited and bool(self.stack),
            is_login_unsaid=self.is_login_unsaid,
            has_record=self.has_record,
            has_had_goal=self.has_had_goal,
            own=self.own,
            misses=self.misses if self.ask is not None or not self.stack else 0,
            failures=self.failures if stack else None,
            suggestion_pages=self.suggestion_pages,
            next_wishes=self.next_wishes if stack else (),
        )

    def all_effects(self) -> tuple[Effect, ...]:
        heard: tuple[Effect, ...] = () if self.heard is None else (self.heard,)
        return (*self.first, *heard, *self.effects)
