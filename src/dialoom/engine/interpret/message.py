"""From what the user said or chose to what it means here: the entry of the room.

Nothing is stored or said here; what follows from a meaning is left to ``respond``.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.engine.interpret import options, rows
from dialoom.engine.interpret.decision import decide
from dialoom.engine.interpret.did_you_mean import wish_chosen
from dialoom.engine.interpret.meaning import NOTHING, Meaning, whole
from dialoom.engine.interpret.proposed import Proposed
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.running_turn import RunningTurn
from dialoom.engine.state import Choice, Wish
from dialoom.engine.values.reactions import Found
from dialoom.messages.plain import plain_title


def interpret_text(p: RunningTurn, text: str, choice: Choice | None = None) -> Meaning:
    """``choice``: the option of the open question that was chosen; ``text`` then says what it says."""
    if not text.strip():
        return NOTHING
    return decide(Proposed(Situation(p), Said(text), choice))


def interpret_change(p: RunningTurn, text: str, *, is_change: bool) -> Meaning:
    """Return what a text means of which the user said that it corrects an answer, or that it does not."""
    proposed = Proposed(Situation(p), Said(text))
    meaning = rows.corrects(proposed) if is_change else rows.text(proposed)
    return meaning or NOTHING


def interpret_wish(p: RunningTurn, wish: Wish, text: str) -> Meaning:
    """Return what a text means of which the user has chosen what it asks for."""
    return wish_chosen(Situation(p), wish, Said(text))


def interpret_choices(p: RunningTurn, picked: tuple[Choice, ...]) -> Meaning:
    """Several options chosen at once; a question for one value takes none of several."""
    s = Situation(p)
    values, node, question = options.values_of(s, picked), s.node, s.question
    if not values or node is None or question is None:
        return NOTHING
    value = values if question.takes_many else values[0]
    text = ", ".join(plain_title(choice.title) for choice in picked)
    found = Found(s.key, node, value, is_asked=True)
    return Meaning(found=(found,), understanding=whole(question.type, text, value), row="tapped")


def interpret_value(p: RunningTurn, type: str, values: list[Any]) -> Meaning:
    """A place or files: for the open question, else the first of that type without a value, else the last with one."""
    slots = [slot for slot in Situation(p).slots() if slot.type == type]
    if not slots or not values:
        return NOTHING
    slot = next((slot for slot in slots if slot.is_open), None)
    slot = slot or next((slot for slot in slots if slot.current is None), slots[-1])
    value = values if slot.takes_many else values[0]
    found = Found(slot.key, slot.node, value, slot.is_open)
    return Meaning(found=(found,), understanding=whole(type, "", value))


def interpret_files(p: RunningTurn, files: list[Any], text: str) -> Meaning | None:
    """Return what files mean together with the words beside them: both fill questions. None where the words alone say
    what is wanted: no question takes a file, or they ask for something while none is open that does."""
    taken = interpret_value(p, "File", files)
    if not text.strip():
        return taken
    if not taken.found:
        return None
    said = interpret_text(p, text)
    has_values_alone = said == Meaning(
        found=said.found, understanding=said.understanding, later=said.later, row=said.row
    )
    if has_values_alone:
        understanding = said.understanding | taken.understanding
        return msgspec.structs.replace(said, found=(*taken.found, *said.found), understanding=understanding)
    return taken if taken.found[0].is_asked else None
