"""Deliveries to the outside: in order, again and again, once for all processes, and what becomes of those that fail."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING

import pytest
from tests.data.far_ends import far_end, hang
from tests.service.outbox_process import ADA, BEN, KINDS, ReceivingServer, posting, store_of
from tests.storage.row_makers import commit, message, write
from tests.stores import TemporaryStore

from dialoom.errors import StoreError
from dialoom.service.outbox.delivery import ATTEMPT_SECONDS, MAX_ATTEMPTS
from dialoom.service.outbox.outbox import UNKNOWN_BOT_AGAIN_MS
from dialoom.service.outbox.queues import MAX_PER_HOST, MAX_QUEUED
from dialoom.storage.store import ChatKey, OutboxCount

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.storage.store import Outgoing, Store


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with store_of(request, tmp_path) as made:
        yield made


async def test_deliveries_of_a_chat_are_posted_in_their_order_each_with_its_key(tmp_path: Path, store: Store) -> None:
    desk = ReceivingServer()
    async with far_end(desk) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1, 2, 3)
        await post.put(ADA, 4)
        await post.go()
        assert desk.got == [b"1", b"2", b"3", b"4"]
        assert desk.keys == ["d000001", "d000002", "d000003", "d000004"]
        assert await post.outbox.counts() == []


async def test_what_is_delivered_is_carried(tmp_path: Path, store: Store) -> None:
    async with far_end(ReceivingServer()) as there, posting(tmp_path, store, {"": there.url}) as post:
        said = (message(1, "First", ADA), message(2, "Second", ADA))
        await commit(store, write(0, ADA, position=2, messages=said, is_later=True))
        assert len(await store.later(ADA, 10)) == 2
        post.revisions[ADA] = 1
        await post.put(ADA, 1, carries=1)
        await post.go()
        assert [one.position for one in await store.later(ADA, 10)] == [2]


async def test_a_receiver_that_is_away_is_tried_again_after_pauses_that_double_and_the_rest_waits_behind(
    tmp_path: Path, store: Store
) -> None:
    desk = ReceivingServer("503 Away", "500 Oops", "429 Slow down")
    async with far_end(desk) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1, 2)
        await post.go()
        for shorter, longer in ((0.7, 0.3), (0.8, 1.2), (2.0, 2.0)):
            before = len(desk.got)
            post.clock.move(shorter)
            await post.go()
            assert len(desk.got) == before
            post.clock.move(longer)
            await post.go()
            assert len(desk.got) > before
        assert desk.got == [b"1", b"1", b"1", b"1", b"2"]
        assert set(desk.keys[:4]) == {"d000001"}


async def test_one_chat_that_waits_holds_up_no_other(tmp_path: Path, store: Store) -> None:
    desk = ReceivingServer("503 Away")
    async with far_end(desk) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1)
        await post.go()
        await post.put(BEN, 2)
        await post.go()
        assert desk.got == [b"1", b"2"]


@pytest.mark.parametrize("form", ["seconds", "date"])
async def test_a_receiver_says_itself_when_it_wants_the_next_attempt(tmp_path: Path, store: Store, form: str) -> None:
    async with far_end(desk := ReceivingServer("503 Away")) as there, posting(tmp_path, store, {"": there.url}) as post:
        when = datetime.fromtimestamp(post.clock.now() / 1000 + 120, UTC)
        desk.headers = (f"Retry-After: {'120' if form == 'seconds' else format_datetime(when, usegmt=True)}",)
        await post.put(ADA, 1)
        await post.go()
        post.clock.move(119)
        await post.go()
        assert len(desk.got) == 1
        post.clock.move(2)
        await post.go()
        assert len(desk.got) == 2


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("410 Gone", "answered 410 Gone. It refuses the delivery: mend it there, then resend it."),
        ("302 Found", "Redirects are not followed"),
        ("401 No", "answered 401 Unauthorized."),
    ],
)
async def test_a_refusal_is_a_dead_letter_at_once_and_those_behind_it_go_on(
    tmp_path: Path, store: Store, status: str, told: str
) -> None:
    desk = ReceivingServer(status)
    async with far_end(desk) as there, posting(tmp_path, store, {"": f"{there.url}/?key=s3cret"}) as post:
        await post.put(ADA, 1, 2)
        await post.go()
        assert desk.got == [b"1", b"2"]
        (letter,) = await post.outbox.dead("salon")
        assert told in letter.reason
        assert there.url in letter.reason
        assert "s3cret" not in letter.reason
        assert (letter.id, letter.user, letter.attempts) == ("d000001", "ada", 1)
        assert await post.outbox.counts() == [OutboxCount("salon", 0, 1)]


async def test_after_a_day_of_attempts_a_delivery_is_given_up(tmp_path: Path, store: Store) -> None:
    desk = ReceivingServer(*["503 Away"] * MAX_ATTEMPTS)
    async with far_end(desk) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1, 2)
        begun = post.clock.now()
        while not await post.outbox.dead("salon"):
            await post.go()
            post.clock.move(60)
        hours = (post.clock.now() - begun) / 3_600_000
        assert 18 < hours < 26
        assert desk.got == [*[b"1"] * MAX_ATTEMPTS, b"2"]
        assert "Given up after 35 attempts" in (await post.outbox.dead("salon"))[0].reason


async def test_no_connection_is_tried_again(tmp_path: Path, store: Store) -> None:
    addresses = {"": "http://127.0.0.1:9/"}
    async with posting(tmp_path, store, addresses) as post:
        await post.put(ADA, 1)
        await post.go()
        assert await post.outbox.counts() == [OutboxCount("salon", 1, 0)]
        async with far_end(desk := ReceivingServer()) as there:
            addresses[""] = there.url
            post.clock.move(2)
            await post.go()
            assert desk.got == [b"1"]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://169.254.169.254/", "DIALOOM_EGRESS_ALLOW"),
        ("ftp://example.org/", "http and https addresses only"),
        (None, "There is no address. Write one into bot.json."),
    ],
)
async def test_what_may_not_be_reached_is_a_dead_letter_that_says_what_to_do(
    tmp_path: Path, store: Store, address: str | None, told: str
) -> None:
    async with posting(tmp_path, store, {"": address} if address else {}) as post:
        await post.put(ADA, 1)
        await post.go()
        (letter,) = await post.outbox.dead("salon")
        assert told in letter.reason


async def test_a_delivery_that_cannot_be_opened_is_a_dead_letter(tmp_path: Path, store: Store) -> None:
    async with far_end(desk := ReceivingServer()) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1, body=b"of another key")
        await post.go()
        assert desk.got == []
        assert "key that sealed it is missing" in (await post.outbox.dead("salon"))[0].reason


async def test_a_receiver_that_hangs_holds_up_no_other(tmp_path: Path, store: Store) -> None:
    desk = ReceivingServer()
    async with far_end(hang) as silent, far_end(desk) as there:
        addresses = {"": silent.url} | {f"good{number}": there.url for number in range(5)}
        async with posting(tmp_path, store, addresses) as post:
            for number in range(250):
                await post.put(ChatKey("salon", "rest", f"u{number}"), number)
            for number in range(5):
                await post.put(ChatKey("salon", "rest", f"good{number}"), 1000 + number)
            runs = asyncio.create_task(post.outbox.run())
            await desk.has(5, seconds=ATTEMPT_SECONDS - 1)  # before any attempt at the other is given up
            assert len(silent.calls) <= 20
            runs.cancel()
            await asyncio.gather(runs, return_exceptions=True)


async def test_a_host_that_does_not_answer_gets_few_attempts_and_the_others_wait_as_if_they_had_failed(
    tmp_path: Path, store: Store
) -> None:
    async with far_end(hang) as silent, posting(tmp_path, store, {"": silent.url}, seconds=1.0) as post:
        for number in range(60):
            await post.put(ChatKey("salon", "rest", f"u{number}"), number)
        await post.go()
        assert len(silent.calls) <= 20
        assert await post.outbox.counts() == [OutboxCount("salon", 60, 0)]
        before = len(silent.calls)
        post.clock.move(1)
        await post.go()
        assert before < len(silent.calls) <= before + 5
        desk = ReceivingServer()
        async with far_end(desk) as there:
            post.plain.addresses[""] = there.url
            post.plain.seconds = 10.0
            post.clock.move(4)
            await post.go()
            assert sorted(map(int, desk.got)) == list(range(60))


async def test_a_kill_between_post_and_store_posts_it_again_with_the_same_key(tmp_path: Path, store: Store) -> None:
    desk = ReceivingServer()
    desk.gate = asyncio.Event()
    async with far_end(desk) as there:
        async with posting(tmp_path, store, {"": there.url}) as killed:
            await killed.put(ADA, 1, 2)
            await killed.outbox.look()
            await desk.has(1)
        desk.gate.set()
        async with posting(tmp_path, store, {"": there.url}, killed.clock) as post:
            await post.go()
            assert desk.got == [b"1"]
            killed.clock.move(61)
            await post.go()
            assert desk.got == [b"1", b"1", b"2"]
            assert desk.keys == ["d000001", "d000001", "d000002"]


async def test_a_clock_that_jumps_past_a_claim_posts_nothing_twice_at_once(tmp_path: Path, store: Store) -> None:
    desk = ReceivingServer()
    desk.gate = asyncio.Event()
    async with far_end(desk) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1)
        await post.outbox.look()
        await desk.has(1)
        post.clock.move(7200)
        await post.outbox.look()
        desk.gate.set()
        await post.outbox.settled()
        await post.go()
        assert desk.got == [b"1"]
        assert await post.outbox.counts() == []


async def test_two_processes_on_one_store_post_each_delivery_once(tmp_path: Path, store: Store) -> None:
    desk = ReceivingServer()
    async with (
        far_end(desk) as there,
        posting(tmp_path, store, {"": there.url}) as one,
        posting(tmp_path, store, {"": there.url}, one.clock) as other,
    ):
        for number in range(0, 60, 3):
            await one.put(ChatKey("salon", "rest", f"u{number}"), number, number + 1, number + 2)
        await asyncio.gather(one.go(), other.go(), one.go(), other.go())
        await one.go()
        assert sorted(map(int, desk.got)) == list(range(60))
        for number in range(0, 60, 3):
            mine = [int(body) for body in desk.got if number <= int(body) < number + 3]
            assert mine == sorted(mine)


async def test_a_stop_waits_for_what_is_on_its_way_and_leaves_the_rest_as_it_is(tmp_path: Path, store: Store) -> None:
    desk = ReceivingServer()
    desk.gate = asyncio.Event()
    async with far_end(desk) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1, 2)
        await post.outbox.look()
        await desk.has(1)
        stop = asyncio.create_task(post.outbox.stop(60))
        await asyncio.sleep(0)
        assert not stop.done()
        desk.gate.set()
        await stop
        assert desk.got == [b"1"]
        assert await post.outbox.counts() == [OutboxCount("salon", 1, 0)]
        assert await post.outbox.dead("salon") == []


async def test_a_stop_drops_what_takes_too_long(tmp_path: Path, store: Store) -> None:
    async with far_end(hang) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1)
        await post.outbox.look()
        async with asyncio.timeout(ATTEMPT_SECONDS - 1):
            await post.outbox.stop(0.05)
        assert await post.outbox.counts() == [OutboxCount("salon", 1, 0)]


class Away(TemporaryStore):
    """Fails so many times to store that a delivery was made."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times
        self.tried = asyncio.Event()

    async def delivered(self, delivery: Outgoing, now: int) -> None:
        if self.times:
            self.times -= 1
            self.tried.set()
            raise StoreError("The store is away.")
        await super().delivered(delivery, now)


