"""The SQL of queries, held against the exact predicate on a real SQLite."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.errors import QueryError
from dialoom.query import (
    Column,
    SqlCondition,
    Table,
    compile_sorted,
    compile_sql,
    is_sql_order,
    matcher,
    parse_query,
    parse_sort,
    sort_documents,
)
from dialoom.query.tree import Not
from tests.query import drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLE = Table(
    name="records",
    columns={
        "_id": Column("id", "text"),
        "text": Column("text", "text"),
        "number": Column("number", "number"),
        "maybe": Column("maybe", "text", nullable=True),
        "in.side": Column("side", "text"),
    },
    document="document",
    binary="body",
)


def filled(documents: Sequence[dict[str, Any]]) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute(
        "CREATE TABLE records (id TEXT, text TEXT, number INTEGER, maybe TEXT, side TEXT, document TEXT, body BLOB)"
    )
    connection.executemany(
        "INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6, jsonb(?6))",
        [
            (one["_id"], one["text"], one["number"], one["maybe"], one["in"]["side"], json.dumps(one))
            for one in documents
        ],
    )
    return connection


def rows(connection: apsw.Connection, condition: SqlCondition, by: str = "id") -> list[str]:
    statement = f"SELECT id FROM records WHERE {condition.sql} ORDER BY {by}"
    return [one for (one,) in connection.execute(statement, condition.parameters)]


def compiled(query: Any) -> SqlCondition:
    return compile_sql(parse_query(json.dumps(query)), TABLE)


def record(number: int, **others: Any) -> dict[str, Any]:
    return {"_id": f"r{number}", "text": "x", "number": number, "maybe": None, "in": {"side": "s"}} | others


@settings(max_examples=300, deadline=None)
@given(st.lists(drawn.DOCUMENTS, max_size=6), st.lists(drawn.QUERIES, min_size=1, max_size=4))
def test_sql_finds_at_least_what_matches_and_just_that_where_it_is_exact(
    documents: list[dict[str, Any]], queries: list[dict[str, Any]]
) -> None:
    with closing(filled(documents)) as connection:
        for query in queries:
            node = parse_query(json.dumps(query))
            condition = compile_sql(node, TABLE)
            truth = {one["_id"] for one in filter(matcher(node), documents)}
            found = set(rows(connection, condition))
            assert truth <= found, query
            assert truth == found or not condition.exact, query


@settings(max_examples=100, deadline=None)
@given(st.lists(drawn.DOCUMENTS, max_size=6), st.lists(drawn.QUERIES, min_size=1, max_size=4))
def test_the_complement_of_a_query_is_the_complement_of_its_records(
    documents: list[dict[str, Any]], queries: list[dict[str, Any]]
) -> None:
    with closing(filled(documents)) as connection:
        for query in queries:
            node = parse_query(json.dumps(query))
            straight, turned = compile_sql(node, TABLE), compile_sql(Not(node), TABLE)
            assert straight.exact == turned.exact
            if straight.exact:
                assert sorted(rows(connection, straight) + rows(connection, turned)) == rows(
                    connection, SqlCondition("1", [], True)
                )


@settings(max_examples=100, deadline=None)
@given(
    st.lists(drawn.DOCUMENTS, max_size=6, unique_by=lambda one: one["_id"]),
    st.dictionaries(st.sampled_from([*TABLE.columns]), st.sampled_from([1, -1]), max_size=3),
)
def test_sql_sorts_columns_as_python_sorts_documents(documents: list[dict[str, Any]], sort: dict[str, int]) -> None:
    wanted = parse_sort(json.dumps(sort))
    assert is_sql_order(wanted, TABLE)
    order = compile_sorted(wanted, None, TABLE).order
    with closing(filled(documents)) as connection:
        found = rows(connection, SqlCondition("1", [], exact=True), order)
    assert found == [one["_id"] for one in sort_documents(documents, wanted)]


@pytest.mark.parametrize(
    "query",
    [
        {"text": "x", "number": {"$gt": 1.5}},
        {"maybe": None},
        {"maybe": {"$ne": "x"}},
        {"maybe": {"$exists": False}},
        {"text": {"$in": ["a", 1, None]}},
        {"$or": [{"text": "x"}, {"a.b": {"$gte": 3}}]},
        {"$nor": [{"in.a.b": None}]},
        {"a.0.b": "x"},
        {"text.more": None},
        {"a": {"$not": {"$size": 2}}},
        {"maybe": {"$type": "null"}},
        {"a": {"$elemMatch": {"a": 1, "b.0": {"$exists": False}}}},
        {"a.b": {"$elemMatch": {"$gt": 1, "$elemMatch": {"$ne": "x"}}}},
        {"text": {"$regex": "ab"}},
        {"a.b": {"$not": {"$regex": "^ab"}}},
        {"maybe": {"$regex": "refund|cancel"}},
        {"a": {"$in": [{"$regex": "^abc$"}, 5]}},
        {"text": {"$regex": ".*"}},
    ],
)
def test_these_queries_are_exact_in_sql(query: Any) -> None:
    assert compiled(query).exact


@pytest.mark.parametrize(
    "query",
    [
        {"a": {"b": 1}},
        {"a": [1]},
        {"a": 2**63},
        {"number": {"$in": [2**70]}},
        {"a": {"$mod": [2, 0]}},
        {"text": {"$regex": "a.b"}},
        {"text": {"$regex": "^ab", "$options": "i"}},
        {"a.a.a.a.a.a": 1},
    ],
)
def test_these_queries_are_left_to_python(query: Any) -> None:
    for asked in (query, {"$nor": [query]}, {"$or": [{"text": "x"}, query]}):
        assert not compiled(asked).exact


def test_a_number_is_never_a_text_of_a_column() -> None:
    assert compiled({"text": 5}) == SqlCondition("0", [], exact=True)
    assert compiled({"number": {"$gt": "5"}}) == SqlCondition("0", [], exact=True)
    assert compiled({"text": {"$ne": 5}}) == SqlCondition("1", [], exact=True)


def test_a_date_is_a_range_of_a_text_column() -> None:
    condition = compiled({"text": {"$gte": {"$date": "2026-01-01"}}})
    assert condition.parameters == ["2026-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]
    assert condition.exact
    documents = [record(1, text="2026-11-20T08:15:30.250Z"), record(2, text="hello"), record(3, text="2025-11-20")]
    with closing(filled(documents)) as connection:
        assert rows(connection, condition) == ["r1"]
        assert rows(connection, compiled({"text": {"$lt": {"$date": "2026-01-01"}}})) == ["r3"]


def test_conditions_on_columns_can_use_an_index() -> None:
    assert compiled({"text": "x"}) == SqlCondition("text = ?", ["x"], exact=True)
    assert compiled({"number": {"$gte": 2, "$lt": 5}}) == SqlCondition(
        "(number >= ?) AND (number < ?)", [2, 5], exact=True
    )
    with closing(filled([record(1)])) as connection:
        connection.execute("CREATE INDEX by_text ON records (text, id)")
        for query in ({"text": "x"}, {"text": {"$in": ["x", "y"]}}, {"text": {"$gt": "a", "$lt": "z"}}):
            condition = compiled(query)
            plan = connection.execute(
                f"EXPLAIN QUERY PLAN SELECT * FROM records WHERE {condition.sql}", condition.parameters
            )
            assert any("USING INDEX by_text" in str(step) for step in plan), query


@pytest.mark.parametrize("text", ["' OR 1=1 --", '"', "?", "\\", "{}", "%s", "$[0]", "a'||'b", "\n", "é"])
def test_names_and_values_of_a_query_are_parameters(text: str) -> None:
    def queries(word: str) -> list[Any]:
        return [{f"k{word}": word}, {"a": {"$in": [word, "y"]}}, {f"in.k{word}": {"$gt": word}}]

    documents = [record(1), record(2, **{f"k{text}": text, "a": text, "in": {"side": "s", f"k{text}": f"{text}x"}})]
    with closing(filled(documents)) as connection:
        for query, plain in zip(queries(text), queries("plain"), strict=True):
            condition = compiled(query)
            assert condition.sql == compiled(plain).sql
            assert rows(connection, condition) == ["r2"]


def test_a_regular_expression_is_narrowed_by_its_required_text() -> None:
    def written(pattern: str, options: str = "") -> SqlCondition:
        return compiled({"text": {"$regex": pattern, "$options": options}})

    assert written("ab") == SqlCondition("instr(text, ?) > 0", ["ab"], exact=True)
    assert written("^ab") == SqlCondition("(text >= ?) AND (text < ?)", ["ab", "ac"], exact=True)
    assert written("^a\U0010ffff") == SqlCondition("(text >= ?) AND (text < ?)", ["a\U0010ffff", "b"], exact=True)
    assert written("^\ud7ff") == SqlCondition("(text >= ?) AND (text < ?)", ["\ud7ff", "\ue000"], exact=True)
    assert written("^\U0010ffff") == SqlCondition("text >= ?", ["\U0010ffff"], exact=True)
    assert written("^ab.*xyz") == SqlCondition(
        "(text >= ?) AND (text < ?) AND (instr(text, ?) > 0)", ["ab", "ac", "xyz"], exact=False
    )
    assert written("Ab", "i") == SqlCondition("instr(lower(text), ?) > 0", ["ab"], exact=True)
    assert written("[ab]", "i") == SqlCondition("1", [], exact=False)
    assert compiled({"text": {"$not": {"$regex": "ab+c"}}}) == SqlCondition("1", [], exact=False)
    assert compiled({"number": {"$regex": "1"}}) == SqlCondition("0", [], exact=True)
    with closing(filled([record(1)])) as connection:
        connection.execute("CREATE INDEX by_text ON records (text, id)")
        for condition in (written("^ab"), written("^ab$"), written("^ab+c")):
            plan = connection.execute(
                f"EXPLAIN QUERY PLAN SELECT * FROM records WHERE {condition.sql}", condition.parameters
            )
            assert any("USING INDEX by_text" in str(step) for step in plan), condition


@pytest.mark.parametrize("pattern", ["ab", "^ab", "^ab$", r"x\x01", r"\x00", r"^\x00ab", "b$", "b|c"])
def test_texts_with_nul_are_found_by_a_regular_expression_as_well(pattern: str) -> None:
    texts = ["ab", "ab\n", "\0ab", "x\0ab", "x\x01", "ab\0", "c\0b\n", "\x01\x01ab", "\0"]
    documents = [record(number, a=text) for number, text in enumerate(texts)]
    query = {"a": {"$regex": pattern}}
    condition = compiled(query)
    truth = {one["_id"] for one in filter(matcher(parse_query(json.dumps(query))), documents)}
    with closing(filled(documents)) as connection:
        found = set(rows(connection, condition))
    assert truth
    assert truth == found or (truth < found and not condition.exact)


def test_a_list_of_any_length_is_one_parameter() -> None:
    condition = compiled({"text": {"$in": [str(number) for number in range(1000)]}})
    assert len(condition.parameters) == 1
    with closing(filled([record(1, text="999"), record(2, text="1000")])) as connection:
        assert rows(connection, condition) == ["r1"]


def test_the_largest_queries_still_run() -> None:
    deep = {"$or": [{f"a.0.0.{number}": {"$ne": [number]}} for number in range(200)]}
    flat = {"$or": [{"text": {"$in": [str(number)]}, "a.b": number} for number in range(100)]}
    with closing(filled([record(1, a=[[[0]]])])) as connection:
        for query in (deep, flat, {"$nor": [deep]}):
            condition = compiled(query)
            node = parse_query(json.dumps(query))
            assert not matcher(node)(record(1, a=[[[0]]])) or rows(connection, condition) == ["r1"]
            assert len(condition.parameters) < 32766


def test_deeply_nested_elements_are_left_to_python_so_that_the_sql_stays_small() -> None:
    query: dict[str, Any] = {"b": 1}
    for _ in range(3):
        query = {"a.0.0.0": {"$elemMatch": query}}
    assert compiled(query) == SqlCondition("1", [], exact=False)
    assert compiled({"$nor": [query]}) == SqlCondition("1", [], exact=False)


def test_sql_orders_by_properties_with_columns_alone() -> None:
    assert not is_sql_order(parse_sort("in.a"), TABLE)
    assert compile_sorted((), None, TABLE).order == "id ASC"
    assert compile_sorted(parse_sort('{"number":-1,"maybe":1}'), None, TABLE).order == "number DESC, maybe ASC, id ASC"


def test_big_integers_of_documents_are_not_confused_with_their_neighbours() -> None:
    documents = [record(1, a=2**63 + 1), record(2, a=2**53 + 1), record(3, a=float(2**63))]
    with closing(filled(documents)) as connection:
        assert rows(connection, compiled({"a": {"$gt": 2**53}})) == ["r1", "r2", "r3"]
        assert "r1" in rows(connection, compiled({"a": {"$gt": 2**63}}))
        assert rows(connection, compiled({"a": 2**53})) == []


def test_a_refused_query_never_reaches_sql() -> None:
    with pytest.raises(QueryError):
        compiled({"a": {"$where": "1"}})
