"""Reading queries: what is allowed, and every refusal with its code, its place and what to do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dialoom.errors import QueryError
from dialoom.query import matcher, parse_query, parse_sort, sort_documents
from dialoom.query.errors import CODES
from dialoom.query.operators import LOGICAL, NOT_ALLOWED, OPERATORS
from dialoom.query.tree import And, Date, Not, Predicate

LONG = '{"Text":"' + "x" * 16 * 1024 + '"}'


def nested(depth: int) -> str:
    """A query whose objects and arrays are so deep: the query, and arrays in it."""
    return '{"a":' + "[" * (depth - 1) + "]" * (depth - 1) + "}"


REFUSED_QUERIES: list[tuple[str, str, str]] = [
    (LONG, "too-long", ""),
    ("{", "not-json", ""),
    ("", "not-json", ""),
    ("{'a':1}", "not-json", ""),
    ('{"a":1} x', "not-json", ""),
    ("[]", "not-an-object", ""),
    ('"a"', "not-an-object", ""),
    ("null", "not-an-object", ""),
    ('{"a":1,"a":2}', "doubled-key", "/a"),
    ('{"$or":[{"a":{"b":1,"b":1}}]}', "doubled-key", "/$or/0/a/b"),
    ('{"a":"x\\u0000"}', "bad-text", "/a"),
    ('{"a":["ok","\\ud800"]}', "bad-text", "/a/1"),
    ('{"a\\u0000":1}', "bad-text", ""),
    ('{"a":NaN}', "bad-number", "/a"),
    ('{"a":{"$gt":-Infinity}}', "bad-number", "/a/$gt"),
    ('{"a":1e999}', "bad-number", "/a"),
    ('{"a":' + "9" * 309 + "}", "bad-number", "/a"),
    ('{"a":' + "9" * 5000 + "}", "bad-number", "/a"),
    (nested(11), "too-deep", "/a" + "/0" * 9),
    (nested(8000), "too-deep", ""),
    (json.dumps({"$or": [{"a": 1}] * 201}), "too-many-clauses", "/$or/200/a"),
    (json.dumps({"a": {"$in": [1] * 1001}}), "too-many-values", "/a/$in"),
    (json.dumps({"a": {"$nin": [1] * 1001}}), "too-many-values", "/a/$nin"),
    (json.dumps({".".join("a" * 101): 1}), "path-too-long", "/" + ".".join("a" * 101)),
    ('{"a":{"$gte2":1}}', "unknown-operator", "/a/$gte2"),
    ('{"a":{"$eq":1,"x":2}}', "unknown-operator", "/a/x"),
    ('{"a":{"$and":[{}]}}', "unknown-operator", "/a/$and"),
    ('{"a":{"$gt":1,"$comment":"x"}}', "unknown-operator", "/a/$comment"),
    ('{"$gt":1}', "unknown-operator", "/$gt"),
    ('{"$where":"1"}', "operator-not-allowed", "/$where"),
    ('{"$and":[{"$expr":{}}]}', "operator-not-allowed", "/$and/0/$expr"),
    ('{"a":{"$near":1}}', "operator-not-allowed", "/a/$near"),
    ('{"a":{"$regex":5}}', "bad-operand", "/a/$regex"),
    ('{"a":{"$options":"i","$regex":null}}', "bad-operand", "/a/$regex"),
    ('{"a":{"$options":"i"}}', "bad-operand", "/a/$options"),
    ('{"a":{"$not":{"$options":"i"}}}', "bad-operand", "/a/$not/$options"),
    ('{"a":{"$regex":"x","$options":1}}', "bad-operand", "/a/$options"),
    ('{"a":{"$regex":"x","$options":"iq"}}', "bad-regex", "/a/$options"),
    ('{"$regex":"x"}', "unknown-operator", "/$regex"),
    ('{"a":{"$regex":"("}}', "bad-regex", "/a/$regex"),
    ('{"a":{"$regex":"x\\u0000"}}', "bad-text", "/a/$regex"),
    ('{"a":{"$in":["x",{"$regex":"["}]}}', "bad-regex", "/a/$in/1/$regex"),
    ('{"a":{"$in":[{"$regex":"x","$gt":1}]}}', "bad-operand", "/a/$in/0"),
    ('{"a":{"$in":[{"$options":"x"}]}}', "bad-operand", "/a/$in/0"),
    ('{"a":{"$all":["x",{"$regex":"x","$gt":1}]}}', "bad-operand", "/a/$all/1"),
    ('{"$or":[{"a":{"$regex":"(?=x)"}}]}', "regex-not-linear", "/$or/0/a/$regex"),
    ('{"a":{"$regex":"x{1001}"}}', "regex-too-large", "/a/$regex"),
    (json.dumps({"$or": [{"a": {"$regex": "x"}}] * 21}), "too-many-clauses", "/$or/20/a/$regex"),
    ('{"$or":[]}', "bad-operand", "/$or"),
    ('{"$and":{}}', "bad-operand", "/$and"),
    ('{"$nor":null}', "bad-operand", "/$nor"),
    ('{"$or":[{},1]}', "bad-operand", "/$or/1"),
    ('{"a":{"$in":"x"}}', "bad-operand", "/a/$in"),
    ('{"a":{"$nin":null}}', "bad-operand", "/a/$nin"),
    ('{"a":{"$in":[1,{"$gt":1}]}}', "bad-operand", "/a/$in/1"),
    ('{"a/b~c":{"$in":1}}', "bad-operand", "/a~1b~0c/$in"),
    ('{"a":{"$not":{}}}', "bad-operand", "/a/$not"),
    ('{"a":{"$not":5}}', "bad-operand", "/a/$not"),
    ('{"a":{"$not":{"x":5}}}', "bad-operand", "/a/$not"),
    ('{"$not":{"a":5}}', "unknown-operator", "/$not"),
    ('{"a":{"$all":5}}', "bad-operand", "/a/$all"),
    ('{"a":{"$all":[1,{"$gt":5}]}}', "bad-operand", "/a/$all/1"),
    ('{"a":{"$all":[{"$elemMatch":{}},5]}}', "bad-operand", "/a/$all/1"),
    ('{"a":{"$all":[{"$elemMatch":{},"$gt":5}]}}', "bad-operand", "/a/$all/0"),
    ('{"a":{"$elemMatch":[]}}', "bad-operand", "/a/$elemMatch"),
    ('{"a":{"$elemMatch":{"$gt":5,"x":1}}}', "unknown-operator", "/a/$elemMatch/x"),
    ('{"a":{"$size":-1}}', "bad-operand", "/a/$size"),
    ('{"a":{"$size":1.5}}', "bad-operand", "/a/$size"),
    ('{"a":{"$size":true}}', "bad-operand", "/a/$size"),
    ('{"a":{"$mod":[2]}}', "bad-operand", "/a/$mod"),
    ('{"a":{"$mod":[2,"0"]}}', "bad-operand", "/a/$mod"),
    ('{"a":{"$mod":[0.5,0]}}', "bad-operand", "/a/$mod/0"),
    ('{"a":{"$type":"text"}}', "bad-operand", "/a/$type"),
    ('{"a":{"$type":["null",99]}}', "bad-operand", "/a/$type/1"),
    ('{"a":{"$type":[]}}', "bad-operand", "/a/$type"),
    ('{"a":{"$date":"yesterday"}}', "bad-date", "/a"),
    ('{"a":{"$gt":{"$date":"2026-02-30"}}}', "bad-date", "/a/$gt"),
    ('{"a":{"$gt":{"$date":true}}}', "bad-date", "/a/$gt"),
    ('{"a":{"$gt":{"$date":1e15}}}', "bad-date", "/a/$gt"),
    ('{"a":{"$gt":{"$date":999999999999999999}}}', "bad-date", "/a/$gt"),
    ('{"a":{"$in":[{"$date":"2026-01-01","x":1}]}}', "bad-date", "/a/$in/0"),
]

REFUSED_SORTS: list[tuple[str, str, str]] = [
    ("x" * 17000, "too-long", ""),
    ("{", "not-json", ""),
    ('{"a":1,"a":1}', "doubled-key", "/a"),
    ("a\0", "bad-text", ""),
    ("a\ud800", "bad-text", ""),
    ('{"a":NaN}', "bad-number", "/a"),
    (json.dumps({str(number): 1 for number in range(9)}), "too-many-sort-properties", ""),
    (".".join("a" * 101), "path-too-long", ""),
    ("", "bad-sort", ""),
    ("a..b", "bad-sort", ""),
    ("$a", "bad-sort", ""),
    ('{"a.$b":1}', "bad-sort", "/a.$b"),
    ('{"a":0}', "bad-sort", "/a"),
    ('{"a":true}', "bad-sort", "/a"),
    ('{"a":"1"}', "bad-sort", "/a"),
]

UNSORTABLE: list[tuple[list[dict[str, Any]], str, str]] = [
    ([{"_id": "1", "a": [1], "b": [2]}], '{"a":1,"b":1}', "parallel-arrays"),
    ([{"_id": "1", "a": [{"0": 1}]}], "a.0", "ambiguous-path"),
]


def refusal(text: str) -> QueryError:
    with pytest.raises(QueryError) as caught:
        parse_query(text)
    return caught.value


@pytest.mark.parametrize(("text", "code", "pointer"), REFUSED_QUERIES)
def test_a_bad_query_is_refused_with_its_code_and_place(text: str, code: str, pointer: str) -> None:
    error = refusal(text)
    assert (error.code, error.pointer) == (code, pointer)
    assert error.detail.endswith((".", "?"))


@pytest.mark.parametrize(("text", "code", "pointer"), REFUSED_SORTS)
def test_a_bad_sort_is_refused_with_its_code_and_place(text: str, code: str, pointer: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse_sort(text)
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


def test_every_code_of_the_table_is_met_in_these_tests() -> None:
    met = {code for _, code, _ in REFUSED_QUERIES + REFUSED_SORTS} | {code for _, _, code in UNSORTABLE}
    of_other_parameters = {"bad-cursor", "place-too-long", "bad-fields"}
    assert met == set(CODES) - of_other_parameters


@pytest.mark.parametrize(("documents", "sort", "code"), UNSORTABLE)
def test_records_without_one_place_in_the_order_are_refused(
    documents: list[dict[str, Any]], sort: str, code: str
) -> None:
    with pytest.raises(QueryError) as caught:
        sort_documents(documents, parse_sort(sort))
    assert caught.value.code == code


def test_a_refusal_names_the_operator_and_what_is_allowed() -> None:
    detail = refusal('{"Errors":{"$gtt":1}}').detail
    assert '"$gtt"' in detail
    assert "Allowed here: $all, $elemMatch, $eq, " in detail
    assert 'Did you mean "$gt"?' in detail


@pytest.mark.parametrize("name", sorted(NOT_ALLOWED))
def test_an_operator_that_is_not_supported_is_not_allowed(name: str) -> None:
    for query in ({name: 1}, {"Text": {name: 1}}, {"$or": [{name: 1}]}):
        error = refusal(json.dumps(query))
        assert error.code == "operator-not-allowed"
        assert f"{name} is not allowed" in error.detail


def test_an_operator_in_the_wrong_place_says_where_it_belongs() -> None:
    assert "in the place of a property's name" in refusal('{"a":{"$or":[]}}').detail
    assert "belongs to a property" in refusal('{"$gt":1}').detail


def test_no_name_is_in_two_tables() -> None:
    names = [*OPERATORS, *LOGICAL, *NOT_ALLOWED]
    assert len(names) == len(set(names))


def test_limits_themselves_are_allowed() -> None:
    assert len(LONG[:-3] + '"}') > 16 * 1024
    exact = '{"Text":"' + "x" * (16 * 1024 - 11) + '"}'
    assert len(exact) == 16 * 1024
    parse_query(exact)
    parse_query(nested(10))
    parse_query(json.dumps({"$or": [{"a": 1}] * 200}))
    parse_query(json.dumps({"a": {"$in": [1] * 1000}}))
    parse_query(json.dumps({".".join("a" * 100): 1}))
    parse_sort(json.dumps({str(number): 1 for number in range(8)}))


def test_the_length_counts_bytes_not_characters() -> None:
    assert refusal('{"a":"' + "é" * 9000 + '"}').code == "too-long"


def test_no_query_is_that_of_every_record() -> None:
    assert matcher(parse_query(None))({"_id": "1"})
    assert matcher(parse_query("{}"))({"_id": "1"})


def test_a_bare_value_is_equality() -> None:
    assert parse_query('{"a.b":1}') == parse_query('{"a.b":{"$eq":1}}') == Predicate(("a", "b"), "$eq", 1)


def test_an_object_without_operators_is_a_value() -> None:
    assert parse_query('{"a":{"b":1,"$gt":2}}') == Predicate(("a",), "$eq", {"b": 1, "$gt": 2})
    assert parse_query('{"a":{}}') == Predicate(("a",), "$eq", {})


def test_conditions_on_one_property_must_all_hold() -> None:
    node = parse_query('{"a":{"$gt":1,"$ne":3}}')
    assert node == And((Predicate(("a",), "$gt", 1), Not(Predicate(("a",), "$eq", 3))))


def test_a_comment_is_ignored_whatever_it_is() -> None:
    assert parse_query('{"$comment":{"$where":1},"$and":[{"$comment":"x"}]}') == And((And(), And((And(),))))


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"2026-11-20T08:15:30.250Z"', "2026-11-20T08:15:30.250Z"),
        ('"2026-11-20T09:15:30.25+01:00"', "2026-11-20T08:15:30.250Z"),
        ('"2026-11-20T09:15:30.2509+0100"', "2026-11-20T08:15:30.250Z"),
        ('"2026-11-20T08:15"', "2026-11-20T08:15:00.000Z"),
        ('"2026-11-20"', "2026-11-20T00:00:00.000Z"),
        ("0", "1970-01-01T00:00:00.000Z"),
        ("-1", "1969-12-31T23:59:59.999Z"),
        ('{"$numberLong":"1795162530250"}', "2026-11-20T08:15:30.250Z"),
        ('"0001-01-01T00:00:00Z"', "0001-01-01T00:00:00.000Z"),
    ],
)
def test_a_date_operand_becomes_the_stored_text(written: str, text: str) -> None:
    assert parse_query('{"a":{"$date":' + written + "}}") == Predicate(("a",), "$eq", text)
    assert parse_query('{"a":{"$gt":{"$date":' + written + "}}}") == Predicate(("a",), "$gt", Date(text))
    assert parse_query('{"a":{"$in":[{"$date":' + written + "}]}}") == Predicate(("a",), "$in", (text,))


def test_a_sort_is_a_property_or_an_object_of_directions() -> None:
    assert parse_sort(None) == ()
    assert parse_sort("StartedAt") == (("StartedAt", 1),)
    assert parse_sort(' {"Errors":-1,"Data.user.LastName":1.0}') == (("Errors", -1), ("Data.user.LastName", 1))
    assert parse_sort("{}") == ()


@pytest.mark.parametrize("operator", ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"])
@pytest.mark.parametrize("operand", ['{"$numberLong":"3"}', '{"$oid":"x"}', '{"$gt":1}', '{"$regex":"x"}'])
def test_no_comparison_takes_an_object_that_begins_with_an_operator(operator: str, operand: str) -> None:
    with pytest.raises(QueryError) as refused:
        parse_query(f'{{"a":{{"{operator}":{operand}}}}}')
    assert (refused.value.code, refused.value.pointer) == ("bad-operand", f"/a/{operator}")


@pytest.mark.parametrize(
    "sort", ["Errors,StartedAt", "Errors:-1", "Errors desc", "Errors DESC", "StartedAt ", " StartedAt", "-Errors"]
)
def test_a_sort_of_another_api_is_refused(sort: str) -> None:
    with pytest.raises(QueryError) as refused:
        parse_sort(sort)
    assert refused.value.code == "bad-sort"
    assert parse_sort('{"Errors desc":1}') == (("Errors desc", 1),)


@pytest.mark.parametrize(("operand", "place"), [("[1e300, 5]", 0), ("[18446744073709551616, 5]", 0), ("[3, 1e19]", 1)])
def test_mod_takes_numbers_of_64_bits_only(operand: str, place: int) -> None:
    with pytest.raises(QueryError) as refused:
        parse_query(f'{{"a":{{"$mod":{operand}}}}}')
    assert (refused.value.code, refused.value.pointer) == ("bad-operand", f"/a/$mod/{place}")
