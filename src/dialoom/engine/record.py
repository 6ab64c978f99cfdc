"""What a turn wants done, in order, and the record that it belongs to: where one begins, and where it ends."""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.engine.effects import Effect, Ended, GoalStarted, Heard, LogIn, LogOut, Send
from dialoom.engine.memory import Memory
from dialoom.engine.state import NextWish
from dialoom.messages.records import Status


class Record(msgspec.Struct, eq=False, gc=False):
    memory: Memory
    is_open: bool
    has_had_goal: bool
    next_wishes: tuple[NextWish, ...]
    first: list[Effect] = []
    """What belongs to the record before this message's: the end of a session that timed out."""
    heard: Heard | None = None
    effects: list[Effect] = []
    ending: Ended | None = None
    """The record ends with this at the end of the turn, or before another goal starts."""
    has_left_goal: bool = False
    """A ``go-to`` of this turn left the last goal."""

    @property
    def text(self) -> str:
        """Return what the user's message says; "" without one."""
        return "" if self.heard is None else self.heard.text or ""

    @property
    def has_sent(self) -> bool:
        return any(isinstance(effect, Send) for effect in self.effects)

    def note(self, **changes: Any) -> None:
        """Note what came of the user's message."""
        if self.heard is not None:
            self.heard = msgspec.structs.replace(self.heard, **changes)

    def add(self, effect: Effect) -> None:
        self.effects.append(effect)
        self.is_open = True

    def start_goal(self, key: str) -> None:
        self.end_if_ending()
        self.next_wishes = tuple(one for one in self.next_wishes if one.key != key)
        self.add(GoalStarted(key))
        self.has_had_goal = True

    def ended(self, status: Status) -> Ended:
        """Return the end of the record with memory as it is now."""
        return Ended(status, entities=dict(self.memory.entities), context=self.memory.context)

    def end(self, ended: Ended, effects: list[Effect] | None = None) -> None:
        self.ending = None
        if ended.status != "success":
            self.next_wishes = ()  # what was wished for beside it
        if self.is_open:
            (self.effects if effects is None else effects).append(ended)
        self.is_open = self.has_had_goal = False

    def end_if_ending(self) -> None:
        if self.ending is not None:
            self.end(self.ending)

    def leave_last_goal(self) -> None:
        """End the record of the last goal, which a ``go-to`` left: once a turn, or a flow that runs in circles would
        make dozens of records of one message. A goal that the turn only passes leaves what it said to the goal behind
        it."""
        if not self.has_left_goal:
            self.has_left_goal = True
            self.end(self.ended("abandoned"))
            return
        ends = [index for index, effect in enumerate(self.effects) if isinstance(effect, Ended)]
        start = ends[-1] + 1 if ends else 0
        self.effects[start:] = [effect for effect in self.effects[start:] if not isinstance(effect, GoalStarted)]
        self.is_open = any(not isinstance(effect, LogIn | LogOut) for effect in self.effects[start:])
        self.has_had_goal = False

    def all_effects(self) -> tuple[Effect, ...]:
        heard: tuple[Effect, ...] = () if self.heard is None else (self.heard,)
        return (*self.first, *heard, *self.effects)
