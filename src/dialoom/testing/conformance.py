"""One entry for conformance corpora of the history API: a case goes through a store's way of answering it.

A case names ``docs``, ``query``, ``sort``, ``skip`` and ``limit``; dates in its documents are stored as their text, as
records store them. Reading corpora and counting what passed is the caller's; so is starting PostgreSQL, whose address
stands in ``DIALOOM_TEST_DATABASE_URL``.
"""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any

import apsw
import asyncpg

from dialoom.errors import QueryError
from dialoom.query import (
    Column,
    Selection,
    Table,
    compile_sorted,
    compile_sql,
    is_sql_order,
    jsonb_copy,
    matcher,
    parse_query,
    parse_sort,
    sort_documents,
    stored_dates,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dialoom.query import DialectName, SqlCondition

    Document = dict[str, Any]


ADDRESS = "DIALOOM_TEST_DATABASE_URL"


def history(store: str, case: Mapping[str, Any]) -> list[Any] | dict[str, str]:
    """Return the ids that the store finds, in its order, or ``{"error": code}`` when the query is refused."""
    find = _STORES[store]
    documents = [stored_dates(document) for document in case["docs"]]
    sort = case.get("sort")
    try:
        selection = Selection(
            parse_query(json.dumps(case["query"], ensure_ascii=False)),
            parse_sort(json.dumps(sort, ensure_ascii=False) if sort else None),
            case.get("skip") or 0,
            case.get("limit"),
        )
        found = find(documents, selection)
    except QueryError as error:
        return {"error": error.code}
    end = None if selection.limit is None else selection.skip + selection.limit
    return [document["_id"] for document in found[selection.skip : end]]


def _in_memory(documents: Sequence[Document], selection: Selection) -> list[Document]:
    return sort_documents(filter(matcher(selection.where), documents), selection.sort)


def _in_sqlite(documents: Sequence[Document], selection: Selection) -> list[Document]:
    table = _table(documents)
    condition = compile_sql(selection.where, table)
    order = _order(selection, table, "sqlite")
    connection = apsw.Connection(":memory:")
    try:
        connection.execute("CREATE TABLE records (id, document TEXT, body BLOB)")
        rows = [(str(document["_id"]), json.dumps(document, ensure_ascii=False)) for document in documents]
        connection.executemany("INSERT INTO records VALUES (?1, ?2, jsonb(?2))", rows)
        # The condition and the order are the compiler's own words; values are parameters.
        statement = f"SELECT document FROM records WHERE {condition.sql} {order}"  # noqa: S608  # the compiler's words
        found = [json.loads(text) for (text,) in connection.execute(statement, condition.parameters)]
    finally:
        connection.close()
    return _finished(found, selection, condition, table)


def _in_postgres(documents: Sequence[Document], selection: Selection) -> list[Document]:
    table = _table(documents)
    condition = compile_sql(selection.where, table, "postgres")
    order = _order(selection, table, "postgres")
    texts = [(str(document["_id"]), json.dumps(document, ensure_ascii=False)) for document in documents]
    rows = [(id, text, jsonb_copy(text)) for id, text in texts]

    async def ask() -> list[Document]:
        connection = await asyncpg.connect(os.environ[ADDRESS])
        try:
            await connection.execute('CREATE TEMP TABLE records (id text COLLATE "C", document text, body jsonb)')
            await connection.executemany("INSERT INTO records VALUES ($1, $2, $3)", rows)
            statement = f"SELECT document FROM records WHERE {condition.sql} {order}"  # noqa: S608  # the compiler's words
            return [json.loads(text) for (text,) in await connection.fetch(statement, *condition.parameters)]
        finally:
            await connection.close()

    return _finished(asyncio.run(ask()), selection, condition, table)


def _table(documents: Sequence[Document]) -> Table:
    # Corpora also hold ids that are no texts, which a record never has; then only the document tells them.
    texts = all(isinstance(document["_id"], str) for document in documents)
    return Table("records", {"_id": Column("id", "text")} if texts else {}, "document", "body")


def _order(selection: Selection, table: Table, dialect: DialectName) -> str:
    """Return the ORDER BY; nothing where Python sorts."""
    if not is_sql_order(selection.sort, table):
        return ""
    return f"ORDER BY {compile_sorted(selection.sort, None, table, dialect).order}"


def _finished(found: list[Document], selection: Selection, condition: SqlCondition, table: Table) -> list[Document]:
    if not condition.exact:
        found = [*filter(matcher(selection.where), found)]
    return found if is_sql_order(selection.sort, table) else sort_documents(found, selection.sort)


_STORES: Mapping[str, Callable[[Sequence[Document], Selection], list[Document]]] = {
    "memory": _in_memory,
    "sqlite": _in_sqlite,
    "postgres": _in_postgres,
}
