"""The exact predicate, rule by rule (history-api.md, Predicates)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dialoom.query import matcher, parse_query


def matches(query: Any, document: dict[str, Any]) -> bool:
    return matcher(parse_query(json.dumps(query)))(document)


def check(query: Any, yes: list[Any], no: list[Any]) -> None:
    """Holds the query on property ``a`` against documents that hold each value there."""
    for value in yes:
        assert matches(query, {"a": value}), value
    for value in no:
        assert not matches(query, {"a": value}), value


def test_numbers_are_equal_by_value_and_to_nothing_else() -> None:
    check({"a": 3}, [3, 3.0], [3.1, "3", True, None])
    check({"a": 1}, [1.0], [True])
    check({"a": True}, [True], [1, "true"])
    check({"a": 0}, [-0.0], [False, None, ""])


def test_big_integers_are_not_rounded() -> None:
    check({"a": 2**53 + 1}, [2**53 + 1], [float(2**53), 2**53])
    check({"a": {"$gt": 2**63}}, [2**63 + 1], [2**63, float(2**63)])


def test_comparisons_stay_within_a_kind() -> None:
    check({"a": {"$gt": 2}}, [3, 2.5], ["3", None, True, [], {"b": 3}])
    check({"a": {"$lt": "b"}}, ["a", "", "B"], ["b", 1, None])
    check({"a": {"$gte": False}}, [False, True], [0, 1, None])
    check({"a": {"$gt": False}}, [True], [False])
    check({"a": {"$lt": [2]}}, [[1], [1, 5], []], [[2], 1, [3]])
    check({"a": {"$gt": {"b": 1}}}, [{"b": 2}, {"c": 0}, {"b": 1, "c": 1}, {"b": "x"}], [{"b": 1}, {}, {"b": None}])


def test_null_compares_with_null_and_with_missing() -> None:
    for operator in ("$gte", "$lte", "$eq"):
        check({"a": {operator: None}}, [None], [0, "", False, {}])
        assert matches({"a": {operator: None}}, {})
    for operator in ("$gt", "$lt"):
        check({"a": {operator: None}}, [], [None, 0])


def test_texts_are_ordered_by_their_bytes() -> None:
    # By UTF-16 units the second would come first.
    check({"a": {"$lt": "\uffff"}}, ["z", "é", "\ue000"], ["\U0001f600"])
    check({"a": {"$gt": "Z"}}, ["a", "é"], ["A"])


def test_an_array_matches_whole_or_by_one_element() -> None:
    check({"a": 1}, [[1], [2, 1]], [[], [[1]], [2]])
    check({"a": [1]}, [[1], [[1], 2]], [1, [1, 2]])
    check({"a": {"$gt": 5}}, [[1, 6]], [[1, 2]])


def test_two_conditions_may_be_met_by_different_elements() -> None:
    check({"a": {"$gt": 5, "$lt": 2}}, [[1, 6]], [[3], 3])


def test_paths_go_through_objects_and_into_the_objects_of_arrays() -> None:
    check({"a.b": 1}, [{"b": 1}, [{"b": 1}], [{"b": [2, 1]}], [0, {"b": 1}]], [1, [1], [[{"b": 1}]], {"c": 1}])


def test_a_numeric_part_is_an_element_or_a_key() -> None:
    check({"a.0": 1}, [[1, 2], {"0": 1}, [{"0": 1}], [5, {"0": 1}]], [[2, 1], [[1]], [], 1])
    check({"a.0": [1]}, [[[1]]], [[1]])
    check({"a.1.b": 1}, [[0, {"b": 1}], [0, [{"b": 1}]], {"1": {"b": 1}}], [[{"b": 1}]])
    check({"a.00": 1}, [{"00": 1}], [[1]])
    check({"a.0.0": 1}, [[[1]], [{"0": 1}]], [[1], [[2, 1]]])


def test_null_matches_what_is_missing_but_not_arrays_without_objects() -> None:
    check({"a.b": None}, [{}, {"b": None}, 5, [{}], [1, {}], [{"b": 1}, {}], None], [[], [1], [[]], {"b": 1}])
    assert matches({"a.b": None}, {})


def test_not_equal_and_not_in_are_exact_complements() -> None:
    values = [1, [1], [2], [], None, "1", {"b": 1}, [{"b": 1}]]
    for operand in (1, None, [1], {"b": 1}):
        for value in [*values, ...]:
            document = {} if value is ... else {"a": value}
            assert matches({"a": {"$ne": operand}}, document) != matches({"a": operand}, document)
            assert matches({"a": {"$nin": [operand, 7]}}, document) != matches({"a": {"$in": [operand, 7]}}, document)


def test_in_is_equality_with_one_of_the_values() -> None:
    check({"a": {"$in": [1, "x", None, [2], True]}}, [1.0, "x", None, [2], [[2]], True, [1]], [2, "1", False, [], 0])
    assert matches({"a": {"$in": [None]}}, {})
    check({"a": {"$in": []}}, [], [None, [], 1])
    check({"a": {"$nin": []}}, [None, [], 1], [])


def test_a_number_beyond_64_bits_leaves_no_remainder() -> None:
    check({"a": {"$mod": [2, 0]}}, [4, -(2.0**63), 4.5], [1e300, 2.0**63, 1e19, "4", None])


def test_whole_objects_are_equal_in_the_order_of_their_keys() -> None:
    check({"a": {"b": 1, "c": [2]}}, [{"b": 1.0, "c": [2]}], [{"c": [2], "b": 1}, {"b": 1}, {"b": True, "c": [2]}])
    check({"a": {}}, [{}, [{}]], [{"b": 1}, [], None])


@pytest.mark.parametrize("wanted", [True, 1, "", [], {}])
def test_exists_true_finds_a_null(wanted: Any) -> None:
    check({"a": {"$exists": wanted}}, [None, [], 0], [])
    assert not matches({"a": {"$exists": wanted}}, {})


@pytest.mark.parametrize("wanted", [False, 0, 0.0, None])
def test_exists_false_is_the_complement(wanted: Any) -> None:
    check({"a": {"$exists": wanted}}, [], [None, [], 0])
    assert matches({"a": {"$exists": wanted}}, {})
    assert matches({"a.b": {"$exists": wanted}}, {"a": [1]})
    assert not matches({"a.b": {"$exists": wanted}}, {"a": [{}, {"b": None}]})


def test_logical_operators_join_queries() -> None:
    check({"$or": [{"a": 1}, {"a": {"$gt": 5}}]}, [1, 6], [2, None])
    check({"$and": [{"a": {"$gt": 1}}, {"a": {"$lt": 5}}]}, [2], [1, 5])
    check({"$nor": [{"a": 1}, {"a": 2}]}, [3, None], [1, [2]])


def test_type_tells_kinds_apart_and_tests_elements() -> None:
    check({"a": {"$type": "null"}}, [None, [None]], [0, [], [[None]]])
    assert not matches({"a": {"$type": "null"}}, {})
    check({"a": {"$type": "number"}}, [1, 1.5, 2**70, ["x", 1]], ["1", True])
    check({"a": {"$type": "int"}}, [1, -(2**31)], [1.0, 2**31])
    check({"a": {"$type": ["long", 1]}}, [2**31, 1.0, 2**70], [1])
    check({"a": {"$type": "array"}}, [[], [1]], [{}, 1])
    check({"a": {"$type": ["object", "bool", "string"]}}, [{}, True, "", [""]], [1, [], None])
    check({"a": {"$type": "date"}}, [], ["2026-11-20T08:15:30.250Z", None])


def test_size_counts_the_whole_array_only() -> None:
    check({"a": {"$size": 2}}, [[1, 2], [[], []]], [[[1, 2]], "ab", {"b": 1, "c": 2}, [1]])
    check({"a": {"$size": 0.0}}, [[]], [None, 0])
    check({"a.0": {"$size": 1}}, [[[5]]], [[5]])


def test_a_remainder_is_that_of_the_whole_part_and_has_its_sign() -> None:
    check({"a": {"$mod": [4, 1]}}, [5, 5.9, -3 + 8, [2, 5]], [4, -5, "5", True, None])
    check({"a": {"$mod": [-4.9, -1.5]}}, [-5, -5.5], [5, 3])
    check({"a": {"$mod": [10, 7]}}, [2**62 // 10 * 10 + 7], [2**62, 2**80 // 10 * 10 + 7])


def test_all_values_must_be_met_each_perhaps_by_another_element() -> None:
    check({"a": {"$all": [1, 2]}}, [[1, 2, 3], [2, 1]], [[1], 1, [[1, 2]]])
    check({"a": {"$all": [[1, 2]]}}, [[1, 2], [[1, 2]]], [[1, 2, 3]])
    check({"a": {"$all": [1]}}, [1, [1]], [2])
    check({"a": {"$all": []}}, [], [[], None, 1])
    assert matches({"a": {"$all": [None]}}, {})
    check(
        {"a": {"$all": [{"$elemMatch": {"b": 1}}, {"$elemMatch": {"$gt": 5}}]}}, [[{"b": 1}, 6]], [[{"b": 1}], [6], 6]
    )


def test_one_element_must_meet_the_whole_query_or_all_operators() -> None:
    check({"a": {"$elemMatch": {"$gt": 1, "$lt": 5}}}, [[0, 3], [3]], [[0, 9], 3, [], [[3]]])
    check({"a": {"$elemMatch": {"b": 1, "c": 2}}}, [[{"b": 1, "c": 2}]], [[{"b": 1}, {"c": 2}], {"b": 1, "c": 2}])
    check({"a": {"$elemMatch": {"$or": [{"b": 1}, {"b": {"$gt": 5}}]}}}, [[{"b": 6}]], [[{"b": 2}], [6]])
    check({"a": {"$elemMatch": {}}}, [[{}], [[]]], [[], [1], [None], {}])
    check({"a": {"$elemMatch": {"0": 5}}}, [[[5]], [{"0": 5}], [[[5, 6]]]], [[5], [[4, 5]]])
    check({"a": {"$elemMatch": {"$elemMatch": {"$gt": 5}}}}, [[[1, 6]]], [[6], [[5]]])
    check({"a": {"$elemMatch": {"$ne": 1}}}, [[1, 2]], [[1], [], 2])
    check({"a.b": {"$elemMatch": {"$exists": True}}}, [{"b": [None]}, [{"b": [1]}]], [{"b": []}, {"b": 1}])


def test_not_is_the_exact_complement_of_its_operators() -> None:
    check({"a": {"$not": {"$gt": 5}}}, [5, "x", None, [1]], [6, [1, 6]])
    check({"a": {"$not": {"$gt": 1, "$lt": 5}}}, [7, None], [3, [0, 9]])
    check({"a": {"$not": {"$not": {"$size": 1}}}}, [[1]], [[], 1])
    assert matches({"a": {"$not": {"$exists": True}}}, {})


def test_a_date_compares_with_texts_of_times_only() -> None:
    date = {"$date": "2026-01-01T00:00:00Z"}
    check({"a": {"$gt": date}}, ["2026-01-01T00:00:00.001Z", "2026-11-20"], ["2025-12-31T23:59:59.999Z", "foo", None])
    check({"a": {"$lte": date}}, ["2026-01-01T00:00:00.000Z"], ["", "2026-01-01T00:00:00.001Z", 0])
    check({"a": date}, ["2026-01-01T00:00:00.000Z"], ["2026-01-01"])


def test_a_key_may_be_empty_or_hold_signs() -> None:
    assert matches({"": 1}, {"": 1})
    assert matches({"a.": 1}, {"a": {"": 1}})
    assert matches({"a.$b": 1}, {"a": {"$b": 1}})
