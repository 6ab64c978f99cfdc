"""Checks displays: their keys, where their options come from, whether the type knows each option (section 8), and the
days and places of pickers (channels.md section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from dialoom.flow.channels import Shown
from dialoom.flow.check.known import Known, leniently, plain
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import Piece
from dialoom.flow.words import WEEKDAYS
from dialoom.template.values import read_number

_WITH_OPTIONS = frozenset({"quick-reply", "single-select", "multi-select", "carousel"})
_WITH_TITLE = frozenset({"location-picker", "date-picker", "single-select", "multi-select"})


def sources_of_replies(display: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for quick replies of a message step that has neither ``data`` nor a ``data-source``."""
    step = display.step
    if step is None or step.text("type") != "message" or display.text("type") != "quick-reply":
        return
    if "data" not in display.value and "data-source" not in display.value:
        message = 'The replies of a message step need "data" or a "data-source".'
        yield Fault(path=display.path, message=message, allowed=("data", "data-source"))


def options(display: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each static option, without a ``template``, that is no text and no object with a title."""
    if display.value.get("template") is not None or display.text("type") not in _WITH_OPTIONS:
        return
    for index, option in enumerate(display.list("data")):
        if isinstance(option, dict) and not isinstance(option.get("title"), str):
            message = 'An option needs a "title", or the display a "template" that makes one.'
            yield Fault(path=display.at("data", index), message=message)
        elif not isinstance(option, dict | str):
            message = "An option is a text or an object with a title. Write it in quotes, or add a template."
            yield Fault(path=display.at("data", index), message=message)


def carousels(display: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a carousel without a template that has a title for its cards."""
    if display.text("type") != "carousel":
        return
    template = display.value.get("template")
    if template is None:
        yield Fault(path=display.path, message='"template" is missing: a carousel needs it for its cards.')
    elif isinstance(template, dict) and template.get("title") is None:
        yield Fault(path=display.at("template"), message='"title" is missing: the cards of a carousel need it.')


def missing_titles(display: Piece, known: Known) -> Iterator[Fault]:
    """Warn of titles that are missing, so that a default is shown, and of cards without an image."""
    kind, step = display.text("type"), display.step
    if step is None or kind is None:
        return
    if display.value.get("title") is None:
        if kind in _WITH_TITLE:
            yield Fault(path=display.path, message='"title" is missing: "Open" in the bot\'s language is shown.')
        elif kind == "carousel":
            for row in known.channel_rows:
                if row.shows(kind) == "behind-button":
                    message = f'"title" is missing: on {row.type} the button of this carousel says "Open".'
                    yield Fault(path=display.path, message=message)
    template = display.value.get("template")
    if kind == "carousel" and isinstance(template, dict) and template.get("image") is None:
        yield Fault(path=display.at("template"), message='"image" is missing: the cards have no picture.')


def two_sources(display: Piece, _: Known) -> Iterator[Fault]:
    """Warn of a display that has both ``data`` and a ``data-source``."""
    if display.value.get("data") is not None and display.value.get("data-source") is not None:
        message = '"data" and "data-source" are both given, and one of them is not used. Remove it.'
        yield Fault(path=display.at("data-source"), message=message, at_key=True)


def no_options(display: Piece, known: Known) -> Iterator[Fault]:
    """Warn of a question whose display has no options and whose type has no values to offer."""
    step = display.step
    if step is None or step.text("type") != "question" or display.text("type") not in _WITH_OPTIONS:
        return
    if known.definitions is None or "data" in display.value or "data-source" in display.value:
        return
    entity_type = step.text("entity-type")
    strategy = known.strategy(entity_type)
    if strategy in ("keywords", "trait") or entity_type == "Confirmation":
        return
    if strategy is not None or entity_type in (known.entity_types or ()):
        message = f'No options: "{entity_type}" has no values to offer. Add "data" or a "data-source".'
        yield Fault(path=display.path, message=message)


def mismatched_selects(display: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a select that chooses one value where the question takes several, or several where it takes
    one."""
    step = display.step
    if step is None or step.text("type") != "question":
        return
    takes_many, kind = step.value.get("capture-multiple-values") is True, display.text("type")
    if kind == "single-select" and takes_many:
        message = 'This dialog lets the user choose one value, and the question takes several. Write "multi-select".'
        yield Fault(path=display.at("type"), message=message)
    elif kind == "multi-select" and not takes_many:
        message = (
            'This dialog always gives a list, and the question takes one value. Add "capture-multiple-values": true, '
            'or write "single-select".'
        )
        yield Fault(path=display.at("type"), message=message)


_INSTEAD: dict[Shown, str] = {
    "as-text": "the question is plain text",
    "as-list": "the options are a numbered list",
    "behind-button": "the cards are a list that a button opens",
}
"""What stands in the place of a display. A hosted page shows the same, and what is spoken is no loss."""


def falling_back(display: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a display that one of the bot's channels cannot show."""
    kind = display.text("type") or ""
    types_by_advice: dict[str, list[str]] = {}
    for row in known.channel_rows:
        if instead := _INSTEAD.get(row.shows(kind)):
            types_by_advice.setdefault(instead, []).append(row.type)
    for instead, channels in types_by_advice.items():
        message = f"There is no {kind} on {' and '.join(channels)}: {instead} there. See that the question reads well."
        yield Fault(path=display.at("type"), message=message)


def constant_options(display: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a template of options that has no expression and so makes the same of every element."""
    template = display.value.get("template")
    if isinstance(template, str):
        template = {"": template}
    if not isinstance(template, dict) or ("data" in display.value and len(display.list("data")) < 2):
        return
    for key in ("", "title", "value"):
        text = template.get(key)
        if isinstance(text, str) and text.strip() and "{{" not in text:
            path = display.at("template", key) if key else display.at("template")
            message = (
                f'"{text[:80]}" names nothing of the element, so that all options are the same. Use an expression.'
            )
            yield Fault(path=path, message=message)


def valueless_types(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a question that nothing can answer: its type has no values, and it has no options."""
    entity_type = step.text("entity-type")
    display = step.value.get("display")
    if step.text("type") != "question" or known.strategy(entity_type) not in ("keywords", "trait"):
        return
    definition = (known.definitions or {})[entity_type or ""]
    if known.values.get(entity_type or "") or "dynamic-data" in definition.value or entity_type == "Conversation":
        return
    if not isinstance(display, dict) or ("data" not in display and "data-source" not in display):
        message = (
            f'"{entity_type}" has no values, so that no answer is understood. Give it data, or the question options.'
        )
        yield Fault(path=step.at("entity-type"), message=message)


_READ_FROM_TEXT = frozenset(
    {"Number", "Date", "Time", "Datetime", "Duration", "Amount", "Email", "PhoneNumber", "Url", "Confirmation"}
)


def unmatched_options(display: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each static option that does not answer the question when it is chosen, whose type is a
    keywords type."""
    step = display.step
    if step is None or display.value.get("template") is not None:
        return
    entity_type = step.text("entity-type")
    definition = (known.definitions or {}).get(entity_type or "")
    if known.strategy(entity_type) != "keywords" or definition is None or "dynamic-data" in definition.value:
        return
    for index, option in enumerate(display.list("data")):
        names = known.names.of(entity_type or "")
        keys, said = _said(option)
        if said is None or "{{" in said:
            continue
        name = names.get(leniently(said))
        if name is not None and plain(name) == plain(said):
            continue
        # Chosen, it counts as typed: a value may be found among other words.
        answers = known.reader.finds(step, said)
        if not answers and (answers is not None or name is None):
            message = f'"{said[:80]}" names no one value or synonym of "{entity_type}": choosing it is no answer.'
            path = display.at("data", index, *keys)
            yield Fault(path=path, message=message, word=said, allowed=tuple(names.values()))


def unread_options(display: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each static option that does not answer the question when it is chosen, whose type is a regex
    or built-in type. Nothing is checked without a finder."""
    step = display.step
    if step is None or display.value.get("template") is not None:
        return
    entity_type = step.text("entity-type") or ""
    is_regex = known.strategy(entity_type) == "regex"
    if not is_regex and entity_type not in _READ_FROM_TEXT:
        return
    for index, option in enumerate(display.list("data")):
        keys, said = _said(option)
        if said is None or "{{" in said or not said.strip() or known.reader.finds(step, said) is not False:
            continue
        reason = f'the pattern of "{entity_type}" does not fit it' if is_regex else f"it is no single {entity_type}"
        message = (
            f'"{said[:80]}" is not understood when it is chosen: {reason}. Write it differently, or take the type Text.'
        )
        yield Fault(path=display.at("data", index, *keys), message=message)


def _said(option: Any) -> tuple[tuple[str, ...], str | None]:
    """Return the text that choosing the option says, with the key under which it stands."""
    if isinstance(option, str):
        return (), option
    if isinstance(option, dict):
        for key in ("value", "title"):
            if isinstance(option.get(key), str):
                return (key,), option[key]
    return (), None


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
    found = [one for one in validations if isinstance(one, dict)] if isinstance(validations, list) else []
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
