"""Several processes on one store, on one PostgreSQL database: order, exactly-once, who takes over what."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, Client
from tests.service.process_stores import (
    ADA,
    CALLING,
    PATIENCE,
    WORDS,
    ProcessStore,
    calls_made,
    heard,
    in_background,
    processes,
    reach_outside_call,
    texts,
    thrown,
    until,
)

from dialoom.errors import StoreError
from dialoom.service.bots.masking import MASK
from dialoom.service.chat import active_chats
from dialoom.service.cluster.remote_events import MAX_LOOKS
from dialoom.storage.store import Notice

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.process_stores import DatabaseTables


# -- who runs what


async def test_a_chat_is_run_by_the_process_that_had_it_first_and_answered_by_any(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        assert (await a.texts("tea"))[-1] == "Which tea?"
        assert await b.texts("green") == ["The password?"]
        assert "commit" not in two.asked
        assert await a.texts("restart") != []


async def test_a_chat_that_is_held_costs_one_statement_a_turn(tmp_path: Path, tables: DatabaseTables) -> None:
    one = ProcessStore(tables)
    async with processes(tmp_path, one) as (a,):
        await a.open()
        one.asked.clear()
        session = (await a.open()).json
        key = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
        one.asked.clear()
        await a.call("POST", "/v1/bots/tea/channels/web/web/messages", {"id": "1", "text": "tea"}, key)
        assert one.asked == ["commit"]


async def test_a_keyless_event_for_another_process_gets_its_answer(tmp_path: Path, tables: DatabaseTables) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        await a.texts("tea")
        two.hears = False
        waiting = in_background(b.say("green"))
        await until(waiting.done, a, b, seconds=0.01)
        assert texts(await waiting) == ["The password?"]


async def test_what_another_process_says_reaches_open_polls_at_once(tmp_path: Path, tables: DatabaseTables) -> None:
    async with processes(tmp_path, ProcessStore(tables), ProcessStore(tables)) as (a, b):
        session = (await a.open()).json
        headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
        path = "/v1/bots/tea/channels/web/web/messages"

        async def polled() -> list[Any]:
            """Poll until there are messages: the notice of the greeting may end a first poll without any."""
            while not (found := (await b.call("GET", path, None, headers, {"after": 1, "wait": 20})).json["messages"]):
                pass
            return found

        poll = in_background(polled())
        await until(b.service.hub.count)
        await a.call("POST", path, {"id": "1", "text": "tea"}, headers)
        assert [said["text"] for said in await poll] == ["tea", "Which tea?"]


async def test_typing_is_seen_on_every_process_and_ends_with_the_turn(tmp_path: Path, tables: DatabaseTables) -> None:
    async with processes(tmp_path, ProcessStore(tables), ProcessStore(tables)) as (a, b):
        waiting = await reach_outside_call(a)
        await until(lambda: b.service.runner.is_typing(ADA))
        a.fetcher.gate.set()
        await waiting
        await until(lambda: not b.service.runner.is_typing(ADA))


async def test_typing_of_a_process_that_was_killed_does_not_last(tmp_path: Path, tables: DatabaseTables) -> None:
    async with processes(tmp_path, ProcessStore(tables), ProcessStore(tables)) as (a, b):
        a.service.store.tell(Notice("typing", ADA))
        await until(lambda: b.service.runner.is_typing(ADA))
        b.clock.move(61)
        assert not b.service.runner.is_typing(ADA)
        assert not a.service.runner.is_typing(ADA)


async def test_idle_chats_are_let_go_after_half_a_minute(tmp_path: Path, tables: DatabaseTables) -> None:
    one = ProcessStore(tables)
    async with processes(tmp_path, one) as (a,):
        await a.texts("tea")
        a.clock.move(29)
        await asyncio.sleep(0.01)
        assert ADA in tables.leases
        await until(lambda: ADA not in tables.leases, a, seconds=2)
        assert await a.texts("green") == ["The password?"]


async def test_chats_that_fall_out_of_memory_are_let_go(
    tmp_path: Path, tables: DatabaseTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(active_chats, "MAX_CACHED_CHATS", 2)
    async with processes(tmp_path, ProcessStore(tables)) as (a,):
        for number in range(4):
            await a.texts("tea", sender=f"user-{number}")
        await until(lambda: len(tables.leases) == 2, a, seconds=2.1)
        assert await a.texts("green", sender="user-0") == ["The password?"]


async def test_an_event_that_comes_while_its_chat_is_let_go_has_it_again(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, gate = ProcessStore(tables), asyncio.Event()

    async def slowly() -> None:
        if one.asked[-1] == "let_go":
            await gate.wait()

    async with processes(tmp_path, one) as (a,):
        await a.texts("tea")
        one.pause = slowly
        a.clock.move(31)
        await until(lambda: "let_go" in one.asked)
        waiting = in_background(a.say("green"))
        await asyncio.sleep(0.01)
        gate.set()
        assert texts(await waiting) == ["The password?"]
        await asyncio.sleep(0.01)
        assert ADA in tables.leases


async def test_a_stop_lets_all_chats_go(tmp_path: Path, tables: DatabaseTables) -> None:
    async with processes(tmp_path, ProcessStore(tables)) as (a,):
        for number in range(3):
            await a.texts("tea", sender=f"user-{number}")
        assert len(tables.leases) == 3
        await a.service.runner.stop(1)
        assert not tables.leases


async def test_a_chat_is_free_again_when_letting_it_go_failed_at_first(tmp_path: Path, tables: DatabaseTables) -> None:
    one = ProcessStore(tables)
    async with processes(tmp_path, one) as (a,):
        await a.texts("tea")
        one.is_away = True
        a.clock.move(60)
        await until(lambda: "let_go" in one.asked)
        one.is_away = False
        await until(lambda: not tables.leases, a, seconds=2)


# -- order


async def test_fifty_events_thrown_at_two_processes_are_answered_once_in_the_order_of_their_acceptance(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    async def pause() -> None:
        await asyncio.sleep(0)

    views = ProcessStore(tables, pause), ProcessStore(tables, pause)
    async with processes(tmp_path, *views) as clients:
        answers = await thrown(clients, 50)
        assert {answer.status for answer in answers.values()} == {200}
        order = heard(tables)
        assert sorted(order) == sorted(f"text {number}" for number in range(50))
        accepted = [f"text {key}" for _, key in sorted([*views[0].accepted, *views[1].accepted])]
        assert [text for text in order if text in set(accepted)] == accepted
        assert not tables.inbox
        again = await clients[1].say("text 4", id="4")
        assert again.body == answers["4"].body


async def test_two_taps_on_two_processes_call_outside_once_per_event_and_in_their_order(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two, flow=CALLING, training=WORDS) as (a, b):
        taps = [in_background((a, b)[tap % 2].say("call", id=f"{tap}", context={"tap": f"{tap}"})) for tap in range(6)]
        await until(lambda: tables.inbox == 6 and calls_made(a, b))
        assert len(calls_made(a, b)) == 1
        for client in (a, b):
            client.fetcher.gate.set()
        answers = [texts(answer)[-1] for answer in await asyncio.gather(*taps)]
        assert answers == [f"Called for {tap}." for tap in range(6)]
        accepted = [key for _, key in sorted([*one.accepted, *two.accepted])]
        runner = a if a.fetcher.requests else b
        assert [tap for tap, _ in calls_made(runner)] == accepted
        assert len({key for _, key in calls_made(a, b)}) == len(calls_made(a, b)) == 6
        assert not tables.inbox


async def test_an_event_of_which_nothing_was_heard_is_found_before_the_next_call(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two, flow=CALLING, training=WORDS) as (a, b):
        one.hears = False
        taps = []
        for tap, client in enumerate((a, b, a)):
            taps.append(in_background(client.say("call", id=f"{tap}", context={"tap": f"{tap}"})))
            await until(lambda count=tap + 1: tables.inbox == count)  # type: ignore[misc]  # bound at once
        a.fetcher.gate.set()
        assert [texts(answer)[-1] for answer in await asyncio.gather(*taps)] == [
            f"Called for {tap}." for tap in range(3)
        ]
        assert [tap for tap, _ in calls_made(a)] == ["0", "1", "2"]


async def test_a_notice_that_is_lost_delays_but_never_loses(tmp_path: Path, tables: DatabaseTables) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        await a.texts("tea")
        one.hears = two.hears = False
        waiting = in_background(b.say("green", id="g"))
        await until(lambda: tables.inbox)
        assert (await a.texts("help"))[0] == "Say tea."
        await until(waiting.done, a, b, seconds=0.1)
        assert (await waiting).status == 200
        assert heard(tables) == ["tea", "green", MASK]


async def test_the_same_message_on_two_processes_is_answered_once(tmp_path: Path, tables: DatabaseTables) -> None:
    async with processes(tmp_path, ProcessStore(tables), ProcessStore(tables)) as (a, b):
        waiting = await reach_outside_call(a)
        again = await b.say("open sesame", id="ada-call")
        assert (again.status, again.json["code"], again.headers["retry-after"]) == (409, "still-running", "1")
        other = await b.say("other words", id="ada-call")
        assert other.status == 422
        a.fetcher.gate.set()
        first = await waiting
        assert (await b.say("open sesame", id="ada-call")).body == first.body


async def test_more_than_twenty_waiting_messages_are_refused_wherever_they_came_in(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    async with processes(tmp_path, ProcessStore(tables), ProcessStore(tables)) as (a, b):
        waiting = await reach_outside_call(a)
        tasks = [in_background((a, b)[number % 2].say(f"text {number}", id=f"{number}")) for number in range(19)]
        await until(lambda: tables.inbox == 20)
        refused = await b.say("one more", id="more")
        assert (refused.status, refused.json["code"]) == (429, "too-many-waiting")
        a.fetcher.gate.set()
        answers = await asyncio.gather(waiting, *tasks)
        assert {answer.status for answer in answers} == {200}
        assert len(heard(tables)) == 22


# -- what dies


async def test_a_webhook_whose_process_is_killed_is_made_again_with_the_same_key_and_stored_once(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        await reach_outside_call(a)
        await one.die()
        b.fetcher.gate.set()
        b.clock.move(2.1)
        await until(lambda: not tables.inbox)
        (first,), (second,) = a.fetcher.requests, b.fetcher.requests
        assert first.idempotency_key == second.idempotency_key
        assert texts(await b.say("open sesame", id="ada-call")) == ["Order 7: Green."]
        assert heard(tables) == ["tea", "green", MASK]


async def test_a_result_that_another_process_journaled_is_not_asked_for_again(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two, flow=CALLING, training=WORDS) as (a, b):
        await b.texts("help")
        b.fetcher.gate.set()
        two.asked.clear()

        async def never_commit() -> None:
            if two.asked[-1:] == ["commit"]:
                await asyncio.Event().wait()

        two.pause = never_commit
        waiting = in_background(a.say("call", context={"tap": "1"}))
        await until(lambda: two.asked[-1:] == ["commit"])
        await two.die()
        await until(waiting.done, a, seconds=0.1)
        assert texts(await waiting) == ["Called for 1."]
        assert [tap for tap, _ in calls_made(a, b)] == ["1"]


async def test_a_process_that_stalled_stores_nothing_again_and_hands_out_what_is_stored(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        waiting = await reach_outside_call(a)
        await one.stall()
        b.fetcher.gate.set()
        b.clock.move(2.1)
        await until(lambda: not tables.inbox)
        a.fetcher.gate.set()
        assert texts(await waiting) == ["Order 7: Green."]
        assert heard(tables) == ["tea", "green", MASK]
        assert (await a.history("messages/_count", query={"From": "bot"})).json == (
            await b.history("messages/_count", query={"From": "bot"})
        ).json
        assert await a.texts("tea", id="next") == ["Which tea?"]


async def test_a_direct_turn_of_a_process_that_stalled_is_computed_again_where_the_chat_is(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        await a.texts("tea")
        await one.stall()
        assert await b.texts("green") == ["The password?"]
        two.hears = one.hears = True
        a.service.runner.active_chats.take(ADA).lease = "held"  # as if the notice had been lost
        waiting = in_background(a.say("help"))
        await until(waiting.done, a, b, seconds=0.1)
        assert "Order" not in str(texts(await waiting))
        assert heard(tables) == ["tea", "green", MASK]


def let_through(client: Client) -> None:
    """Let the waiting call go on, and none after it."""
    client.fetcher.gate.set()
    client.fetcher.gate = asyncio.Event()


@pytest.mark.parametrize("is_told", [True, False])
async def test_a_process_that_lost_its_chat_makes_no_call_after_the_one_in_flight(
    tmp_path: Path, tables: DatabaseTables, *, is_told: bool
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two, flow=CALLING, training=WORDS) as (a, b):
        b.fetcher.gate.set()
        waiting = in_background(a.say("trip", id="1", context={"tap": "1"}))
        await until(lambda: len(calls_made(a)) == 1)
        let_through(a)
        await until(lambda: len(calls_made(a)) == 2)
        if is_told:
            await one.lose()
        else:
            await one.stall()
        b.clock.move(2.1)
        await until(lambda: not tables.inbox)
        assert len(calls_made(b)) == 2  # the second, which was in flight, and the third
        a.fetcher.gate.set()
        await until(waiting.done, a, b, seconds=0.1)
        assert texts(await waiting) == ["Went for 1."]
        assert len(calls_made(a)) == 2
        assert len({key for _, key in calls_made(a, b)}) == 3
        assert not tables.journal


async def test_a_process_that_lost_its_chat_and_has_it_again_keeps_the_results_of_its_calls(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one = ProcessStore(tables)
    async with processes(tmp_path, one, flow=CALLING, training=WORDS) as (a,):
        waiting = in_background(a.say("trip", id="1", context={"tap": "1"}))
        await until(lambda: len(calls_made(a)) == 1)
        let_through(a)
        await until(lambda: len(calls_made(a)) == 2)
        await one.lose()
        a.fetcher.gate.set()
        assert texts(await waiting) == ["Went for 1."]
        assert len(calls_made(a)) == len({key for _, key in calls_made(a)}) == 3


async def test_a_process_that_lost_its_chats_takes_up_again_what_waits(tmp_path: Path, tables: DatabaseTables) -> None:
    one = ProcessStore(tables)
    async with processes(tmp_path, one) as (a,):
        waiting = await reach_outside_call(a)
        later = in_background(a.say("tea", id="later"))
        await until(lambda: tables.inbox == 2)
        await one.lose()
        a.fetcher.gate.set()
        assert texts(await waiting) == ["Order 7: Green."]
        assert texts(await later) == ["Which tea?"]
        assert len({request.idempotency_key for request in a.fetcher.requests}) == 1


async def test_a_message_comes_to_its_answer_when_the_process_that_has_the_chat_is_killed(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        await reach_outside_call(a)
        waiting = in_background(b.say("tea"))
        await until(lambda: tables.inbox == 2)
        await one.die()
        b.fetcher.gate.set()
        await until(waiting.done, b, seconds=0.1)
        assert texts(await waiting) == ["Which tea?"]


async def test_whoever_waits_for_an_answer_that_never_comes_is_told_at_last(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        await reach_outside_call(a)
        waiting = in_background(b.say("tea"))
        await until(lambda: tables.inbox == 2)
        for _ in range(MAX_LOOKS + 5):
            b.clock.move(1)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        await until(waiting.done, b, seconds=1)
        assert (await waiting).status == 409


# -- the store away


async def test_while_the_store_is_away_direct_events_are_refused_and_accepted_ones_wait(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        waiting = await reach_outside_call(a)
        other = in_background(b.say("tea", id="b"))
        await until(lambda: tables.inbox == 2)
        one.is_away = two.is_away = True
        a.fetcher.gate.set()
        refused = await asyncio.gather(*(in_background(client.say("tea", sender="grace")) for client in (a, b)))
        assert [(answer.status, answer.headers["retry-after"]) for answer in refused] == [(503, "2"), (503, "2")]
        for _ in range(30):
            a.clock.move(1)
            b.clock.move(1)
            await asyncio.sleep(0.001)
        assert not waiting.done()
        assert not other.done()
        one.is_away = two.is_away = False
        await until(lambda: waiting.done() and other.done(), a, b, seconds=0.5)
        assert texts(await waiting) == ["Order 7: Green."]
        assert texts(await other) == ["Which tea?"]
        assert len(a.fetcher.requests) == 1


async def test_an_answer_lost_on_its_way_from_the_store_repeats_nothing(tmp_path: Path, tables: DatabaseTables) -> None:
    class Uncertain(ProcessStore):
        """Commits, and says that it did not."""

        fails = 0

        def paced(self, name: str, method: Any) -> Any:
            ask = super().paced(name, method)

            async def lose(*args: Any) -> Any:
                answer = await ask(*args)
                if name == "commit" and self.fails:
                    self.fails -= 1
                    raise StoreError("the connection broke")
                return answer

            return lose

    one = Uncertain(tables)
    async with processes(tmp_path, one) as (a,):
        waiting = await reach_outside_call(a)
        one.fails = 1
        a.fetcher.gate.set()
        await until(waiting.done, a, seconds=0.1)
        assert texts(await waiting) == ["Order 7: Green."]
        assert len(a.fetcher.requests) == 1
        assert heard(tables) == ["tea", "green", MASK]


async def test_a_stop_waits_for_no_answer_from_another_process(tmp_path: Path, tables: DatabaseTables) -> None:
    async with processes(tmp_path, ProcessStore(tables), ProcessStore(tables)) as (a, b):
        waiting = await reach_outside_call(a)
        other = in_background(b.say("tea", id="b"))
        await until(lambda: tables.inbox == 2)
        await asyncio.wait_for(b.service.runner.stop(600), PATIENCE)
        assert (await other).json["code"] == "stopping"
        a.fetcher.gate.set()
        assert texts(await waiting) == ["Order 7: Green."]
        await until(lambda: a.service.runner.counts().busy == 0)
        assert texts(await a.say_again("tea", id="b")) == ["Which tea?"]


async def test_a_stop_does_not_wait_for_a_store_that_is_away(tmp_path: Path, tables: DatabaseTables) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        await a.texts("tea")
        event = json.dumps({"no": "event"}).encode()
        await two.accept(ADA, "waits", event, None, 0)
        one.is_away = True
        two.tell(Notice("inbox", ADA))
        await until(lambda: a.service.runner.counts().busy == 1)
        await asyncio.wait_for(a.service.runner.stop(600), PATIENCE)
        assert a.service.runner.counts().busy == 0
        assert b.service.runner.counts().busy == 0


async def test_a_stop_waits_for_a_turn_that_ran_here_until_it_is_stored(tmp_path: Path, tables: DatabaseTables) -> None:
    one = ProcessStore(tables)
    async with processes(tmp_path, one) as (a,):
        waiting = await reach_outside_call(a)
        one.is_away = True
        a.fetcher.gate.set()
        await until(lambda: "commit" in one.asked or one.asked[-1] == "journal")
        stop = asyncio.ensure_future(a.service.runner.stop(60))
        for _ in range(20):
            a.clock.move(1)
            await asyncio.sleep(0.001)
        assert not stop.done()
        one.is_away = False
        await until(stop.done, a, seconds=0.5)
        assert texts(await waiting) == ["Order 7: Green."]
        assert len(a.fetcher.requests) == 1
