"""Translates for the hosted picker page: the question as the page reads it, its answer as the engine takes it."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from dialoom.channels._contract import limits
from dialoom.channels._contract.bot_form import bot_form
from dialoom.channels._contract.channel import UNSET_FIELDS
from dialoom.engine.events import Event, Located, Picked
from dialoom.errors import RequestError
from dialoom.messages import Dialog
from dialoom.service.turns.pickers import OpenQuestion


class PickedOption(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choice on a picker page: give one of the three."""

    key: Annotated[str | UnsetType, Meta(description="The option's key.")] = UNSET
    keys: Annotated[tuple[str, ...] | UnsetType, Meta(description="The keys of several (multi-select).")] = UNSET
    value: Annotated[Any | UnsetType, Meta(description="A date, `YYYY-MM-DD` (date-picker).")] = UNSET


class PickBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer on a picker page: an option, or a place."""

    option: Annotated[PickedOption | UnsetType, Meta(description="What was chosen.")] = UNSET
    location: Annotated[limits.Place | UnsetType, Meta(description="A place, where one is asked for.")] = UNSET


def form(question: OpenQuestion) -> dict[str, Any]:
    """Return the question as the page reads it."""
    bot = question.deployed.bot
    return {
        "bot": bot_form(bot),
        "text": question.text,
        "dialog": msgspec.to_builtins(question.dialog),
        "locale": question.profile.locale or bot.file.language,
    }


def event(body: PickBody, question: OpenQuestion) -> Event:
    """Return the event of an answer, bound to its question. Raises ``RequestError`` 400 for one that the dialog cannot
    give."""
    dialog = question.dialog
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": question.profile}
    if body.location is not UNSET and body.option is UNSET and dialog.type == "location-picker":
        place = body.location
        return Located(**common, latitude=place.latitude, longitude=place.longitude, name=place.name, ask=dialog.key)
    if body.location is not UNSET or body.option is UNSET or dialog.type == "location-picker":
        wanted = "location" if dialog.type == "location-picker" else "option"
        raise RequestError("bad-message", f"This question is answered with {wanted} alone.")
    option = body.option
    if len([name for name in ("key", "keys", "value") if getattr(option, name) is not UNSET]) != 1:
        raise RequestError("bad-message", "An option is given by one of key, keys, value.", pointer="/option")
    if (option.value is not UNSET) != (dialog.type == "date-picker"):
        wanted = "value" if dialog.type == "date-picker" else "key"
        detail = f"An option of this question is given by its {wanted}."
        raise RequestError("bad-message", detail, pointer="/option")
    if option.value is not UNSET:
        return Picked(**common, value=_date(option.value), ask=dialog.key)
    if option.key is not UNSET:
        _check_offered((option.key,), dialog, "/option/key")
        return Picked(**common, key=option.key, ask=dialog.key)
    assert option.keys is not UNSET  # one of the three is there
    if not option.keys or (len(option.keys) > 1 and dialog.type != "multi-select"):
        wanted = "one key or more" if dialog.type == "multi-select" else "one key"
        raise RequestError("bad-message", f"This question takes {wanted}.", pointer="/option/keys")
    _check_offered(option.keys, dialog, "/option/keys")
    return Picked(**common, keys=option.keys, ask=dialog.key)


def _check_offered(keys: tuple[str, ...], dialog: Dialog, pointer: str) -> None:
    if len(set(keys)) != len(keys):
        raise RequestError("bad-message", "One key stands twice.", pointer=pointer)
    if not set(keys) <= {option.key for option in dialog.options}:
        raise RequestError("bad-message", "This question offers no option with that key.", pointer=pointer)


def _date(value: Any) -> str:
    try:
        if isinstance(value, str) and len(value) == len("YYYY-MM-DD"):
            return date.fromisoformat(value).isoformat()
    except ValueError:
        pass
    raise RequestError("bad-message", "A date is a text YYYY-MM-DD.", pointer="/option/value")
