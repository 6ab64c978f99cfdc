"""The order of a sort (history-api.md, Predicates: the order of kinds; MongoDB's keys of an index for arrays)."""

from __future__ import annotations

import json
import random
from typing import Any

from dialoom.query import parse_sort, sort_documents

RISING: list[Any] = [
    [],
    None,
    -1,
    0.5,
    2**53,
    2**53 + 1,
    10**30,
    "",
    "0",
    "B",
    "a",
    "\uffff",
    "\U0001f600",
    {},
    {"a": None},
    {"a": 1},
    {"b": 0},
    {"a": "x"},
    [[]],
    [[1]],
    [["a"]],
    False,
    True,
]
"""Each value stands strictly after the one before it."""


def ids(documents: list[dict[str, Any]], sort: Any) -> list[Any]:
    return [
        one["_id"] for one in sort_documents(documents, parse_sort(sort if isinstance(sort, str) else json.dumps(sort)))
    ]


def records_with(*values: Any) -> list[dict[str, Any]]:
    return [{"_id": place, "a": value} for place, value in enumerate(values)]


def test_kinds_sort_in_the_order_of_mongodb() -> None:
    documents = records_with(*RISING)
    for direction in (1, -1):
        shuffled = random.Random(5).sample(documents, len(documents))
        assert ids(shuffled, {"a": direction}) == [*range(len(RISING))][::direction]


def test_missing_sorts_with_null() -> None:
    assert ids([{"_id": 2, "a": None}, {"_id": 1}, {"_id": 3}, {"_id": 0, "a": []}], "a") == [0, 1, 2, 3]


def test_equal_values_are_ordered_by_id() -> None:
    assert ids([{"_id": "b", "a": 1}, {"_id": "a", "a": 1.0}], {"a": -1}) == ["a", "b"]
    assert ids([{"_id": "b"}, {"_id": "a"}], "{}") == ["a", "b"]
    assert ids([{"_id": "a"}, {"_id": "b"}], {"_id": -1, "a": 1}) == ["b", "a"]


def test_an_array_sorts_by_its_least_element_and_descending_by_its_greatest() -> None:
    documents = records_with([1, 9], [5], 4, ["x", 2])
    assert ids(documents, {"a": 1}) == [0, 3, 2, 1]
    assert ids(documents, {"a": -1}) == [3, 0, 1, 2]


def test_arrays_in_the_middle_give_the_values_of_their_objects() -> None:
    documents = records_with([{"b": 3}, {"b": 1}], {"b": 2}, [{"c": 1}], [], [{"b": []}])
    assert ids(documents, "a.b") == [4, 2, 3, 0, 1]


def test_properties_of_one_array_keep_together() -> None:
    # The first has (1, 9) and (2, 0), the second (1, 5): by the pairs the second comes first.
    documents = records_with([{"b": 1, "c": 9}, {"b": 2, "c": 0}], [{"b": 1, "c": 5}])
    assert ids(documents, {"a.b": 1, "a.c": 1}) == [1, 0]


def test_a_numeric_part_names_an_element() -> None:
    documents = records_with([3, 1], [2, 9], {"0": 0}, [[1, 2]], [], 7)
    assert ids(documents, "a.0") == [4, 5, 2, 1, 0, 3]
    assert ids(records_with([{"b": 2}], [{"b": 1}], [[{"b": 0}]]), "a.0.b") == [2, 1, 0]


def test_scalars_in_the_middle_are_missing() -> None:
    assert ids(records_with({"b": 1}, 5, "x"), "a.b") == [1, 2, 0]
