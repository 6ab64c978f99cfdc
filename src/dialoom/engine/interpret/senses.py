"""What a sentence asks for as a whole: another conversation or a QnA answer (flow-language.md section 5, rule 4).

Who takes its values is decided in ``meaning``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from dialoom.engine.compiled import CompiledConversation
from dialoom.engine.interpret import replies
from dialoom.engine.interpret.acting import acts
from dialoom.engine.interpret.assign import assign
from dialoom.engine.interpret.bare_numbers import MEASURES
from dialoom.engine.interpret.leaning import with_limits
from dialoom.engine.interpret.slots import GUESS, Slot, Stretch, slots_of
from dialoom.engine.interpret.slots import WISH as CONVERSATION
from dialoom.engine.interpret.value_words import ValueWords
from dialoom.engine.running_turn import RunningTurn
from dialoom.engine.state import Choice
from dialoom.engine.values.reactions import Found
from dialoom.understanding import Candidate
from dialoom.understanding.replies import folded_words, reply_words

RESTART = "restart"


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
    """It turns the suggested value down."""
    reopened: tuple[Slot, ...] = ()
    """Questions that are to be asked again: named as wrong, or with their value denied."""
    which: tuple[Slot, ...] = ()
    """The questions that a name or a number fits equally."""
    which_value: str = ""
    """The number, for the one that is meant."""
    is_no_yes: bool = False
    """A reply to a confirmation that is neither a plain yes nor a plain no, and says nothing else."""
    passes: bool = False
    """It leaves the optional question without a value."""
    command: Literal["", "back", "stop"] = ""
    confidence: float = 1.0
    """How sure ``named`` is."""
    understanding: dict[str, Any] = {}


NOTHING = Meaning()


def expression(p: RunningTurn, text: str) -> tuple[str, str] | None:
    """The type and value that a text names by being a trained expression, or the name of a goal that has none."""
    trained = p.flow.recogniser.trained_expression(text)
    if trained is None and (key := p.flow.starting_names.get(folded_words(text))) is not None:
        return CONVERSATION, key
    return trained


def recognise(p: RunningTurn, types: Iterable[str], text: str) -> dict[str, list[Candidate]]:
    return p.flow.recogniser.recognise(text, types, p.memory.now()) if types else {}


def words_for_values(p: RunningTurn, text: str) -> ValueWords:
    measured = [one for found in recognise(p, MEASURES, text).values() for one in found if one.confidence > GUESS]
    return ValueWords(text, p.flow.language, p.flow.custom_types, measured)


def talked_in(p: RunningTurn) -> list[CompiledConversation]:
    """The running conversation and the open goal: whose questions a message may answer."""
    running, goal = p.running, p.goal
    here = [running.script] if running is not None else []
    if goal is not None and goal is not running:
        here.append(goal.script)
    return here


def is_other(p: RunningTurn, key: str) -> bool:
    """Return whether a conversation is not among those that are talked in now."""
    goal, running = p.goal, p.running
    here = {conversation.script.key for conversation in (goal, running) if conversation is not None}
    return key == RESTART or (key in p.flow.scripts and key not in here)


def key_of(value: Any) -> str | None:
    key = value.get("value") if isinstance(value, dict) else value
    return key if isinstance(key, str) else None


def wish(
    p: RunningTurn,
    text: str,
    recognised: dict[str, list[Candidate]],
    found: list[Found],
    used: Iterable[Stretch],
) -> Meaning:
    """The conversation or QnA answer that a sentence asks for; without one the values that it tells."""
    missing = [type for type in p.flow.always_sought if type not in recognised]
    recognised = {**recognised, **recognise(p, missing, text)}
    named, answer, confidence = _sense(p, text, recognised)
    if found and confidence < 1 and (named or answer) and _covers_most(text, used):
        beside = recognise(p, p.flow.always_sought, blanked(text, used))
        if _sense(p, "", beside)[:2] != (named, answer):
            named, answer = None, None  # it is the values that look like that sense
    if answer is not None:
        return Meaning(answer=answer, understanding=shown(recognised))
    if named is not None and is_other(p, named):
        script = p.flow.scripts.get(named)
        found = []
        if script is not None:
            # The values of a message that starts a conversation go to the questions of that conversation.
            missing = [type for type in script.types if type not in recognised]
            recognised = {**recognised, **recognise(p, missing, text)}
            slots = with_limits(p, slots_of([script], p.memory, None), recognised)
            found, taken, _ = assign(slots, recognised, p.flow.sense_types, words_for_values(p, text))
            used = [*used, *taken]
    confidence = min(confidence, _sureness(p, named, text, used, len(found)))
    return Meaning(named=named, found=tuple(found), confidence=confidence, understanding=shown(recognised))


def _sureness(p: RunningTurn, named: str | None, text: str, used: Iterable[Stretch], value_count: int) -> float:
    """Return 1 where the sentence says an expression of the conversation, or tells several values for its questions;
    else 0: likeness alone makes "don't cancel it" as sure as "cancel it". ``value_count``: how many values it tells."""
    script = p.flow.scripts.get(named or "")
    if script is None:
        return 1.0
    words, known = folded_words(blanked(text, used)), reply_words(p.flow.language)
    is_question = not replies.QUESTION_MARKS.isdisjoint(text) and bool(words) and not known.wishes.at(words, 0)
    if is_question or (value_count > 1 and known.doubts.any_in(words)):
        return 0.0
    return float(value_count > 1 or any(known.says(words, expression) for expression in script.expressions))


def may_start(p: RunningTurn, named: str, text: str) -> bool:
    """Return whether a reply to a confirmation may start a conversation. A goal that acts needs one of its expressions
    said in full, or a wish ("but I'd like to ..."): "as long as I can cancel" starts nothing.

    ``text``: without the yes or no, polite words and values.
    """
    script = p.flow.scripts.get(named)
    if script is None or not script.is_goal or not acts(p, script):
        return True
    values = [one for found in recognise(p, script.types, text).values() for one in found if one.confidence > GUESS]
    said = folded_words(blanked(text, [one for one in values if one.type not in p.flow.sense_types]))
    known = reply_words(p.flow.language)
    names = (p.flow.starting_names, p.flow.sure_names)
    if any(table.get(known.without_wishes(said)) == named for table in names):
        return True
    if known.begins_wish(said):
        return True
    return bool(said) and any(known.says(said, expression) for expression in script.expressions)


def _covers_most(text: str, used: Iterable[Stretch]) -> bool:
    outside = sum(map(str.isalnum, blanked(text, used)))
    return 2 * outside < sum(map(str.isalnum, text))


def _sense(
    p: RunningTurn, text: str, recognised: dict[str, list[Candidate]]
) -> tuple[str | None, tuple[str, str] | None, float]:
    """The conversation or the QnA answer that the sentence as a whole asks for, the surer one, and how sure it is."""
    words = reply_words(p.flow.language).without_wishes(folded_words(text))
    starts = p.flow.starting_names.get(words)
    if starts is not None and is_other(p, starts):
        return starts, None, 1.0
    best: Candidate | None = None
    for type in p.flow.always_sought:
        for candidate in recognised.get(type, ()):
            if best is None or candidate.confidence > best.confidence:
                best = candidate
    key = None if best is None else key_of(best.value)
    if best is None or key is None:
        return None, None, 0.0
    confidence = 1.0 if best.type == CONVERSATION and p.flow.sure_names.get(words) == key else best.confidence
    if best.type != CONVERSATION:
        return None, (best.type, key), confidence
    return (key if key == RESTART or key in p.flow.scripts else None), None, confidence


def blanked(text: str, used: Iterable[Stretch | Candidate]) -> str:
    """Return the text with blanks in the place of values."""
    characters = list(text)
    for one in used:
        characters[one.start : one.end] = " " * (one.end - one.start)
    return "".join(characters)


def whole(type: str, text: str, value: Any) -> dict[str, Any]:
    return {type: [{"value": value, "confidence": 1.0, "start": 0, "end": len(text), "text": text}]}


def shown(recognised: dict[str, list[Candidate]]) -> dict[str, Any]:
    return {
        type: [
            {
                "value": candidate.value,
                "confidence": candidate.confidence,
                "start": candidate.start,
                "end": candidate.end,
                "text": candidate.text,
            }
            for candidate in candidates
        ]
        for type, candidates in recognised.items()
        if candidates
    }
