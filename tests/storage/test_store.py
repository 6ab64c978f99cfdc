"""What every store does alike with turns, inboxes, messages, records, timers and tokens."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dialoom.errors import QueryError, StoreError
from dialoom.messages import ConversationRecord
from dialoom.messages.records import MessageCounts
from dialoom.query import Selection, compile_sql, parse_query, parse_sort
from dialoom.storage.collections import CONVERSATIONS
from dialoom.storage.store import Answered, Chat, ChatKey, Dedupe, Inbound, ListRow, Overtaken, Version
from tests.storage.row_makers import ANN, BEN, commit, message, record, time, timer, token, waiting, write

if TYPE_CHECKING:
    from dialoom.storage.store import Collection, Store

HELLO = Dedupe("k1", b"hash of hello")
OTHER = Dedupe("k1", b"hash of something else")


def select(query: str | None = None, sort: str | None = None, skip: int = 0, limit: int | None = 100) -> Selection:
    return Selection(parse_query(query), parse_sort(sort), skip, limit)


async def ids(store: Store, collection: Collection, *arguments: Any, **named: Any) -> list[str]:
    found = await store.find(collection, "salon", select(*arguments, **named))
    return [msgspec.json.decode(text)["_id"] for text in found]


# -- bots and versions


async def test_the_version_published_last_is_active_and_the_older_one_stays(store: Store) -> None:
    await store.publish(Version("salon", "v1", b'{"bot.json": "1"}', 1))
    await store.publish(Version("salon", "v2", b'{"bot.json": "2"}', 2))
    assert await store.active("salon") == Version("salon", "v2", b'{"bot.json": "2"}', 2)
    assert await store.version("salon", "v1") == Version("salon", "v1", b'{"bot.json": "1"}', 1)


async def test_publishing_a_known_version_again_makes_it_active_and_changes_nothing_of_it(store: Store) -> None:
    first = Version("salon", "v1", b"{}", 1)
    await store.publish(first)
    await store.publish(Version("salon", "v2", b"{}", 2))
    await store.publish(Version("salon", "v1", b"{}", 3))
    assert await store.active("salon") == first


async def test_bots_are_all_that_were_published(store: Store) -> None:
    assert await store.bots() == []
    for bot in ("salon", "faq"):
        await store.publish(Version(bot, "v1", b"{}", 1))
    assert await store.bots() == ["faq", "salon"]
    assert await store.active("nobody") is None
    assert await store.version("salon", "v9") is None


async def test_the_list_kept_last_is_the_one_of_its_type(store: Store) -> None:
    city, plant = ListRow("salon", "City", b"s", b"[1]", 1), ListRow("salon", "Plant", b"s", b"[2]", 2)
    for row in (plant, city, ListRow("faq", "City", b"s", b"[3]", 3)):
        await store.keep_list(row)
    assert await store.lists("salon") == [city, plant]
    newer = ListRow("salon", "City", b"t", b"[4]", 4)
    await store.keep_list(newer)
    assert await store.lists("salon") == [newer, plant]
    assert await store.lists("nobody") == []


# -- the turn


async def test_a_chat_that_never_was_is_none(store: Store) -> None:
    assert await store.chat(ANN) is None


async def test_a_committed_turn_is_what_the_chat_holds(store: Store) -> None:
    assert await commit(store, write(position=2)) is None
    assert await store.chat(ANN) == Chat(b"state 1", 1, 2)
    assert await commit(store, write(1, position=3)) is None
    assert await store.chat(ANN) == Chat(b"state 2", 2, 3)


@pytest.mark.parametrize("revision", [0, 2, 7])
async def test_a_turn_of_another_revision_is_refused_and_nothing_of_it_is_written(store: Store, revision: int) -> None:
    await commit(store, write())
    with pytest.raises(Overtaken, match="changed by another turn"):
        await commit(
            store, write(revision, records=(record(1),), messages=(message(1),), timers=(timer("silence", 5),))
        )
    assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
    assert await ids(store, "conversations") == []
    assert await store.said(ANN, 0, 10) == []
    assert await store.next_due() is None


async def test_a_turn_of_a_chat_that_is_gone_is_refused(store: Store) -> None:
    with pytest.raises(Overtaken, match="changed by another turn"):
        await commit(store, write(3))
    assert await store.chat(ANN) is None


async def test_many_users_turns_at_once_are_each_stored(store: Store) -> None:
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(70)]
    for revision in range(3):
        turns = [
            write(
                revision,
                key,
                records=(record(number, key),),
                messages=(message(revision + 1, key=key, conversation=f"c{number:06d}"),),
            )
            for number, key in enumerate(keys)
        ]
        assert await asyncio.gather(*[commit(store, turn) for turn in turns]) == [None] * 70
    assert {(await store.chat(key)).revision for key in keys} == {3}  # type: ignore[union-attr]  # all are there
    assert await store.count("conversations", "salon", select()) == 70
    assert await store.count("messages", "salon", select()) == 210


async def test_one_turn_that_cannot_be_stored_does_not_take_the_others_down(store: Store) -> None:
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(10)]
    turns = [write(5 if number == 4 else 0, key) for number, key in enumerate(keys)]
    results = await asyncio.gather(*[commit(store, turn) for turn in turns], return_exceptions=True)
    assert [type(result) for result in results] == [Overtaken if number == 4 else type(None) for number in range(10)]
    assert [await store.chat(key) is not None for key in keys] == [number != 4 for number in range(10)]


async def test_turns_of_one_chat_in_a_row_see_each_other(store: Store) -> None:
    assert await store.hold(ANN) is not None
    results = await asyncio.gather(*[store.commit(write(revision)) for revision in range(5)])
    assert results == [None] * 5
    assert await store.chat(ANN) == Chat(b"state 5", 5, 0)


async def test_a_record_is_written_anew_with_each_turn(store: Store) -> None:
    await commit(store, write(records=(record(1, counts=MessageCounts(0, 1)),)))
    changed = record(1, counts=MessageCounts(1, 2), goal="book", status="failure", errors=1, first_name="Ann")
    await commit(store, write(1, records=(changed,)))
    found = await store.find("conversations", "salon", select('{"Status": "failure", "Data.user.FirstName": "Ann"}'))
    assert [msgspec.json.decode(text, type=ConversationRecord) for text in found] == [changed]
    assert await ids(store, "conversations", '{"Status": "active"}') == []


async def test_a_turn_may_end_one_record_and_open_the_next(store: Store) -> None:
    await commit(store, write(records=(record(1),)))
    ended = record(1, status="success", ended_at=time(9))
    await commit(store, write(1, records=(ended, record(2))))
    assert await ids(store, "conversations", '{"Status": "success"}') == ["c000001"]
    assert await ids(store, "conversations", '{"EndedAt": null}') == ["c000002"]


async def test_what_is_kept_of_a_record_is_its_text_at_the_commit(store: Store) -> None:
    changing = record(1, entities={"color": "red"})
    await commit(store, write(records=(changing,)))
    changing.data.entities["color"] = "blue"
    changing.status = "closed"
    assert await ids(store, "conversations", '{"Status": "active", "Data.entities.color": "red"}') == ["c000001"]


async def test_a_message_with_an_id_that_is_there_is_refused(store: Store) -> None:
    await commit(store, write(messages=(message(1),)))
    with pytest.raises(StoreError):
        await commit(store, write(key=BEN, messages=(message(1),)))
    assert await store.chat(BEN) is None


# -- inbound keys


async def test_an_answer_is_found_under_its_key(store: Store) -> None:
    assert await store.answered(ANN, "k1") is None
    await commit(store, write(dedupe=HELLO, answer=b"hi"))
    assert await store.answered(ANN, "k1") == Answered(HELLO.body, b"hi")
    assert await store.answered(BEN, "k1") is None


async def test_a_turn_whose_key_was_seen_writes_nothing_and_gives_the_stored_answer(store: Store) -> None:
    await commit(store, write(dedupe=HELLO, answer=b"hi"))
    again = write(1, dedupe=OTHER, answer=b"no", messages=(message(1),))
    assert await commit(store, again) == Answered(HELLO.body, b"hi")
    assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
    assert await store.said(ANN, 0, 10) == []


async def test_repeats_among_many_turns_are_told_apart(store: Store) -> None:
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(10)]
    await commit(store, write(key=keys[3], dedupe=HELLO, answer=b"hi"))
    turns = [write(1 if key == keys[3] else 0, key, dedupe=HELLO, answer=b"hi") for key in keys]
    results = await asyncio.gather(*[commit(store, turn) for turn in turns])
    assert results == [Answered(HELLO.body, b"hi") if key == keys[3] else None for key in keys]


async def test_a_key_belongs_to_its_chat_alone(store: Store) -> None:
    phone = ChatKey("salon", "mobile", "ann")
    faq = ChatKey("faq", "web", "ann")
    for key in (ANN, BEN, phone, faq):
        assert await commit(store, write(key=key, dedupe=HELLO, answer=b"hi")) is None


async def test_an_accepted_event_waits_with_its_number_until_its_turn_is_committed(store: Store) -> None:
    first = await store.accept(ANN, "e1", b"sealed 1", HELLO, 5)
    second = await store.accept(ANN, "e2", b"sealed 2", None, 6)
    assert isinstance(first, Inbound)
    assert isinstance(second, Inbound)
    assert second.number > first.number
    assert await waiting(store, ANN) == [
        Inbound(ANN, first.number, "e1", b"sealed 1", HELLO, 5),
        Inbound(ANN, second.number, "e2", b"sealed 2", None, 6),
    ]
    assert await commit(store, write(number=first.number, dedupe=HELLO, answer=b"hi")) is None
    assert [row.id for row in await waiting(store, ANN)] == ["e2"]
    assert await store.answered(ANN, "k1") == Answered(HELLO.body, b"hi")


async def test_an_event_whose_turn_still_runs_has_no_answer_yet(store: Store) -> None:
    await store.accept(ANN, "e1", b"sealed", HELLO, 5)
    assert await store.answered(ANN, "k1") == Answered(HELLO.body, None)
    assert await store.accept(ANN, "e2", b"sealed", OTHER, 6) == Answered(HELLO.body, None)
    assert await commit(store, write(dedupe=HELLO, answer=b"hi")) == Answered(HELLO.body, None)
    assert len(await waiting(store, ANN)) == 1


async def test_an_event_that_was_answered_is_not_accepted_again(store: Store) -> None:
    await commit(store, write(dedupe=HELLO, answer=b"hi"))
    assert await store.accept(ANN, "e2", b"sealed", HELLO, 6) == Answered(HELLO.body, b"hi")
    assert await waiting(store, ANN) == []


async def test_events_of_many_users_at_once_are_each_accepted_and_repeats_told_apart(store: Store) -> None:
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(20)]
    await store.accept(keys[7], "e", b"sealed", HELLO, 1)
    results = await asyncio.gather(*[store.accept(key, "e", b"sealed", HELLO, 2) for key in keys])
    assert [isinstance(result, Inbound) for result in results] == [key != keys[7] for key in keys]
    assert len(await waiting(store, *keys)) == 20


async def test_numbers_are_not_used_again_when_the_inbox_is_empty(store: Store) -> None:
    first = await store.accept(ANN, "e1", b"sealed", None, 1)
    assert isinstance(first, Inbound)
    await commit(store, write(number=first.number))
    second = await store.accept(ANN, "e2", b"sealed", None, 2)
    assert isinstance(second, Inbound)
    assert second.number > first.number


async def test_a_turn_whose_inbox_row_is_gone_was_done_before_and_is_not_written_twice(store: Store) -> None:
    row = await store.accept(ANN, "e1", b"sealed", None, 1)
    assert isinstance(row, Inbound)
    await commit(store, write(number=row.number))
    assert await commit(store, write(1, number=row.number, messages=(message(1),))) == Answered(b"", b"")
    assert await store.chat(ANN) == Chat(b"state 1", 1, 0)
    assert await store.said(ANN, 0, 10) == []


async def test_results_of_calls_are_kept_until_their_turn_is_committed(store: Store) -> None:
    row = await store.accept(ANN, "e1", b"sealed", None, 1)
    assert isinstance(row, Inbound)
    await store.hold(ANN)
    assert await store.journaled(ANN, row.number) == {}
    await store.journal(ANN, row.number, "call 1", b"result 1")
    await store.journal(ANN, row.number, "call 2", b"result 2")
    await store.journal(ANN, row.number, "call 1", b"a late second try")
    assert await store.journaled(ANN, row.number) == {"call 1": b"result 1", "call 2": b"result 2"}
    await commit(store, write(number=row.number))
    assert await store.journaled(ANN, row.number) == {}


async def test_old_answers_are_forgotten_and_running_ones_stay(store: Store) -> None:
    await commit(store, write(key=ANN, dedupe=HELLO, answer=b"old", now=10))
    await commit(store, write(key=BEN, dedupe=HELLO, answer=b"new", now=20))
    await store.accept(ANN, "e1", b"sealed", Dedupe("k2", b"hash"), 10)
    assert await store.forget_answers("salon", 20) == 1
    assert await store.answered(ANN, "k1") is None
    assert await store.answered(BEN, "k1") == Answered(HELLO.body, b"new")
    assert await store.answered(ANN, "k2") == Answered(b"hash", None)


# -- what clients read


async def test_messages_are_read_in_order_from_a_position_on(store: Store) -> None:
    said = [message(number, f"text {number}", client_id=f"own {number}") for number in range(1, 6)]
    await commit(store, write(messages=tuple(said[:3]), position=3))
    await commit(store, write(1, messages=tuple(said[3:]), position=5))
    await commit(store, write(key=BEN, messages=(message(1, "Ben's", BEN),), position=1))
    assert await store.said(ANN, 0, 100) == said
    assert await store.said(ANN, 3, 100) == said[3:]
    assert await store.said(ANN, 1, 2) == said[1:3]
    assert await store.said(ANN, 5, 100) == []
    assert await store.last_said(ANN, 2) == said[3:]
    assert await store.last_said(ANN, 100) == said
    assert await store.last_said(ANN, 0) == []


async def test_messages_of_one_user_on_two_channels_are_apart(store: Store) -> None:
    phone = ChatKey("salon", "mobile", "ann")
    await commit(store, write(messages=(message(1, "by browser"),)))
    await commit(store, write(key=phone, messages=(message(1, "by phone", phone),)))
    assert [stored.record.text for stored in await store.said(phone, 0, 10)] == ["by phone"]


async def seed(store: Store) -> None:
    """Seven records of salon, of which some properties differ, and one of another bot."""
    colors: list[Any] = ["red", "blue", None, ["red", "green"], "red", 5, {"deep": "blue"}]
    names = ["Cy", None, "Ann", "Bo", "Ann", None, "Éva"]
    for number, (color, name) in enumerate(zip(colors, names, strict=True)):
        key = ChatKey("salon", "web", f"user {number}")
        made = record(
            number,
            key,
            entities={} if color is None else {"color": color},
            first_name=name,
            errors=number % 3,
            counts=MessageCounts(number, 1),
            status="success" if number % 2 else "active",
            ended_at=time(number + 1) if number % 2 else None,
        )
        said = message(1, f"text {number}", key, conversation=made.id, sequence=number + 1, payload={"n": [number]})
        await commit(store, write(key=key, records=(made,), messages=(said,), position=1))
    other = ChatKey("faq", "web", "user 0")
    await commit(store, write(key=other, records=(record(0, other),), messages=(message(1, key=other),)))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (None, [0, 1, 2, 3, 4, 5, 6]),
        ('{"Status": "success"}', [1, 3, 5]),
        ('{"Status": {"$ne": "success"}}', [0, 2, 4, 6]),
        ('{"Errors": {"$gte": 1}}', [1, 2, 4, 5]),
        ('{"Messages.user": {"$gt": 4}}', [5, 6]),
        ('{"EndedAt": null}', [0, 2, 4, 6]),
        ('{"Data.user.FirstName": "Ann"}', [2, 4]),
        ('{"Data.user": {"$gt": {}}}', [0, 1, 2, 3, 4, 5, 6]),
        ('{"Data.entities": {"color": {"$eq": "red"}}}', []),
        ('{"Data.entities": {"color": "red"}}', [0, 4]),
        ('{"Data.entities.color": {"deep": "blue"}}', [6]),
        ('{"Data.entities.color": {"$in": [["red", "green"], 5]}}', [3, 5]),
        ('{"Data.entities.color": "red"}', [0, 3, 4]),
        ('{"Data.entities.color": null}', [2]),
        ('{"Data.entities.color": {"$gt": 4}}', [5]),
        ('{"Data.entities.color.deep": "blue"}', [6]),
        ('{"$or": [{"Status": "success"}, {"Data.entities.color": "red"}]}', [0, 1, 3, 4, 5]),
        ('{"Status": 1}', []),
        ('{"StartedAt": {"$gt": "2026-11-20T08:00:03"}}', [3, 4, 5, 6]),
        ('{"Bot": "salon"}', [0, 1, 2, 3, 4, 5, 6]),
        ('{"Bot": "faq"}', []),
    ],
)
async def test_a_query_finds_and_counts_what_matches(store: Store, query: str | None, expected: list[int]) -> None:
    await seed(store)
    assert await ids(store, "conversations", query) == [f"c{number:06d}" for number in expected]
    assert await store.count("conversations", "salon", select(query, limit=1)) == len(expected)


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("StartedAt", [0, 1, 2, 3, 4, 5, 6]),
        ('{"StartedAt": -1}', [6, 5, 4, 3, 2, 1, 0]),
        ('{"Status": -1, "StartedAt": -1}', [5, 3, 1, 6, 4, 2, 0]),
        ('{"Data.user.FirstName": 1}', [1, 5, 2, 4, 3, 0, 6]),
        ('{"Data.user.FirstName": -1}', [6, 0, 3, 2, 4, 1, 5]),
        ('{"Data.entities.color": 1}', [2, 5, 1, 3, 0, 4, 6]),
    ],
)
async def test_records_come_in_the_order_asked_for_page_by_page(store: Store, sort: str, expected: list[int]) -> None:
    await seed(store)
    wanted = [f"c{number:06d}" for number in expected]
    assert await ids(store, "conversations", None, sort) == wanted
    assert await ids(store, "conversations", None, sort, limit=None) == wanted
    pages = [await ids(store, "conversations", None, sort, skip=skip, limit=3) for skip in (0, 3, 6, 9)]
    assert pages == [wanted[:3], wanted[3:6], wanted[6:], []]
    assert await ids(store, "conversations", None, sort, limit=0) == []


async def test_pages_of_what_only_the_exact_predicate_can_tell_do_not_overlap(store: Store) -> None:
    await seed(store)
    query = '{"Data.entities": {"$in": [{"color": "red"}, {"color": "blue"}]}}'
    assert not compile_sql(parse_query(query), CONVERSATIONS).exact
    assert await ids(store, "conversations", query, skip=1, limit=1) == ["c000001"]
    assert await ids(store, "conversations", query, '{"Data.entities.color": 1}', skip=1, limit=1) == ["c000000"]


async def test_messages_are_found_by_their_properties(store: Store) -> None:
    await seed(store)
    assert await ids(store, "messages", '{"Conversation": "c000003"}') == ["m-web-user 3-000001"]
    assert await ids(store, "messages", '{"Payload.n": 5, "From": "bot"}') == ["m-web-user 5-000001"]
    assert await ids(store, "messages", '{"Payload": {"$in": [{"n": [1]}, {"n": [2]}]}}', '{"Sequence": -1}') == [
        "m-web-user 2-000001",
        "m-web-user 1-000001",
    ]
    assert await store.count("messages", "salon", select('{"User": "user 1"}')) == 1


async def test_a_record_is_answered_as_its_json_text(store: Store) -> None:
    made = record(1, entities={"text": "zwei\nZeilen und „Anführung“", "list": [1, 2.5, None]})
    await commit(store, write(records=(made,)))
    assert await store.find("conversations", "salon", select()) == [msgspec.json.encode(made)]


async def test_a_sort_that_gives_a_record_no_one_place_is_refused(store: Store) -> None:
    await commit(store, write(records=(record(1, entities={"a": [1, 2], "b": [1, 2]}),)))
    with pytest.raises(QueryError, match="sort by one of them"):
        await store.find("conversations", "salon", select(None, '{"Data.entities.a": 1, "Data.entities.b": 1}'))


# -- timers


async def test_timers_are_due_at_their_time_the_oldest_first(store: Store) -> None:
    await commit(store, write(timers=(timer("session", 300), timer("silence", 100))))
    await commit(store, write(key=BEN, timers=(timer("session", 200, BEN),)))
    assert await store.next_due() == 100
    assert await store.due(99, 10) == []
    assert await store.due(200, 10) == [timer("silence", 100), timer("session", 200, BEN)]
    assert await store.due(1000, 10) == [timer("silence", 100), timer("session", 200, BEN), timer("session", 300)]
    assert await store.due(1000, 2) == [timer("silence", 100), timer("session", 200, BEN)]


async def test_a_timer_stays_due_until_a_turn_cancels_it(store: Store) -> None:
    await commit(store, write(timers=(timer("session", 100),)))
    assert await store.due(100, 10) == await store.due(100, 10) == [timer("session", 100)]
    await commit(store, write(1, cancelled=("session", "silence")))
    assert await store.due(100, 10) == []
    assert await store.next_due() is None


async def test_a_timer_that_is_put_off_or_brought_forward_is_due_then(store: Store) -> None:
    await commit(store, write(timers=(timer("session", 100),)))
    await commit(store, write(1, timers=(timer("session", 500),)))
    assert await store.due(499, 10) == []
    assert await store.next_due() == 500
    await commit(store, write(2, timers=(timer("session", 50),), cancelled=("session",)))
    assert await store.next_due() == 50
    assert await store.due(50, 10) == [timer("session", 50)]


async def test_a_turn_that_names_no_timer_leaves_them_as_they_are(store: Store) -> None:
    await commit(store, write(timers=(timer("session", 100),)))
    await commit(store, write(1))
    assert await store.next_due() == 100


async def test_put_off_timers_do_not_hide_due_ones_of_others(store: Store) -> None:
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(8)]
    for number, key in enumerate(keys):
        await commit(store, write(key=key, timers=(timer("session", 10 + number, key),)))
    for key in keys[:6]:
        await commit(store, write(1, key=key, timers=(timer("session", 900, key),)))
    assert await store.due(100, 1) == [timer("session", 16, keys[6])]
    assert await store.next_due() == 16


# -- tokens


async def test_a_token_is_found_by_its_hash(store: Store) -> None:
    row = token(sealed=b"sealed", channel="rest", kind="channel", scopes=("read", "erase"), name="CRM", created_at=5)
    await store.add_token(row)
    assert await store.token(row.hash) == row
    assert await store.token(b"another hash") is None


async def test_tokens_of_a_bot_are_listed_oldest_first(store: Store) -> None:
    rows = [token("t2", created_at=2), token("t1", created_at=1, scopes=()), token("t3", bot="faq")]
    for row in rows:
        await store.add_token(row)
    assert await store.tokens("salon") == [rows[1], rows[0]]


async def test_a_token_is_revoked_once_and_stays_listed(store: Store) -> None:
    await store.add_token(token())
    assert not await store.revoke("salon", "t9", 7)
    assert not await store.revoke("faq", "t1", 7)
    assert await store.revoke("salon", "t1", 7)
    assert not await store.revoke("salon", "t1", 8)
    assert [row.revoked_at for row in await store.tokens("salon")] == [7]


async def test_a_live_token_is_never_replaced_and_no_text_serves_two(store: Store) -> None:
    await store.add_token(token("t1"))
    with pytest.raises(StoreError, match='has a token "t1" already'):
        await store.add_token(token("t1", hash=b"another"))
    with pytest.raises(StoreError, match="in use already"):
        await store.add_token(token("t2", hash=token("t1").hash))
    await store.revoke("salon", "t1", 5)
    await store.add_token(token("t1", hash=b"another"))
    assert await store.tokens("salon") == [token("t1", hash=b"another")]


# -- open and closed


async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    with pytest.raises(StoreError, match="Open"):
        await store.chat(ANN)
    with pytest.raises(StoreError, match="Open"):
        await commit(store, write())


# -- what no answer has carried


async def test_what_no_answer_carries_waits_until_it_is_carried(store: Store) -> None:
    await commit(store, write(position=2, messages=(message(1), message(2, from_="user")), is_later=True))
    await commit(store, write(1, position=3, messages=(message(3),)))
    await commit(store, write(2, position=5, messages=(message(4), message(5)), is_later=True))
    assert [said.position for said in await store.later(ANN, 10)] == [1, 4, 5]
    assert [said.position for said in await store.later(ANN, 2)] == [1, 4]
    assert await store.later(BEN, 10) == []
    await store.carry(ANN, 4)
    assert [said.position for said in await store.later(ANN, 10)] == [5]
    assert [said.position for said in await store.said(ANN, 0, 10)] == [1, 2, 3, 4, 5]


async def test_a_turn_that_carries_what_waited_does_so_with_its_commit_or_not_at_all(store: Store) -> None:
    await commit(store, write(position=1, messages=(message(1),), is_later=True))
    with pytest.raises(StoreError):
        await commit(store, write(7, position=2, messages=(message(2),), carried=1))
    assert [said.position for said in await store.later(ANN, 10)] == [1]
    await commit(store, write(1, position=2, messages=(message(2),), carried=1))
    assert await store.later(ANN, 10) == []


async def test_turns_of_many_users_carry_each_their_own(store: Store) -> None:
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(20)]
    await asyncio.gather(
        *[commit(store, write(0, key, position=1, messages=(message(1, key=key),), is_later=True)) for key in keys]
    )
    await asyncio.gather(
        *[commit(store, write(1, key, position=1, carried=number % 2)) for number, key in enumerate(keys)]
    )
    assert [len(await store.later(key, 10)) for key in keys] == [1, 0] * 10
