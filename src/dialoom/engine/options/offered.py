"""Finds the options of a question or a message: from the flow, from a data source or from the values of its type.

Showing them is left to ``asking``, finding the one that was meant to ``match_option``.
"""

from __future__ import annotations

from typing import Any

from dialoom.engine import data_sources
from dialoom.engine.compiled import EntitiesConfirmation, Flow, Message, Node, Offer, OptionForm, Question
from dialoom.engine.memory import Memory, stored, worded
from dialoom.engine.options import review
from dialoom.engine.running_turn import Calls, FlowBroken, Stack
from dialoom.engine.state import Ask, Choice
from dialoom.errors import TemplateError
from dialoom.messages.plain import plain_title
from dialoom.template import Scope
from dialoom.template.values import CustomValue, plain_text, print_value, read_number

# ---- what is offered ---------------------------------------------------------------------------------------------


def fixed(flow: Flow, node: Node) -> tuple[Choice, ...] | None:
    """Return the options where they are the same for everybody; None where they are made again for each asking."""
    step = node.step
    if isinstance(step, Question | Message):
        offer = step.offer
        return () if offer is None or offer.origin == "none" else offer.fixed
    return None if isinstance(step, EntitiesConfirmation) else flow.yes_no


def of_ask(flow: Flow, node: Node, ask: Ask) -> tuple[Choice, ...]:
    """Return the options of the open question, all pages."""
    if ask.choices is not None:
        return ask.choices
    if ask.is_suggestion:
        return flow.yes_no
    return fixed(flow, node) or ()


def offered(stack: Stack, calls: Calls, node: Node) -> tuple[Choice, ...]:
    """Return the options as they are at this moment; calls their data source."""
    known = fixed(stack.flow, node)
    if known is not None:
        return known
    step = node.step
    if isinstance(step, EntitiesConfirmation):
        return review.choices(calls.memory, stack, node.path, step)
    if not isinstance(step, Question | Message) or step.offer is None:
        return ()
    try:
        return tuple(_made(calls, node, step, step.offer))
    except TemplateError as error:
        raise FlowBroken(node.path, str(error)) from error


def _made(calls: Calls, node: Node, step: Question | Message, offer: Offer) -> list[Choice]:
    flow, memory, form = calls.flow, calls.memory, offer.form
    if offer.origin == "data":
        if form is None:
            return [_formed(option, memory.scope()) for option in offer.data]
        return [_formed_of(memory, form, element) for element in offer.data]
    if offer.source is not None:
        elements = data_sources.call(calls, offer.source, node.path).picked
        if elements is None:
            elements = []
        if not isinstance(elements, list | tuple):
            raise FlowBroken(node.path, "The options are no list. Pick the list inside the answer with a selector.")
        is_value = counts_as_value(flow, node)
        return [
            _from_source(memory, node, form, element, is_value, number) for number, element in enumerate(elements, 1)
        ]
    if not isinstance(step, Question):
        return []
    type = step.type
    values = flow.recogniser.values(type)
    if form is None:
        return [Choice(value["value"], value["value"]) for value in values]
    return [_formed_of(memory, form, worded(value, type), value["value"]) for value in values]


def counts_as_value(flow: Flow, node: Node) -> bool:
    """Return whether the type has no values of its own, so that an option is one, with its element as metadata."""
    if not isinstance(node.step, Question):
        return False
    type = node.step.type
    return flow.recogniser.kind(type) in ("keywords", "trait") and not flow.recogniser.has_values(type)


def _from_source(
    memory: Memory, node: Node, form: OptionForm | None, element: Any, is_value: bool, number: int
) -> Choice:
    choice = _unformed(element) if form is None else _formed_of(memory, form, element)
    if not plain_title(choice.title):  # nobody can read such a reply, and most channels refuse it
        raise FlowBroken(
            node.path,
            f"Option {number} of the data source has no title. Give the display a template whose title is never blank, "
            "or pick the elements that have one with a selector.",
        )
    if not is_value:
        return choice
    return Choice(choice.title, choice.value, choice.subtitle, choice.image, stored(element))


def _formed_of(memory: Memory, form: OptionForm, element: Any, default: Any = None) -> Choice:
    title = _title_of(element) if form.title is None else ""
    return _formed(form, memory.scope_of(element), title, default)


def _formed(form: OptionForm, scope: Scope, title: str = "", default: Any = None) -> Choice:
    """Make an option by its templates. ``title``: for a form that has none. An option without any reads as its value,
    as one in the flow does."""
    if form.title is not None:
        title = form.title.text(scope)
    value = stored(form.value.leaf(scope)) if form.value is not None else default
    if form.latitude is not None and form.longitude is not None:
        value = _place(form.latitude.leaf(scope), form.longitude.leaf(scope), plain_title(title))
    if not title and value is not None:
        title = plain_text(value)
    subtitle = form.subtitle.text(scope) if form.subtitle is not None else None
    image = form.image.text(scope) if form.image is not None else None
    return Choice(title, plain_title(title) if value is None else value, subtitle or None, image or None)


def _place(latitude: Any, longitude: Any, name: str) -> dict[str, Any]:
    """Return a place as a value of ``Location``. Raises ``TemplateError`` for what is no point of the earth."""
    north, east = read_number(latitude), read_number(longitude)
    if north is None or east is None or not (-90 <= north <= 90 and -180 <= east <= 180):
        raise TemplateError(
            f'The place "{name}" has no latitude from -90 to 90 and longitude from -180 to 180. Give the places a '
            "template that names both, or pick the elements that have them with a selector."
        )
    return {"latitude": north, "longitude": east, "name": name}


def _title_of(element: Any) -> str:
    if isinstance(element, dict) and not isinstance(element, CustomValue) and "title" in element:
        return print_value(element["title"])
    return print_value(element)


def _unformed(element: Any) -> Choice:
    """Make an option of an element without a template: a text is its own title, an object is read as an option
    object."""
    if not isinstance(element, dict) or isinstance(element, CustomValue):
        title = print_value(element)
        return Choice(title, plain_title(title))
    title, value = print_value(element.get("title")), stored(element.get("value"))
    if not title and value is not None:
        title = plain_text(value)
    subtitle, image = element.get("subtitle"), element.get("image")
    return Choice(
        title,
        plain_title(title) if value is None else value,
        subtitle if isinstance(subtitle, str) and subtitle else None,
        image if isinstance(image, str) and image else None,
    )