async def test_a_store_that_is_away_for_a_moment_costs_no_second_post(tmp_path: Path) -> None:
    store = Away(1)
    await store.open()
    async with far_end(desk := ReceivingServer()) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1)
        await post.outbox.look()
        await store.tried.wait()
        post.clock.move(1)
        await post.outbox.settled()
        assert await post.outbox.counts() == []
        assert desk.got == [b"1"]


async def test_what_a_turn_leaves_goes_out_at_once_when_the_outbox_is_woken(tmp_path: Path, store: Store) -> None:
    async with far_end(desk := ReceivingServer()) as there, posting(tmp_path, store, {"": there.url}) as post:
        runs = asyncio.create_task(post.outbox.run())
        await asyncio.sleep(0)
        await post.put(ADA, 1)
        post.outbox.wake()
        await desk.has(1)
        runs.cancel()
        await asyncio.gather(runs, return_exceptions=True)
        await post.outbox.settled()


async def test_a_dead_letter_that_is_resent_has_its_id_and_all_its_attempts(tmp_path: Path, store: Store) -> None:
    desk = ReceivingServer("400 No", "503 Away")
    async with far_end(desk) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1)
        await post.go()
        assert await post.outbox.resend("salon", ["d000001"]) == 1
        assert await post.outbox.resend("salon", ["d000001"]) == 0
        await post.go()
        post.clock.move(1)
        await post.go()
        assert desk.keys == ["d000001"] * 3
        assert await post.outbox.counts() == []
        counts = {outcome: count for (_, _, outcome), count in post.settled.values().items()}
        assert counts == {"dead": 1, "again": 1, "done": 1}
        assert {labels[:2] for labels in post.settled.values()} == {ADA[:2]}


