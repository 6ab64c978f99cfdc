"""A stored value as a reply that can be tapped: of an ambiguity, of past runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.engine.interrupts import FlowBroken
from dialoom.engine.state import Choice
from dialoom.errors import TemplateError
from dialoom.messages.plain import plain_title
from dialoom.template.values import Bare, plain_text, print_value

if TYPE_CHECKING:
    from dialoom.engine.compiled import Place, Question
    from dialoom.engine.running_turn import RunningTurn


def reply_of(p: RunningTurn, place: Place, value: Any) -> Choice | None:
    """It reads as the value prints in a message and says what it is stored as; None for what no text stands for, such
    as a file."""
    question: Question = place.step
    if isinstance(value, dict) and ("value" not in value or question.type == "Amount"):
        text = _amount(value) if question.type == "Amount" else text_of(value)
        return None if question.type == "File" else Choice(text, text, element=value)
    try:
        with p.memory.holding(question.entity, value, question.type):
            title = print_value(p.memory.scope().memory.get(question.entity))
    except TemplateError as error:
        raise FlowBroken(place.path, str(error)) from error
    said = value["value"] if isinstance(value, dict) else value
    if not plain_title(title):
        return None
    return Choice(title, said if isinstance(said, str | int | float) else plain_text(said))


def text_of(value: Any) -> str:
    """What a value of memory's view reads like on a button: places and files by their names, all else as it prints."""
    if isinstance(value, list):
        return ", ".join(map(text_of, value))
    if isinstance(value, dict) and not isinstance(value, Bare):
        name = value.get("name")
        if isinstance(name, str) and name.strip():
            return name
        if "latitude" in value and "longitude" in value:
            return f"{plain_text(value['latitude'])}, {plain_text(value['longitude'])}"
    return print_value(value)


def _amount(value: dict[str, Any]) -> str:
    return f"{plain_text(value.get('value'))} {plain_text(value.get('currency'))}".strip()
