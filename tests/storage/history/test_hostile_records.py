"""A single record that is slow to search holds a query no longer than its time, nor does a text beyond all size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.query import Selection, parse_query
from dialoom.query.regex.expression import MAX_SEARCHED_CHARS
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import TextTooLong, TooSlow
from tests.storage import hostile

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.storage.store import Store


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path, seconds: float) -> AsyncIterator[Store]:
    """``seconds``: that a query may take."""
    store: Store
    if request.param == "sqlite":
        store = SqliteStore(tmp_path / "data.sqlite", history_seconds=seconds)
    else:
        store = PostgresStore(request.getfixturevalue("emptied_database"), history_seconds=seconds)
    await store.open()
    yield store
    await store.close()


async def fill(store: Store, payload: dict[str, Any]) -> None:
    (document,) = hostile.documents("messages", "tea", 1)
    await store.import_records("messages", "tea", [{**document, "Payload": payload}], "hostile", 0)


@pytest.mark.parametrize("seconds", [0.2])
async def test_one_record_with_many_texts_is_left_at_the_end_of_the_time(store: Store) -> None:
    await fill(store, {"words": ["wé" * (hostile.LONGEST // 2)] * 4})
    selection = Selection(parse_query(json.dumps(hostile.SLOW)))
    for asked in (store.count("messages", "tea", selection), store.find("messages", "tea", selection)):
        with pytest.raises(TooSlow, match="took too long"):
            await asked


@pytest.mark.parametrize("seconds", [60.0])
async def test_a_text_that_no_expression_can_search_in_time_ends_the_query_with_the_reason(store: Store) -> None:
    await fill(store, {"words": "w" * (MAX_SEARCHED_CHARS + 1)})
    selection = Selection(parse_query('{"Payload.words": {"$regex": "[ab]c?[de]"}}'))
    for asked in (
        store.count("messages", "tea", selection),
        store.find("messages", "tea", selection),
        store.stretch("messages", "tea", selection, 100),
    ):
        with pytest.raises(TextTooLong, match=r"A text of 65,537 characters .+ Narrow the query"):
            await asked
    plain = Selection(parse_query('{"Payload.words": {"$regex": "www"}}'))
    assert await store.count("messages", "tea", plain) == 1
