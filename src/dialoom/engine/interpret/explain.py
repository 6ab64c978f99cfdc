"""Explains for the trace what a message was taken for: which reading each question took, and what lost against it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dialoom.engine.compiled import AskingNode, Flow, Question
from dialoom.engine.effects import Heard
from dialoom.engine.interpret.meaning import Meaning
from dialoom.engine.interpret.situation import RESTART, key_of
from dialoom.engine.interpret.slots import CONVERSATION
from dialoom.engine.memory import Memory
from dialoom.engine.running_turn import RunningTurn, Stack
from dialoom.engine.trace import Meant, Reading, Refused, Understood
from dialoom.engine.values.reactions import Found


def explain(turn: RunningTurn, meaning: Meaning, text: str) -> Understood:
    """Return what a message that was interpreted was taken for."""
    readings = [Reading(type=type, **one) for type, found in meaning.understanding.items() for one in found]
    taken = [*_taken_by_questions(meaning, readings, text), *_taken_as_sense(meaning, readings, text)]
    kept = {(one.type, one.start, one.end, str(one.value)) for one in taken}
    left = [one for one in readings if (one.type, one.start, one.end, str(one.value)) not in kept]
    if meaning.named is not None or meaning.answer is not None or not meaning.found:
        left += _other_senses(turn.flow, turn.memory, text, [*taken, *left])
    offered = [one for one in left if (one.type, key_of(one.value)) in meaning.offered]
    left = [one for one in left if one not in offered]
    beaten = [(winner, [one for one in left if _loses(turn.flow, one, winner)]) for winner in taken]
    lost = [one for _, losers in beaten for one in losers]
    return whose_question(
        turn.stack,
        turn.record.heard,
        Understood(
            meant=_meant(meaning),
            text=text,
            taken=tuple(msgspec.structs.replace(winner, lost=tuple(losers)) for winner, losers in beaten),
            unused=tuple(one for one in left if one not in lost),
            row=meaning.row,
            refused=tuple(Refused(kind=one.kind, what=one.what, by=one.by) for one in meaning.refused),
            offered=tuple(offered),
            reopened=tuple(slot.node.path for slot in (*meaning.reopened, *meaning.which)),
        ),
    )


def whose_question(stack: Stack, heard: Heard | None, understood: Understood) -> Understood:
    """Return the same with the question that was open when the message came."""
    node = stack.open_node()
    entity = None if heard is None else heard.entity
    return msgspec.structs.replace(understood, question="" if node is None else node.path, entity=entity)


def _meant(meaning: Meaning) -> Meant:
    if meaning.command:
        return meaning.command
    rules: tuple[tuple[bool, Meant], ...] = (
        (meaning.answer is not None, "answer"),
        (meaning.named == RESTART, "restart"),
        (meaning.named is not None, "conversation"),
        (meaning.passes, "skip"),
        (bool(meaning.which), "which-question"),
        (meaning.declines, "decline"),
        (bool(meaning.found), "value"),
        (meaning.again is not None or bool(meaning.reopened), "ask-again"),
        (bool(meaning.offered), "offer"),
    )
    return next((meant for holds, meant in rules if holds), "nothing")


def _taken_by_questions(meaning: Meaning, readings: list[Reading], text: str) -> Iterator[Reading]:
    """Yield the reading of each value that a question takes."""
    free = list(readings)
    for found in meaning.found:
        mine = [one for one in free if one.type == _type(found.node) and _is_value(found, one.value)]
        mine = mine if isinstance(found.value, list) else mine[:1]
        if not mine and found.is_asked and len(free) == 1:
            mine = free  # a yes to a suggested value
        free = [one for one in free if one not in mine]
        for one in mine or [_unread(found, text)]:
            yield msgspec.structs.replace(one, taken_by=found.node.path, entity=found.node.step.entity)


def _type(node: AskingNode) -> str:
    return node.step.type if isinstance(node.step, Question) else "Confirmation"


def _is_value(found: Found, value: Any) -> bool:
    return bool(found.value == value) or (isinstance(found.value, list) and value in found.value)


def _unread(found: Found, text: str) -> Reading:
    """Return a reading of a value that is no candidate of its type: a part of the text, or all of it."""
    part = found.value if isinstance(found.value, str) and found.value in text else text
    start = text.find(part)
    return Reading(
        type=_type(found.node), value=found.value, confidence=1.0, start=start, end=start + len(part), text=part
    )


def _taken_as_sense(meaning: Meaning, readings: list[Reading], text: str) -> Iterator[Reading]:
    """Yield the reading that names a conversation or a QnA answer, sure where the text names it word by word."""
    if meaning.answer is None and meaning.named is None:
        return
    type, key = meaning.answer or (CONVERSATION, meaning.named)
    mine = [one for one in readings if one.type == type and key_of(one.value) == key]
    words = Reading(type=type, value={"value": key}, confidence=1.0, start=0, end=len(text), text=text)
    yield msgspec.structs.replace(mine[0] if mine else words, taken_by=type if meaning.answer else key or "")


def _other_senses(flow: Flow, memory: Memory, text: str, known: list[Reading]) -> list[Reading]:
    """Return the likeliest conversations and answers of the whole text, also those that are not likely enough."""
    seen = {(one.type, key_of(one.value)) for one in known}
    found = flow.recogniser.likeliest(text, flow.always_sought, memory.now())
    return [
        Reading(type=one.type, value=one.value, confidence=one.confidence, start=one.start, end=one.end, text=one.text)
        for one in found
        if (one.type, key_of(one.value)) not in seen
    ]


def _loses(flow: Flow, one: Reading, winner: Reading) -> bool:
    """Return whether a reading lost to another: of the same part of the text, both values or both senses."""
    senses = flow.sense_types
    is_same_kind = (one.type in senses) == (winner.type in senses)
    return is_same_kind and one.start < winner.end and winner.start < one.end
