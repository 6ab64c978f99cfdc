"""What the user chose: options of the open question, a turn of its page, something stale, or words like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.engine import match_option, paging
from dialoom.engine.memory import MAX_DEPTH, is_deeper
from dialoom.template.values import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dialoom.engine.events import Picked
    from dialoom.engine.state import Ask, Choice


MAX_TEXT_CHARS = 8000
"""Characters of a message that is understood, as long as one that is typed may be (service.md, Limits)."""


class Chosen(msgspec.Struct, frozen=True):
    """With nothing in it, what was chosen is neither an option nor words, and is not understood."""

    choices: tuple[Choice, ...] = ()
    page: str = ""
    """``next`` or ``previous``."""
    text: str | None = None
    """What was chosen as if it had been typed: it is no option of the open question."""
    is_stale: bool = False


STALE = Chosen(is_stale=True)


def read(event: Picked, ask: Ask | None, offered: tuple[Choice, ...]) -> Chosen:
    """``offered``: the options of the open question."""
    if is_of_another(event.ask, ask):
        return STALE
    keys = event.keys or ((event.key,) if event.key is not None else ())
    if keys:
        return STALE if ask is None else _by_keys(keys, ask, offered)
    values = event.value if isinstance(event.value, list | tuple) else [event.value]
    named = match_option.all_named_by(offered, [_plain(value) for value in values])
    if named is not None:
        return Chosen(tuple(named))
    if not all(isinstance(value, str | int | float) for value in values):
        return Chosen()
    said = ", ".join(map(_plain, values))
    return Chosen(text=said) if len(said) <= MAX_TEXT_CHARS else Chosen()


def is_of_another(named: str | None, ask: Ask | None) -> bool:
    """Whether an answer names an asking (``Dialog.key``) that is not the open one."""
    return named is not None and (ask is None or named != str(ask.number))


def _by_keys(keys: Iterable[str], ask: Ask, offered: tuple[Choice, ...]) -> Chosen:
    """A key is ``<ask>.<index>``; one of an earlier asking is never applied to this one."""
    chosen = []
    for key in keys:
        number, _, name = key.partition(".")
        if number != str(ask.number):
            return STALE
        if name in (paging.NEXT, paging.PREVIOUS):
            return Chosen(page=name)
        if not (name.isascii() and name.isdecimal() and len(name) < 9 and int(name) < len(offered)):
            return STALE
        chosen.append(offered[int(name)])
    return Chosen(tuple(chosen))


def _plain(value: Any) -> str:
    """A value of a client as text. It may be anything that JSON can hold, so nothing here may fail."""
    return "" if is_deeper(value, MAX_DEPTH - 1) else plain_text(value)