async def test_dead_letters_can_be_dropped_all_or_by_id(tmp_path: Path, store: Store) -> None:
    async with far_end(ReceivingServer(*["400 No"] * 3)) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1, 2, 3)
        await post.go()
        assert await post.outbox.drop("salon", ["d000002", "unknown"]) == 1
        assert [letter.id for letter in await post.outbox.dead("salon")] == ["d000001", "d000003"]
        assert await post.outbox.drop("salon", None) == 2
        assert await post.outbox.counts() == []


# -- claims


async def test_what_stands_in_line_at_a_stop_is_free_for_others_at_once(tmp_path: Path, store: Store) -> None:
    async with far_end(hang) as there, posting(tmp_path, store, {"": there.url}) as post:
        for number in range(60):
            await post.put(ChatKey("salon", "rest", f"u{number}"), number)
        await post.outbox.look()
        await post.outbox.stop(0.05)
        now = post.clock.now()
        free = await store.take_outgoing(now, now + 1000, 100)
        assert len(free) == 60 - MAX_PER_HOST
        assert {row.attempts for row in free} == {0}


async def test_what_had_no_room_in_line_is_free_for_others_at_a_stop(tmp_path: Path, store: Store) -> None:
    many = MAX_PER_HOST + MAX_QUEUED + 50
    async with far_end(hang) as there, posting(tmp_path, store, {"": there.url}) as post:
        for number in range(many):
            await post.put(ChatKey("salon", "rest", f"u{number}"), number)
        for _ in range(4):
            await post.outbox.look()
        now = post.clock.now()
        assert await store.take_outgoing(now, now + 1000, 100) == []
        await post.outbox.stop(0.05)
        assert len(await store.take_outgoing(now, now + 1000, 1000)) == many - MAX_PER_HOST


