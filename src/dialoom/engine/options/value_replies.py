"""Stored values as replies: those of past runs to suggest or to show first, and those that fit an answer equally.

Asking with them is left to ``steps.question``, understanding the answer to ``interpret``.
"""

from __future__ import annotations

from typing import Any

from dialoom.engine.compiled import Flow, Node, Question
from dialoom.engine.memory import Memory, worded
from dialoom.engine.running_turn import FlowBroken, OpenConversation
from dialoom.engine.state import Choice
from dialoom.errors import TemplateError
from dialoom.messages.plain import plain_title
from dialoom.template.values import CustomValue, equal, plain_text, print_value

_RUNS = 2
MAX_FIRST = 20
"""Values of past runs that come before the other replies: each is looked for among all of them."""


def suggested(flow: Flow, memory: Memory, conversation: OpenConversation, node: Node, question: Question) -> Any:
    """Return the value that the user gave in the last two completed runs alike; None where there is none to suggest."""
    if not question.suggestions or node.index in conversation.declined:
        return None
    past = _past(flow, memory, question)
    return past[0] if len(past) == _RUNS and _is_same(flow, question, past[0], past[1]) else None


def past_first(flow: Flow, memory: Memory, node: Node, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the question's options with the values of past runs before all others, where these differ.

    Where options come from a data source only those are moved that it offers now; else a past value is one of the
    replies whether or not the display has it.
    """
    question = node.step
    if not isinstance(question, Question) or question.type == "Confirmation":  # of Yes and No none comes first
        return choices
    past = _past(flow, memory, question)
    if len(past) < _RUNS or _is_same(flow, question, past[0], past[1]):
        return choices
    offer = question.offer
    is_closed = offer is not None and (offer.source is not None or offer.kind in ("location-picker", "date-picker"))
    first: list[Choice] = []
    values = [one for value in past for one in (value if isinstance(value, list) else [value])]
    for one in values[:MAX_FIRST]:
        choice = _choice_of(question, one, choices)
        if choice is None and not is_closed:
            choice = reply_of(memory, node, question, one)
        if choice is not None and choice not in first:
            first.append(choice)
    return (*first, *(choice for choice in choices if choice not in first)) if first else choices


def old_first(
    memory: Memory, node: Node, question: Question, old: Any, choices: tuple[Choice, ...]
) -> tuple[Choice, ...]:
    """Return the question's options with its earlier value before all others."""
    if question.type == "Confirmation":
        return choices
    first: list[Choice] = []
    for one in (old if isinstance(old, list) else [old])[:MAX_FIRST]:
        choice = _choice_of(question, one, choices) or reply_of(memory, node, question, one)
        if choice is not None and choice not in first:
            first.append(choice)
    return (*first, *(choice for choice in choices if choice not in first)) if first else choices


def _past(flow: Flow, memory: Memory, question: Question) -> list[Any]:
    """Return the values of the last runs, latest first, that the question's type still has."""
    if not question.suggestions:
        return []
    past = memory.past.get(question.entity, ())
    return [one for one in (_present(flow, question, value) for value in past) if one is not None]


def _present(flow: Flow, question: Question, value: Any) -> Any:
    """Return a past value as it would be read today; None where its type or the question has no room for it any
    more."""
    if question.takes_many:
        values = value if isinstance(value, list) else [value]
        return [one for one in (_one(flow, question, item) for item in values) if one is not None] or None
    return None if isinstance(value, list) else _one(flow, question, value)


def _one(flow: Flow, question: Question, value: Any) -> Any:
    recogniser, type = flow.recogniser, question.type
    if recogniser.kind(type) in ("keywords", "trait") and recogniser.has_values(type):
        return recogniser.value_named(type, plain_text(value.get("value") if isinstance(value, dict) else value))
    return value


def _is_same(flow: Flow, question: Question, one: Any, other: Any) -> bool:
    """Return whether two runs gave the same value: of a custom type its metadata does not count."""
    if question.type not in flow.custom_types:
        return bool(one == other)
    return _is_equal(worded(one, question.type), worded(other, question.type))


def _choice_of(question: Question, value: Any, choices: tuple[Choice, ...]) -> Choice | None:
    said = worded(value, question.type)
    return next((choice for choice in choices if _is_equal(said, choice.value)), None)


def _is_equal(one: Any, other: Any) -> bool:
    try:
        return equal(one, other)
    except TemplateError:
        return False


def reply_of(memory: Memory, node: Node, question: Question, value: Any) -> Choice | None:
    """Return a reply that reads as the value prints in a message and says what it is stored as; None for what no text
    stands for, such as a file."""
    if isinstance(value, dict) and ("value" not in value or question.type == "Amount"):
        text = _amount(value) if question.type == "Amount" else text_of(value)
        return None if question.type == "File" else Choice(text, text, element=value)
    try:
        with memory.holding(question.entity, value, question.type):
            title = print_value(memory.scope().memory.get(question.entity))
    except TemplateError as error:
        raise FlowBroken(node.path, str(error)) from error
    said = value["value"] if isinstance(value, dict) else value
    if not plain_title(title):
        return None
    return Choice(title, said if isinstance(said, str | int | float) else plain_text(said))


def text_of(value: Any) -> str:
    """Return how a value of memory's view reads on a button: places and files by their names, all else as it prints."""
    if isinstance(value, list):
        return ", ".join(map(text_of, value))
    if isinstance(value, dict) and not isinstance(value, CustomValue):
        name = value.get("name")
        if isinstance(name, str) and name.strip():
            return name
        if "latitude" in value and "longitude" in value:
            return f"{plain_text(value['latitude'])}, {plain_text(value['longitude'])}"
    return print_value(value)


def _amount(value: dict[str, Any]) -> str:
    return f"{plain_text(value.get('value'))} {plain_text(value.get('currency'))}".strip()
