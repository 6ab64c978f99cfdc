"""Displays: where the options come from, what is asked for, and whether an option can be understood (section 8)."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from dialoom.flow.report import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.flow.check.known import Known
    from dialoom.flow.pieces import Piece

_WITH_OPTIONS = frozenset({"quick-reply", "single-select", "multi-select", "carousel"})
_WITH_TITLE = frozenset({"location-picker", "date-picker", "single-select", "multi-select"})


def sources_of_replies(display: Piece, _: Known) -> Iterator[Fault]:
    """The replies of a message step have nowhere else to come from."""
    step = display.step
    if step is None or step.text("type") != "message" or display.text("type") != "quick-reply":
        return
    if "data" not in display.value and "data-source" not in display.value:
        message = 'The replies of a message step need "data" or a "data-source".'
        yield Fault(path=display.path, message=message, allowed=("data", "data-source"))


def options(display: Piece, _: Known) -> Iterator[Fault]:
    """Without a ``template`` each static option is a text or an object with a title."""
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
    """A carousel's cards need a template with a title."""
    if display.text("type") != "carousel":
        return
    template = display.value.get("template")
    if template is None:
        yield Fault(path=display.path, message='"template" is missing: a carousel needs it for its cards.')
    elif isinstance(template, dict) and template.get("title") is None:
        yield Fault(path=display.at("template"), message='"title" is missing: the cards of a carousel need it.')


def missing_titles(display: Piece, known: Known) -> Iterator[Fault]:
    """Titles that have a default, and images of cards."""
    kind, step = display.text("type"), display.step
    if step is None or kind is None:
        return
    if display.value.get("title") is None:
        if kind in _WITH_TITLE:
            yield Fault(path=display.path, message='"title" is missing: "Open" in the bot\'s language is shown.')
        elif kind == "carousel" and "messenger-2" in known.channel_types:
            message = '"title" is missing: on messenger-2 the button of this carousel says "Open".'
            yield Fault(path=display.path, message=message)
    template = display.value.get("template")
    if kind == "carousel" and isinstance(template, dict) and template.get("image") is None:
        yield Fault(path=display.at("template"), message='"image" is missing: the cards have no picture.')


def two_sources(display: Piece, _: Known) -> Iterator[Fault]:
    """Options from two places."""
    if display.value.get("data") is not None and display.value.get("data-source") is not None:
        message = '"data" and "data-source" are both given, and one of them is not used. Remove it.'
        yield Fault(path=display.at("data-source"), message=message, at_key=True)


def no_options(display: Piece, known: Known) -> Iterator[Fault]:
    """A question whose display has no options and whose type has no values."""
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


def unmatched_options(display: Piece, known: Known) -> Iterator[Fault]:
    """A static option whose value names nothing of its keywords type: choosing it gives an invalid reply."""
    step = display.step
    if step is None or display.value.get("template") is not None:
        return
    entity_type = step.text("entity-type")
    definition = (known.definitions or {}).get(entity_type or "")
    if known.strategy(entity_type) != "keywords" or definition is None or "dynamic-data" in definition.value:
        return
    names: dict[str, str] = {}
    for value in known.values.get(entity_type or "", []):
        for name in (value.text("value"), *value.list("synonyms")):
            if isinstance(name, str):
                names.setdefault(_plain(name), name)
    for index, option in enumerate(display.list("data")):
        keys, said = _said(option)
        if said is not None and "{{" not in said and _plain(said) not in names:
            message = f'"{said[:80]}" is no value or synonym of "{entity_type}", so that choosing it is not understood.'
            path = display.at("data", index, *keys)
            yield Fault(path=path, message=message, word=said, allowed=tuple(names.values()))


def _said(option: Any) -> tuple[tuple[str, ...], str | None]:
    """What choosing the option says, and the key where it stands."""
    if isinstance(option, str):
        return (), option
    if isinstance(option, dict):
        for key in ("value", "title"):
            if isinstance(option.get(key), str):
                return (key,), option[key]
    return (), None


def _plain(text: str) -> str:
    """Letters and digits without accents and case: as lenient as the understanding that will read the option."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in spread if character.isalnum())
