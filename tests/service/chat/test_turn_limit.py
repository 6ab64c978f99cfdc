"""A turn that takes too long is interrupted and fails; nothing but the engine ever is. Real processor time is spent here:
it is the subject."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import io
import json
import logging
import signal
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any

import pytest
import uvloop
from tests.http.support import BOT, FLOW, TRAINING, serving

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.errors import StoreError
from dialoom.service.chat.turn_limit import MAX_TURN_SECONDS, TurnLimit, TurnTooLongError
from dialoom.service.observe import logs
from dialoom.service.turns.turn import limited
from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from dialoom.storage.store import Answered, TurnWrite

GENERAL_FAILURE = "We are experiencing technical difficulties at this moment."
NUMBERS = [0] * 20_000
LOOP = {"type": "message", "messages": ["{{#each numbers}}{{this}}{{this}}{{this}}{{/each}}"]}
"""Takes some hundredths of a second with the list above, as much as one template may."""
PIN = {"type": "question", "entity": "pin", "entity-type": "Text", "messages": ["Your PIN?"]}
FETCH = {
    "type": "webhook",
    "data-source": {"endpoint": "http://127.0.0.1:9/numbers", "method": "POST", "payload": {}},
    "entity": "numbers",
}
SLOW: dict[str, Any] = {
    "conversations": FLOW["conversations"]
    | {
        "slow": {"type": "goal", "steps": [LOOP] * 90},
        "guarded": {"type": "goal", "steps": [PIN, *[LOOP] * 90]},
        "fetching": {"type": "goal", "steps": [FETCH, *[LOOP] * 90]},
    }
}
WORDS: dict[str, Any] = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [
                {"value": value, "expressions": [value]} for value in ("tea", "help", "slow", "guarded", "fetching")
            ],
        },
        *(type for type in TRAINING["entity-definitions"] if type["name"] != "Conversation"),
    ]
}
MOCKS = {"http://127.0.0.1:9/numbers": {"POST": NUMBERS}}


def slow_bot(tmp_path: Path, store: SqliteStore | None = None) -> Any:
    return serving(
        tmp_path,
        SLOW,
        fetcher=MockFetcher(MOCKS),
        store=store or SqliteStore(tmp_path / "data.sqlite"),
        bot=BOT,
        training=WORDS,
    )


async def interrupted_turns(client: Any) -> int:
    text = (await client.call("GET", "/metrics")).body.decode()
    found = [line for line in text.splitlines() if line.startswith('dialoom_interrupted_turns_total{bot="tea"}')]
    return int(float(found[0].split()[-1])) if found else 0


@pytest.fixture
def lines() -> Iterator[Callable[[], list[dict[str, str]]]]:
    """Return what is logged, as the service writes it."""
    root, written = logging.getLogger(), io.StringIO()
    handler = logs.writer("json", written)
    root.addHandler(handler)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    root.removeHandler(handler)


async def test_a_turn_that_takes_too_long_fails_for_its_user_and_the_service_goes_on(
    tmp_path: Path, lines: Callable[[], list[dict[str, str]]]
) -> None:
    async with slow_bot(tmp_path) as client:
        slow = asyncio.create_task(client.say("slow", context={"numbers": NUMBERS}))
        other = asyncio.create_task(client.texts("tea", sender="grace"))
        assert [said["text"] for said in (await slow).json] == [GENERAL_FAILURE]
        assert (await other)[-1] == "Which tea?"
        (record,) = (await client.history("conversations", query={"User": "ada"})).json
        assert (record["Status"], record["Errors"]) == ("failure", 1)
        heard, said = (await client.history("messages", query={"Conversation": record["_id"]})).json
        assert heard["Text"] == "slow"
        step, _, reason = said["Error"].partition(": ")
        assert step.startswith("slow/")
        assert reason == f"The turn took more than {MAX_TURN_SECONDS} s of processor time and was stopped."
        assert await interrupted_turns(client) == 1
        (line,) = [line for line in lines() if line["logger"] == "dialoom.service.turns.turn"]
        assert (line["bot"], line["conversation"]) == ("tea", record["_id"])
        assert f"it was at the step {step}, in dialoom/template/" in line["message"]
        assert (await client.texts("tea"))[-1] == "Which tea?"


async def test_an_answer_that_is_hidden_stays_so_where_its_turn_is_interrupted(tmp_path: Path) -> None:
    async with slow_bot(tmp_path) as client:
        assert (await client.texts("guarded", context={"numbers": NUMBERS}))[-1] == "Your PIN?"
        assert await client.texts("my old one") == [GENERAL_FAILURE]
        texts = [message["Text"] for message in (await client.history("messages", query={"From": "user"})).json]
        assert texts == ["guarded", "***"]


class AwayOnce(SqliteStore):
    """Fails the next commits of turns."""

    failures = 0

    async def commit(self, write: TurnWrite) -> Answered | None:
        if self.failures:
            self.failures -= 1
            raise StoreError("away")
        return await super().commit(write)


async def test_a_turn_that_was_interrupted_after_its_call_is_stored_as_failed_and_not_run_again(tmp_path: Path) -> None:
    store = AwayOnce(tmp_path / "data.sqlite")
    async with slow_bot(tmp_path, store) as client:
        store.failures = 2
        waiting = asyncio.create_task(client.say("fetching", id="once"))
        while store.failures:
            await asyncio.sleep(0.001)
            client.clock.move(1)
        assert [said["text"] for said in (await waiting).json] == [GENERAL_FAILURE]
        assert await interrupted_turns(client) == 1
        assert await client.texts("fetching", id="once") == [GENERAL_FAILURE]
        assert len(client.fetcher.requests) == 1
        assert (await client.texts("tea"))[-1] == "Which tea?"


class BusyStore(SqliteStore):
    """Gets the signal in the middle of its commits."""

    async def commit(self, write: TurnWrite) -> Answered | None:
        signal.setitimer(signal.ITIMER_PROF, 0.001)
        spend(0.02)
        signal.raise_signal(signal.SIGPROF)
        return await super().commit(write)


async def test_a_commit_is_never_interrupted(tmp_path: Path) -> None:
    async with slow_bot(tmp_path, BusyStore(tmp_path / "data.sqlite")) as client:
        assert (await client.texts("tea"))[-1] == "Which tea?"
        assert await interrupted_turns(client) == 0


def spend(seconds: float) -> str:
    """Use up processor time of this thread."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return "done"


