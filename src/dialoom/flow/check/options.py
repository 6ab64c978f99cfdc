"""Static options that their type does not know: choosing one gives an invalid reply (flow-language.md section 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.flow.check.plain import leniently
from dialoom.flow.report import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.flow.check.known import Known
    from dialoom.flow.pieces import Piece


_READ_FROM_TEXT = frozenset(
    {"Number", "Date", "Time", "Datetime", "Duration", "Amount", "Email", "PhoneNumber", "Url", "Confirmation"}
)


def unmatched_options(display: Piece, known: Known) -> Iterator[Fault]:
    """A static option whose value names nothing of its keywords type: choosing it gives an invalid reply."""
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
        if said is not None and "{{" not in said and leniently(said) not in names:
            message = f'"{said[:80]}" is no value or synonym of "{entity_type}", so that choosing it is not understood.'
            path = display.at("data", index, *keys)
            yield Fault(path=path, message=message, word=said, allowed=tuple(names.values()))


def unread_options(display: Piece, known: Known) -> Iterator[Fault]:
    """A static option in which no value of a regex or built-in type is found; only where somebody can look for one."""
    step = display.step
    if step is None or display.value.get("template") is not None:
        return
    entity_type = step.text("entity-type") or ""
    is_regex = known.strategy(entity_type) == "regex"
    if not is_regex and entity_type not in _READ_FROM_TEXT:
        return
    for index, option in enumerate(display.list("data")):
        keys, said = _said(option)
        if said is None or "{{" in said or not said.strip() or known.reader.finds(entity_type, said) is not False:
            continue
        reason = f'the pattern of "{entity_type}" does not fit it' if is_regex else f"it is no {entity_type}"
        message = (
            f'"{said[:80]}" is not understood when it is chosen: {reason}. Write it differently, or take the type Text.'
        )
        yield Fault(path=display.at("data", index, *keys), message=message)


def _said(option: Any) -> tuple[tuple[str, ...], str | None]:
    """What choosing the option says, and the key where it stands."""
    if isinstance(option, str):
        return (), option
    if isinstance(option, dict):
        for key in ("value", "title"):
            if isinstance(option.get(key), str):
                return (key,), option[key]
    return (), None
