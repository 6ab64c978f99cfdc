"""Which of the options a value or a text names."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

from dialoom.engine.state import Choice
from dialoom.messages import Option
from dialoom.messages.plain import plain_title
from dialoom.template.values import plain_text
from dialoom.understanding import normalise
from dialoom.understanding.by_position import ordinals_for
from dialoom.understanding.name_tree import MAX_WORDS
from dialoom.understanding.slips import MIN_TOLERANT_CHARS, is_one_slip


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


MAX_SLIPPED_CHARS = 200
"""Characters of a message that may be a title with slips."""
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


def named_in_list(choices: Sequence[Choice], text: str, language: str) -> tuple[Choice, ...]:
    """Return the options that a text lists, as in "Adams, Clark and Baker"; none where a part of it names none."""
    for boundary in (_COMMA, _comma_or_and(language)):
        parts = [part for part in boundary.split(text) if part.strip()]
        found = _listed(choices, parts, len(text) <= MAX_SLIPPED_CHARS) if len(parts) > 1 else []
        if found:
            return tuple({id(choice): choice for choice in found}.values())
    return ()


def _listed(choices: Sequence[Choice], parts: Sequence[str], may_slip: bool) -> list[Choice]:
    """Return the option of each part; none where a part names none."""
    known = choices if isinstance(choices, Fixed) else Fixed(choices)
    slipped = _names_with_words(choices) if may_slip else []
    found: list[Choice] = []
    for part in parts:
        choice = named_by(known, part) or _one_slip_away(slipped, part)
        if choice is None:
            return []
        found.append(choice)
    return found


@cache
def _comma_or_and(language: str) -> re.Pattern[str]:
    """Return what stands between the parts of a list: also words for "and", between blanks."""
    ands = "|".join(re.escape(word) for word in sorted(ordinals_for(language).both))
    return re.compile(f"{_COMMA.pattern}|\\s&\\s" + (f"|\\s(?:{ands})\\s" if ands else ""), re.IGNORECASE)


def named_with_slip(choices: Sequence[Choice], text: str) -> Choice | None:
    """Return the one option whose value or title a text is but for slips of the finger, one in a word.

    Only for options that are themselves the values of their type: all others are found by understanding, which forgives
    the same.
    """
    return _one_slip_away(_names_with_words(choices), text) if len(text) <= MAX_SLIPPED_CHARS else None


def _names_with_words(choices: Sequence[Choice]) -> list[tuple[list[str], Choice]]:
    """Return the words of each value and title; none for options that are found by understanding."""
    if not choices or choices[0].element is None:
        return []
    names = [(name, choice) for choice in choices for name in {plain_text(choice.value), plain_title(choice.title)}]
    return [(normalise(name).split(" "), choice) for name, choice in names]


def _one_slip_away(names: Sequence[tuple[list[str], Choice]], text: str) -> Choice | None:
    said = normalise(text).split(" ")
    found = {id(choice): choice for name, choice in names if len(name) == len(said) and _is_slipped(said, name)}
    return next(iter(found.values())) if len(found) == 1 else None


def _is_slipped(said: Sequence[str], name: Sequence[str]) -> bool:
    """Return whether each word that was said is that of the name or, where it has letters enough, one slip away."""
    least = MIN_TOLERANT_CHARS if len(name) == 1 else MIN_TOLERANT_CHARS - 1
    return all(
        one == other
        or (
            len(one) >= least
            and len(other) >= MIN_TOLERANT_CHARS
            and one.isalpha()
            and other.isalpha()
            and one[0] == other[0]
            and is_one_slip(one, other)
        )
        for one, other in zip(said, name, strict=True)
    )


def named_inside(choices: Sequence[Choice], text: str) -> Choice | None:
    """Return the option whose value or title stands in a sentence, at word boundaries; the longest, None when two are
    as long.

    Only for options that are themselves the values of their type: all others are found by understanding. As there, a
    name of more than ``MAX_WORDS`` words is found only as the whole message.
    """
    found = _names_inside(choices, text)
    longest = max((run.end - run.start for run in found), default=0)
    owners = {index for run in found if run.end - run.start == longest for index in run.owners}
    return choices[owners.pop()] if len(owners) == 1 else None


def all_named_inside(choices: Sequence[Choice], text: str) -> tuple[Choice, ...]:
    """Return all options that stand in a sentence, in its order: of names that overlap the longest counts. None where
    one of the names is that of several options. Only for the options of ``named_inside``."""
    found = _names_inside(choices, text)
    covered = bytearray(max((run.end for run in found), default=0))
    taken: list[_Run] = []
    for run in sorted(found, key=lambda run: run.start - run.end):
        if covered.find(1, run.start, run.end) < 0:
            covered[run.start : run.end] = b"\1" * (run.end - run.start)
            taken.append(run)
    if any(len(run.owners) > 1 for run in taken):
        return ()
    indexes = [index for run in sorted(taken, key=lambda run: run.start) for index in run.owners]
    return tuple(choices[index] for index in dict.fromkeys(indexes))


class _Run(NamedTuple):
    """Holds a part of a text that is the name of options."""

    start: int
    end: int
    owners: set[int]
    """Indexes of the options."""


def _names_inside(choices: Sequence[Choice], text: str) -> list[_Run]:
    if not choices or choices[0].element is None:
        return []
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
    spans = _spans(words, counts)
    return [_Run(start, end, names[name]) for start, end in spans if (name := said[start:end]) in names]


def _spans(words: list[str], counts: dict[str, set[int]]) -> Iterator[tuple[int, int]]:
    """Yield where runs of words begin and end that have as many words as names that begin with their first one."""
    starts = [0, *itertools.accumulate(len(word) + 1 for word in words)]
    for first, word in enumerate(words):
        for count in counts.get(word, ()):
            if first + count <= len(words):
                yield starts[first], starts[first + count] - 1
