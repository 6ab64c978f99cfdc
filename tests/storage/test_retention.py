"""Old conversations and what is left of users who have none any more go for good: the same on every store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dialoom.query import Selection
from dialoom.storage.store import Chat, Dedupe, FileLimit, FileRow, Inbound, Overtaken
from tests.storage.making import ANN, BEN, commit, message, outgoing, record, time, timer, waiting, write

if TYPE_CHECKING:
    from dialoom.storage.store import ChatKey, Store, TurnWrite

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
    assert await store.forget_conversations("salon", time(3), 10) == 2
    assert await left(store) == (["c000003"], ["c000003"])
    assert [stored.position for stored in await store.said(ANN, 0, 10)] == [3000, 3001]
    assert await store.forget_conversations("salon", time(3), 10) == 0


async def test_what_counts_is_when_a_conversation_was_last_updated(store: Store) -> None:
    await commit(store, talk(1, records=(record(1, updated_at=time(9)),)))
    assert await store.forget_conversations("salon", time(9), 10) == 0
    assert await store.forget_conversations("salon", time(10), 10) == 1


async def test_other_bots_keep_theirs(store: Store) -> None:
    faq = ANN._replace(bot="faq")
    await commit(store, talk(1))
    await commit(store, talk(1, faq))
    assert await store.forget_conversations("salon", NOON, 10) == 1
    assert await left(store, "faq") == (["c000001"], ["c000001"])
    assert await store.chat(faq) == Chat(b"state 1", 1, 1002)


async def test_no_more_go_than_the_limit(store: Store) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(70)]
    for number, key in enumerate(keys):
        await commit(store, talk(number, key))
    assert await store.forget_conversations("salon", NOON, 5) == 5
    assert await store.forget_conversations("salon", NOON, 0) == 0
    assert await store.forget_conversations("salon", NOON, 50) == 50
    assert len((await left(store))[0]) == 15
    assert await store.forget_conversations("salon", NOON, 50) == 15
    assert await left(store) == ([], [])


async def test_a_conversation_of_very_many_messages_goes_whole(store: Store) -> None:
    await commit(store, talk(1, says=900))
    await commit(store, talk(2, revision=1))
    assert await store.forget_conversations("salon", time(2), 1) == 1
    assert await left(store) == (["c000002"], ["c000002"])


async def test_of_a_user_of_whom_nothing_is_left_everything_goes(store: Store) -> None:
    await store.keep_file(FileRow(ANN, "f1", b"sealed", 3, 1000), b"abc", LIMIT)
    dead = outgoing(1)
    turn = talk(
        1, dedupe=HELLO, answer=b"hi", is_later=True, timers=(timer("session", 500),), files=("f1",), outbox=(dead,)
    )
    await commit(store, turn)
    await store.bury(dead, 2000, "gone")
    assert await store.forget_conversations("salon", NOON, 10) == 1
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
    assert await store.forget_conversations("salon", time(2), 10) == 1
    assert await store.chat(ANN) == Chat(b"state 2", 2, 2002)
    assert await store.answered(ANN, "k1") is not None
    assert await store.content("salon", "f1") == b"abc"
    assert await store.next_due() == 500


async def test_the_same_user_on_another_channel_is_another_user(store: Store) -> None:
    phone = ANN._replace(channel="mobile")
    await commit(store, talk(1))
    await commit(store, talk(5, phone))
    assert await store.forget_conversations("salon", time(5), 10) == 1
    assert await store.chat(ANN) is None
    assert await store.chat(phone) == Chat(b"state 1", 1, 5002)


async def test_a_user_with_an_event_that_waits_keeps_memory(store: Store) -> None:
    await commit(store, talk(1))
    row = await store.accept(ANN, "e1", b"sealed", HELLO, 5)
    assert isinstance(row, Inbound)
    assert await store.forget_conversations("salon", NOON, 10) == 1
    assert await store.chat(ANN) == Chat(b"state 1", 1, 1002)
    assert [waits.id for waits in await waiting(store, ANN)] == ["e1"]
    turn = msgspec.structs.replace(talk(2, revision=1, dedupe=HELLO, answer=b"hi"), number=row.number)
    assert await commit(store, turn) is None


async def test_a_user_with_a_delivery_that_waits_keeps_memory(store: Store) -> None:
    await commit(store, talk(1, outbox=(outgoing(1),)))
    assert await store.forget_conversations("salon", NOON, 10) == 1
    assert await store.chat(ANN) is not None
    assert len(await store.take_outgoing(1000, 2000, 10)) == 1


async def test_a_turn_computed_before_its_user_was_forgotten_is_computed_again(store: Store) -> None:
    await commit(store, talk(1))
    assert await store.forget_conversations("salon", NOON, 10) == 1
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
    assert await store.forget_conversations("salon", time(2), 10) == 1
    assert await store.content("salon", "f1") is None
    assert await store.content("salon", "f2") == bytes(size)
