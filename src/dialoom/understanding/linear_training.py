"""The training of a linear classifier: vectors of sentences and their values in, a weight a feature and value out.

Each value starts from the centroid of its expressions; averaged multiclass passive-aggressive training (Crammer et al.
2006) moves them apart. Plain Python and deterministic; what a feature is and what a score is worth are left to others.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MARGIN = 0.4
MAX_STEP = 1.0
ROUNDS = 5
ROUNDS_OF_MANY = 3
MANY = 3_000
"""Vectors from which fewer rounds do: each round sees enough of them."""
RESTS = 2
RESTS_FROM = 0.05
"""A sentence that leads by this more than the margin is not looked at in the next rounds: a third of the time less, and
no accuracy (BANKING77 and CLINC150, left-out parts of the training sets)."""
SEED = 7

Vector = tuple[tuple[int, ...], tuple[float, ...]]
"""Numbers of features, and the weight of each."""
Rows = list[dict[int, float]]
"""For each feature the values that it speaks for or against."""


def separate(
    vectors: Sequence[Vector], labels: Sequence[int], count: int, told: Callable[[], None] | None = None
) -> Rows:
    """Whenever the right value does not lead by the margin, move it and its strongest rival by the least step that
    makes it so. The average over all steps forgives the order. ``told`` is called after each round."""
    rows = _centroids(vectors, labels, count)
    if count < 2:
        return rows
    moved: Rows = [{} for _ in rows]
    order = list(range(len(vectors)))
    resting = [0] * len(vectors)
    shuffle = Random(SEED).shuffle  # noqa: S311 -- an order, fixed on purpose; no secret
    step = 1
    for _ in range(ROUNDS if len(vectors) < MANY else ROUNDS_OF_MANY):
        shuffle(order)
        for place in order:
            step += 1
            if resting[place]:
                resting[place] -= 1
            elif _learn(vectors[place], labels[place], rows, moved, step, count) > MARGIN + RESTS_FROM:
                resting[place] = RESTS
        if told is not None:
            told()
    for row, late in zip(rows, moved, strict=True):
        for label, by in late.items():
            row[label] -= by / step
    return rows


def _centroids(vectors: Sequence[Vector], labels: Sequence[int], count: int) -> Rows:
    rows: Rows = [{} for _ in range(1 + max(number for numbers, _ in vectors for number in numbers))]
    for (numbers, weights), label in zip(vectors, labels, strict=True):
        for number, weight in zip(numbers, weights, strict=True):
            row = rows[number]
            row[label] = row.get(label, 0.0) + weight
    squares = [0.0] * count
    for row in rows:
        for label, weight in row.items():
            squares[label] += weight * weight
    lengths = [sqrt(square) or 1.0 for square in squares]
    return [{label: weight / lengths[label] for label, weight in row.items()} for row in rows]


def _learn(vector: Vector, label: int, rows: Rows, moved: Rows, step: int, count: int) -> float:
    """Gives the lead that the right value had."""
    scores = [0.0] * count
    numbers, weights = vector
    for number, weight in zip(numbers, weights, strict=True):
        for other, by in rows[number].items():
            scores[other] += weight * by
    right = scores[label]
    scores[label] = float("-inf")
    strongest = max(scores)
    lead = right - strongest
    if lead >= MARGIN:
        return lead
    rival = scores.index(strongest)
    by = min(MAX_STEP, (MARGIN - lead) / 2)
    for number, weight in zip(numbers, weights, strict=True):
        change = by * weight
        row, late = rows[number], moved[number]
        row[label] = row.get(label, 0.0) + change
        row[rival] = row.get(rival, 0.0) - change
        change *= step
        late[label] = late.get(label, 0.0) + change
        late[rival] = late.get(rival, 0.0) - change
    return lead
