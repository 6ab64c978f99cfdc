"""The SQL of queries for PostgreSQL, held against the exact predicate on a real server."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.query import compile_sorted, compile_sql, jsonb_copy, matcher, parse_query, parse_sort, sort_documents
from dialoom.query.tree import Not
from tests.query import drawn
from tests.query.test_sql import TABLE, record

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Sequence

    from dialoom.query import SqlCondition
    from tests.postgres import Server

_COLUMNS = """
    id text collate "C", text text collate "C" not null, number integer not null, maybe text collate "C",
    side text collate "C" not null, document text, body jsonb
"""


class Records:
    """A table of one connection. Its loop is its own: the tests that draw their cases are no coroutines."""

    def __init__(self, url: str) -> None:
        self._runner = asyncio.Runner()
        self._connection: Any = self.run(lambda: asyncpg.connect(url))
        self.run(lambda: self._connection.execute(f"create temp table records ({_COLUMNS})"))

    def run(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        async def done() -> Any:
            return await work()

        return self._runner.run(done())

    def close(self) -> None:
        self.run(self._connection.close)
        self._runner.close()

    def fill(self, documents: Sequence[dict[str, Any]]) -> None:
        rows = [
            (one["_id"], one["text"], one["number"], one["maybe"], one["in"]["side"], text, jsonb_copy(text))
            for one in documents
            for text in [json.dumps(one)]
        ]

        async def work() -> None:
            await self._connection.execute("truncate records")
            await self._connection.executemany("insert into records values ($1, $2, $3, $4, $5, $6, $7)", rows)

        self.run(work)

    def ask(self, sql: str, *values: Any) -> list[Any]:
        return [row[0] for row in self.run(lambda: self._connection.fetch(sql, *values))]

    def found(self, condition: SqlCondition, by: str = "id") -> list[str]:
        return self.ask(f"select id from records where {condition.sql} order by {by}", *condition.parameters)


@pytest.fixture(scope="module")
def records(postgres_server: Server) -> Iterator[Records]:
    made = Records(postgres_server.database())
    yield made
    made.close()


def compiled(query: Any) -> SqlCondition:
    return compile_sql(parse_query(json.dumps(query)), TABLE, "postgres")


_UNUSUAL = {"'; --": "\0b", "%": "\x01", "0": "\x01\x02", "[1]": "a\0", "{}": "a\x01", "true": "\\u0000"}


def unusual(value: Any) -> Any:
    """The drawn value with some of its texts changed for those that JSONB cannot hold as they are."""
    if isinstance(value, dict):
        return {_UNUSUAL.get(name, name): unusual(member) for name, member in value.items()}
    if isinstance(value, list):
        return [*map(unusual, value)]
    return _UNUSUAL.get(value, value) if isinstance(value, str) else value


def unusual_document(document: dict[str, Any]) -> dict[str, Any]:
    """Its columns stay as they are."""
    inside = {name: value if name == "side" else unusual(value) for name, value in document["in"].items()}
    return document | {name: unusual(document[name]) for name in ("a", "b") if name in document} | {"in": inside}


DOCUMENTS = drawn.DOCUMENTS | drawn.DOCUMENTS.map(unusual_document)


@settings(max_examples=120, deadline=None)
@given(documents=st.lists(DOCUMENTS, max_size=6), queries=st.lists(drawn.QUERIES, min_size=1, max_size=4))
def test_sql_finds_at_least_what_matches_and_just_that_where_it_is_exact(
    records: Records, documents: list[dict[str, Any]], queries: list[dict[str, Any]]
) -> None:
    records.fill(documents)
    for query in queries:
        node = parse_query(json.dumps(query))
        for asked in (node, Not(node)):
            condition = compile_sql(asked, TABLE, "postgres")
            truth = {one["_id"] for one in filter(matcher(asked), documents)}
            found = set(records.found(condition))
            assert truth <= found, asked
            assert truth == found or not condition.exact, asked


@settings(max_examples=100, deadline=None)
@given(query=drawn.QUERIES)
def test_postgresql_is_exact_where_sqlite_is_except_for_large_numbers(query: dict[str, Any]) -> None:
    node = parse_query(json.dumps(query))
    assert compile_sql(node, TABLE, "postgres").exact == compile_sql(node, TABLE).exact or has_large_number(query)


def has_large_number(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(has_large_number, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int | float) and abs(value) >= 2**53


@settings(max_examples=50, deadline=None)
@given(
    documents=st.lists(drawn.DOCUMENTS, max_size=6, unique_by=lambda one: one["_id"]),
    sort=st.dictionaries(st.sampled_from([*TABLE.columns]), st.sampled_from([1, -1]), max_size=3),
)
def test_sql_sorts_columns_as_python_sorts_documents(
    records: Records, documents: list[dict[str, Any]], sort: dict[str, int]
) -> None:
    wanted = parse_sort(json.dumps(sort))
    order = compile_sorted(wanted, None, TABLE, "postgres").order
    records.fill(documents)
    assert records.found(compiled({}), order) == [one["_id"] for one in sort_documents(documents, wanted)]


@pytest.mark.parametrize(
    "query",
    [
        {"text": "x", "number": {"$gt": 1.5}},
        {"number": {"$in": [1, 2**70]}},
        {"maybe": None},
        {"maybe": {"$ne": "x"}},
        {"maybe": {"$exists": False}},
        {"text": {"$in": ["a", 1, None]}},
        {"$or": [{"text": "x"}, {"a.b": {"$gte": 3}}]},
        {"a": {"$in": [True, 1.5, "x", None]}},
        {"a.0.b": "x"},
        {"a": {"$not": {"$size": 2}}},
        {"a": {"$elemMatch": {"a": 1, "b.0": {"$exists": False}}}},
    ],
)
def test_these_queries_are_exact_in_sql(query: Any) -> None:
    assert compiled(query).exact


@pytest.mark.parametrize("query", [{"a": {"b": 1}}, {"a": [1]}, {"a": 2**53}, {"a": {"$mod": [2, 0]}}])
def test_these_queries_are_left_to_python(query: Any) -> None:
    for asked in (query, {"$nor": [query]}, {"$or": [{"text": "x"}, query]}):
        assert not compiled(asked).exact


def test_conditions_on_columns_can_use_an_index() -> None:
    assert compiled({"text": "x"}).sql == '"text" = $1::text'
    both = compiled({"number": {"$gte": 2, "$lt": 5.0}})
    assert (both.sql, both.parameters) == ('("number" >= $1::bigint) AND ("number" < $2::bigint)', [2, 5])
    assert compiled({"text": {"$in": ["x", "y"]}}).parameters == [("x", "y")]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"$gt": 1.5}, [2, 7]),
        ({"$gte": 1.5}, [2, 7]),
        ({"$lt": 1.5}, [-1, 0]),
        ({"$lte": -0.5}, [-1]),
        ({"$eq": 1.5}, []),
        ({"$in": [1.5, 2.0, 7, 1e300]}, [2, 7]),
        ({"$lt": 1e300}, [-1, 0, 2, 7]),
        ({"$gte": 1e300}, []),
        ({"$gt": -1e300}, [-1, 0, 2, 7]),
        ({"$lte": -1e300}, []),
        ({"$ne": 1e300}, [-1, 0, 2, 7]),
    ],
)
def test_a_column_of_whole_numbers_is_compared_with_any_number(
    records: Records, query: Any, expected: list[int]
) -> None:
    records.fill([record(number) for number in (-1, 0, 2, 7)])
    condition = compiled({"number": query})
    assert condition.exact
    found = records.ask(f"select number from records where {condition.sql} order by number", *condition.parameters)
    assert found == expected


@pytest.mark.parametrize(
    "query",
    [
        {"a.b": "x"},
        {"a.b": {"$in": ["x", 'q"\\', -1.5, 1, 1e-7]}},
        {"a.é": "\n\x7f\u2028"},
        {'a.q"\\': "\x01"},
        {"a.": {"$ne": "x"}},
    ],
)
def test_equality_is_prefiltered_by_a_gin_index(records: Records, query: Any) -> None:
    condition = compiled(query)
    assert '("body" @? $1::jsonpath) AND ' in condition.sql
    values = ["x", 'q"\\', -1.5, 1, 1e-7, "\n\x7f\u2028", "\x01", None, "y"]
    names = ["b", "é", 'q"\\', ""]
    found = [{name: value} for name in names for value in values]
    documents = [record(number, a=one) for number, one in enumerate([*found, *([one] for one in found), {"b": ["x"]}])]
    records.fill(documents)
    truth = sorted(one["_id"] for one in filter(matcher(parse_query(json.dumps(query))), documents))
    assert sorted(records.found(condition)) == truth
    assert truth


@pytest.mark.parametrize(
    "query",
    [
        {"a.0": "x"},
        {"a": None},
        {"a": {"$in": ["x", None]}},
        {"a": {"$in": ["x", True]}},
        {"a": {"$in": ["x", [1]]}},
        {"a": 2**60},
        {"a": {"$gt": "x"}},
        {"a": {"$in": [str(number) for number in range(17)]}},
        {"text": "x"},
    ],
)
def test_what_a_gin_index_could_miss_is_not_prefiltered(query: Any) -> None:
    assert "@?" not in compiled(query).sql


def test_equal_values_are_one_parameter() -> None:
    condition = compiled({"$or": [{"a.b.c": {"$gt": "x"}}, {"a.b.d": {"$gt": "x"}}]})
    assert sorted(condition.parameters) == ["a", "b", "c", "d", "x"]


def test_the_largest_queries_still_run(records: Records) -> None:
    deep = {"$or": [{f"a.0.0.{number}": {"$ne": [number]}} for number in range(200)]}
    flat = {"$or": [{"text": {"$in": [str(number)]}, "a.b": number} for number in range(100)]}
    records.fill([record(1, a=[[[0]]])])
    for query in (deep, flat, {"$nor": [deep]}):
        condition = compiled(query)
        assert not matcher(parse_query(json.dumps(query)))(record(1, a=[[[0]]])) or records.found(condition) == ["r1"]
        assert len(condition.parameters) < 32766


@pytest.mark.parametrize("text", ["' OR 1=1 --", '"', "?", "$1", "\\", "{}", "%s", "$[0]", "a'||'b", "\n", "é"])
def test_names_and_values_of_a_query_are_parameters(records: Records, text: str) -> None:
    def queries(word: str) -> list[Any]:
        return [{f"k{word}": word}, {"a": {"$in": [word, "y"]}}, {f"in.k{word}": {"$gt": word}}]

    records.fill([record(1), record(2, **{f"k{text}": text, "a": text, "in": {"side": "s", f"k{text}": f"{text}x"}})])
    for query, plain in zip(queries(text), queries("plain"), strict=True):
        condition = compiled(query)
        assert condition.sql == compiled(plain).sql
        assert records.found(condition) == ["r2"]


def test_a_key_that_looks_like_an_index_is_no_index_and_the_other_way_round(records: Records) -> None:
    records.fill([record(1, a=["x"]), record(2, a={"0": "x"}), record(3, a={"-1": "x"}), record(4, a="x")])
    assert records.found(compiled({"a.0": "x"})) == ["r1", "r2"]
    assert records.found(compiled({"a.-1": "x"})) == ["r3"]


def test_texts_compare_by_bytes_whatever_the_database_sorts_by(records: Records) -> None:
    texts = ["B", "a", "é", "\uffff", "\U0001f600"]
    records.fill([record(number, text=text, a=text) for number, text in enumerate(texts)])
    for name in ("text", "a"):
        assert records.found(compiled({name: {"$gt": "B", "$lt": "\uffff"}})) == ["r1", "r2"]
    order = compile_sorted(parse_sort("text"), None, TABLE, "postgres").order
    assert records.found(compiled({}), order) == ["r0", "r1", "r2", "r3", "r4"]


@pytest.mark.parametrize("number", [2**53 + 1, 2**63, 1e23, 10**23, -(2**60)])
def test_large_numbers_are_never_lost(records: Records, number: float) -> None:
    records.fill([record(1, a=number), record(2, a=0)])
    condition = compiled({"a": number})
    assert not condition.exact
    assert "r1" in records.found(condition)


def test_texts_that_jsonb_cannot_hold_are_told_apart(records: Records) -> None:
    texts = ["\0", "\x01", "\x01\x01", "\x01\x02", "\ufffd", "\\u0000", "\\\0"]
    records.fill([record(number, a=text) for number, text in enumerate(texts)])
    for number, text in enumerate(texts):
        if "\0" not in text:
            assert records.found(compiled({"a": text})) == [f"r{number}"]
    assert records.found(compiled({"a": {"$lt": "\x01"}})) == ["r0"]
    assert records.found(compiled({"a": {"$gt": "\\", "$lt": "\\u0000"}})) == ["r6"]


def test_a_regular_expression_is_narrowed_by_its_required_text(records: Records) -> None:
    def written(pattern: str) -> SqlCondition:
        return compiled({"text": {"$regex": pattern}})

    contains, begins, begins_and_more = written("ab"), written("^ab"), written("^ab+c")
    assert (contains.sql, contains.parameters, contains.exact) == ('strpos("text", $1::text) > 0', ["ab"], True)
    assert (begins.parameters, begins.exact) == (["ab", "ac"], True)
    assert not begins_and_more.exact
    records.fill([record(number, text=text) for number, text in enumerate(["ab", "xab", "abbc", "b", "AB"])])
    assert records.found(contains) == ["r0", "r1", "r2"]
    assert records.found(begins) == records.found(begins_and_more) == ["r0", "r2"]
    records.ask("create index by_text on records (text, id)")
    records.ask("select set_config('enable_seqscan', 'off', false)")
    for condition in (begins, begins_and_more, written("^ab$")):
        sql = f"explain select * from records where {condition.sql}"
        assert any("by_text" in step for step in records.ask(sql, *condition.parameters))
    records.ask("select set_config('enable_seqscan', 'on', false)")
    records.ask("drop index by_text")


@pytest.mark.parametrize("pattern", ["ab", "^ab", "^ab$", r"x\x01", r"\x00", r"^\x00ab", r"\x02", "b$", "b|c"])
def test_texts_that_jsonb_cannot_hold_are_found_by_a_regular_expression_as_well(records: Records, pattern: str) -> None:
    texts = ["ab", "ab\n", "\0ab", "x\0ab", "x\x01", "ab\0", "c\0b\n", "\x01\x01ab", "\0", "\0\x02"]
    documents = [record(number, a=text) for number, text in enumerate(texts)]
    query = {"a": {"$regex": pattern}}
    condition = compiled(query)
    truth = {one["_id"] for one in filter(matcher(parse_query(json.dumps(query))), documents)}
    records.fill(documents)
    found = set(records.found(condition))
    assert truth
    assert truth == found or (truth < found and not condition.exact)


def test_null_comes_before_all_values_of_a_column() -> None:
    order = compile_sorted(parse_sort('{"number":-1,"maybe":1}'), None, TABLE, "postgres").order
    assert order == '"number" DESC, "maybe" ASC NULLS FIRST, "id" ASC'
    order = compile_sorted(parse_sort('{"maybe":-1}'), None, TABLE, "postgres").order
    assert order == '"maybe" DESC NULLS LAST, "id" ASC'
