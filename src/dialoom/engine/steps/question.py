"""A question that has no value, or one whose value is to be checked again: is it asked, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.engine import options, reactions
from dialoom.engine.memory import worded
from dialoom.engine.outcome import Outcome
from dialoom.engine.state import Choice
from dialoom.template.values import plain_text, print_value

if TYPE_CHECKING:
    from dialoom.engine.progress import Open, Progress
    from dialoom.engine.script import Place, Question


def run_question(p: Progress, conversation: Open, place: Place) -> Outcome:
    question: Question = place.step
    choices = None
    if p.memory.has(question.entity):
        is_right, choices = reactions.still_holds(p, conversation, place)
        if is_right:
            return Outcome.ON
    if p.is_passing_by:
        return Outcome.WAIT
    p.act(place.path)
    fitting = p.ambiguous.get((conversation.script.key, place.index))
    if fitting is not None:
        texts = p.render(question.ambiguities or question.texts, place.path)
        shown = tuple(_choice(value, question.type) for value in fitting)
        options.put(p, conversation, place, texts, shown, is_ambiguity=True)
    else:
        options.put(p, conversation, place, p.render(question.texts, place.path), choices)
    return Outcome.WAIT


def _choice(value: Any, type: str) -> Choice:
    """One of several values that fit equally, as an option: it reads as it prints and says what it is stored as."""
    if isinstance(value, dict) and "value" in value:
        return Choice(print_value(value["value"]), value["value"])
    return Choice(
        print_value(worded(value, type)), value if isinstance(value, str | int | float) else plain_text(value)
    )
