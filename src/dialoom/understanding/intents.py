"""What a whole sentence means: the use of a linear classifier over the expressions of trait and QnA types.

Words, pairs and letter groups weigh (1 + ln n) x idf in a vector of length 1, which an inverted index from feature to
values turns into scores. How it is made is said in ``training``, what a score is worth in ``confidence``.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import msgspec

from dialoom.understanding.confidence import EXPECTED, Calibration, Evidence, confidence
from dialoom.understanding.features import features

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dialoom.understanding.slips import Slips

WITHOUT_TELLING_WORDS = 0.5
"""Greatest coverage of a sentence of common words only ("how is it there")."""

OF_COMMON, OF_UNKNOWN, MOST_WITH_UNKNOWN = 0.15, 0.3, 0.5
"""The substance of a sentence without any known telling word: what each common word and the unknown ones give to it."""
GOOD_PART, WITH_SMALL_PART = 0.4, 0.7
"""Less than this part of the telling words makes a sentence that much thinner: one word may be shared by chance."""
BEGINS = 4
"""Letters at the beginning that make an unknown word a form of a known one."""

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
    calibration: Calibration = EXPECTED

    def knows(self, word: str) -> bool:
        return f"w{word}" in self.rarity

    def words(self) -> Iterator[str]:
        """Yield all words of the expressions."""
        return (name[1:] for name in self.rarity if name[0] == "w")

    def best(self, words: Sequence[str], types: frozenset[str]) -> list[tuple[Label, float]]:
        """Return the two best values of these types that a sentence may mean, each with its confidence, the surest
        first."""
        among = [label for label, (type_, _) in enumerate(self.labels) if type_ in types]
        return [(self.labels[label], confidence(one, self.calibration)) for label, one in self.evidence(words, among)]

    def evidence(self, words: Sequence[str], among: Sequence[int]) -> list[tuple[int, Evidence]]:
        """Return the two best of these values, each with what speaks for it, the best first."""
        scores = self._scores(words)
        # Of equal ones the first: ``max`` keeps it.
        order = [max(among, key=scores.__getitem__)] if among else []
        order += [max(rest, key=scores.__getitem__)] if (rest := [one for one in among if one not in order]) else []
        coverage, substance = self._coverage(words), self._substance(words)
        found: list[tuple[int, Evidence]] = []
        for place, label in enumerate(order):
            lead = scores[label] - scores[order[1 - place]] if len(order) > 1 else None
            found.append((label, Evidence(scores[label], lead, coverage, substance)))
        return found

    def _scores(self, words: Sequence[str]) -> list[float]:
        vector = _weighted(features(words, self.common), self.rarity, self.unseen)
        scores = [0.0] * len(self.labels)
        weights = self.weights
        for name, weight in vector.items():
            for label, by in weights.get(name, ()):
                scores[label] += weight * by
        return scores

    def _coverage(self, words: Iterable[str]) -> float:
        """Return the part of a sentence's telling words that the expressions know, the rarer the heavier."""
        every = set(words)
        telling = every - self.common
        share = 1.0 if telling else WITHOUT_TELLING_WORDS
        weights = {word: self.rarity.get(f"w{word}", self.unseen) ** 2 for word in telling or every}
        whole = sum(weights.values())
        return share * sum(weight for word, weight in weights.items() if self.knows(word)) / whole if whole else 0.0

    def _substance(self, words: Sequence[str]) -> float:
        """Return 1 where a good part of the telling words is known, or begins as a known one does ("booking")."""
        telling = [word for word in words if word not in self.common]
        known = sum(self.knows(word) or f"g{word[:BEGINS]}" in self.rarity for word in telling)
        if known:
            return 1.0 if known >= len(telling) * GOOD_PART else WITH_SMALL_PART
        amount = OF_COMMON * (len(words) - len(telling))
        return min(MOST_WITH_UNKNOWN, amount + OF_UNKNOWN) if telling else min(1.0, amount)


class Model(msgspec.Struct, frozen=True):
    """All that training makes of a bot's expressions."""

    classifiers: tuple[Classifier, ...]


def put_right(word: str, classifier: Classifier, slips: Slips) -> str:
    """Return an unknown word as the known one that it is a slip away from; of several the commonest."""
    if classifier.knows(word):
        return word
    return min(slips.near(word), key=lambda known: (classifier.rarity[f"w{known}"], known), default=word)


def _weighted(seen: dict[str, float], rarity: dict[str, float], unseen: float) -> dict[str, float]:
    """Return the vector of a sentence, of length 1 with all that is unknown in it."""
    vector = {name: weight * rarity.get(name, unseen) for name, weight in seen.items()}
    length = sqrt(sum(weight * weight for weight in vector.values())) or 1.0
    return {name: weight / length for name, weight in vector.items()}