@pytest.fixture
def limit() -> Iterator[TurnLimit]:
    limit = TurnLimit(0.05)
    limit.start()
    yield limit
    limit.stop()


def test_a_call_that_swallows_the_interruption_is_interrupted_again(limit: TurnLimit) -> None:
    def swallow() -> None:
        try:
            spend(10)
        except BaseException:  # noqa: BLE001  # what code of others might do
            spend(10)

    with pytest.raises(TurnTooLongError):
        limited(limit, swallow)


def test_processor_time_of_other_threads_does_not_count(limit: TurnLimit) -> None:
    def hash_for_a_while() -> None:
        while not is_over.is_set():
            hashlib.pbkdf2_hmac("sha256", b"", b"", 20_000)  # without the interpreter's lock

    def wait_for_the_others() -> str:
        while time.process_time() - began < 2 * limit.seconds:
            time.sleep(0.001)
        return spend(limit.seconds * 0.6)

    is_over = threading.Event()
    others = [threading.Thread(target=hash_for_a_while) for _ in range(2)]
    began = time.process_time()
    for other in others:
        other.start()
    try:
        assert limited(limit, wait_for_the_others) == "done"
    finally:
        is_over.set()
        for other in others:
            other.join()


def test_a_garbage_collection_does_not_count_and_nothing_is_raised_into_it(limit: TurnLimit) -> None:
    class Slow:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            spend(2 * limit.seconds)

    def collect() -> str:
        Slow()
        gc.collect()
        return spend(limit.seconds / 5)

    assert limited(limit, collect) == "done"
    with pytest.raises(TurnTooLongError):
        limited(limit, spend, 10)


def test_nothing_is_raised_into_the_callback_of_an_object_that_ends(limit: TurnLimit) -> None:
    class Held:
        pass

    def end() -> None:
        held = Held()
        weakref.finalize(held, spend, 2 * limit.seconds)
        del held
        ended.append(True)
        spend(10)

    ended: list[bool] = []
    with pytest.raises(TurnTooLongError):
        limited(limit, end)
    assert ended == [True]


@pytest.mark.parametrize("loop_factory", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_signal_that_comes_late_ends_no_loop_and_is_not_logged(
    limit: TurnLimit, loop_factory: Callable[[], asyncio.AbstractEventLoop], caplog: pytest.LogCaptureFixture
) -> None:
    async def go_on() -> str:
        assert limited(limit, str, 1) == "1"
        signal.raise_signal(signal.SIGPROF)
        signal.setitimer(signal.ITIMER_PROF, 0.001)
        spend(0.01)
        await asyncio.sleep(0.01)
        return "went on"

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        assert runner.run(go_on()) == "went on"
    assert caplog.records == []


def test_outside_the_main_thread_the_limit_is_off_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    def serve() -> None:
        limit = TurnLimit(0.01)
        limit.start()
        done.append(limited(limit, spend, 0.02))
        limit.stop()

    before, done = signal.getsignal(signal.SIGPROF), list[str]()
    thread = threading.Thread(target=serve)
    thread.start()
    thread.join()
    assert done == ["done"]
    assert signal.getsignal(signal.SIGPROF) == before
    (line,) = caplog.records
    assert line.levelno == logging.WARNING
    assert line.getMessage() == (
        "turns that take too long are not interrupted: the service does not run in the main thread, "
        "where Python handles signals"
    )


def test_a_timer_that_still_runs_at_the_stop_ends_no_process(limit: TurnLimit) -> None:
    signal.setitimer(signal.ITIMER_PROF, 10)
    limit.stop()
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_where_something_else_handles_the_signal_the_limit_is_off_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    before = signal.signal(signal.SIGPROF, lambda *_: None)
    try:
        TurnLimit().start()
        assert "something else in this process handles SIGPROF" in caplog.text
    finally:
        signal.signal(signal.SIGPROF, before)


def test_services_of_one_process_share_the_signal_and_the_last_gives_it_back() -> None:
    before = signal.getsignal(signal.SIGPROF)
    first, second = TurnLimit(0.01), TurnLimit(0.01)
    first.start()
    second.start()
    first.stop()
    with pytest.raises(TurnTooLongError):
        limited(second, spend, 10)
    assert limited(first, spend, 0) == "done"
    second.stop()
    assert signal.getsignal(signal.SIGPROF) == before
