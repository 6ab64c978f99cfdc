"""Checks what a date-picker and a location-picker offer: days, and places (channels.md section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from dialoom.flow.check.known import Known
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import Piece
from dialoom.flow.words import WEEKDAYS
from dialoom.template.values import read_number


def days(display: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each day of a date-picker that is none, and for limits that leave no day. Templates are passed
    over, since they may give anything; so are words, where nobody lends the understanding of them."""
    if display.text("type") != "date-picker":
        return
    for key in ("min", "max"):
        text = display.text(key)
        if text and not _is_day(text, display, known):
            yield Fault(path=display.at(key), message=_no_day(text))
    for index, text in enumerate(display.list("off")):
        if not isinstance(text, str) or "{{" in text or text.strip().lower() in WEEKDAYS or _iso(text) is not None:
            continue
        message = f'"{text[:80]}" is no day that can be off. Write YYYY-MM-DD, or monday to sunday.'
        yield Fault(path=display.at("off", index), message=message, word=text.lower(), allowed=WEEKDAYS)
    least, most = _iso(display.text("min")), _iso(display.text("max"))
    if least is not None and most is not None and least > most:
        yield Fault(path=display.at("max"), message=f'"max" is before "min" ({least}), so that no day can be chosen.')
    if set(WEEKDAYS) <= {text.strip().lower() for text in display.list("off") if isinstance(text, str)}:
        yield Fault(path=display.at("off"), message="Every weekday is off, so that no day can be chosen.")


def _no_day(text: str) -> str:
    return f'"{text[:80]}" is no day. Write YYYY-MM-DD, or a word for a day such as today.'


def _is_day(text: str, display: Piece, known: Known) -> bool:
    if not text.strip() or "{{" in text or _iso(text) is not None:
        return True
    step = display.step
    if text[:4].isdecimal() or step is None:
        return False
    dated = Piece("step", step.file, step.path, {"entity-type": "Date"}, step.owner)
    return known.reader.finds(dated, text) is not False


def _iso(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text.strip())
    except ValueError:
        return None


def unchecked_days(display: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a limit that the date-picker has and no ``range`` of its question, or the other way round. A
    custom validation may check anything, so that a question with one is passed over."""
    step = display.step
    if step is None or display.text("type") != "date-picker":
        return
    reactions = step.value.get("reactions")
    validations = reactions.get("validations") if isinstance(reactions, dict) else None
    found = [one for one in validations or [] if isinstance(one, dict)]
    has_custom = any(one.get("type") == "custom" for one in found)
    checked: dict[str, Any] = {}
    for one in found:
        if one.get("type") == "range" and isinstance(one.get("parameters"), dict):
            checked |= one["parameters"]
    for key in ("min", "max"):
        is_shown, is_checked = bool(display.value.get(key)), checked.get(key) not in (None, "")
        if is_checked and not is_shown:
            message = f'The range of this question has a "{key}", and the picker offers days beyond it. Add "{key}".'
            yield Fault(path=display.path, message=message)
        elif is_shown and not is_checked and not has_custom:
            message = (
                f'Nothing checks this "{key}" where the day is typed. Give the question a range with the same one.'
            )
            yield Fault(path=display.at(key), message=message, at_key=True)


def no_places(places: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for places that come from nowhere."""
    if "data" not in places.value and "data-source" not in places.value:
        message = 'The places need "data" or a "data-source".'
        yield Fault(path=places.path, message=message, allowed=("data", "data-source"))


def static_places(places: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each place in ``data``, without a template, that has no title or is no point of the earth."""
    if "template" in places.value:
        return
    for index, place in enumerate(places.list("data")):
        path = places.at("data", index)
        if not isinstance(place, dict) or not str(place.get("title") or "").strip():
            yield Fault(path=path, message='A place is an object with "title", "latitude" and "longitude".')
            continue
        for key, most in (("latitude", 90), ("longitude", 180)):
            number = read_number(place.get(key))
            if number is None or not -most <= number <= most:
                yield Fault(path=path, message=f'"{key}" of a place is a number from -{most} to {most}.')
