"""Quick replies five at a time, with the two system buttons (flow-language.md sections 5 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.messages import Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.engine.script import Commands
    from dialoom.engine.state import Ask, Choice

PAGE = 5
NEXT, PREVIOUS = "next", "previous"


def page(commands: Commands, choices: Sequence[Choice], ask: Ask) -> tuple[Option, ...]:
    """The options of the page that is shown; behind them Prev where some precede, then Next where more follow."""
    start = ask.start
    options = [option(choice, ask, start + index) for index, choice in enumerate(choices[start : start + PAGE])]
    if start > 0:
        title = label(commands, PREVIOUS)
        options.append(Option(title, title, f"{ask.number}.{PREVIOUS}", system="previous"))
    if start + PAGE < len(choices):
        title = label(commands, NEXT)
        options.append(Option(title, title, f"{ask.number}.{NEXT}", system="next"))
    return tuple(options)


def label(commands: Commands, direction: str) -> str:
    """Of the system button."""
    return commands.next_label if direction == NEXT else commands.previous_label


def option(choice: Choice, ask: Ask, index: int) -> Option:
    return Option(choice.title, choice.value, f"{ask.number}.{index}", choice.subtitle, choice.image)


def turned(ask: Ask, count: int, direction: str) -> int | None:
    """Where the page in that direction begins; None when there is none."""
    start = ask.start + PAGE if direction == NEXT else ask.start - PAGE
    return start if 0 <= start < count else None
