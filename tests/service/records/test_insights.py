"""How many conversations are looked at, and what records from elsewhere count as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.stores import TemporaryStore

from dialoom.query import Selection, parse_query
from dialoom.service.records.insights import Period, Query, count_insights
from dialoom.storage.postgres.store import PostgresStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from dialoom.storage.store import Store

PERIOD = Period("2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z")
STALLED = "2026-11-30T00:00:00.000Z"


def _record(number: int, **data: Any) -> dict[str, Any]:
    time = f"2026-11-{number:02d}T08:00:00.000Z"
    return {
        "_id": f"c{number:02d}", "Bot": "salon", "User": f"u{number}", "Channel": "web", "Status": "abandoned",
        "StartedAt": time, "UpdatedAt": time, "EndedAt": time, "Goal": "book", "Errors": 0,
        "Messages": {"user": 1, "bot": 1}, "FlowVersion": "1",
        "Data": {"channel": {"ProviderName": "web"}, "user": {"FirstName": None, "LastName": None}, **data},
    }  # fmt: skip


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    store: Store = TemporaryStore()
    if request.param == "postgres":
        store = PostgresStore(request.getfixturevalue("tables").url)
    await store.open()
    records = [_record(number, step="book/1") for number in range(1, 5)] + [_record(5, step=7, notUnderstood="many")]
    await store.import_records("conversations", "salon", records, "file", 1)
    yield store
    await store.close()


async def _number(store: Store, query: Query) -> int:
    where = parse_query(msgspec.json.encode(query).decode())
    return await store.count("conversations", "salon", Selection(where=where))


async def test_of_a_period_with_more_than_may_be_looked_at_the_newest_count(store: Store) -> None:
    """The answer says since when, and its queries find those conversations and no others."""
    found = await count_insights(store, "salon", PERIOD, STALLED, most=3)
    assert (found.is_cut, found.since, found.conversations.count) == (True, "2026-11-03T08:00:00.000Z", 3)
    assert await _number(store, found.conversations.filter) == 3
    whole = await count_insights(store, "salon", PERIOD, STALLED, most=5)
    assert (whole.is_cut, whole.since, whole.conversations.count) == (False, PERIOD.since, 5)


async def test_records_from_elsewhere_may_hold_anything_in_their_data(store: Store) -> None:
    found = await count_insights(store, "salon", PERIOD, STALLED)
    assert (found.stopped.count, found.not_understood.count) == (5, 0)
    assert found.drop_off == {"conversations/book/steps/1": 4}
    assert (found.answer.count, found.answer.median) == (0, None)