class Slow(TemporaryStore):
    """Takes, and tells it late."""

    def __init__(self) -> None:
        super().__init__()
        self.has_taken = asyncio.Event()
        self.tells = asyncio.Event()

    async def take_outgoing(self, now: int, until: int, limit: int) -> list[Outgoing]:
        taken = await super().take_outgoing(now, until, limit)
        self.has_taken.set()
        await self.tells.wait()
        return taken


async def test_what_is_just_being_taken_at_a_stop_is_free_for_others(tmp_path: Path) -> None:
    store = Slow()
    await store.open()
    async with far_end(desk := ReceivingServer()) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1)
        runs = asyncio.create_task(post.outbox.run())
        await store.has_taken.wait()
        runs.cancel()
        await asyncio.gather(runs, return_exceptions=True)
        store.tells.set()
        await post.outbox.stop(0)
        now = post.clock.now()
        assert len(await store.take_outgoing(now, now + 1000, 10)) == 1
        assert desk.got == []


async def test_one_whose_claim_passed_to_another_process_is_settled_by_that_one_alone(
    tmp_path: Path, store: Store
) -> None:
    desk = ReceivingServer("503 Away")
    desk.gate = asyncio.Event()
    async with (
        far_end(desk) as there,
        posting(tmp_path, store, {"": there.url}) as slow,
        posting(tmp_path, store, {"": there.url}, slow.clock) as other,
    ):
        await slow.put(ADA, 1, 2)
        await slow.outbox.look()
        await desk.has(1)
        slow.clock.move(61)
        await other.outbox.look()
        await desk.has(2)
        desk.gate.set()
        await asyncio.gather(slow.outbox.settled(), other.outbox.settled())
        await other.go()
        assert desk.keys == ["d000001", "d000001", "d000002"]
        assert await other.outbox.counts() == []


async def test_what_this_process_cannot_post_is_left_to_others_soon(tmp_path: Path, store: Store) -> None:
    async with far_end(desk := ReceivingServer()) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA._replace(bot="unknown"), 1)
        await post.put(BEN, 2, receiver="pigeon")
        await post.go()
        assert desk.got == []
        least, most = UNKNOWN_BOT_AGAIN_MS
        now = post.clock.now()
        assert await store.take_outgoing(now + least - 1, now + 60_000, 10) == []
        assert len(await store.take_outgoing(now + most, now + 60_000, 10)) == 2


@pytest.mark.parametrize("hours", [0.5, 2, 24 * 365])
async def test_a_clock_that_is_put_back_holds_up_no_delivery(tmp_path: Path, store: Store, hours: float) -> None:
    if store.is_shared and hours < 1:
        # Of several processes one's clock says nothing; there the server's counts (test_postgres_outbox).
        hours = 2
    desk = ReceivingServer("503 Away")
    async with far_end(desk) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 1, 2)
        await post.go()
        assert desk.got == [b"1"]
        post.clock.move(-hours * 3600)
        await post.go()
        assert desk.got == [b"1", b"1", b"2"]


async def test_what_a_clock_that_was_put_back_while_nothing_ran_left_far_ahead_goes_out_after_the_start(
    tmp_path: Path, store: Store
) -> None:
    async with far_end(desk := ReceivingServer()) as there:
        async with posting(tmp_path, store, {"": there.url}) as before:
            await before.put(ADA, 1)
            before.clock.move(-2 * 3600)
        async with posting(tmp_path, store, {"": there.url}, before.clock) as after:
            await after.go()
            assert desk.got == [b"1"]


async def test_ids_of_a_clock_that_was_put_back_change_no_order(tmp_path: Path, store: Store) -> None:
    async with far_end(desk := ReceivingServer()) as there, posting(tmp_path, store, {"": there.url}) as post:
        await post.put(ADA, 5)
        await post.put(ADA, 3, 4)
        await post.go()
        assert desk.got == [b"5", b"3", b"4"]
