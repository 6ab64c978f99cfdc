"""Pages of the history whose records are together more than is held in memory at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.http.history.test_history_pages import HEADERS, _follow, _next
from tests.http.support import Client, serving
from tests.storage.history.test_imports import conversation

from dialoom.storage.first_records import id_of
from dialoom.storage.limits import PAGE_BYTES
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

COUNT, LONG = 26, 3_000_000
IDS = [f"a{number:04d}" for number in range(COUNT)]
ORDERS: list[dict[str, Any]] = [
    {},
    {"query": {"Number": {"$mod": [1, 0]}}},
    {"sort": "Number"},
]
"""By the database alone, by the exact predicate, by an order made here."""


@pytest.fixture(params=["sqlite", "postgres"])
async def client(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Client]:
    """With conversations of 78 MB."""
    server = request.getfixturevalue("postgres_server") if request.param == "postgres" else None
    url = "" if server is None else server.database()
    store: Any = SqliteStore(tmp_path / "data.sqlite") if server is None else PostgresStore(url)
    async with serving(tmp_path, store=store) as client:
        for number, id in enumerate(IDS):
            record = conversation(id, Number=number, Note="n" * LONG)
            await store.import_records("conversations", "tea", [record], "", 1)
        yield client
    if server is not None:
        server.drop(url)


def ids(answer: Any) -> list[str]:
    assert answer.status == 200, answer.body
    return [id_of(record).id for record in msgspec.json.decode(answer.body, type=list[msgspec.Raw])]


async def test_a_page_has_all_that_was_asked_for_however_large(client: Client) -> None:
    answer = await client.history("conversations", limit=1000)
    assert len(answer.body) > PAGE_BYTES
    assert ids(answer) == IDS
    assert (answer.headers["content-type"], _next(answer)) == ("application/json", None)


async def test_a_large_page_names_the_next_one(client: Client) -> None:
    for order in ORDERS:
        answer = await client.history("conversations", limit=23, skip=2, total="true", **order)
        assert (len(answer.body) > PAGE_BYTES, answer.headers["x-total-count"]) == (True, str(COUNT))
        address = _next(answer)
        assert address is not None
        assert ids(answer) + ids(await _follow(client, address)) == IDS[2:]


async def test_a_large_page_has_the_fields_asked_for_and_comes_as_lines(client: Client) -> None:
    answer = await client.history("conversations", limit=1000, fields="Number")
    assert answer.json == [{"_id": id, "Number": number} for number, id in enumerate(IDS)]
    lines = await client.call(
        "GET", "/v1/bots/tea/conversations", None, HEADERS | {"Accept": "application/x-ndjson"}, {"limit": 1000}
    )
    assert [json.loads(line)["_id"] for line in lines.body.splitlines()] == IDS
