"""The structure of Adaptive Cards 1.5 as far as Teams shows them: elements, inputs and actions with their properties.

Source: the schema 1.5 of github.com/microsoft/AdaptiveCards (schemas/1.5.0/adaptive-card.json), and
learn.microsoft.com/en-us/microsoftteams/platform/task-modules-and-cards/cards/cards-reference for Teams.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from dialoom.testing.platforms.shapes import (
    Address,
    Anything,
    By,
    Fault,
    Fields,
    Flag,
    Later,
    ListOf,
    Number,
    OneOf,
    Shape,
    Text,
    faults,
)

MAX_PRIMARY_ACTIONS = 6
VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5")
_word = partial(OneOf, is_any_case=True)
"""The schema's own patterns take large and small letters."""

_ANY_TEXT = Text(None, 0)
_LINK = Address(schemes=("https", "http"))
_IMAGE = Address(schemes=("https",))
_LEFT = _word(("left", "center", "right"))
_SIZES = ("default", "small", "medium", "large", "extraLarge")
_COLORS = _word(("default", "dark", "light", "accent", "good", "warning", "attention"))
_ELEMENTS = ListOf(Later(lambda: ELEMENT))
_ACTIONS = ListOf(Later(lambda: ACTION))
_SELECT = Later(lambda: SELECT_ACTION)
_EVERY: Mapping[str, Shape] = {
    "id": Text(),
    "isVisible": Flag(),
    "separator": Flag(),
    "spacing": _word((*_SIZES, "none", "padding")),
    "height": _word(("auto", "stretch")),
    "fallback": Anything(),
    "requires": Anything(),
}
_STYLE = _word(("default", "emphasis", "good", "attention", "warning", "accent"))
_BOX: Mapping[str, Shape] = {
    "style": _STYLE,
    "verticalContentAlignment": _word(("top", "center", "bottom")),
    "bleed": Flag(),
    "minHeight": Text(),
    "rtl": Flag(),
    "backgroundImage": Anything(),
    "selectAction": _SELECT,
}
_FONT: Mapping[str, Shape] = {
    "color": _COLORS,
    "fontType": _word(("default", "monospace")),
    "isSubtle": Flag(),
    "size": _word(_SIZES),
    "weight": _word(("default", "lighter", "bolder")),
}
_INPUT: Mapping[str, Shape] = {"label": _ANY_TEXT, "isRequired": Flag(), "errorMessage": Text()}
_CHOICE = Fields({"title": Text(), "value": Text()})
_FACT = Fields({"title": _ANY_TEXT, "value": _ANY_TEXT})


def _element(required: Mapping[str, Shape] | None = None, **optional: Shape) -> Fields:
    return Fields(required or {}, {**_EVERY, **optional})


def _input(required: Mapping[str, Shape] | None = None, **optional: Shape) -> Fields:
    return Fields({"id": Text(), **(required or {})}, {**_EVERY, **_INPUT, **optional})


