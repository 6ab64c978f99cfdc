"""From expressions to a model: deterministic, and separate from its use, so that a model can be kept by ``fingerprint``
and made off the path of a message. The arithmetic is in ``linear_training``, what a confidence is worth in
``confidence``.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import log, sqrt

import msgspec

from dialoom.flow.model import EntityDefinition, QnAType, TraitType
from dialoom.flow.patterns.expression_slots import NO_SLOTS, SlotTypes
from dialoom.understanding.intents.classifier import Classifier, Label, Model
from dialoom.understanding.intents.confidence import EXPECTED, Calibration, Evidence, calibrated
from dialoom.understanding.intents.features import features
from dialoom.understanding.intents.linear_training import Vector, separate
from dialoom.understanding.intents.slot_words import expression_words, is_token
from dialoom.understanding.normalise import fold
from dialoom.understanding.words import words_before_values, words_for

RARITY_POWER = 0.6
"""Of the logarithm in the idf: on left-out parts of BANKING77's training set (10 expressions a value) 0.743 against
0.732 with the whole idf; CLINC150 the same."""
SMALLEST_WEIGHT = 0.01
"""Weights nearer to nothing are left out: a quarter less to add up, and the same answers."""
PARTS_BY_EXPRESSIONS = ((150, 6), (400, 4), (3_000, 3))
"""Into how many parts expressions are dealt, each tried by a classifier of the others. The fewer there are the more
each one counts: without a fifth of 70 expressions a classifier is clearly worse than with all of them."""
PARTS_OF_MANY = 2
ONE_PART_FROM = 600
"""Expressions from which one part is enough to calibrate on; trying every part would take three times as long."""
FORM = 4
"""Counts up when models of an earlier form may no longer be used."""


class Example(msgspec.Struct, frozen=True):
    label: int
    words: tuple[str, ...]
    text: str


class Group(msgspec.Struct, frozen=True):
    """The expressions of types that compete for one sentence."""

    labels: tuple[Label, ...]
    examples: tuple[Example, ...]
    names: tuple[str, ...]
    """All features of the examples; the numbers in ``seen`` are places here."""
    seen: tuple[Vector, ...]
    """The features of each example, before their rarity is known."""
    common: frozenset[str]


class HeldOut(msgspec.Struct, frozen=True):
    """What a classifier that was trained without an expression made of it."""

    example: int
    best: int
    evidence: Evidence


def fingerprint(definitions: Iterable[EntityDefinition], language: str, slots: SlotTypes = NO_SLOTS) -> str:
    """Return what a trained model depends on, as a key to keep it by."""
    trained = [
        (one.name, [(value.value, value.expressions) for value in one.data])
        for one in definitions
        if isinstance(one, TraitType | QnAType)
    ]
    of_slots = (sorted(slots.items()),) if slots else ()
    return hashlib.sha256(msgspec.json.encode((FORM, language, trained, *of_slots))).hexdigest()


def train(definitions: Iterable[EntityDefinition], language: str, slots: SlotTypes = NO_SLOTS) -> Model:
    """Train on the expressions of all trait and QnA types, and calibrate on those of them that were held out.
    ``slots``: those of the expressions, by name (``expression_slots.slot_types``)."""
    classifiers = []
    for group in groups_of(definitions, language, slots):
        parts = parts_of(len(group.examples))
        tried = cross_validate(group, parts, 1 if len(group.examples) >= ONE_PART_FROM else parts)
        classifiers.append(fit(group, range(len(group.examples)), calibration_of(group, tried)))
    return Model(tuple(classifiers))


def groups_of(definitions: Iterable[EntityDefinition], language: str, slots: SlotTypes = NO_SLOTS) -> list[Group]:
    """Return the types that compete: ``Conversation`` and the QnA types, for a sentence asks for one thing. Every other
    trait stands alone, since it may well be told in the sentence that names a conversation."""
    competing: list[TraitType | QnAType] = []
    groups = [competing]
    for one in definitions:
        if isinstance(one, QnAType) or (isinstance(one, TraitType) and one.name == "Conversation"):
            competing.append(one)
        elif isinstance(one, TraitType):
            groups.append([one])
    common = frozenset(fold(word) for word in words_for(language).common)
    before = words_before_values(language) if slots else frozenset[str]()
    return [group for group in (_group(types, common, before, slots) for types in groups) if group.examples]


def _group(types: list[TraitType | QnAType], common: frozenset[str], before: frozenset[str], slots: SlotTypes) -> Group:
    """Return each expression once, by its value; a value without expressions cannot be told apart and is left out.
    ``before``: words that stand before values, which beside slots are as common as "the": "until {day}"."""
    found: dict[tuple[Label, tuple[str, ...]], str] = {}
    for one in types:
        for value in one.data:
            for expression in value.expressions:
                words = expression_words(expression, slots)
                if words:
                    found.setdefault(((one.name, value.value), words), expression)
    labels = {label: index for index, label in enumerate(dict.fromkeys(label for label, _ in found))}
    examples = tuple(Example(labels[label], words, text) for (label, words), text in found.items())
    if any(is_token(word) for example in examples for word in example.words):
        common |= before
    numbers: dict[str, int] = {}
    seen: list[Vector] = []
    for example in examples:
        weights = features(example.words, common)
        seen.append((tuple(numbers.setdefault(name, len(numbers)) for name in weights), tuple(weights.values())))
    return Group(tuple(labels), examples, tuple(numbers), tuple(seen), common)


def fit(group: Group, places: Sequence[int], calibration: Calibration = EXPECTED) -> Classifier:
    """Train on the expressions at these places."""
    counts = Counter(number for index in places for number in group.seen[index][0])
    rarity = {number: _rarity(len(places), count) for number, count in counts.items()}
    vectors = [_weighted(group.seen[index], rarity) for index in places]
    rows = separate(vectors, [group.examples[index].label for index in places], len(group.labels))
    index: dict[str, dict[int, float]] = {}
    for label, row in enumerate(rows):
        for number, by in row.items():
            if abs(by) > SMALLEST_WEIGHT:
                index.setdefault(group.names[number], {})[label] = by
    return Classifier(
        group.labels,
        index,
        {group.names[number]: rare for number, rare in rarity.items()},
        _rarity(len(places), 0),
        group.common,
        calibration,
    )


def _weighted(seen: Vector, rarity: dict[int, float]) -> Vector:
    weights = [weight * rarity[number] for number, weight in zip(*seen, strict=True)]
    length = sqrt(sum(weight * weight for weight in weights)) or 1.0
    return seen[0], tuple(weight / length for weight in weights)


def _rarity(expressions: int, with_it: int) -> float:
    return float((log((expressions + 1) / (with_it + 1)) + 1) ** RARITY_POWER)


# ---- held-out expressions ----------------------------------------------------------------------------------------


def cross_validate(group: Group, parts: int, tried: int, on_part: Callable[[int], None] | None = None) -> list[HeldOut]:
    """Train ``tried`` times without one of so many parts of the expressions, and see what becomes of that part."""
    dealt = _dealt(group, parts)
    found: list[HeldOut] = []
    for part in range(tried):
        kept = [index for index in range(len(group.examples)) if dealt[index] != part]
        left = [index for index in range(len(group.examples)) if dealt[index] == part]
        if kept and left:
            classifier = fit(group, kept)
            found += [_held_out(group, index, classifier) for index in left]
        if on_part is not None:
            on_part(part)
    return found


def parts_of(expressions: int) -> int:
    return next((parts for below, parts in PARTS_BY_EXPRESSIONS if expressions < below), PARTS_OF_MANY)


def _dealt(group: Group, parts: int) -> list[int]:
    """Return which part each expression goes to: those of a value are dealt in turn, so that each part has some of
    each; the next value goes on where the last one stopped, so that values with one expression do not all go to the
    first."""
    counts = Counter[int]()
    starts: dict[int, int] = {}
    dealt = []
    for example in group.examples:
        start = starts.setdefault(example.label, len(starts))
        dealt.append((start + counts[example.label]) % parts)
        counts[example.label] += 1
    return dealt


def _held_out(group: Group, index: int, classifier: Classifier) -> HeldOut:
    (best, evidence), *_ = classifier.evidence(group.examples[index].words, range(len(group.labels)))
    return HeldOut(index, best, evidence)


def calibration_of(group: Group, tried: Sequence[HeldOut]) -> Calibration:
    right = [one.evidence for one in tried if one.best == group.examples[one.example].label]
    wrong = [one.evidence for one in tried if one.best != group.examples[one.example].label]
    return calibrated(right, wrong)
