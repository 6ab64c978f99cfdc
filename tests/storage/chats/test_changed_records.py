"""A record of an ended conversation is changed as a whole or not at all: the same on every store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.query import Selection, parse_query
from tests.storage.row_makers import ANN, BEN, commit, message, record, write

if TYPE_CHECKING:
    from dialoom.storage.store import Store

RATED = "2026-11-21T10:00:00.000Z"


def rated(document: str, score: int) -> str:
    held: dict[str, Any] = msgspec.json.decode(document)
    held["Data"]["rating"] = {"score": score}
    held["UpdatedAt"] = RATED
    return msgspec.json.encode(held).decode()


async def found(store: Store, query: str) -> list[str]:
    texts = await store.find("conversations", "salon", Selection(where=parse_query(query)))
    return [msgspec.json.decode(text)["_id"] for text in texts]


async def test_a_changed_record_is_read_and_queried_as_any_other(store: Store) -> None:
    one, two = record(1), record(2)
    await commit(store, write(records=(one,), messages=(message(1, conversation=one.id),), position=1))
    await commit(store, write(1, records=(two,), messages=(message(2, conversation=two.id),), position=2))
    before = await store.record_of(ANN, one.id)
    last = await store.record_of(ANN, None)
    assert before is not None
    assert last is not None
    assert msgspec.json.decode(last)["_id"] == two.id
    assert await store.change_record(ANN, one.id, before, rated(before, 4), RATED)
    assert await store.record_of(ANN, one.id) == rated(before, 4)
    assert await found(store, '{"Data.rating.score": {"$gte": 4}}') == [one.id]
    assert await found(store, '{"Data.rating": {"$exists": false}}') == [two.id]
    assert await found(store, f'{{"UpdatedAt": "{RATED}"}}') == [one.id]


async def test_a_record_that_changed_meanwhile_or_is_of_somebody_else_stays(store: Store) -> None:
    one = record(1)
    await commit(store, write(records=(one,), messages=(message(1, conversation=one.id),), position=1))
    before = await store.record_of(ANN, one.id)
    assert before is not None
    assert await store.record_of(BEN, one.id) is None
    assert not await store.change_record(BEN, one.id, before, rated(before, 1), RATED)
    assert await store.change_record(ANN, one.id, before, rated(before, 2), RATED)
    assert not await store.change_record(ANN, one.id, before, rated(before, 3), RATED)
    assert await store.record_of(ANN, one.id) == rated(before, 2)
