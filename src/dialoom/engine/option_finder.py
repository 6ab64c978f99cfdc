"""Tells whether an option answers its question, for checks of a flow: chooses it in a bot that asks nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec

from dialoom.engine.compile import compile_flow
from dialoom.engine.compiled import Flow
from dialoom.engine.effects import Send
from dialoom.engine.events import Began, Picked
from dialoom.engine.state import begin
from dialoom.engine.turn import turn
from dialoom.flow.model import Bot, BotFile, FlowFile, TrainingFile
from dialoom.messages import Profile

_SOME_DAY = 1_803_902_400_000
"""2027-03-01, 12:00 UTC: that a text holds a date is so on any day, and nothing here asks for the time."""
_PROFILE = Profile(id="check", channel="check", provider="web")
_ANSWERED = "answered"


def finder(language: str, definitions: Sequence[object]) -> Callable[[str, str, bool], bool]:
    """Return a function of a question's type, the text that choosing an option says, and whether the question takes
    several values; it returns whether the question is answered. ``definitions``: of keywords and regex types, as
    training.json has them."""
    training = msgspec.convert({"entity-definitions": definitions}, TrainingFile)

    @cache
    def asking(entity_type: str, takes_many: bool) -> Flow:
        flow = msgspec.convert({"conversations": _conversations(entity_type, takes_many)}, FlowFile)
        return compile_flow(Bot(file=BotFile(id="check", language=language), flow=flow, training=training, version=""))

    def finds(entity_type: str, text: str, takes_many: bool) -> bool:
        return _answers(asking(entity_type, takes_many), text)

    return finds


def _conversations(entity_type: str, takes_many: bool) -> dict[str, Any]:
    question = {
        "type": "question",
        "entity": "answer",
        "entity-type": entity_type,
        "capture-multiple-values": takes_many,
        "messages": ["?"],
        "display": {"type": "quick-reply", "data": [{"title": "option", "value": "{{option}}"}]},
    }
    steps = [question, {"type": "message", "messages": [_ANSWERED]}]
    return {"welcome": {"type": "support", "steps": steps}}


def _answers(flow: Flow, text: str) -> bool:
    """Return whether the only question of the flow is answered when its only option is chosen, which says ``text``."""
    asked = turn(flow, begin(), Began(id="1", now=_SOME_DAY, seed=1, profile=_PROFILE, context={"option": text}))
    keys = [reply.key for effect in asked.effects if isinstance(effect, Send) for reply in effect.message.replies]
    chosen = turn(flow, asked.state, Picked(id="2", now=_SOME_DAY, seed=2, profile=_PROFILE, key=keys[0]))
    return any(isinstance(effect, Send) and effect.message.text == _ANSWERED for effect in chosen.effects)
