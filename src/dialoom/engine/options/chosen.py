"""Reads what the user chose: options of the open question, another page, an outdated option, or words like any other.

Includes options that a text names by their position ("the second one"); which words do so is left to
``understanding``, what a chosen option means to ``interpret``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from dialoom.engine.compiled import AskingNode, Flow, Node, Question
from dialoom.engine.events import Picked
from dialoom.engine.memory import MAX_DEPTH, Memory, is_deeper
from dialoom.engine.options import asking, match_option, offered
from dialoom.engine.state import Ask, Choice
from dialoom.messages.plain import plain_title
from dialoom.template.values import plain_text
from dialoom.understanding import chosen_places, places_named

MAX_TEXT_CHARS = 8000
"""Characters of a message that is understood, as long as one that is typed may be (service.md, Limits)."""


class Chosen(msgspec.Struct, frozen=True):
    """With nothing in it, what was chosen is neither an option nor words, and is not understood."""

    choices: tuple[Choice, ...] = ()
    page: str = ""
    """``next``, ``previous`` or ``skip``."""
    text: str | None = None
    """What was chosen as if it had been typed: it is no option of the open question."""
    is_stale: bool = False


STALE = Chosen(is_stale=True)


def read(event: Picked, ask: Ask | None, offered: tuple[Choice, ...]) -> Chosen:
    """Return what the user chose. ``offered``: the options of the open question."""
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
    """Return whether an answer names an asking (``Dialog.key``) that is not the open one."""
    return named is not None and (ask is None or named != str(ask.number))


def _by_keys(keys: Iterable[str], ask: Ask, offered: tuple[Choice, ...]) -> Chosen:
    """Return what keys ``<ask>.<index>`` choose; one of an earlier asking is never applied to this one."""
    chosen = []
    for key in keys:
        number, _, name = key.partition(".")
        if number != str(ask.number):
            return STALE
        if name in (asking.NEXT, asking.PREVIOUS, asking.SKIP):
            return Chosen(page=name)
        if not (name.isascii() and name.isdecimal() and len(name) < 9 and int(name) < len(offered)):
            return STALE
        chosen.append(offered[int(name)])
    return Chosen(tuple(chosen))


def _plain(value: Any) -> str:
    """Return a value of a client as text. It may be anything that JSON can hold, so nothing here may fail."""
    return "" if is_deeper(value, MAX_DEPTH - 1) else plain_text(value)


def by_position(flow: Flow, memory: Memory, node: AskingNode, ask: Ask, text: str) -> tuple[Choice, ...]:
    """Return the options that a text names by position, of those that the user sees: the page of replies, or all of a
    list or of cards.

    What the question itself reads in the text goes first ("the second" as a date), unless the text says that one of
    several is meant ("the second one")."""
    step = node.step
    if not isinstance(step, Question) or ask.is_suggestion or step.type == "Confirmation":
        return ()
    named = places_named(text, flow.language)
    if named is None:
        return ()
    recogniser, type = flow.recogniser, step.type
    if recogniser.trained_expression(text) is not None:
        return ()
    if type == "Text":
        if named.is_numeric and len(text.split()) == 1:
            return ()  # a bare "2" may be what is asked for
    elif not (named.is_explicit or ask.is_ambiguity) and recogniser.recognise(text, (type,), memory.now())[type]:
        return ()
    shown = _shown(flow, node, ask)
    titles = [plain_title(choice.title) for choice in shown]
    indexes = chosen_places(named, titles, flow.language)
    return tuple(shown[index] for index in indexes)


def suggestion_by_position(flow: Flow, suggested: Sequence[Choice], text: str) -> str | None:
    """Return the reply under the bot's last message that a text names by position, as if it had been typed."""
    if not suggested:
        return None
    named = places_named(text, flow.language)
    if named is None or flow.recogniser.trained_expression(text) is not None:
        return None
    titles = [plain_title(choice.title) for choice in suggested]
    indexes = chosen_places(named, titles, flow.language)
    if len(indexes) != 1:
        return None
    choice = suggested[indexes[0]]
    return plain_text(choice.value) if isinstance(choice.value, str | int | float) else plain_title(choice.title)


def _shown(flow: Flow, node: Node, ask: Ask) -> tuple[Choice, ...]:
    choices = offered.of_ask(flow, node, ask)
    dialog = asking.dialog_of(node, ask)
    return choices[ask.start : ask.start + asking.MAX_PAGE_OPTIONS] if dialog is None else choices
