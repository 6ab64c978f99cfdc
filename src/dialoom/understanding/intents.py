"""What a whole sentence means: a linear classifier over the expressions of trait and QnA types.

Words, pairs and letter groups weigh (1 + ln n) x idf in a vector of length 1. Each value starts from the centroid of
its expressions; averaged multiclass passive-aggressive training moves them apart. Plain Python, deterministic, and
separate from its use, so that a model can be kept by ``fingerprint`` and made off the path of a message. What a score
is worth is said by ``confidence``.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from math import log, sqrt
from random import Random
from typing import TYPE_CHECKING

import msgspec

from dialoom.flow.model import QnAType, TraitType
from dialoom.understanding.confidence import Evidence, confidence
from dialoom.understanding.features import features
from dialoom.understanding.normalise import fold, words_of
from dialoom.understanding.words import words_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dialoom.flow.model import EntityDefinition

MARGIN = 0.3
LARGEST_STEP = 1.0
ROUNDS = 5
SEED = 7
SMALLEST_WEIGHT = 0.004
"""Weights nearer to nothing are left out: a quarter less to add up, and the same answers on CLINC150."""
WITHOUT_TELLING_WORDS = 0.5
"""Greatest coverage of a sentence of common words only ("how is it there")."""
FORM = 1
"""Counts up when models of an earlier form may no longer be used."""

Label = tuple[str, str]
"""A type and one of its values."""


class Classifier(msgspec.Struct, frozen=True):
    """Tells apart the values of types that compete for one sentence."""

    labels: tuple[Label, ...]
    weights: dict[str, tuple[tuple[int, float], ...]]
    """For each feature the values that it speaks for or against: the inverted index of the model."""
    rarity: dict[str, float]
    unseen: float
    """Weight of a feature that no expression has: it makes every score smaller."""
    common: frozenset[str]

    def knows(self, word: str) -> bool:
        return f"w{word}" in self.rarity

    def best(self, words: Sequence[str], types: frozenset[str]) -> list[tuple[Label, float]]:
        """The best value of each of these types that a sentence may mean, with its confidence, the surest first."""
        vector = _weighted(features(words, self.common), self.rarity, self.unseen)
        scores = [0.0] * len(self.labels)
        for name, weight in vector.items():
            for label, by in self.weights.get(name, ()):
                scores[label] += weight * by
        order = sorted(
            (label for label, (type_, _) in enumerate(self.labels) if type_ in types),
            key=lambda label: (-scores[label], label),
        )
        if not order:
            return []
        coverage = self._coverage(vector)
        found: list[tuple[Label, float]] = []
        for place, label in enumerate(order[:2]):
            lead = scores[label] - scores[order[1 - place]] if len(order) > 1 else None
            found.append((self.labels[label], confidence(Evidence(scores[label], lead, coverage))))
        return found

    def _coverage(self, vector: dict[str, float]) -> float:
        """The part of a sentence's telling words that some expression has."""
        words = {name: weight * weight for name, weight in vector.items() if name[0] == "w"}
        telling = {name: weight for name, weight in words.items() if name[1:] not in self.common}
        share = 1.0 if telling else WITHOUT_TELLING_WORDS
        whole = sum((telling or words).values())
        known = sum(weight for name, weight in (telling or words).items() if name in self.rarity)
        return share * known / whole if whole else 0.0


class Model(msgspec.Struct, frozen=True):
    """All that training makes of a bot's expressions."""

    classifiers: tuple[Classifier, ...]


def fingerprint(definitions: Iterable[EntityDefinition], language: str) -> str:
    """What a trained model depends on, as a key to keep it by."""
    trained = [
        (one.name, [(value.value, value.expressions) for value in one.data])
        for one in definitions
        if isinstance(one, TraitType | QnAType)
    ]
    return hashlib.sha256(msgspec.json.encode((FORM, language, trained))).hexdigest()


def train(definitions: Iterable[EntityDefinition], language: str) -> Model:
    """Train on the expressions of all trait and QnA types.

    ``Conversation`` and the QnA types compete: a sentence asks for one thing. Every other trait stands alone, since it
    may well be told in the sentence that names a conversation.
    """
    competing: list[TraitType | QnAType] = []
    groups = [competing]
    for one in definitions:
        if isinstance(one, QnAType) or (isinstance(one, TraitType) and one.name == "Conversation"):
            competing.append(one)
        elif isinstance(one, TraitType):
            groups.append([one])
    common = frozenset(fold(word) for word in words_for(language).common)
    return Model(tuple(_train_group(group, common) for group in groups if any(_examples(group))))


