"""The one loop: order, exactly-once and what is taken up after a stop (service.md, Storage)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import serving
from tests.service.process_stores import HeldFetcher, in_background, reach_outside_call, until
from tests.stores import TemporaryStore

from dialoom.errors import StoreError
from dialoom.service.turns.runner import MAX_ENTERING_EVENTS
from dialoom.service.turns.timers import Timers
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Refused
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.storage.store import Answered, TimerRow, TurnWrite


async def test_events_of_one_user_wait_for_their_turn_in_order_and_others_do_not(tmp_path: Path) -> None:
    async with serving(tmp_path, fetcher=HeldFetcher()) as client:
        waiting = await reach_outside_call(client)
        later = [asyncio.create_task(client.say(text)) for text in ("tea", "black", "word")]
        assert (await client.texts("tea", sender="grace"))[-1] == "Which tea?"
        assert not any(task.done() for task in (waiting, *later))
        client.fetcher.gate.set()
        texts = [[said["text"] for said in (await task).json] for task in (waiting, *later)]
        assert texts == [["Order 7: Green."], ["Which tea?"], ["The password?"], ["Order 7: Black."]]


async def test_the_same_message_while_its_turn_runs_is_told_to_wait(tmp_path: Path) -> None:
    async with serving(tmp_path, fetcher=HeldFetcher()) as client:
        waiting = await reach_outside_call(client)
        again = await client.say("open sesame", id="ada-call")
        assert (again.status, again.json["code"], again.headers["retry-after"]) == (409, "still-running", "1")
        other = await client.say("other words", id="ada-call")
        assert other.status == 422
        client.fetcher.gate.set()
        first = await waiting
        assert (await client.say("open sesame", id="ada-call")).body == first.body
        assert len(client.fetcher.requests) == 1


async def test_more_than_twenty_waiting_messages_are_refused(tmp_path: Path) -> None:
    async with serving(tmp_path, fetcher=HeldFetcher()) as client:
        waiting = await reach_outside_call(client)
        tasks = [asyncio.create_task(client.say(f"text {number}")) for number in range(20)]
        await until(lambda: client.service.runner.counts().waiting == 20)
        refused = await client.say("one more")
        assert (refused.status, refused.json["code"]) == (429, "too-many-waiting")
        assert "retry-after" in refused.headers
        client.fetcher.gate.set()
        assert [task.status for task in await asyncio.gather(waiting, *tasks)] == [200] * 21


async def test_a_rush_is_put_off_where_it_cannot_be_answered_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    users = [f"user-{number}" for number in range(MAX_ENTERING_EVENTS + 100)]
    async with serving(tmp_path, store=SqliteStore(tmp_path / "data.sqlite")) as client:
        first = await asyncio.gather(*(client.say("tea", sender=user, id=user) for user in users))
        put_off = [user for user, answer in zip(users, first, strict=True) if answer.status != 200]
        assert 0 < len(put_off) < len(users)
        assert {answer.json["code"] for answer in first if answer.status != 200} == {"overloaded"}
        assert {answer.headers["retry-after"] for answer in first if answer.status != 200} == {"2"}
        again = [await client.say("tea", sender=user, id=user) for user in put_off]
        assert {answer.status for answer in again} == {200}
        assert len((await client.history("conversations", limit=1000)).json) == len(users)


async def test_what_was_accepted_before_a_stop_is_done_after_the_start_with_the_same_key(tmp_path: Path) -> None:
    store = TemporaryStore()
    async with serving(tmp_path, fetcher=HeldFetcher(), store=store) as client:
        waiting = await reach_outside_call(client)
        queued = asyncio.create_task(client.say("tea", id="queued"))
        await until(lambda: store.count_rows("inbox") == 2)
        (first,) = client.fetcher.requests
    assert [(await task).status for task in (waiting, queued)] == [503, 503]
    fetcher = HeldFetcher()
    fetcher.gate.set()
    async with serving(tmp_path, fetcher=fetcher, store=store) as client:
        await until(lambda: not client.service.runner.is_typing(("tea", "rest", "ada")))
        answer = await client.say("open sesame", id="ada-call")
        assert [said["text"] for said in answer.json] == ["Order 7: Green."]
        assert [said["text"] for said in (await client.say("tea", id="queued")).json] == ["Which tea?"]
        (second,) = fetcher.requests
        assert first.idempotency_key == second.idempotency_key
        assert first.idempotency_key


class FailingStore(TemporaryStore):
    """Fails the next commits."""

    failures = 0

    async def commit(self, write: TurnWrite) -> Answered | None:
        if self.failures:
            self.failures -= 1
            raise StoreError("away")
        return await super().commit(write)


async def test_a_turn_that_could_not_be_stored_was_not_given(tmp_path: Path) -> None:
    store = FailingStore()
    async with serving(tmp_path, store=store) as client:
        await client.texts("tea")
        store.failures = 1
        refused = await client.say("green", id="g")
        assert (refused.status, refused.json["code"]) == (503, "store-away")
        assert (await client.history("messages/_count", query={"From": "user"})).json == {"count": 1}
        assert await client.texts("green", id="g") == ["The password?"]


async def test_an_accepted_event_is_tried_until_the_store_is_back(tmp_path: Path) -> None:
    store = FailingStore()
    async with serving(tmp_path, fetcher=HeldFetcher(), store=store) as client:
        waiting = await reach_outside_call(client)
        store.failures = 1
        client.fetcher.gate.set()
        await until(lambda: store.failures == 0)
        client.clock.move(1)
        assert [said["text"] for said in (await waiting).json] == ["Order 7: Green."]
        assert len(client.fetcher.requests) == 1


async def test_a_silence_past_the_session_closes_the_record_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        await client.texts("tea")
        client.clock.move(1439 * 60)
        assert await client.service.timers.fire() == 0
        client.clock.move(2 * 60)
        assert await client.service.timers.fire() == 1
        await until(lambda: not client.service.runner.is_typing(("tea", "rest", "ada")))
        assert await client.service.timers.fire() == 0
        (record,) = (await client.history("conversations")).json
        assert record["Status"] == "abandoned"
        assert record["EndedAt"] is not None
        assert (await client.texts("tea"))[0] == "Hello!"
        assert (await client.history("conversations/_count")).json == {"count": 2}


@pytest.mark.parametrize("text", ["restart"])
async def test_a_restart_ends_the_record_with_its_own_message_in_it(tmp_path: Path, text: str) -> None:
    async with serving(tmp_path) as client:
        await client.texts("tea")
        await client.texts(text)
        await client.texts("tea")
        first, second = (await client.history("conversations")).json
        assert (first["Status"], first["Messages"]["user"]) == ("abandoned", 2)
        assert second["Status"] == "active"


class GoneStore(TemporaryStore):
    """Fails the next commit only when the test lets it go."""

    def __init__(self) -> None:
        super().__init__()
        self.gate: asyncio.Event | None = None
        self.is_asked = False

    async def commit(self, write: TurnWrite) -> Answered | None:
        if self.gate is not None:
            self.is_asked = True
            await self.gate.wait()
            raise StoreError("away")
        return await super().commit(write)


async def test_a_repeated_message_is_not_promised_before_the_first_is_durable(tmp_path: Path) -> None:
    store = GoneStore()
    async with serving(tmp_path, store=store) as client:
        session = (await client.open()).json
        headers = {"Authorization": f"Bearer {session['token']}", "Origin": "http://127.0.0.1:8080"}
        path = "/v1/bots/tea/channels/web/web/messages"
        store.gate = asyncio.Event()
        both = [asyncio.create_task(client.call("POST", path, {"id": "1", "text": "tea"}, headers)) for _ in range(2)]
        await until(lambda: store.is_asked)
        store.gate.set()
        assert [task.status for task in await asyncio.gather(*both)] == [503, 503]


class FaultyStore(TemporaryStore):
    """Raises a fault of its own, no mere absence, wherever a result is to be stored."""

    async def journal(self, *_: Any) -> None:
        raise RuntimeError("fault")


async def test_a_fault_in_one_event_does_not_stop_the_chat(tmp_path: Path) -> None:
    async with serving(tmp_path, fetcher=HeldFetcher(), store=FaultyStore()) as client:
        waiting = await reach_outside_call(client)
        later = in_background(client.say("tea"))
        await until(lambda: client.service.runner.counts().waiting == 1)
        client.fetcher.gate.set()
        failed = (await waiting).json
        assert [said["text"] for said in failed] == [GENERAL_FAILURE]
        assert (await later).status == 200


GENERAL_FAILURE = "We are experiencing technical difficulties at this moment."


class RefusingStore(TemporaryStore):
    """Takes what is written for wrong, so many times."""

    refusals = 0
    commits = 0

    async def commit(self, write: TurnWrite) -> Answered | None:
        self.commits += 1
        if self.refusals:
            self.refusals -= 1
            raise Refused("a constraint")
        return await super().commit(write)


@pytest.mark.parametrize("is_accepted", [False, True])
async def test_an_event_whose_turn_the_store_refuses_gets_the_general_failure(
    tmp_path: Path, *, is_accepted: bool
) -> None:
    store = RefusingStore()
    async with serving(tmp_path, fetcher=HeldFetcher(), store=store) as client:
        if is_accepted:
            waiting = await reach_outside_call(client)
        else:
            waiting = in_background(client.say("tea"))
        store.refusals = 1
        client.fetcher.gate.set()
        assert [said["text"] for said in (await waiting).json] == [GENERAL_FAILURE]
        assert (await client.say("tea")).status == 200


async def test_a_hidden_answer_stays_hidden_where_its_turn_gets_the_general_failure(tmp_path: Path) -> None:
    store = RefusingStore()
    async with serving(tmp_path, store=store) as client:
        await client.texts("tea")
        await client.texts("green")
        store.refusals = 1
        accepted = await client.say("open sesame")
        assert accepted.json[-1]["text"] == GENERAL_FAILURE
        said = (await client.history("messages", query={"From": "user"})).json
        assert [message["Text"] for message in said] == ["tea", "green", "***"]


async def test_a_message_that_the_store_refuses_for_good_is_not_asked_for_again(tmp_path: Path) -> None:
    store = RefusingStore()
    async with serving(tmp_path, store=store) as client:
        await client.texts("tea")
        store.refusals = 2
        refused = await client.say("green", id="g")
        assert (refused.status, refused.json["code"]) == (500, "internal")
        assert "retry-after" not in refused.headers
        assert await client.texts("green", id="g") == ["The password?"]


async def test_an_accepted_event_that_the_store_refuses_for_good_rests_and_the_chat_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = RefusingStore()
    async with serving(tmp_path, fetcher=HeldFetcher(), store=store) as client:
        waiting = await reach_outside_call(client)
        store.refusals = 2
        client.fetcher.gate.set()
        failed = await waiting
        assert (failed.status, failed.json["code"]) == (500, "internal")
        assert client.service.runner.counts().failing == {"tea": 1}
        assert (await client.texts("help"))[-1] == "The password?"
        before = store.commits
        store.refusals = 1000
        for _ in range(60):
            client.clock.move(10)
            await asyncio.sleep(0.001)
        assert 2 <= (store.commits - before) / 2 <= 6
        for words in ("cannot be run here", "refused by the store"):
            assert len([record for record in caplog.records if words in record.getMessage()]) == 1
        store.refusals = 0
        await until(lambda: client.service.runner.counts().failing == {}, client, seconds=10)
        assert await client.texts("open sesame", id="ada-call") == ["Order 7: Green."]
        assert len(client.fetcher.requests) == 1


class RefusingResults(TemporaryStore):
    async def journal(self, *_: Any) -> None:
        raise Refused("too long")


async def test_an_event_whose_results_the_store_refuses_gets_the_general_failure(tmp_path: Path) -> None:
    async with serving(tmp_path, fetcher=HeldFetcher(), store=RefusingResults()) as client:
        waiting = await reach_outside_call(client)
        client.fetcher.gate.set()
        assert [said["text"] for said in (await waiting).json] == [GENERAL_FAILURE]
        assert client.service.runner.counts().failing == {}


class SlowStore(TemporaryStore):
    """Reads a chat only when the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.accepted: list[str] = []

    async def chat(self, key: Any) -> Any:
        await self.gate.wait()
        return await super().chat(key)

    async def accept(self, key: Any, id: str, event: bytes, dedupe: Any, *rest: Any) -> Any:
        self.accepted.append(dedupe.key)
        if dedupe.key == "broken":
            raise RuntimeError("fault")
        return await super().accept(key, id, event, dedupe, *rest)


