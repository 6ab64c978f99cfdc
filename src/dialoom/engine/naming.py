"""Which of the options a value or a text names."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dialoom.engine.state import Choice
from dialoom.messages.plain import plain_title
from dialoom.template.values import plain_text
from dialoom.understanding import normalise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.messages import Option

_SPACES = re.compile(r"\s+")


class Fixed(tuple[Choice, ...]):
    """Options that are the same for everybody. They may be thousands, so that looking through them all is too slow."""

    @cached_property
    def names(self) -> dict[str, Choice]:
        """What is folded to what: the values, and the titles that are no value."""
        names: dict[str, Choice] = {}
        for words in (plain_value, plain_name):
            for choice in self:
                names.setdefault(words(choice), choice)
        return names

    @cached_property
    def shown(self) -> dict[int, tuple[Option, ...]]:
        """Number of an asking to the options with its keys: the last few that were made, see ``paging``."""
        return {}


def plain_value(choice: Choice) -> str:
    return folded(plain_text(choice.value))


def plain_name(choice: Choice) -> str:
    return folded(plain_title(choice.title))


def folded(text: str) -> str:
    """A text for comparing without case and surplus white space."""
    return _SPACES.sub(" ", text.strip()).casefold()


def named_by(choices: Sequence[Choice], said: Any) -> Choice | None:
    """The option that a value or a text names: by value first, then by title."""
    text = folded(said if isinstance(said, str) else plain_text(said))
    if not text:
        return None
    if isinstance(choices, Fixed):
        return choices.names.get(text)
    for words in (plain_value, plain_name):
        for choice in choices:
            if words(choice) == text:
                return choice
    return None


def named_inside(choices: Sequence[Choice], text: str) -> Choice | None:
    """The option whose value or title stands in a sentence, at word boundaries; the longest, None when two are as long.

    Only for options that are themselves the values of their type: all others are found by understanding.
    """
    if not choices or choices[0].element is None:
        return None
    said = f" {normalise(text)} "
    best: list[Choice] = []
    longest = 0
    for choice in choices:
        names = (normalise(plain_text(choice.value)), normalise(plain_title(choice.title)))
        length = max((len(name) for name in names if name and f" {name} " in said), default=0)
        if length > longest:
            best, longest = [choice], length
        elif length == longest and length:
            best.append(choice)
    return best[0] if len(best) == 1 else None
