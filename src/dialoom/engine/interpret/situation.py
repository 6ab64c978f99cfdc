"""What a message is understood against: what is open, what is known, whose questions may be answered.

Proposers and the decision read this and nothing else of a running turn; only the walk changes memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from dialoom.engine.compiled import (
    Asking,
    AskingNode,
    Check,
    CompiledConversation,
    EntitiesConfirmation,
    Question,
    QuestionNode,
    Texts,
)
from dialoom.engine.interpret.cached import CachedProperty
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.slots import CONVERSATION, GUESS, ONLY_ASKED, Limits, Slot, answered_slots, slots_of
from dialoom.engine.interpret.yes_would_act import yes_would_act
from dialoom.engine.options import asking, chosen, offered, value_replies
from dialoom.engine.running_turn import RunningTurn
from dialoom.engine.state import Choice
from dialoom.engine.values import validations
from dialoom.errors import TemplateError
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.template import Template
from dialoom.understanding import Candidate
from dialoom.understanding.replies import folded_words

RESTART = "restart"
MAX_VALUE_CHARS = 200
"""Of a value as words that may be said again beside a yes."""


class Situation:
    """The open question and the known values at one message."""

    def __init__(self, turn: RunningTurn, said_at: int | None = None) -> None:
        """``said_at``: when the message was said, where that is not now, in milliseconds since 1970."""
        self._turn = turn
        self._said_at = said_at
        self.flow = turn.flow
        self.language = turn.flow.language
        self.recogniser = turn.flow.recogniser
        stack = turn.stack
        running, goal = stack.running, stack.goal
        self.node: AskingNode | None = stack.open_node()
        self.running: CompiledConversation | None = None if running is None else running.script
        self.goal: CompiledConversation | None = None if goal is None else goal.script
        self.may_offer = not turn.output.is_after_own_question and not (stack and stack.ask is None)
        """Whether wishes may be offered: not behind another question of the service, nor where a failed step is tried
        again."""
        self.is_traced = turn.trace is not None
        self.is_suggestion = stack.ask is not None and stack.ask.is_suggestion
        here = [self.running] if self.running is not None else []
        if self.goal is not None and self.goal is not self.running:
            here.append(self.goal)
        step = None if self.node is None else self.node.step
        self.question: Question | None = step if isinstance(step, Question) else None
        """The open question; None where none is open, and at a confirmation."""
        self.asks_text = self.question is not None and self.question.type == "Text"
        self.awaits_yes = not self.is_suggestion and step is not None and type_of(step) == "Confirmation"
        """Whether the answers to what is open are a yes and a no."""
        self.here: tuple[CompiledConversation, ...] = tuple(here)
        """The running conversation and the open goal: whose questions a message may answer."""

    # -- what is open

    @property
    def key(self) -> str:
        """Return the key of the running conversation; "" without one."""
        return "" if self.running is None else self.running.key

    @property
    def reviews(self) -> bool:
        """Return whether an entities-confirmation is open."""
        return self.node is not None and isinstance(self.node.step, EntitiesConfirmation)

    @CachedProperty
    def is_strict(self) -> bool:
        """Return whether only a plain yes counts: where it would act, and where the user's values are confirmed."""
        return self.reviews or (self.node is not None and yes_would_act(self._turn.memory, self._turn.stack, self.node))

    @CachedProperty
    def choices(self) -> tuple[Choice, ...]:
        """Return the options of the open question, all pages."""
        ask, node = self._turn.stack.ask, self.node
        return () if ask is None or node is None else offered.of_ask(self.flow, node, ask)

    def own_choices(self) -> tuple[Choice, ...]:
        """Return the options that count as values of the open question while a past value is suggested at it. May look
        them up in their data source."""
        node = self.node
        if node is None or not offered.counts_as_value(self.flow, node):
            return ()
        return offered.offered(self._turn.stack, self._turn.calls, node)

    def suggested_value(self) -> Any:
        """Return the past value that is suggested at the open question; None without one."""
        running, node, question = self._turn.stack.running, self.node, self.question
        if running is None or node is None or question is None:
            return None
        return value_replies.suggested(self.flow, self._turn.memory, running, node, question)

    @property
    def is_spoken(self) -> bool:
        """Return whether users hear the options."""
        row = CHANNEL_ROWS.get(self._turn.event.profile.provider)
        return row is not None and row.is_spoken

    @property
    def is_numbered(self) -> bool:
        """Return whether the channel has written numbers before the options."""
        ask, node = self._turn.stack.ask, self.node
        offer = None if ask is None or node is None else asking.dialog_of(node, ask)
        row = CHANNEL_ROWS.get(self._turn.event.profile.provider)
        return offer is not None and row is not None and row.shows(offer.kind) == "as-list"

    def by_place(self, said: Said) -> tuple[Choice, ...]:
        """Return the options that a text names by position, of those that the user sees."""
        ask, node = self._turn.stack.ask, self.node
        return (
            ()
            if ask is None or node is None
            else chosen.by_position(self.flow, self._turn.memory, node, ask, said.text)
        )

    # -- what is known

    @CachedProperty
    def now(self) -> datetime:
        now = self._turn.memory.now()
        return now if self._said_at is None else datetime.fromtimestamp(self._said_at / 1000, now.tzinfo)

    def value(self, entity: str) -> Any:
        return self._turn.memory.get(entity)

    def has(self, entity: str) -> bool:
        return self._turn.memory.has(entity)

    def answered(self, opened: AskingNode | None = None) -> list[Slot]:
        """Return the questions with an answer, and the open one."""
        return answered_slots(self.here, self._turn.memory, opened)

    def slots(self, scripts: Iterable[CompiledConversation] | None = None) -> list[Slot]:
        """Return the questions that a message may answer, in step order; of other conversations where they are named,
        which have none open."""
        if scripts is not None:
            return slots_of(scripts, self._turn.memory, None)
        return slots_of(self.here, self._turn.memory, None if self.node is None else (self.key, self.node))

    def limits(self, node: QuestionNode, *, is_open: bool) -> Limits:
        """Return what the values of a Date or Time question lean on."""
        question, least, most = node.step, None, None
        for check in question.checks:
            if check.kind == "range":
                most = self._bound(check.most, question.type)
                # A date leans on the end of its range alone.
                least = None if question.type == "Date" else self._bound(check.least, question.type)
        return Limits(least, most, self.now.date().isoformat(), self._offered_times(node) if is_open else ())

    def _bound(self, limit: Template | None, type: str) -> str | None:
        """Return an end of a range as a value of the type is stored; None for one that cannot be read."""
        try:
            bound = validations.bound(self.flow, self._turn.memory, limit, type)
        except TemplateError:  # told when the validation runs
            return None
        text = "" if bound is None else str(bound)
        text = text.partition("T")[0] if type == "Date" else text
        if validations.is_stored_form(text, type):
            return text
        read: str | None = self.reads(type, text)
        return read

    def _offered_times(self, node: QuestionNode) -> tuple[Any, ...]:
        """Return the times among the options of the open question, or the one that was suggested."""
        if node.step.type != "Time" or self._turn.stack.ask is None:
            return ()
        if self.is_suggestion:
            return (self.suggested_value(),)
        texts = [choice.value for choice in self.choices if isinstance(choice.value, str)]
        return tuple(time for text in texts if (time := self.reads("Time", text)) is not None)

    def fails(self, check: Check, question: Question, value: Any, path: str) -> bool:
        """Return whether a validation that asks nobody turns a value away; what fails in one is told when it runs."""
        try:
            return not validations.holds(self._turn.calls, check, question, value, path)
        except TemplateError:
            return False

    # -- what is read

    def recognise(self, types: Iterable[str], text: str) -> dict[str, list[Candidate]]:
        return self.recogniser.recognise(text, types, self.now) if types else {}

    def sure_values(self, types: Iterable[str], text: str) -> list[Candidate]:
        """Return the readings of a text that do not only its question make likely."""
        return [one for found in self.recognise(types, text).values() for one in found if one.confidence > GUESS]

    def reads(self, type: str, text: str) -> Any:
        return self.recogniser.reads(type, text, self.now)

    def expression(self, text: str) -> tuple[str, str] | None:
        """Return the type and value that a text names by being a trained expression, or the name of a goal that has
        none."""
        trained = self.recogniser.trained_expression(text)
        if trained is None and (key := self.flow.starting_names.get(folded_words(text))) is not None:
            return CONVERSATION, key
        return trained

    def is_value_type(self, type: str) -> bool:
        """Return whether values of a type stand in a part of the text and say what they are wherever they are told."""
        return type not in self.flow.sense_types and type not in ONLY_ASKED

    def is_other(self, key: str) -> bool:
        """Return whether a conversation is not among those that are talked in now."""
        return key == RESTART or (key in self.flow.scripts and all(script.key != key for script in self.here))

    # -- words

    def rendered(self, texts: Texts) -> list[str]:
        """Return every alternative of texts as it reads now; those that fail left out."""
        found = []
        for template in (template for alternative in texts for template in alternative):
            try:
                found.append(template.text(self._turn.memory.scope()))
            except TemplateError:
                continue
        return found

    @CachedProperty
    def goal_words(self) -> frozenset[str]:
        """Return the words for the open goal: its name, its expressions, the values that were told."""
        goal = self.goal or self.running
        if goal is None:
            return frozenset()
        words = set(goal.words)
        try:
            view = self._turn.memory.scope().memory
        except TemplateError:
            return frozenset(words)
        values = (view.get(name) for name in goal.fillers)
        texts = (value_replies.text_of(value)[:MAX_VALUE_CHARS] for value in values if value is not None)
        return frozenset(words.union(*map(folded_words, texts)))


def key_of(value: Any) -> str | None:
    """Return the name of a value of a trait or a QnA type."""
    key = value.get("value") if isinstance(value, dict) else value
    return key if isinstance(key, str) else None


def type_of(step: Asking) -> str:
    """Return the type that an open question takes."""
    return step.type if isinstance(step, Question) else "Confirmation"
