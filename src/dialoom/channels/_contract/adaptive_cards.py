"""Draws dialogs as Adaptive Cards of version 1.5, and reads what their buttons submit as the user's choice.

A card travels as an attachment of a Bot Framework activity. Which dialogs become one, and what stands around them, is
the channel's; titles come plain. What a submit brings is a claim of the client: the engine holds its keys against the
question that is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from dialoom.channels._contract.taps import said
from dialoom.engine.events import Event, Picked, Said
from dialoom.messages import Dialog, Option

if TYPE_CHECKING:
    Submit = Callable[[str, dict[str, Any]], dict[str, Any]]
    """Returns the ``data`` of a button from its title and what it brings, in the words of a client."""

CARD_TYPE: Final = "application/vnd.microsoft.card.adaptive"
SIGN_IN_TYPE: Final = "application/vnd.microsoft.card.signin"
VERSION: Final = "1.5"
"""The newest that Web Chat and Microsoft Teams both draw
(https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-reference)."""
MAX_EXPANDED_CHOICES: Final = 10
"""Options of which one is chosen that are shown as a list; more are in a menu."""
MAX_SET_ACTIONS: Final = 6
"""Buttons that one set shows, in Teams (https://github.com/MicrosoftDocs/bot-docs/issues/2161); the rest stands in the
next set."""

# What a submit brings: the key of the asking and one of the others. An option without a key is said (``taps.said``).
ASK: Final = "ask"
KEY: Final = "option"
KEYS: Final = "options"
DATE: Final = "date"
TEXT: Final = "say"


def as_data(title: str, brings: dict[str, Any]) -> dict[str, Any]:
    """Return what a button brings as it is: what a client without words of its own submits."""
    return brings


def attachment(card: dict[str, Any]) -> dict[str, Any]:
    """Return a card as an attachment of an activity."""
    return {"contentType": CARD_TYPE, "content": card}


def sign_in(text: str, title: str, url: str, action: str) -> dict[str, Any]:
    """Return the attachment of a card with the button of a login. ``action``: ``signin``, or ``openUrl`` for a client
    that would add words of its own to the address."""
    button = {"type": action, "title": title, "value": url}
    return {"contentType": SIGN_IN_TYPE, "content": {"text": text, "buttons": [button]}}


def link_card(title: str, url: str, text: str = "") -> dict[str, Any]:
    """Return a card whose button opens an address."""
    return _card(_text(text), [{"type": "Action.OpenUrl", "title": title, "url": url}])


def picture_card(url: str, title: str) -> dict[str, Any]:
    """Return a card that is a picture alone."""
    return _card([{"type": "Image", "url": url, "altText": title, "size": "Stretch"}])


def replies_card(text: str, replies: Sequence[Option], submit: Submit = as_data) -> dict[str, Any]:
    """Return a card with quick replies: those of the flow, and below them the system buttons."""
    own = [reply for reply in replies if not reply.system]
    system = [reply for reply in replies if reply.system]
    sets = [part[at : at + MAX_SET_ACTIONS] for part in (own, system) for at in range(0, len(part), MAX_SET_ACTIONS)]
    actions = [{"type": "ActionSet", "actions": [_choose(one, one.title, submit) for one in part]} for part in sets]
    return _card([*_text(text), *actions])


def dialog_cards(dialog: Dialog, text: str = "", submit: Submit = as_data) -> list[dict[str, Any]]:
    """Return the cards of a dialog: one with an input, or one for each option of a carousel. None for a dialog that no
    card shows (``location-picker``, ``login``), or without options. ``text``: the question, where it is to stand in the
    card."""
    match dialog.type:
        case "single-select" | "multi-select" if not dialog.options:
            return []  # an input that must be filled and cannot be
        case "single-select":
            return [_input_card(dialog, text, _choices(dialog, is_multiple=False), submit)]
        case "multi-select":
            return [_input_card(dialog, text, _choices(dialog, is_multiple=True), submit)]
        case "date-picker":
            # An input of a card knows no days between its limits that are off.
            limits = {name: day for name, day in (("min", dialog.min), ("max", dialog.max)) if day}
            return [_input_card(dialog, text, {"type": "Input.Date", "id": DATE, **limits}, submit)]
        case "carousel":
            return [_option_card(option, dialog, submit) for option in dialog.options]
        case _:
            return []


def read_submit(value: Any, common: dict[str, Any]) -> Event | None:
    """Return what was submitted as an event made with ``common``; None for what none of our buttons brings.

    What was left empty names no option: the engine takes that for a stale answer and asks again.
    """
    if not isinstance(value, dict):
        return None
    ask = value.get(ASK)
    ask = ask if isinstance(ask, str) and ask else None
    name = next((name for name in (KEY, KEYS, DATE, TEXT) if isinstance(value.get(name), str)), None)
    if name is None:
        return None
    given: str = value[name]
    match name:
        case "option":
            return Picked(**common, key=given)
        case "options":
            # Adaptive Cards join the values of several choices with commas; keys have none.
            keys = tuple(dict.fromkeys(key for key in given.split(",") if key))
            return Picked(**common, keys=keys) if keys else Picked(**common, key="")
        case "date":
            return Picked(**common, value=given, ask=ask)
        case _:
            return Said(**common, text=given)


def brings(option: Option) -> dict[str, Any]:
    """Return what the button of an option brings."""
    return {KEY: option.key} if option.key else {TEXT: said(option)}


def _choose(option: Option, title: str, submit: Submit) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if title != option.title:
        # Buttons of two cards may read alike: to screen readers each says what it chooses.
        more = {"tooltip": option.title}
    elif option.image is not None and option.image.startswith("https://"):
        more = {"iconUrl": option.image}
    return {
        "type": "Action.Submit",
        "title": title or option.title,
        "data": submit(option.title, brings(option)),
        **more,
    }


def _choices(dialog: Dialog, *, is_multiple: bool) -> dict[str, Any]:
    is_keyed = all(option.key for option in dialog.options)
    choices = [
        {"title": _title(option), "value": option.key if is_keyed else said(option)} for option in dialog.options
    ]
    is_expanded = is_multiple or len(choices) <= MAX_EXPANDED_CHOICES
    return {
        "type": "Input.ChoiceSet",
        "id": TEXT if not is_keyed else KEYS if is_multiple else KEY,
        "choices": choices,
        "style": "expanded" if is_expanded else "compact",
        "isMultiSelect": is_multiple,
        "wrap": True,
    }


def _title(option: Option) -> str:
    """Return the title of an option with its subtitle: a choice has one line."""
    return f"{option.title} – {option.subtitle}" if option.subtitle else option.title


def _input_card(dialog: Dialog, text: str, asked: dict[str, Any], submit: Submit) -> dict[str, Any]:
    title = dialog.title
    if title:
        # Web Chat draws no card with a required input that does not say what is missing.
        asked |= {"label": title, "isRequired": True, "errorMessage": title}
    data = {ASK: dialog.key} if dialog.key else {}
    button = dialog.button_text or title
    action = {"type": "Action.Submit", "title": button, "data": submit(button, data)}
    return _card([*_text(text), asked], [action])


def _option_card(option: Option, dialog: Dialog, submit: Submit) -> dict[str, Any]:
    title = option.title
    body: list[dict[str, Any]] = []
    if option.image:
        body.append({"type": "Image", "url": option.image, "altText": title, "size": "Stretch"})
    body.append({"type": "TextBlock", "text": title, "weight": "Bolder", "wrap": True})
    if option.subtitle:
        body.append({"type": "TextBlock", "text": option.subtitle, "isSubtle": True, "wrap": True})
    return _card(body, [_choose(option, dialog.button_text, submit)])


def _text(text: str) -> list[dict[str, Any]]:
    return [{"type": "TextBlock", "text": text, "wrap": True}] if text else []


def _card(body: list[dict[str, Any]], actions: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    card: dict[str, Any] = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": VERSION,
        "body": body,
    }
    return card | ({"actions": actions} if actions else {})
