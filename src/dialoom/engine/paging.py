"""Quick replies five at a time, with the two system buttons (flow-language.md sections 5 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine.match_option import Fixed
from dialoom.messages import Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.engine.compiled import Commands
    from dialoom.engine.state import Ask, Choice

PAGE = 5
NEXT, PREVIOUS = "next", "previous"
MANY = 500
"""Options from which on it pays to keep them."""
MAX_ON_A_FULL_PAGE = 4


def page(commands: Commands, choices: Sequence[Choice], ask: Ask, always: int = 0) -> tuple[Option, ...]:
    """The options of the page that is shown; behind them Prev where some precede, then Next where more follow.

    ``always``: how many of the first stand on every page, beside its five.
    """
    start = always + ask.start
    shown = [*options(choices[:always], ask), *options(choices[start : start + PAGE], ask, start)]
    if ask.start > 0:
        title = label(commands, PREVIOUS)
        shown.append(Option(title, title, f"{ask.number}.{PREVIOUS}", system="previous"))
    if start + PAGE < len(choices):
        title = label(commands, NEXT)
        shown.append(Option(title, title, f"{ask.number}.{NEXT}", system="next"))
    return tuple(shown)


def label(commands: Commands, direction: str) -> str:
    """Of the system button."""
    return commands.next_label if direction == NEXT else commands.previous_label


def options(choices: Sequence[Choice], ask: Ask, start: int = 0) -> tuple[Option, ...]:
    """With their keys; ``start``: the place of the first.

    A dialog may have ten thousand, which take 3 ms to make. Where all users see the same ones, those of the last few
    numbers are kept: the numbers of askings are small, so that most chats ask under one of them.
    """
    if not isinstance(choices, Fixed) or len(choices) < MANY:
        return _keyed(choices, ask.number, start)
    shown = choices.shown
    found = shown.get(ask.number)
    if found is None:
        if len(shown) >= MAX_ON_A_FULL_PAGE:
            shown.pop(next(iter(shown)), None)
        found = shown[ask.number] = _keyed(choices, ask.number, start)
    return found


def _keyed(choices: Sequence[Choice], number: int, start: int) -> tuple[Option, ...]:
    begin = f"{number}."
    return tuple(
        [
            Option(choice.title, choice.value, begin + str(place), choice.subtitle, choice.image)
            for place, choice in enumerate(choices, start)
        ]
    )


def turned(ask: Ask, count: int, direction: str) -> int | None:
    """Where the page in that direction begins; None when there is none."""
    start = ask.start + PAGE if direction == NEXT else ask.start - PAGE
    return start if 0 <= start < count else None
