"""The training of a linear classifier: vectors of sentences and their values in, a weight a feature and value out.

Each value starts from the centroid of its expressions; averaged multiclass passive-aggressive training (Crammer et al.
2006) moves them apart. Plain Python and deterministic; what a feature is and what a score is worth are left to others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nlargest
from itertools import repeat
from math import sqrt
from operator import mul
from random import Random

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

RIVALS = 16
"""Values that a sentence is held against: those nearest to it before training, by centroid. BANKING77 and CLINC150 with
all their values are understood no better with all of them as rivals."""
HEAVIEST = 24
"""Features of a sentence that its nearest values are found by: its rarest words and pairs, a sixth of all."""

Vector = tuple[tuple[int, ...], tuple[float, ...]]
"""Numbers of features, and the weight of each."""
Row = dict[int, float]
"""The weights of one value by the numbers of its features."""


def separate(
    vectors: Sequence[Vector], labels: Sequence[int], count: int, on_round: Callable[[], None] | None = None
) -> list[Row]:
    """Return a row of weights for each value. Whenever the right value does not lead by the margin, it and its
    strongest rival are moved by the least step that makes it so. The average over all steps forgives the order.
    ``on_round`` is called after each round."""
    rows = _centroids(vectors, labels, count)
    if count < 2:
        return rows
    rivals = [_nearest(vector, label, rows) for vector, label in zip(vectors, labels, strict=True)]
    moved: list[Row] = [{} for _ in rows]
    order = list(range(len(vectors)))
    resting = [0] * len(vectors)
    shuffle = Random(SEED).shuffle  # noqa: S311 -- an order, fixed on purpose; no secret
    step = 1
    for _ in range(ROUNDS if len(vectors) < MANY else ROUNDS_OF_MANY):
        shuffle(order)
        for index in order:
            step += 1
            if resting[index]:
                resting[index] -= 1
            elif _learn(vectors[index], labels[index], rivals[index], rows, moved, step) > MARGIN + RESTS_FROM:
                resting[index] = RESTS
        if on_round is not None:
            on_round()
    for row, late in zip(rows, moved, strict=True):
        for number, by in late.items():
            row[number] -= by / step
    return rows


def _centroids(vectors: Sequence[Vector], labels: Sequence[int], count: int) -> list[Row]:
    rows: list[Row] = [{} for _ in range(count)]
    for (numbers, weights), label in zip(vectors, labels, strict=True):
        row = rows[label]
        for number, weight in zip(numbers, weights, strict=True):
            row[number] = row.get(number, 0.0) + weight
    for row in rows:
        length = sqrt(sum(weight * weight for weight in row.values())) or 1.0
        for number in row:
            row[number] /= length
    return rows


def _score(vector: Vector, row: Row) -> float:
    # Of one C loop: half to two thirds of all training is spent here.
    score: float = sum(map(mul, vector[1], map(row.get, vector[0], repeat(0.0))))
    return score


def _nearest(vector: Vector, label: int, rows: list[Row]) -> tuple[int, ...]:
    others = [other for other in range(len(rows)) if other != label]
    if len(others) <= RIVALS:
        return tuple(others)
    heaviest = nlargest(HEAVIEST, zip(vector[1], vector[0], strict=True))
    weights, numbers = zip(*heaviest, strict=True)
    scores = [_score((numbers, weights), row) for row in rows]
    return tuple(nlargest(RIVALS, others, key=scores.__getitem__))


def _learn(vector: Vector, label: int, rivals: tuple[int, ...], rows: list[Row], moved: list[Row], step: int) -> float:
    """Return the lead that the right value had before it was moved."""
    scores = [_score(vector, rows[rival]) for rival in rivals]
    strongest = max(scores)
    lead = _score(vector, rows[label]) - strongest
    if lead >= MARGIN:
        return lead
    by = min(MAX_STEP, (MARGIN - lead) / 2)
    for value, sign in ((label, by), (rivals[scores.index(strongest)], -by)):
        row, late = rows[value], moved[value]
        for number, weight in zip(*vector, strict=True):
            change = sign * weight
            row[number] = row.get(number, 0.0) + change
            late[number] = late.get(number, 0.0) + change * step
    return lead
