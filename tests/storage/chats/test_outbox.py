"""Deliveries to the outside: written with their turn, in order, claimed once, dead or delivered; on every store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from dialoom.errors import StoreError
from dialoom.storage.store import OutboxCount, Overtaken
from tests.storage.row_makers import ANN, BEN, commit, in_groups, message, outgoing, write

if TYPE_CHECKING:
    from dialoom.storage.store import ChatKey, Outgoing, Store

LATER = 61_000
"""Until when a claim of these tests holds."""


async def put(store: Store, *deliveries: Outgoing) -> None:
    """Each in a turn of its chat."""
    for delivery in deliveries:
        chat = await store.chat(delivery.key)
        revision = 0 if chat is None else chat.revision
        assert await commit(store, write(revision, delivery.key, outbox=(delivery,))) is None


async def take(store: Store, now: int = 1000, limit: int = 10) -> list[str]:
    return [row.id for row in await store.take_outgoing(now, LATER, limit)]


async def one_of(store: Store, now: int = 1000, until: int = LATER) -> Outgoing:
    (taken,) = await store.take_outgoing(now, until, 10)
    return taken


async def test_a_delivery_comes_as_its_turn_wrote_it(store: Store) -> None:
    made = outgoing(1, body=bytes(range(256)), carries=7, created_at=900, due=950)
    await put(store, made)
    (taken,) = await store.take_outgoing(1000, LATER, 10)
    assert msgspec.structs.replace(taken, due=made.due) == made


async def test_a_turn_that_is_refused_sends_nothing(store: Store) -> None:
    with pytest.raises(Overtaken):
        await commit(store, write(3, outbox=(outgoing(1),)))
    assert await take(store) == []
    assert await store.outbox_counts() == []


async def test_deliveries_of_many_turns_at_once_are_all_there(store: Store) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(70)]
    turns = [write(0, key, outbox=(outgoing(number, key),)) for number, key in enumerate(keys)]
    assert await asyncio.gather(*[commit(store, turn) for turn in turns]) == [None] * 70
    assert len(await take(store, limit=100)) == 70


async def test_a_turn_may_send_to_several_receivers(store: Store) -> None:
    both = (outgoing(1, receiver="callback"), outgoing(2, receiver="agents"), outgoing(3, receiver="agents"))
    await commit(store, write(outbox=both))
    assert await take(store) == ["d000001", "d000002"]


async def test_a_delivery_is_not_taken_before_its_time(store: Store) -> None:
    await put(store, outgoing(1, due=2000))
    assert await take(store, 1999) == []
    assert await take(store, 2000) == ["d000001"]


async def test_a_delivery_comes_to_one_caller_until_its_claim_is_over(store: Store) -> None:
    await put(store, outgoing(1))
    both = await asyncio.gather(take(store), take(store))
    assert sorted(both) == [[], ["d000001"]]
    assert await take(store, LATER - 1) == []
    assert await take(store, LATER) == ["d000001"]


async def test_those_of_a_chat_and_receiver_come_one_after_the_other(store: Store) -> None:
    await put(store, outgoing(1), outgoing(2))
    first = await one_of(store)
    assert first.id == "d000001"
    assert await take(store) == []
    await store.delivered(first, 1000)
    second = await one_of(store)
    assert second.id == "d000002"
    await store.delivered(second, 1000)
    assert await take(store, 10**9) == []
    assert await store.outbox_counts() == []


async def test_a_delivery_that_waits_holds_up_neither_other_chats_nor_other_receivers(store: Store) -> None:
    first, behind = outgoing(1, due=9000), outgoing(2)
    await put(store, first, behind, outgoing(3, BEN), outgoing(4, receiver="agents"), outgoing(5, phone()))
    assert await take(store) == ["d000003", "d000004", "d000005"]


def phone() -> ChatKey:
    return ANN._replace(channel="mobile")


async def test_no_more_than_the_limit_are_taken_the_longest_due_first(store: Store) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(4)]
    await put(store, *[outgoing(number, key, due=1000 - number) for number, key in enumerate(keys)])
    assert await take(store, limit=3) == ["d000003", "d000002", "d000001"]
    assert await take(store, limit=3) == ["d000000"]


async def test_one_that_failed_is_tried_again_at_its_time_and_those_behind_it_wait(store: Store) -> None:
    await put(store, outgoing(1), outgoing(2))
    await store.postpone(await one_of(store), 1000, 5000, "status 503")
    assert await take(store, 4999) == []
    again = await one_of(store, 5000)
    assert (again.id, again.attempts, again.reason) == ("d000001", 1, "status 503")
    await store.postpone(again, 5000, 9000, "timeout")
    again = await one_of(store, 9000)
    assert (again.attempts, again.reason) == (2, "timeout")


async def test_one_that_is_given_up_is_a_dead_letter_and_those_behind_it_go_on(store: Store) -> None:
    await put(store, outgoing(1), outgoing(2))
    await store.bury(await one_of(store), 7000, "status 410")
    assert await take(store, 7000) == ["d000002"]
    (dead,) = await store.dead("salon", 10)
    assert (dead.id, dead.dead_at, dead.reason, dead.attempts) == ("d000001", 7000, "status 410", 1)
    assert await store.outbox_counts() == [OutboxCount("salon", 1, 1)]


async def test_what_is_dead_is_no_more_postponed_or_buried(store: Store) -> None:
    first = outgoing(1)
    await put(store, first)
    await store.bury(first, 7000, "status 410")
    (buried,) = await store.dead("salon", 10)
    for late in (first, buried):
        await store.postpone(late, 7500, 8000, "timeout")
        await store.bury(late, 9000, "timeout")
        await store.give_back([late], 9000, 9000)
        await store.delivered(late, 1000)
    (dead,) = await store.dead("salon", 10)
    assert (dead.dead_at, dead.reason, dead.attempts) == (7000, "status 410", 1)


async def test_dead_letters_are_listed_by_bot_the_oldest_first(store: Store) -> None:
    faq = ANN._replace(bot="faq")
    rows = [outgoing(2), outgoing(1, BEN), outgoing(3), outgoing(4, faq)]
    for row in rows:
        await put(store, row)
        await store.bury(row, 5000, "gone")
    assert [row.id for row in await store.dead("salon", 10)] == ["d000001", "d000002", "d000003"]
    assert [row.id for row in await store.dead("salon", 2)] == ["d000001", "d000002"]
    assert [row.id for row in await store.dead("faq", 10)] == ["d000004"]
    assert await store.dead("nobody", 10) == []


async def test_dead_letters_go_back_with_all_attempts(store: Store) -> None:
    rows = [outgoing(1), outgoing(2, BEN), outgoing(3, ANN._replace(bot="faq"))]
    await put(store, *rows)
    for row in rows:
        await store.bury(row, 5000, "gone")
    assert await store.resend("salon", ["d000002", "d000003", "d000009"], 6000) == 1
    (again,) = await store.take_outgoing(6000, LATER, 10)
    assert (again.id, again.attempts, again.dead_at, again.reason) == ("d000002", 0, None, None)
    assert await store.resend("salon", None, 6000) == 1
    assert await store.resend("salon", None, 6000) == 0
    assert await take(store, 6000) == ["d000001"]
    assert [row.id for row in await store.dead("faq", 10)] == ["d000003"]


async def test_a_dead_letter_that_is_sent_again_goes_before_what_came_after_it(store: Store) -> None:
    first = outgoing(1)
    await put(store, first, outgoing(2))
    await store.bury(first, 5000, "gone")
    assert await store.resend("salon", None, 6000) == 1
    assert await take(store, 6000) == ["d000001"]


async def test_dead_letters_are_dropped_and_what_waits_stays(store: Store) -> None:
    rows = [outgoing(1), outgoing(2, BEN), outgoing(3, ANN._replace(bot="faq"))]
    await put(store, *rows, outgoing(4))
    for row in rows:
        await store.bury(row, 5000, "gone")
    assert await store.drop("salon", ["d000001", "d000004"]) == 1
    assert await store.drop("salon", []) == 0
    assert await store.drop("salon", None) == 1
    assert await store.outbox_counts() == [OutboxCount("faq", 0, 1), OutboxCount("salon", 1, 0)]


async def test_what_a_delivery_carries_is_carried_when_it_has_arrived(store: Store) -> None:
    said = tuple(message(number) for number in (1, 2, 3))
    sent = outgoing(1, carries=2)
    await commit(store, write(messages=said, position=3, is_later=True, outbox=(sent, outgoing(2))))
    taken = await one_of(store)
    assert [stored.position for stored in await store.later(ANN, 10)] == [1, 2, 3]
    await store.delivered(taken, 1000)
    assert [stored.position for stored in await store.later(ANN, 10)] == [3]
    await store.delivered(outgoing(2), 1000)
    assert [stored.position for stored in await store.later(ANN, 10)] == [3]


async def test_one_that_arrived_twice_is_no_error(store: Store) -> None:
    await put(store, outgoing(1))
    await store.delivered(outgoing(1), 1000)
    await store.delivered(outgoing(1), 1000)
    await store.postpone(outgoing(1), 1000, 5000, "timeout")
    assert await take(store, 10**9) == []


async def test_a_delivery_whose_id_is_there_already_is_refused_with_its_turn(store: Store) -> None:
    await put(store, outgoing(1))
    with pytest.raises(StoreError):
        await commit(store, write(1, outbox=(outgoing(1),)))
    assert await take(store) == ["d000001"]


# -- order


async def test_the_order_is_that_of_the_turns_whatever_the_clocks_that_made_the_ids_say(store: Store) -> None:
    await put(store, outgoing(9), outgoing(5), outgoing(7))
    for id in ("d000009", "d000005", "d000007"):
        taken = await one_of(store)
        assert taken.id == id
        await store.delivered(taken, 1000)
    assert await take(store) == []


async def test_within_a_turn_the_ids_order(store: Store) -> None:
    await commit(store, write(outbox=(outgoing(3), outgoing(2), outgoing(4, receiver="agents"))))
    assert await take(store) == ["d000002", "d000004"]


async def test_a_letter_comes_back_into_its_place_and_the_ones_behind_it_follow(store: Store) -> None:
    await put(store, outgoing(9), outgoing(5), outgoing(7))
    await store.bury(await one_of(store), 1000, "gone")
    second = await one_of(store)
    await store.bury(second, 1000, "gone")
    assert await store.resend("salon", None, 1000) == 2
    for id in ("d000009", "d000005", "d000007"):
        taken = await one_of(store, 1001)
        assert taken.id == id
        await store.delivered(taken, 1000)


async def test_one_on_its_way_that_a_letter_goes_before_is_settled_as_ever(store: Store) -> None:
    await put(store, outgoing(1), outgoing(2), outgoing(3))
    await store.bury(await one_of(store), 1000, "gone")
    second = await one_of(store)
    await store.resend("salon", None, 1000)
    first = await one_of(store)
    assert (first.id, second.id) == ("d000001", "d000002")
    await store.delivered(second, 1000)
    assert await take(store) == []
    await store.delivered(first, 1000)
    assert await take(store) == ["d000003"]


async def test_a_turn_that_writes_behind_one_on_its_way_waits_for_it(store: Store) -> None:
    await put(store, outgoing(1))
    first = await one_of(store)
    await put(store, outgoing(2))
    assert await take(store) == []
    await store.delivered(first, 1000)
    await put(store, outgoing(3))
    assert await take(store) == ["d000002"]


# -- claims


async def test_a_claim_that_passed_to_another_settles_nothing(store: Store) -> None:
    await put(store, outgoing(1, carries=1), outgoing(2))
    old = await one_of(store)
    new = await one_of(store, LATER, 2 * LATER)
    await store.delivered(old, 1000)
    await store.postpone(old, LATER, 3 * LATER, "timeout")
    await store.bury(old, LATER, "gone")
    await store.give_back([old], LATER, LATER)
    assert await take(store, LATER) == []
    assert await store.outbox_counts() == [OutboxCount("salon", 2, 0)]
    await store.delivered(new, 1000)
    assert await take(store, LATER) == ["d000002"]


async def test_a_claim_that_passed_to_nobody_settles_still(store: Store) -> None:
    await put(store, outgoing(1))
    await store.delivered(await one_of(store, 1000, 2000), 1000)
    assert await store.outbox_counts() == []


async def test_a_failure_that_is_stored_twice_counts_once(store: Store) -> None:
    await put(store, outgoing(1))
    taken = await one_of(store)
    await store.postpone(taken, 1000, 5000, "timeout")
    await store.postpone(taken, 1000, 9000, "timeout")
    assert (await one_of(store, 5000)).attempts == 1


async def test_what_is_given_back_is_due_at_its_time_without_an_attempt(store: Store) -> None:
    await put(store, outgoing(1), outgoing(2, BEN))
    taken = await store.take_outgoing(1000, LATER, 10)
    await store.give_back(taken[:1], 1000, 1000)
    await store.give_back(taken[1:], 1000, 3000)
    await store.give_back([], 1000, 1000)
    again = await one_of(store, 2999)
    assert (again.id, again.attempts) == ("d000001", 0)
    assert await take(store, 3000) == ["d000002"]


async def test_what_a_clock_that_was_put_back_left_far_ahead_is_brought_forward(store: Store) -> None:
    await put(store, outgoing(1, due=9000), outgoing(2), outgoing(3, BEN, due=9001), outgoing(4, phone(), due=4000))
    assert await store.bring_forward(1000, 8000, 10) == 1
    assert await take(store) == ["d000003"]
    assert await store.bring_forward(1000, 3000, 1) == 1
    assert await take(store) == ["d000001"]
    assert await take(store, 4000) == ["d000004"]


async def test_one_behind_is_due_when_it_becomes_the_first_whatever_clock_wrote_it(store: Store) -> None:
    await put(store, outgoing(1), outgoing(2, due=10**9), outgoing(3, due=10**9), outgoing(4, BEN))
    (first,) = await store.take_outgoing(1000, LATER, 1)
    await store.delivered(first, 1500)
    assert [row.id for row in await store.take_outgoing(1499, LATER, 10)] == ["d000004"]
    await store.bury(await one_of(store, 1500), 2000, "gone")
    await store.bury(await one_of(store, 2000), 2000, "gone")
    assert await store.resend("salon", None, 3000) == 2
    assert [row.id for row in await store.take_outgoing(3000, LATER, 10)] == ["d000002"]


# -- dead letters


async def test_dead_letters_are_listed_without_what_they_say_and_resent_with_it(store: Store) -> None:
    await put(store, outgoing(1, body=b"x" * 300_000))
    await store.bury(outgoing(1), 5000, "gone")
    (dead,) = await store.dead("salon", 10)
    assert dead.body == b""
    await store.resend("salon", None, 6000)
    assert (await one_of(store, 6000)).body == b"x" * 300_000


async def test_old_dead_letters_go_up_to_a_limit_and_what_waits_stays(store: Store) -> None:
    rows = [outgoing(number, BEN, created_at=number) for number in (3, 1, 2)]
    faq = outgoing(4, ANN._replace(bot="faq"), created_at=1)
    for row in (*rows, faq):
        await put(store, row)
        await store.bury(row, 5000, "gone")
    await put(store, outgoing(5, created_at=1))
    assert await store.forget_dead("salon", 3, 1) == 1
    assert [row.id for row in await store.dead("salon", 10)] == ["d000002", "d000003"]
    assert await store.forget_dead("salon", 3, 10) == 1
    assert await store.forget_dead("salon", 3, 10) == 0
    assert await store.outbox_counts() == [OutboxCount("faq", 0, 1), OutboxCount("salon", 1, 1)]


async def test_many_dead_letters_go_back_and_go_in_steps(store: Store) -> None:
    keys = [ANN._replace(user=f"user {number}") for number in range(1100)]
    await in_groups([commit(store, write(0, key, outbox=(outgoing(7, key),))) for key in keys])
    for _ in range(2):
        await in_groups([store.bury(row, 1000, "gone") for row in await store.take_outgoing(1000, LATER, 2000)])
    assert await store.resend("salon", None, 1000) == 1100
    assert await store.outbox_counts() == [OutboxCount("salon", 1100, 0)]
    await in_groups([store.bury(row, 1000, "gone") for row in await store.take_outgoing(1000, LATER, 2000)])
    assert await store.drop("salon", None) == 1100
    assert await store.outbox_counts() == []
