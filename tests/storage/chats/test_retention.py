"""Old conversations and what is left of users who have none any more go for good: the same on every store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import apsw
import msgspec
import pytest

from dialoom.query import Selection
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite import deletion
from dialoom.storage.store import Chat, Dedupe, FileLimit, FileRow, Forgotten, Inbound, Overtaken
from tests.storage.row_makers import ANN, BEN, commit, forget, message, outgoing, record, time, timer, waiting, write

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.storage.sqlite.store import SqliteStore
    from dialoom.storage.store import ChatKey, Store, StoredMessage, TurnWrite

HELLO = Dedupe("k1", b"hash of hello")
LIMIT = FileLimit(since=0, size=10**9, count=100, channel_size=10**9, channel_count=100)
NOON = time(1000)


def talk(number: int, key: ChatKey = ANN, revision: int = 0, says: int = 2, **fields: Any) -> TurnWrite:
    """A turn of conversation ``number`` that says so much; numbers are also the seconds of its time."""
    first = 1000 * number
    said = tuple(message(first + place, key=key, conversation=f"c{number:06d}") for place in range(says))
    values: dict[str, Any] = {"records": (record(number, key),), "messages": said, "position": first + says} | fields
    return write(revision, key, **values)


async def left(store: Store, bot: str = "salon") -> tuple[list[str], list[str]]:
    """Ids of conversations, and those that messages name."""
    records = [msgspec.json.decode(text) for text in await store.find("conversations", bot, Selection())]
    messages = [msgspec.json.decode(text) for text in await store.find("messages", bot, Selection())]
    return [one["_id"] for one in records], sorted({one["Conversation"] for one in messages})


async def test_conversations_before_a_time_go_with_their_messages(store: Store) -> None:
    await commit(store, talk(1))
    await commit(store, talk(2, revision=1))
    await commit(store, talk(3, revision=2))
    assert await forget(store, time(3), 10) == 2
    assert await left(store) == (["c000003"], ["c000003"])
    assert [stored.position for stored in await store.said(ANN, 0, 10)] == [3000, 3001]
    assert await forget(store, time(3), 10) == 0


async def test_what_counts_is_when_a_conversation_was_last_updated(store: Store) -> None:
    await commit(store, talk(1, records=(record(1, updated_at=time(9)),)))
    assert await forget(store, time(9), 10) == 0
    assert await forget(store, time(10), 10) == 1


async def test_other_bots_keep_theirs(store: Store) -> None:
    faq = ANN._replace(bot="faq")
    await commit(store, talk(1))
    await commit(store, talk(1, faq))
    assert await forget(store, NOON, 10) == 1
    assert await left(store, "faq") == (["c000001"], ["c000001"])
    assert await store.chat(faq) == Chat(b"state 1", 1, 1002)


async def test_no_more_go_than_the_limit(store: Store) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(70)]
    for number, key in enumerate(keys):
        await commit(store, talk(number, key))
    assert await forget(store, NOON, 5) == 5
    assert await forget(store, NOON, 0) == 0
    assert await forget(store, NOON, 50) == 50
    assert len((await left(store))[0]) == 15
    assert await forget(store, NOON, 50) == 15
    assert await left(store) == ([], [])


async def test_a_conversation_of_very_many_messages_goes_whole(store: Store) -> None:
    await commit(store, talk(1, says=900))
    await commit(store, talk(2, revision=1))
    assert await forget(store, time(2), 1) == 1
    assert await left(store) == (["c000002"], ["c000002"])


async def test_of_a_user_of_whom_nothing_is_left_everything_goes(store: Store) -> None:
    await store.keep_file(FileRow(ANN, "f1", b"sealed", 3, 1000), b"abc", LIMIT)
    dead = outgoing(1)
    turn = talk(
        1, dedupe=HELLO, answer=b"hi", is_later=True, timers=(timer("session", 500),), files=("f1",), outbox=(dead,)
    )
    await commit(store, turn)
    await store.bury(dead, 2000, "gone")
    assert await forget(store, NOON, 10) == 1
    assert await left(store) == ([], [])
    assert await store.chat(ANN) is None
    assert await store.answered(ANN, "k1") is None
    assert await store.due(10**9, 10) == []
    assert await store.next_due() is None
    assert await store.file("salon", "f1") is None
    assert await store.content("salon", "f1") is None
    assert await store.later(ANN, 10) == []
    assert await store.outbox_counts() == []
    assert await commit(store, talk(5, dedupe=HELLO, answer=b"hi")) is None


async def test_a_user_with_a_newer_conversation_keeps_memory_answers_and_files(store: Store) -> None:
    await store.keep_file(FileRow(ANN, "f1", b"sealed", 3, 1000), b"abc", LIMIT)
    await commit(store, talk(1, dedupe=HELLO, answer=b"hi", files=("f1",)))
    await commit(store, talk(2, revision=1, timers=(timer("session", 500),)))
    assert await forget(store, time(2), 10) == 1
    assert await store.chat(ANN) == Chat(b"state 2", 2, 2002)
    assert await store.answered(ANN, "k1") is not None
    assert await store.content("salon", "f1") == b"abc"
    assert await store.next_due() == 500


async def test_the_same_user_on_another_channel_is_another_user(store: Store) -> None:
    phone = ANN._replace(channel="mobile")
    await commit(store, talk(1))
    await commit(store, talk(5, phone))
    assert await forget(store, time(5), 10) == 1
    assert await store.chat(ANN) is None
    assert await store.chat(phone) == Chat(b"state 1", 1, 5002)


async def test_a_user_for_whom_an_event_waits_keeps_all_until_its_turn_is_done(store: Store) -> None:
    await commit(store, talk(1))
    row = await store.accept(ANN, "e1", b"sealed", HELLO, 5)
    assert isinstance(row, Inbound)
    assert await forget(store, NOON, 10) == 0
    assert await left(store) == (["c000001"], ["c000001"])
    assert await store.chat(ANN) == Chat(b"state 1", 1, 1002)
    assert [waits.id for waits in await waiting(store, ANN)] == ["e1"]
    # A turn that writes nothing down leaves the old conversation as it was.
    turn = write(1, ANN, number=row.number, dedupe=HELLO, answer=b"hi", position=1002)
    assert await commit(store, turn) is None
    assert await forget(store, NOON, 10) == 1
    assert await store.chat(ANN) is None
    assert await store.answered(ANN, "k1") is None


async def test_a_user_for_whom_a_delivery_waits_keeps_all_until_it_has_arrived(store: Store) -> None:
    await store.keep_file(FileRow(ANN, "f1", b"sealed", 3, 1000), b"abc", LIMIT)
    await commit(store, talk(1, outbox=(outgoing(1),), files=("f1",)))
    assert await forget(store, NOON, 10) == 0
    assert await store.chat(ANN) is not None
    (taken,) = await store.take_outgoing(1000, 2000, 10)
    await store.delivered(taken, 1000)
    assert await forget(store, NOON, 10) == 1
    assert await store.chat(ANN) is None
    assert await store.file("salon", "f1") is None


async def test_what_has_to_stay_is_passed_and_the_next_step_goes_on_behind_it(store: Store) -> None:
    keys = [ANN._replace(user=f"user {number:02d}") for number in range(30)]
    for number, key in enumerate(keys):
        updated = NOON if number < 20 else time(number)
        await commit(store, talk(number, key, records=(record(number, key, updated_at=updated),)))
    first = await store.forget_conversations("salon", NOON, 25)
    assert first == Forgotten(5, (time(24), "c000024"))
    assert await store.forget_conversations("salon", NOON, 25, first.last) == Forgotten(5, None)
    assert len((await left(store))[0]) == 20


async def test_a_user_who_is_forgotten_leaves_no_result_of_a_call(store: Store) -> None:
    row = await store.accept(ANN, "e1", b"sealed", None, 5)
    assert isinstance(row, Inbound)
    assert await store.hold(ANN) is not None
    await store.journal(ANN, row.number, "call 1", b"result")
    await commit(store, msgspec.structs.replace(talk(1), number=row.number))
    assert await forget(store, NOON, 10) == 1
    assert await store.journaled(ANN, row.number) == {}


async def test_answers_of_other_bots_are_left_to_their_own_time(store: Store) -> None:
    faq = ANN._replace(bot="faq")
    for key in (ANN, faq):
        await commit(store, write(key=key, dedupe=HELLO, answer=b"hi", now=10))
    assert await store.forget_answers("salon", 20) == 1
    assert await store.answered(faq, "k1") is not None


async def test_files_of_other_bots_are_left_to_their_own_time(store: Store) -> None:
    for key in (ANN, ANN._replace(bot="faq")):
        await store.keep_file(FileRow(key, "f1", b"sealed", 3, 1000), b"abc", LIMIT)
    assert await store.forget_unsent("salon", 5000) == 1
    assert await store.content("salon", "f1") is None
    assert await store.content("faq", "f1") == b"abc"


def naming(position: int, conversation: int, *ids: str) -> StoredMessage:
    """A message of the user with files, as the service writes it down."""
    files = [{"url": f"https://bot.example/v1/bots/salon/channels/web/files/{id}?e=1&s=x", "name": id} for id in ids]
    fields: dict[str, Any] = {"conversation": f"c{conversation:06d}", "from_": "user", "type": "file"}
    return message(position, "", payload=files, **fields)


async def test_files_go_with_the_last_message_that_names_them(store: Store) -> None:
    for id, key in (("f1", ANN), ("f2", ANN), ("f3", ANN), ("f4", BEN)):
        await store.keep_file(FileRow(key, id, b"sealed", 3, 1000), b"abc", LIMIT)
    await commit(store, talk(1, messages=(naming(1000, 1, "f1", "f2", "f4"),), files=("f1", "f2")))
    await commit(store, talk(2, revision=1, messages=(naming(2000, 2, "f2", "f3"),), files=("f2", "f3")))
    await commit(store, talk(3, revision=2))
    await commit(store, talk(3, BEN, records=(record(4, BEN),), files=("f4",)))
    assert await forget(store, time(2), 10) == 1
    assert [id for id in ("f1", "f2", "f3", "f4") if await store.content("salon", id)] == ["f2", "f3", "f4"]
    assert await forget(store, time(3), 10) == 1
    assert [id for id in ("f1", "f2", "f3", "f4") if await store.file("salon", id)] == ["f4"]
    assert await store.chat(ANN) is not None


async def test_a_turn_computed_before_its_user_was_forgotten_is_computed_again(store: Store) -> None:
    await commit(store, talk(1))
    assert await forget(store, NOON, 10) == 1
    with pytest.raises(Overtaken):
        await commit(store, talk(1, revision=1))
    assert await commit(store, talk(2)) is None
    assert await store.chat(ANN) == Chat(b"state 1", 1, 2002)


@pytest.mark.parametrize("size", [1, 1_200_000])
async def test_files_of_any_size_go_and_those_of_others_stay(store: Store, size: int) -> None:
    for id, key in (("f1", ANN), ("f2", BEN)):
        await store.keep_file(FileRow(key, id, b"sealed", size, 1000), bytes(size), LIMIT)
    await commit(store, talk(1, files=("f1",)))
    await commit(store, talk(2, BEN, files=("f2",)))
    assert await forget(store, time(2), 10) == 1
    assert await store.content("salon", "f1") is None
    assert await store.content("salon", "f2") == bytes(size)


async def test_very_many_answers_are_forgotten_in_steps_and_turns_come_between(sqlite: SqliteStore) -> None:
    rows = [
        (*ANN, f"k{number}", b"body", None, b"hi", 1) for number in range(2 * deletion.MAX_ROWS["forget_answers"] + 1)
    ]

    def put(connection: apsw.Connection, _: Any) -> list[None]:
        connection.executemany(load("sqlite", "turn")["fill_answers"].sql, rows)
        return [None]

    await sqlite.writer.submit(put, None)
    order: list[str] = []

    async def forget_all() -> None:
        assert await sqlite.forget_answers("salon", 5) == len(rows)
        order.append("answers")

    async def talk() -> None:
        await sqlite.commit(write(now=10))
        order.append("turn")

    await asyncio.gather(forget_all(), talk())
    assert order == ["turn", "answers"]


async def test_results_of_calls_whose_turn_is_done_go_and_others_stay(sqlite: SqliteStore, tmp_path: Path) -> None:
    row = await sqlite.accept(ANN, "e1", b"sealed", None, 1)
    assert isinstance(row, Inbound)
    await sqlite.journal(ANN, row.number, "call 1", b"result")
    connection = apsw.Connection(str(tmp_path / "data.sqlite"))
    connection.execute(
        "insert into journal (bot, channel, user, number, call, result) values ('salon', 'web', 'ann', 99, 'c', x'00')"
    )
    connection.close()
    assert await sqlite.forget_answers("salon", 5) == 0
    assert await sqlite.journaled(ANN, 99) == {}
    assert await sqlite.journaled(ANN, row.number) == {"call 1": b"result"}
