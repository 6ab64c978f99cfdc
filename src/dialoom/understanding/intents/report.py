"""What a bot's expressions are worth: how each value fares with expressions it was not trained on, and what to mend.

Pure; how it is printed is left to the command line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from dialoom.flow.check.training import FEW
from dialoom.flow.model import EntityDefinition, QnAType, TraitType
from dialoom.flow.patterns.expression_slots import NO_SLOTS, SlotTypes
from dialoom.understanding.intents.classifier import Label
from dialoom.understanding.intents.confidence import confidence
from dialoom.understanding.intents.training import (
    Example,
    Group,
    HeldOut,
    calibration_of,
    cross_validate,
    groups_of,
    parts_of,
)
from dialoom.understanding.normalise import normalise

GOOD = 0.8
"""Part of the expressions left out that is understood from which a bot is good enough: on bots of 5 to 30 senses drawn
from CLINC150 that part lay within a few points of the part of real messages that was understood."""
MAX_TO_EXTEND = 3
MUCH_WRONG = 0.5
"""Part of a value's expressions taken for one other from which the two are called hard to tell apart."""
MAX_SENTENCES = 5
MAX_DIFFERENT = 2
"""Common words by which two expressions that tell the same may differ to be called near."""

Problem = Literal["shared-expression", "near-expression", "few-expressions", "no-expressions", "confused", "not-found"]


class Confusion(msgspec.Struct, frozen=True):
    """Expressions of a value that a classifier trained without them takes for another."""

    type: str
    value: str
    sentences: tuple[str, ...]


class ValueReport(msgspec.Struct, frozen=True, rename="kebab"):
    type: str
    value: str
    expressions: int
    tried: int
    right: int
    turned_away: int
    """Of the right ones those whose confidence does not reach the threshold."""
    confused: tuple[Confusion, ...]

    @property
    def understood(self) -> int:
        """Return how many of those tried find their value and reach the threshold."""
        return self.right - self.turned_away

    @property
    def accuracy(self) -> float | None:
        return self.right / self.tried if self.tried else None


class Advice(msgspec.Struct, frozen=True):
    problem: Problem
    severity: Literal["warning"]
    message: str
    """What it is, where, and what to do."""
    values: tuple[str, ...]
    sentences: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True):
    """``groups``: the types that compete with one another, each with its values."""

    groups: tuple[tuple[ValueReport, ...], ...]
    advice: tuple[Advice, ...]


def report(
    definitions: Iterable[EntityDefinition],
    language: str,
    threshold: float,
    on_progress: Callable[[int, int], None] | None = None,
    slots: SlotTypes = NO_SLOTS,
) -> Report:
    """Train several times and report on the expressions. ``on_progress`` is called with the number of trainings done
    and of all; ``slots`` as for ``train``."""
    given = tuple(definitions)
    groups = groups_of(given, language, slots)
    parts = [parts_of(len(group.examples)) for group in groups]
    done, found = 0, []
    for group, count in zip(groups, parts, strict=True):
        tried: list[HeldOut] = cross_validate(group, count, count, _progress(on_progress, done, sum(parts)))
        done += count
        found.append(_values(group, tried, threshold))
    advice = [*_without_expressions(given), *(one for group in groups for one in _too_near(group))]
    advice += [one for values in found for value in values for one in _advice(value)]
    return Report(tuple(found), tuple(advice))


def understood(values: Sequence[ValueReport]) -> float | None:
    """Return the part of the expressions left out that is understood; None when none could be tried."""
    tried = sum(value.tried for value in values)
    return sum(value.understood for value in values) / tried if tried else None


def to_extend(values: Sequence[ValueReport]) -> tuple[ValueReport, ...]:
    """Return the values that more expressions would help most: those with the most that are not understood."""
    lacking = [value for value in values if value.understood < GOOD * value.tried]
    return tuple(sorted(lacking, key=lambda value: (value.understood - value.tried, value.value))[:MAX_TO_EXTEND])


def _progress(on_progress: Callable[[int, int], None] | None, done: int, every: int) -> Callable[[int], None] | None:
    return None if on_progress is None else lambda part: on_progress(done + part + 1, every)


