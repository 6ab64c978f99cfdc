"""What a whole sentence means: the use of a linear classifier over the expressions of trait and QnA types.

Words, pairs and letter groups weigh (1 + ln n) x idf in a vector of length 1, which an inverted index from feature to
values turns into scores. How it is made is said in ``training``, what a score is worth in ``confidence``.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

import msgspec

from dialoom.understanding.intents.confidence import EXPECTED, Calibration, Evidence, confidence
from dialoom.understanding.intents.features import features
from dialoom.understanding.intents.slot_words import is_token, tells_by_itself, type_of
from dialoom.understanding.normalise import is_unspaced_letter

if TYPE_CHECKING:
    from dialoom.understanding.slips import Slips

OF_COMMON, OF_UNKNOWN, MOST_WITH_UNKNOWN = 0.15, 0.3, 0.5
"""The substance of a sentence without any known telling word: what each common word and the unknown ones give to it."""
GOOD_PART, GOOD_PART_OF_LETTERS, WITH_SMALL_PART = 0.4, 0.6, 0.7
"""Less than this part of the telling words makes a sentence that much thinner: one word may be shared by chance."""
_VOWELS = "aeiouyаеиоуыюяьъ"
BEGINS = 4
"""Letters at the beginning that make an unknown word a form of a known one."""

_NONE: dict[int, float] = {}

Label = tuple[str, str]
"""A type and one of its values."""


class Classifier(msgspec.Struct, frozen=True):
    """Tells apart the values of types that compete for one sentence."""

    labels: tuple[Label, ...]
    weights: dict[str, dict[int, float]]
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
        return (name[1:] for name in self.rarity if name[0] == "w" and not is_token(name[1:]))

    def slot_types(self) -> frozenset[str]:
        """Return the types of the slots in the expressions."""
        return frozenset(type_of(name[1:]) for name in self.rarity if name[0] == "w" and is_token(name[1:]))

    def best(
        self,
        words: Sequence[str],
        types: frozenset[str],
        foreign: Container[str] = frozenset(),
        left_out: Container[Label] = frozenset(),
    ) -> list[tuple[Label, float]]:
        """Return the two best values of these types, each with its confidence, the surest first. ``foreign``: words
        that are no form of a known one, however like in letters. ``left_out``: values that are not meant."""
        among = [index for index, label in enumerate(self.labels) if label[0] in types and label not in left_out]
        found = self.evidence(words, among, foreign)
        return [(self.labels[label], confidence(one, self.calibration)) for label, one in found]

    def evidence(
        self, words: Sequence[str], among: Sequence[int], foreign: Container[str] = frozenset()
    ) -> list[tuple[int, Evidence]]:
        """Return the two best of these values, each with what speaks for it, the best first."""
        vector = _weighted(features(words, self.common, foreign), self.rarity, self.unseen)
        scores = self._scores(vector)
        # Of equal ones the first: ``max`` keeps it.
        order = [max(among, key=scores.__getitem__)] if among else []
        order += [max(rest, key=scores.__getitem__)] if (rest := [one for one in among if one not in order]) else []
        substance = self._substance(words, foreign)
        found: list[tuple[int, Evidence]] = []
        support = 1.0
        for rank, label in enumerate(order):
            lead = scores[label] - scores[order[1 - rank]] if len(order) > 1 else None
            # Never more for the second, which else might be surer than the best.
            support = min(support, self._support(vector, label))
            found.append((label, Evidence(scores[label], lead, support, substance)))
        return found

    def _scores(self, vector: dict[str, float]) -> list[float]:
        scores = [0.0] * len(self.labels)
        weights = self.weights
        for name, weight in vector.items():
            for label, by in weights.get(name, _NONE).items():
                scores[label] += weight * by
        return scores

    def _support(self, vector: dict[str, float], label: int) -> float:
        """Return the part of a sentence, by squared weight, that speaks for a value: what its expressions have too."""
        weights = self.weights
        return sum(weight * weight for name, weight in vector.items() if weights.get(name, _NONE).get(label, 0.0) > 0)

    def _substance(self, words: Sequence[str], foreign: Container[str]) -> float:
        """Return 1 where a good part of the telling words is known, or begins as a known one does ("booking"). A letter
        of a script without spaces is known beside the one before it, and more of them must be."""
        telling = [(before, word) for before, word in pairwise(("<", *words)) if self._may_tell(word)]
        letters = sum(is_unspaced_letter(word) for _, word in telling)
        known = sum(self._is_telling(before, word, foreign) for before, word in telling)
        if known:
            good_part = GOOD_PART_OF_LETTERS if 2 * letters > len(telling) else GOOD_PART
            return 1.0 if known >= len(telling) * good_part else WITH_SMALL_PART
        # What stands beside a day or a number ("on", "for") belongs to it.
        amount = OF_COMMON if any(map(is_token, words)) else OF_COMMON * (len(words) - len(telling))
        return min(MOST_WITH_UNKNOWN, amount + OF_UNKNOWN) if telling else min(1.0, amount)

    def _may_tell(self, word: str) -> bool:
        return tells_by_itself(word) if is_token(word) else word not in self.common

    def _is_telling(self, before: str, word: str, foreign: Container[str]) -> bool:
        if is_unspaced_letter(word):
            return f"p{before} {word}" in self.rarity
        return self.knows(word) or (word not in foreign and f"g{word[:BEGINS]}" in self.rarity)


class Forms:
    """Tells which words may be forms of known ones: one begins with all of the other, a final vowel aside."""

    def __init__(self, words: Iterable[str]) -> None:
        self._whole: set[str] = set()
        self._beginnings: set[str] = set()
        for word in words:
            self._whole.add(word[:-1] if word[-1] in _VOWELS else word)
            self._beginnings.update(word[:end] for end in range(BEGINS, len(word) + 1))

    def has(self, word: str) -> bool:
        """Return whether a word is a form of a known one ("scheduling" of "schedule"; "cancer" is none of "cancel")."""
        return word in self._beginnings or any(word[:end] in self._whole for end in range(BEGINS, len(word) + 1))


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