_COLUMN = Fields({}, {"type": OneOf(("Column",)), "items": _ELEMENTS, "width": Anything(), **_EVERY, **_BOX})
_TEXT_RUN = By(
    "type",
    {
        "TextRun": Fields(
            {"text": _ANY_TEXT},
            {
                **_FONT,
                **dict.fromkeys(("highlight", "italic", "strikethrough", "underline"), Flag()),
                "selectAction": _SELECT,
            },
        )
    },
)
_IMAGE_ELEMENT = _element(
    {"url": _IMAGE},
    altText=_ANY_TEXT,
    backgroundColor=Text(),
    horizontalAlignment=_LEFT,
    selectAction=_SELECT,
    size=_word(("auto", "stretch", "small", "medium", "large")),
    style=_word(("default", "person")),
    width=Text(),
    height=Text(),
)
_CELL = By("type", {"TableCell": Fields({"items": _ELEMENTS}, {**_BOX})})
_ROW = By("type", {"TableRow": Fields({"cells": ListOf(_CELL)}, {"style": _STYLE})})
ELEMENT: Shape = By(
    "type",
    {
        "TextBlock": _element(
            {"text": _ANY_TEXT},
            **_FONT,
            horizontalAlignment=_LEFT,
            maxLines=Number(1),
            wrap=Flag(),
            style=_word(("default", "heading")),
        ),
        "RichTextBlock": _element({"inlines": ListOf(_TEXT_RUN)}, horizontalAlignment=_LEFT),
        "Image": _IMAGE_ELEMENT,
        "ImageSet": _element(
            {"images": ListOf(By("type", {"Image": _IMAGE_ELEMENT}))}, imageSize=_word(("small", "medium", "large"))
        ),
        "Container": _element({"items": _ELEMENTS}, **_BOX),
        "ColumnSet": _element({"columns": ListOf(_COLUMN)}, horizontalAlignment=_LEFT, **_BOX),
        "FactSet": _element({"facts": ListOf(_FACT)}),
        "ActionSet": _element({"actions": _ACTIONS}),
        "Table": _element(
            {"columns": ListOf(Anything()), "rows": ListOf(_ROW)},
            firstRowAsHeader=Flag(),
            showGridLines=Flag(),
            gridStyle=_STYLE,
        ),
        "Input.Text": _input(
            placeholder=_ANY_TEXT,
            value=_ANY_TEXT,
            isMultiline=Flag(),
            maxLength=Number(1),
            regex=Text(),
            style=_word(("text", "tel", "url", "email", "password")),
            inlineAction=_SELECT,
        ),
        "Input.Number": _input(
            placeholder=_ANY_TEXT, min=Number(whole=False), max=Number(whole=False), value=Number(whole=False)
        ),
        "Input.Date": _input(placeholder=_ANY_TEXT, min=Text(10, 10), max=Text(10, 10), value=Text(10, 10)),
        "Input.Time": _input(placeholder=_ANY_TEXT, min=Text(5, 5), max=Text(5, 5), value=Text(5, 5)),
        "Input.Toggle": _input({"title": Text()}, value=Text(), valueOff=Text(), valueOn=Text(), wrap=Flag()),
        "Input.ChoiceSet": _input(
            {"choices": ListOf(_CHOICE, None, 1)},
            isMultiSelect=Flag(),
            style=_word(("compact", "expanded", "filtered")),
            value=_ANY_TEXT,
            placeholder=_ANY_TEXT,
            wrap=Flag(),
        ),
    },
)
_EVERY_ACTION: Mapping[str, Shape] = {
    "id": Text(),
    "title": Text(),
    "iconUrl": _IMAGE,
    "style": _word(("default", "positive", "destructive")),
    "isEnabled": Flag(),
    "tooltip": Text(),
    "mode": _word(("primary", "secondary")),
    "fallback": Anything(),
    "requires": Anything(),
}
_SUBMIT = Fields({}, {**_EVERY_ACTION, "data": Anything(), "associatedInputs": _word(("auto", "none"))})
_SELECTABLE: Mapping[str, Fields] = {
    "Action.OpenUrl": Fields({"url": _LINK}, _EVERY_ACTION),
    "Action.Submit": _SUBMIT,
    "Action.Execute": Fields({}, {**_SUBMIT.optional, "verb": Text()}),
    "Action.ToggleVisibility": Fields({"targetElements": ListOf(Anything(), None, 1)}, _EVERY_ACTION),
}
SELECT_ACTION: Shape = By("type", _SELECTABLE)
ACTION: Shape = By("type", {**_SELECTABLE, "Action.ShowCard": Fields({"card": Later(lambda: CARD)}, _EVERY_ACTION)})
CARD: Shape = By(
    "type",
    {
        "AdaptiveCard": Fields(
            {"version": OneOf(VERSIONS)},
            {
                "$schema": Text(),
                "body": _ELEMENTS,
                "actions": _ACTIONS,
                "selectAction": _SELECT,
                "fallbackText": _ANY_TEXT,
                "speak": _ANY_TEXT,
                "lang": Text(),
                "minHeight": Text(),
                "rtl": Flag(),
                "verticalContentAlignment": _word(("top", "center", "bottom")),
                "backgroundImage": Anything(),
                "msteams": Anything(),
                "metadata": Anything(),
                "refresh": Anything(),
                "authentication": Anything(),
            },
        )
    },
)


def card_faults(card: Any) -> Iterator[Fault]:
    """Yield what is wrong with a card."""
    found = list(faults(card, CARD))
    yield from found
    if found:
        return
    inputs = list(inputs_of(card))
    for id, times in Counter(one["id"] for one in walk(card) if "id" in one).items():
        if times > 1:
            yield Fault(("id",), "value", f"{id!r} stands {times} times")
    for one in inputs:
        choices = one.get("choices", [])
        if one.get("isMultiSelect") and any("," in choice["value"] for choice in choices):
            yield Fault(
                ("choices",), "value", f"{one['id']!r}: the answer joins values by commas, so none may have one"
            )
    for holder in walk(card):
        primary = [one for one in holder.get("actions", []) if one.get("mode") != "secondary"]
        if len(primary) > MAX_PRIMARY_ACTIONS:
            yield Fault(("actions",), "many", f"has {len(primary)} actions, shown are {MAX_PRIMARY_ACTIONS}")
        for action in holder.get("actions", []):
            if not action.get("title") and not action.get("iconUrl"):
                yield Fault(("actions",), "missing", "an action needs a title")
            yield from _teams_faults(action, bool(inputs))


def _teams_faults(action: Mapping[str, Any], with_inputs: bool) -> Iterator[Fault]:
    data = action.get("data")
    if data is None:
        return
    if not isinstance(data, str | dict):
        yield Fault(("data",), "type", "must be a string or an object")
        return
    teams = data.get("msteams") if isinstance(data, dict) else None
    if teams is None:
        return
    kinds = ("messageBack", "imBack", "signin", "invoke", "task/fetch")
    if not isinstance(teams, dict) or teams.get("type") not in kinds:
        yield Fault(("data", "msteams", "type"), "value", f"must be one of {', '.join(kinds)}")
    elif teams["type"] in ("imBack", "signin") and not isinstance(teams.get("value"), str):
        yield Fault(("data", "msteams", "value"), "type", "must be a string")
    elif teams["type"] == "messageBack" and with_inputs and not isinstance(teams.get("value", {}), dict):
        yield Fault(("data", "msteams", "value"), "type", "must be an object, so that it can take the card's inputs")


def walk(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a card that has a type, outermost first; what actions carry as data is none."""
    if isinstance(node, dict):
        if "type" in node:
            yield node
        for name, part in node.items():
            if name not in ("data", "msteams", "metadata"):
                yield from walk(part)
    elif isinstance(node, list):
        for part in node:
            yield from walk(part)


def inputs_of(card: Any) -> Iterator[dict[str, Any]]:
    """Yield the inputs of a card."""
    return (one for one in walk(card) if str(one["type"]).startswith("Input."))