def _values(group: Group, tried: list[HeldOut], threshold: float) -> tuple[ValueReport, ...]:
    calibration = calibration_of(group, tried)
    wrong: dict[int, dict[int, list[str]]] = {}
    counts, right, turned_away = Counter[int](), Counter[int](), Counter[int]()
    for one in tried:
        example = group.examples[one.example]
        counts[example.label] += 1
        if one.best == example.label:
            right[example.label] += 1
            turned_away[example.label] += confidence(one.evidence, calibration) < threshold
        else:
            wrong.setdefault(example.label, {}).setdefault(one.best, []).append(example.text)
    all_counts = Counter(example.label for example in group.examples)
    found = []
    for label, (type_, value) in enumerate(group.labels):
        others = sorted(wrong.get(label, {}).items(), key=lambda pair: (-len(pair[1]), pair[0]))
        confused = tuple(Confusion(*group.labels[other], tuple(sentences)) for other, sentences in others)
        found.append(
            ValueReport(type_, value, all_counts[label], counts[label], right[label], turned_away[label], confused)
        )
    return tuple(found)


# ---- what to mend ------------------------------------------------------------------------------------------------


def _advice(value: ValueReport) -> list[Advice]:
    name = f"{value.type} {value.value}"
    found = []
    if value.expressions < FEW:
        count = f"{value.expressions} expression{'s' if value.expressions > 1 else ''}"
        message = f"{name} has {count}. Add some that differ: {FEW} are the least, 10 and more are good."
        found.append(Advice("few-expressions", "warning", message, (value.value,)))
        return found
    for other in value.confused:
        if len(other.sentences) >= max(2, MUCH_WRONG * value.tried):
            message = (
                f"{name} is taken for {other.type} {other.value} in {len(other.sentences)} of {value.tried} cases. "
                f"Give both more expressions with the words that tell them apart, or make them one."
            )
            sentences = other.sentences[:MAX_SENTENCES]
            found.append(Advice("confused", "warning", message, (value.value, other.value), sentences))
    if not found and value.right < MUCH_WRONG * value.tried:
        message = (
            f"{name} is found in {value.right} of {value.tried} cases: its expressions have little in common. Add more "
            f"of each kind, or make it two values."
        )
        sentences = tuple(text for other in value.confused for text in other.sentences)[:MAX_SENTENCES]
        found.append(Advice("not-found", "warning", message, (value.value,), sentences))
    return found


def _without_expressions(definitions: Iterable[EntityDefinition]) -> list[Advice]:
    return [
        Advice(
            "no-expressions",
            "warning",
            f"{one.name} {value.value} has no expressions and is never understood. Add some, {FEW} at least.",
            (value.value,),
        )
        for one in definitions
        if isinstance(one, TraitType | QnAType)
        for value in one.data
        if not any(normalise(text) for text in value.expressions)
    ]


def _too_near(group: Group) -> list[Advice]:
    """Return expressions of two values that are the same, or that only common words tell apart."""
    same: dict[tuple[str, ...], dict[Label, str]] = {}
    near: dict[frozenset[str], dict[Label, Example]] = {}
    for example in group.examples:
        label = group.labels[example.label]
        same.setdefault(example.words, {}).setdefault(label, example.text)
        telling = frozenset(example.words) - group.common
        if telling:
            near.setdefault(telling, {}).setdefault(label, example)
    found = []
    for owners in same.values():
        if len(owners) > 1:
            names = " and ".join(f"{type_} {value}" for type_, value in owners)
            text = next(iter(owners.values()))
            message = f'"{text}" is an expression of {names}. Keep it in one of them.'
            found.append(Advice("shared-expression", "warning", message, tuple(value for _, value in owners), (text,)))
    for rivals in near.values():
        texts = tuple(example.text for example in rivals.values())
        words = [frozenset(example.words) for example in rivals.values()]
        differing = frozenset().union(*words) - words[0].intersection(*words[1:])
        if len(rivals) > 1 and 0 < len(differing) <= MAX_DIFFERENT:
            named = ((example.text, *label) for label, example in rivals.items())
            names = " and ".join(f'"{text}" ({type_} {value})' for text, type_, value in named)
            message = f"Only common words tell {names} apart. Say in each what it is about."
            found.append(Advice("near-expression", "warning", message, tuple(value for _, value in rivals), texts))
    return found