def _examples(types: list[TraitType | QnAType]) -> list[tuple[Label, list[str]]]:
    """Each expression once, by its value; a value without expressions cannot be told apart and is left out."""
    found: dict[tuple[Label, tuple[str, ...]], None] = {}
    for one in types:
        for value in one.data:
            for expression in value.expressions:
                words = tuple(word.folded for word in words_of(expression))
                if words:
                    found[(one.name, value.value), words] = None
    return [(label, list(words)) for label, words in found]


def _train_group(types: list[TraitType | QnAType], common: frozenset[str]) -> Classifier:
    examples = _examples(types)
    labels = tuple(dict.fromkeys(label for label, _ in examples))
    places = {label: place for place, label in enumerate(labels)}
    seen = [features(words, common) for _, words in examples]
    counts = Counter(name for one in seen for name in one)
    rarity = {name: log((len(seen) + 1) / (count + 1)) + 1 for name, count in counts.items()}
    unseen = log(len(seen) + 1) + 1
    vectors = [_weighted(one, rarity, unseen) for one in seen]
    weights = _separate(vectors, [places[label] for label, _ in examples], len(labels))
    index = {
        name: tuple((label, weight) for label, weight in sorted(row.items()) if abs(weight) > SMALLEST_WEIGHT)
        for name, row in weights.items()
    }
    return Classifier(labels, {name: row for name, row in index.items() if row}, rarity, unseen, common)


Weights = dict[str, dict[int, float]]


def _weighted(seen: dict[str, float], rarity: dict[str, float], unseen: float) -> dict[str, float]:
    """The vector of a sentence, of length 1 with all that is unknown in it."""
    vector = {name: weight * rarity.get(name, unseen) for name, weight in seen.items()}
    length = sqrt(sum(weight * weight for weight in vector.values())) or 1.0
    return {name: weight / length for name, weight in vector.items()}


def _centroids(vectors: list[dict[str, float]], labels: list[int], count: int) -> Weights:
    weights: Weights = {}
    for vector, label in zip(vectors, labels, strict=True):
        for name, weight in vector.items():
            row = weights.setdefault(name, {})
            row[label] = row.get(label, 0.0) + weight
    squares = [0.0] * count
    for row in weights.values():
        for label, weight in row.items():
            squares[label] += weight * weight
    lengths = [sqrt(square) or 1.0 for square in squares]
    return {name: {label: w / lengths[label] for label, w in row.items()} for name, row in weights.items()}


def _separate(vectors: list[dict[str, float]], labels: list[int], count: int) -> Weights:
    """Averaged multiclass passive-aggressive training: whenever the right value does not lead by the margin, move it
    and its strongest rival by the least step that makes it so. The average over all steps forgives the order."""
    weights = _centroids(vectors, labels, count)
    if count < 2:
        return weights
    moved: Weights = {}
    order = list(range(len(vectors)))
    shuffle = Random(SEED).shuffle  # noqa: S311 -- an order, fixed on purpose; no secret
    step = 1
    for _ in range(ROUNDS):
        shuffle(order)
        for example in order:
            _learn(vectors[example], labels[example], weights, moved, step, count)
            step += 1
    for name, row in moved.items():
        target = weights[name]
        for label, late in row.items():
            target[label] = target.get(label, 0.0) - late / step
    return weights


def _learn(vector: dict[str, float], label: int, weights: Weights, moved: Weights, step: int, count: int) -> None:
    scores = [0.0] * count
    for name, weight in vector.items():
        for other, by in weights[name].items():
            scores[other] += weight * by
    right = scores[label]
    scores[label] = float("-inf")
    strongest = max(scores)
    rival = scores.index(strongest)
    loss = MARGIN - (right - strongest)
    if loss <= 0:
        return
    by = min(LARGEST_STEP, loss / 2)
    for name, weight in vector.items():
        change = by * weight
        row, late = weights[name], moved.setdefault(name, {})
        row[label] = row.get(label, 0.0) + change
        row[rival] = row.get(rival, 0.0) - change
        late[label] = late.get(label, 0.0) + change * step
        late[rival] = late.get(rival, 0.0) - change * step
