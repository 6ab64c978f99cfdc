"""From what the user said or chose to what it means here: the entry of the room.

Nothing is stored or said here; what follows from a meaning is left to ``respond``.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.engine.interpret import options, rows
from dialoom.engine.interpret.decision import decide
from dialoom.engine.interpret.meaning import NOTHING, Meaning, found_of, shown, whole
from dialoom.engine.interpret.proposed import Proposed
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.values.correction_marks import says_only
from dialoom.engine.interpret.values.leaning import read_at
from dialoom.engine.interpret.wishes.did_you_mean import wish_chosen
from dialoom.engine.state import Choice, OwnQuestion, Wish
from dialoom.engine.values.reactions import Found
from dialoom.messages.plain import plain_title
from dialoom.understanding.replies import reply_words


def interpret_text(s: Situation, text: str, choice: Choice | None = None, *, said_at: int | None = None) -> Meaning:
    """``choice``: the option of the open question that was chosen; ``text`` then says what it says. ``said_at``: when
    it was said, where that is not now."""
    if not text.strip():
        return NOTHING
    return decide(Proposed(s, Said(text), choice))


def interpret_reply_to_change(s: Situation, own: OwnQuestion, text: str) -> Meaning | None:
    """Return what another reply than yes or no means to the question whether an answer is to be changed: a value for
    it ("yes, 6 people"), or behind a no the answer to the open question; None for a new message."""
    said = Said(text)
    replies = reply_words(s.language)
    start = next((after for first, after in replies.answering(said.folded) if first == 0), 0)
    while start < len(said.words) and said.folded[start] in replies.clauses:
        start += 1
    rest = Said(text[said.words[start].start :]) if 0 < start < len(said.words) else said
    node = next((slot.node for slot in s.answered() if slot.node.index in own.nodes), None)
    value = None if node is None else read_at(s, node, rest.text)
    if node is not None and value is not None:
        found = Found(own.key, node, value, is_asked=False)
        return Meaning(found=(found,), understanding=whole(node.step.type, text, value))
    proposed = Proposed(s, rest)
    fills = proposed.elsewhere.assigned.fills
    if fills and says_only(rest, proposed.elsewhere.used, s.answered(), s.language):
        return Meaning(found=found_of(fills), understanding=shown(proposed.elsewhere.recognised))
    return decide(proposed) if rest is not said and replies.no.at(said.folded, 0) else None


def interpret_change(s: Situation, text: str, *, is_change: bool) -> Meaning:
    """Return what a text means of which the user said that it corrects an answer, or that it does not."""
    proposed = Proposed(s, Said(text))
    meaning = rows.corrects(proposed) if is_change else rows.text(proposed)
    return meaning or NOTHING


def interpret_wish(s: Situation, wish: Wish, text: str) -> Meaning:
    """Return what a text means of which the user has chosen what it asks for."""
    return wish_chosen(s, wish, Said(text))


def interpret_choices(s: Situation, picked: tuple[Choice, ...]) -> Meaning:
    """Several options chosen at once; a question for one value takes none of several."""
    values, node, question = options.values_of(s, picked), s.node, s.question
    if not values or node is None or question is None:
        return NOTHING
    value = values if question.takes_many else values[0]
    text = ", ".join(plain_title(choice.title) for choice in picked)
    found = Found(s.key, node, value, is_asked=True)
    return Meaning(found=(found,), understanding=whole(question.type, text, value), row="tapped")


def interpret_value(s: Situation, type: str, values: list[Any]) -> Meaning:
    """A place or files: for the open question, else the first of that type without a value, else the last with one."""
    slots = [slot for slot in s.slots() if slot.type == type]
    if not slots or not values:
        return NOTHING
    slot = next((slot for slot in slots if slot.is_open), None)
    slot = slot or next((slot for slot in slots if slot.current is None), slots[-1])
    value = values if slot.takes_many else values[0]
    found = Found(slot.key, slot.node, value, slot.is_open)
    return Meaning(found=(found,), understanding=whole(type, "", value))


def interpret_files(s: Situation, files: list[Any], text: str) -> Meaning | None:
    """Return what files mean together with the words beside them: both fill questions. None where the words alone say
    what is wanted: no question takes a file, or they ask for something while none is open that does."""
    taken = interpret_value(s, "File", files)
    if not text.strip():
        return taken
    if not taken.found:
        return None
    said = interpret_text(s, text)
    has_values_alone = said == Meaning(
        found=said.found, understanding=said.understanding, later=said.later, row=said.row
    )
    if has_values_alone:
        understanding = said.understanding | taken.understanding
        return msgspec.structs.replace(said, found=(*taken.found, *said.found), understanding=understanding)
    return taken if taken.found[0].is_asked else None
