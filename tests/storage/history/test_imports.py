"""Records from elsewhere on every store: written whole, once, with how far their file was read."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.query import Selection, parse_query, parse_sort
from dialoom.service.bots.masking import Masking
from dialoom.service.records.importing import Import, Pace, file_fingerprint
from dialoom.service.records.record_schema import RecordReader
from dialoom.service.records.record_stream import write_records
from dialoom.storage.sqlite.connection import is_taken
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.testing.clock import MovedClock
from tests.storage.row_makers import ANN, commit, forget, message, record, write
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from dialoom.storage.store import Collection, Store

FILE = "conversations 0123"


def conversation(id: str, **fields: Any) -> dict[str, Any]:
    user = dict.fromkeys(("ExternalId", "FirstName", "LastName", "Avatar", "Locale", "Timezone"))
    return {
        "_id": id,
        "Bot": "salon",
        "User": "ann",
        "Channel": "web",
        "Status": "success",
        "StartedAt": "2019-04-01T07:00:00.000Z",
        "UpdatedAt": "2019-04-01T07:05:00.000Z",
        "EndedAt": "2019-04-01T07:05:00.000Z",
        "Goal": None,
        "Errors": 0,
        "Messages": {"user": 1, "bot": 2},
        "FlowVersion": "",
        "Data": {
            "channel": {"Id": "web", "ProviderName": "web", "Name": None},
            "user": user | {"FirstName": "Änn"},
            "context": {},
            "entities": {},
        },
        **fields,
    }


def said(id: str, conversation: str = "old-1", **fields: Any) -> dict[str, Any]:
    return {
        "_id": id,
        "Bot": "salon",
        "Conversation": conversation,
        "User": "ann",
        "Channel": "web",
        "From": "bot",
        "Type": "text",
        "Text": "Hello",
        "Payload": None,
        "Step": None,
        "Understanding": None,
        "Error": None,
        "CreatedAt": "2019-04-01T07:00:00.000Z",
        "Sequence": 1,
        **fields,
    }


async def found(
    store: Store, query: dict[str, Any] | None = None, sort: str | None = None, collection: Collection = "conversations"
) -> list[dict[str, Any]]:
    where = parse_query(None if query is None else json.dumps(query))
    texts = await store.find(collection, "salon", Selection(where=where, sort=parse_sort(sort)))
    return [json.loads(text) for text in texts]


def ids(documents: Sequence[dict[str, Any]]) -> list[str]:
    return [document["_id"] for document in documents]


async def test_a_record_is_kept_whole_with_whatever_else_it_holds(store: Store) -> None:
    whole = conversation(
        "old-1", Ticket={"no": 4711, "tags": ["ü", "\u2028", "𝄞", "\x01\x7f"], "": [[], {}, None]}, x=1e-7
    )
    assert await store.import_records("conversations", "salon", [whole], FILE, 1) == 1
    assert await found(store) == [whole]
    assert await found(store, {"Ticket.tags": "𝄞", "Data.user.FirstName": "Änn", "x": {"$lt": 1}}) == [whole]
    assert await store.count("conversations", "salon", Selection()) == 1


async def test_a_message_is_kept_whole(store: Store) -> None:
    whole = said("old-1-1", Payload=[{"a": 1.5}], Rating=5)
    assert await store.import_records("messages", "salon", [whole], FILE, 1) == 1
    assert await found(store, {"Rating": 5, "Sequence": 1, "Type": "text"}, collection="messages") == [whole]


async def test_one_that_is_there_stays_as_it_is(store: Store) -> None:
    first = conversation("old-1", Ticket=1)
    assert await store.import_records("conversations", "salon", [first, conversation("old-1", Ticket=2)], FILE, 2) == 1
    assert (
        await store.import_records("conversations", "salon", [conversation("old-1"), conversation("old-2")], FILE, 4)
        == 1
    )
    assert ids(await found(store)) == ["old-1", "old-2"]
    assert await found(store, {"Ticket": {"$exists": True}}) == [first]


async def test_a_live_record_stays_as_it_is(store: Store) -> None:
    live = record(1)
    await commit(store, write(records=(live,), messages=(message(1),)))
    assert await store.import_records("conversations", "salon", [conversation(live.id)], FILE, 1) == 0
    assert await store.import_records("messages", "salon", [said(message(1).record.id, Text="other")], FILE, 1) == 0
    assert (await found(store))[0]["Status"] == "active"
    assert [one.record.text for one in await store.said(ANN, 0, 10)] == ["Hello"]


async def test_how_far_a_file_was_read_is_known_for_each_bot_and_file(store: Store) -> None:
    assert await store.imported_lines("salon", FILE) == 0
    await store.import_records("conversations", "salon", [conversation("old-1")], FILE, 7)
    await store.import_records("conversations", "salon", [], FILE, 9)
    assert await store.imported_lines("salon", FILE) == 9
    assert await store.imported_lines("salon", "another") == 0
    assert await store.imported_lines("other", FILE) == 0
    await store.import_records("conversations", "salon", [conversation("old-1")], FILE, 1)
    assert await store.imported_lines("salon", FILE) == 1


async def test_what_cannot_be_read_again_leaves_no_trace_but_its_records(store: Store) -> None:
    assert await store.import_records("conversations", "salon", [conversation("old-1")], "", 1) == 1
    assert await store.imported_lines("salon", "") == 0


async def test_imported_messages_are_in_the_history_and_in_no_chat(store: Store) -> None:
    await store.import_records("messages", "salon", [said("a"), said("b", From="user")], FILE, 2)
    for after in (-1, 0):
        assert await store.said(ANN, after, 10) == []
    assert await store.last_said(ANN, 10) == []
    assert await store.later(ANN, 10) == []
    await commit(store, write(records=(record(1),), messages=(message(1),), position=1))
    assert [one.position for one in await store.said(ANN, 0, 10)] == [1]
    assert [one.position for one in await store.last_said(ANN, 10)] == [1]
    assert ids(await found(store, {"User": "ann"}, collection="messages")) == ["a", "b", message(1).record.id]


async def test_old_conversations_of_people_without_a_chat_are_forgotten_with_their_messages(store: Store) -> None:
    old = conversation("old-1")
    young = conversation(
        "new-1", User="ben", StartedAt="2026-11-01T00:00:00.000Z", UpdatedAt="2026-11-01T00:00:00.000Z"
    )
    await store.import_records("conversations", "salon", [old, young], FILE, 2)
    await store.import_records("messages", "salon", [said("a"), said("b", "new-1", User="ben")], FILE, 2)
    assert await forget(store, "2020-01-01T00:00:00.000Z", 10) == 1
    assert ids(await found(store)) == ["new-1"]
    assert ids(await found(store, collection="messages")) == ["b"]


async def test_a_person_without_a_chat_is_erased_with_all_their_records(store: Store) -> None:
    await store.import_records(
        "conversations", "salon", [conversation("old-1"), conversation("old-2", User="ben")], FILE, 2
    )
    await store.import_records(
        "messages", "salon", [said("a"), said("b", "elsewhere"), said("c", "old-2", User="ben")], FILE, 3
    )
    assert await store.channels_of("salon", "ann") == ["web"]
    while not (await store.erase(ANN, 1)).is_done:
        pass
    assert ids(await found(store)) == ["old-2"]
    assert ids(await found(store, collection="messages")) == ["c"]
    assert await store.channels_of("salon", "ann") == []


@pytest.mark.parametrize("size", [63, 64, 65, 300])
async def test_a_piece_of_any_size_goes_in(store: Store, size: int) -> None:
    documents = [conversation(f"old-{number:04d}", Errors=number) for number in range(size)]
    assert await store.import_records("conversations", "salon", documents, FILE, size) == size
    assert ids(await found(store, {"Errors": {"$gte": size - 3}}, '{"Errors":-1}')) == [
        f"old-{number:04d}" for number in (size - 1, size - 2, size - 3)
    ]


@pytest.mark.parametrize("number", [2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 12345678901234567000, 10**30, 10**300])
async def test_large_whole_numbers_mean_the_same_on_every_store(store: Store, number: int) -> None:
    await store.import_records(
        "conversations", "salon", [conversation("large", n=number), conversation("small", n=1)], FILE, 2
    )
    assert (await found(store, {"_id": "large"}))[0]["n"] == number
    for query in ({"$eq": number}, {"$gte": number}, {"$gt": 1} if number > 0 else {"$lt": 1}, {"$ne": 1}):
        met = ids(await found(store, {"n": query}))
        assert "large" in met or number < 0
    assert ids(await found(store, sort="n")) == (["small", "large"] if number > 0 else ["large", "small"])


async def test_what_was_written_beside_a_service_is_durable_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "data.sqlite"
    service, beside = SqliteStore(file), SqliteStore(file, is_beside=True)
    await service.open()
    await beside.open()
    await beside.import_records("conversations", "salon", [conversation("old-1")], FILE, 1)
    assert ids(await found(service)) == ["old-1"]
    await beside.close()
    assert is_taken(file)
    await service.close()
    assert not is_taken(file)
    again = SqliteStore(file)
    await again.open()
    assert await again.imported_lines("salon", FILE) == 1
    await again.close()


# -- there and back


async def exported(store: Store, collection: Collection, selection: Selection | None = None) -> bytes:
    file = io.BytesIO()
    count = await write_records(store, collection, "salon", selection or Selection(), file.write)
    assert file.getvalue().count(b"\n") == count
    return file.getvalue()


async def imported(store: Store, collection: Collection, content: bytes) -> None:
    file = io.BytesIO(content)
    checked = RecordReader(collection, "salon", Masking())
    pace = Pace(MovedClock(), lambda: False)
    await Import(store, collection, "salon", file_fingerprint(file, collection, 0), reader=checked, pace=pace).run(file)


async def test_an_import_of_an_export_gives_the_same_bytes(store: Store) -> None:
    """Of live records and of those from elsewhere, with all that they hold."""
    extra: dict[str, Any] = {
        "Ticket": {"no": 4711, "tags": ["ü", "\u2028", "𝄞", "\x01\x7f\\", "***"], "": [[], {}, None, 1e-7, -0.0, 2**70]}
    }
    live = record(1, entities={"colour": "grün", "n": [1, 2.5, {"deep": [[]]}]}, goal="book")
    await commit(store, write(records=(live,), messages=(message(1, "Grüß dich\n𝄞", payload={"a": [1]}),), position=1))
    many = [conversation(f"old-{number:05d}", Errors=number % 7, **extra) for number in range(1100)]
    await store.import_records("conversations", "salon", many, "", 0)
    await store.import_records("messages", "salon", [said("a", **extra), said("b")], "", 0)
    conversations, messages = await exported(store, "conversations"), await exported(store, "messages")
    assert conversations.count(b"\n") == 1101
    both: tuple[tuple[Collection, bytes], ...] = (("conversations", conversations), ("messages", messages))
    other = TemporaryStore()
    await other.open()
    for collection, content in both:
        await imported(other, collection, content)
        assert await exported(other, collection) == content
    await forget(store, "2030-01-01T00:00:00.000Z", 2000)
    assert await found(store) == []
    for collection, content in both:
        await imported(store, collection, content)
        assert await exported(store, collection) == content
    await other.close()


async def test_an_export_has_what_was_asked_for_in_its_order(store: Store) -> None:
    many = [conversation(f"old-{number:05d}", Errors=number % 7, n=number) for number in range(2500)]
    await store.import_records("conversations", "salon", many, "", 0)
    selection = Selection(
        where=parse_query('{"n":{"$mod":[2,0]},"Errors":{"$gt":2}}'), sort=parse_sort('{"Errors":-1}')
    )
    lines = [json.loads(line) for line in (await exported(store, "conversations", selection)).splitlines()]
    wanted = [one for one in many if one["n"] % 2 == 0 and one["Errors"] > 2]
    assert ids(lines) == ids(sorted(wanted, key=lambda one: (-one["Errors"], one["_id"])))