async def test_the_inbox_keeps_the_order_also_where_the_first_waits_for_its_chat(tmp_path: Path) -> None:
    store = SlowStore()
    async with serving(tmp_path, store=store) as client:
        for text in ("tea", "green"):
            await client.texts(text)
    fetcher = HeldFetcher()
    async with serving(tmp_path, fetcher=fetcher, store=store) as client:
        store.gate.clear()
        tasks = [asyncio.create_task(client.say(text, id=text)) for text in ("first", "second", "third")]
        await until(lambda: client.service.runner.counts().waiting == 2)  # the first waits for its chat
        store.gate.set()
        await until(lambda: len(store.accepted) == 3)
        assert store.accepted == ["first", "second", "third"]
        fetcher.gate.set()
        assert [(await task).status for task in tasks] == [200, 200, 200]


async def test_an_event_that_could_not_be_accepted_does_not_hold_up_those_behind_it(tmp_path: Path) -> None:
    store = SlowStore()
    async with serving(tmp_path, fetcher=HeldFetcher(), store=store) as client:
        waiting = await reach_outside_call(client)
        broken = in_background(client.say("tea", id="broken"))
        behind = in_background(client.say("tea", id="behind"))
        await until(lambda: store.accepted[-2:] == ["broken", "behind"])
        client.fetcher.gate.set()
        assert [(await task).status for task in (waiting, broken, behind)] == [200, 500, 200]


class Taker:
    """Takes timers as the runner does, and never gets them done."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    def submit_timer(self, row: TimerRow, _: Any) -> None:
        self.taken.append(row.key.user)


async def test_timers_that_cannot_be_done_never_stand_before_the_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        for number in range(130):
            await client.texts("tea", sender=f"user-{number}")
        service, runner = client.service, Taker()
        clock = MovedClock(client.clock.now() + 1441 * 60 * 1000)
        timers = Timers(service.store, runner, clock)  # type: ignore[arg-type]  # a runner that does nothing
        assert await timers.fire() == 100
        assert await timers.fire() == 30
        assert await timers.fire() == 0
        assert len(set(runner.taken)) == 130
        clock.move(61)
        assert await timers.fire() == 100
