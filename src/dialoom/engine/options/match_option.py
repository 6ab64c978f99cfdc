"""Which of the options a value or a text names."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from dialoom.engine.state import Choice
from dialoom.messages import Option
from dialoom.messages.plain import plain_title
from dialoom.template.values import plain_text
from dialoom.understanding import normalise
from dialoom.understanding.name_tree import MAX_WORDS


class Fixed(tuple[Choice, ...]):
    """Options that are the same for everybody. They may be thousands, so that looking through them all is too slow."""

    @cached_property
    def names(self) -> dict[str, Choice]:
        """Return the options by folded value, and by folded title where that is no value."""
        names: dict[str, Choice] = {}
        for words in (plain_value, plain_name):
            for choice in self:
                names.setdefault(words(choice), choice)
        return names

    @cached_property
    def shown(self) -> dict[int, tuple[Option, ...]]:
        """Hold the options with their keys by the number of the asking: the last few (``asking.keyed_options``)."""
        return {}


_COMMA = re.compile("[,;\uff0c\u3001\u060c]")


def plain_value(choice: Choice) -> str:
    return folded(plain_text(choice.value))


def plain_name(choice: Choice) -> str:
    return folded(plain_title(choice.title))


def folded(text: str) -> str:
    """Return the text without case and surplus white space, for comparing."""
    return " ".join(text.split()).casefold()


def named_by(choices: Sequence[Choice], said: Any) -> Choice | None:
    """Return the option that a value or a text names: by value first, then by title, which may be written with its
    Markdown (a client of the rest channel that shows the titles of the flow sends them so)."""
    written = said if isinstance(said, str) else plain_text(said)
    text, read = folded(written), folded(plain_title(written))
    return _named(choices, text) or (_named(choices, read) if read != text else None)


def _named(choices: Sequence[Choice], text: str) -> Choice | None:
    if not text:
        return None
    if isinstance(choices, Fixed):
        return choices.names.get(text)
    for words in (plain_value, plain_name):
        for choice in choices:
            if words(choice) == text:
                return choice
    return None


def all_named_by(choices: Sequence[Choice], said: Sequence[Any]) -> list[Choice] | None:
    """Return the options that several values or texts name; None where one of them names none."""
    known = Fixed(choices) if len(said) > 1 and not isinstance(choices, Fixed) else choices
    found = [named_by(known, one) for one in said]
    named = [choice for choice in found if choice is not None]
    return named if named and len(named) == len(said) else None


def named_in_list(choices: Sequence[Choice], text: str) -> tuple[Choice, ...]:
    """The options that a text lists, as in "Adams, Clark"; none where a part of it names none."""
    parts = [part for part in _COMMA.split(text) if part.strip()]
    found = all_named_by(choices, parts) if len(parts) > 1 else None
    return tuple(dict.fromkeys(found)) if found else ()


def named_inside(choices: Sequence[Choice], text: str) -> Choice | None:
    """Return the option whose value or title stands in a sentence, at word boundaries; the longest, None when two are
    as long.

    Only for options that are themselves the values of their type: all others are found by understanding. As there, a
    name of more than ``MAX_WORDS`` words is found only as the whole message.
    """
    if not choices or choices[0].element is None:
        return None
    said = normalise(text)
    words = said.split(" ")
    present = set(words)
    names: dict[str, set[int]] = {}
    counts: dict[str, set[int]] = {}
    for index, choice in enumerate(choices):
        for name in (normalise(plain_text(choice.value)), normalise(plain_title(choice.title))):
            first = name.partition(" ")[0]
            if name and first in present and (count := name.count(" ") + 1) <= MAX_WORDS:
                names.setdefault(name, set()).add(index)
                counts.setdefault(first, set()).add(count)
    found = {name for name in _runs(said, words, counts) if name in names}
    longest = max(map(len, found), default=0)
    owners = {index for name in found if len(name) == longest for index in names[name]}
    return choices[owners.pop()] if len(owners) == 1 else None


def _runs(said: str, words: list[str], counts: dict[str, set[int]]) -> Iterator[str]:
    """Yield the runs of words of a text that have as many words as names that begin with their first one."""
    starts = [0, *itertools.accumulate(len(word) + 1 for word in words)]
    for first, word in enumerate(words):
        for count in counts.get(word, ()):
            if first + count <= len(words):
                yield said[starts[first] : starts[first + count] - 1]
