"""Wrong types in what a platform sends cost the field that they stand in, and nothing else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dialoom.channels._contract.lenient import converted


class Leaf(msgspec.Struct, frozen=True):
    id: int
    name: str | None = None


class Tree(msgspec.Struct, frozen=True, rename="camel"):
    top_leaf: Leaf
    other: Leaf | None = None
    leaves: tuple[Leaf, ...] = ()
    more: tuple[Leaf, ...] | None = None
    height: float = 1.0


LEAF = {"id": 1}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"topLeaf": LEAF, "height": "tall"}, Tree(Leaf(1))),
        ({"topLeaf": {"id": 1, "name": 7}, "height": 2}, Tree(Leaf(1), height=2)),
        ({"topLeaf": LEAF, "other": {"id": 2, "name": []}}, Tree(Leaf(1), Leaf(2))),
        ({"topLeaf": LEAF, "other": {"name": "no id"}}, Tree(Leaf(1))),
        ({"topLeaf": LEAF, "leaves": [LEAF, 7, {"id": "x"}, {"id": 3}]}, Tree(Leaf(1), leaves=(Leaf(1), Leaf(3)))),
        ({"topLeaf": LEAF, "more": [7, LEAF], "height": None}, Tree(Leaf(1), more=(Leaf(1),))),
        ({"topLeaf": LEAF, "leaves": {"0": LEAF}}, Tree(Leaf(1))),
    ],
)
def test_what_may_be_missing_is_left_out_where_it_is_wrong(value: Any, expected: Tree) -> None:
    assert converted(value, Tree) == expected


@pytest.mark.parametrize("value", [7, [], {}, {"topLeaf": 7}, {"topLeaf": {"id": "1"}}, {"topLeaf": {"name": "x"}}])
def test_what_is_needed_stays_needed(value: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        converted(value, Tree)
