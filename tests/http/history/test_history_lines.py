"""Streams of the history API: all that match, at the client's own pace, and never a half that looks whole."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.raw import listening
from tests.http.support import Client, serving
from tests.http.walks import TOKEN, walking
from tests.stores import TemporaryStore

from dialoom.errors import StoreError
from dialoom.storage.store import Stretch, TooSlow

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.walks import Walker

PATH = "/v1/bots/tea/conversations"
COUNT = 7


class _Stepwise(TemporaryStore):
    """Looks at two records a step; counts the steps, may hang in one or fail at one."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = 0
        self.hangs_at: int | None = None
        self.fails_at: int | None = None
        self.error: Exception = StoreError("away")
        self.hanging = asyncio.Event()
        self.was_stopped = False
        self.has_gap = False

    async def stretch(self, collection: Any, bot: str, selection: Any, rows: int) -> Stretch:
        self.steps += 1
        if self.steps == self.fails_at:
            raise self.error
        if self.steps == self.hangs_at:
            self.hanging.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.was_stopped = True
        if self.has_gap and self.steps == 1:
            return Stretch([], ((3, ""),))
        return await super().stretch(collection, bot, selection, min(rows, 2))


@pytest.fixture
def store() -> _Stepwise:
    return _Stepwise()


@pytest.fixture
async def client(tmp_path: Path, store: _Stepwise) -> AsyncIterator[Client]:
    async with serving(tmp_path, store=store) as client:
        for number in range(COUNT):
            assert (await client.say("tea" if number % 2 else "help", sender=f"user {number}")).status == 200
            client.clock.move(1)
        yield client


def _users(body: bytes) -> list[int]:
    assert body.endswith(b"\n") or not body
    return [int(json.loads(line)["User"][5:]) for line in body.splitlines()]


async def _all(walker: Walker) -> list[int]:
    body = await walker.rest()
    assert (walker.status, walker.headers["content-type"]) == (200, "application/x-ndjson"), body
    assert walker.is_whole
    return _users(body)


async def test_without_a_limit_all_records_come_one_a_line(client: Client, store: _Stepwise) -> None:
    async with walking(client.app, PATH) as walker:
        assert await _all(walker) == [*range(COUNT)]
    assert "content-length" not in walker.headers
    assert walker.headers["cache-control"] == "no-store"
    assert store.steps >= 4
    plain = await client.history("conversations")
    async with walking(client.app, PATH) as walker:
        assert [json.loads(line) for line in (await walker.rest()).splitlines()] == plain.json


@pytest.mark.parametrize(
    ("query", "users"),
    [
        ({"skip": 3}, [3, 4, 5, 6]),
        ({"skip": 100}, []),
        ({"sort": '{"StartedAt":-1}'}, [6, 5, 4, 3, 2, 1, 0]),
        ({"sort": '{"User":-1}', "skip": 1}, [5, 4, 3, 2, 1, 0]),
        ({"query": '{"Goal":"tea"}'}, [1, 3, 5]),
        ({"query": '{"Goal":"tea"}', "skip": 2}, [5]),
        ({"query": '{"User":"nobody"}'}, []),
        ({"limit": 2}, [0, 1]),
    ],
)
async def test_a_stream_honours_what_a_page_does(client: Client, query: dict[str, Any], users: list[int]) -> None:
    async with walking(client.app, PATH, **query) as walker:
        assert await _all(walker) == users


async def test_a_stream_goes_on_after_a_page(client: Client) -> None:
    page = await client.history("conversations", limit=4, sort={"StartedAt": -1})
    after = page.headers["link"].partition("after=")[2].partition(">")[0]
    async with walking(client.app, PATH, after=after, sort='{"StartedAt": -1}') as walker:
        assert await _all(walker) == [2, 1, 0]


async def test_a_stream_gives_the_properties_and_the_total_that_were_asked_for(client: Client) -> None:
    async with walking(client.app, PATH, fields="User", total="true") as walker:
        lines = (await walker.rest()).splitlines()
    assert [list(json.loads(line)) for line in lines] == [["_id", "User"]] * COUNT
    assert walker.headers["x-total-count"] == str(COUNT)


async def test_the_head_comes_before_anything_was_found(client: Client, store: _Stepwise) -> None:
    store.has_gap, store.hangs_at = True, 2
    async with walking(client.app, PATH) as walker:
        await asyncio.wait_for(store.hanging.wait(), 10)
        assert walker.status == 200


async def test_a_head_is_answered_without_a_walk(client: Client, store: _Stepwise) -> None:
    async with walking(client.app, PATH, method="HEAD") as walker:
        assert await walker.rest() == b""
    assert (walker.status, walker.headers["content-type"]) == (200, "application/x-ndjson")
    assert store.steps == 1


async def test_who_takes_nothing_makes_the_walk_wait(client: Client, store: _Stepwise) -> None:
    async with walking(client.app, PATH) as walker:
        assert _users(await walker.take() or b"") == [0, 1]
        for _ in range(100):
            await asyncio.sleep(0)
        # One piece lies ready, one is being sent, and none is made ahead of them.
        assert store.steps <= 3
        assert _users(await walker.rest()) == [2, 3, 4, 5, 6]


async def test_the_walk_ends_when_its_client_goes_away(client: Client, store: _Stepwise) -> None:
    store.hangs_at = 2
    async with walking(client.app, PATH) as walker:
        await walker.take()
        await asyncio.wait_for(store.hanging.wait(), 10)
        walker.leave()
        await asyncio.wait_for(walker.task, 10)
    assert store.was_stopped
    assert not walker.is_whole


async def test_a_query_ends_when_its_client_goes_away(tmp_path: Path) -> None:
    class Hanging(_Stepwise):
        async def find(self, *values: Any) -> Any:
            self.hanging.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.was_stopped = True

    store = Hanging()
    async with serving(tmp_path, store=store) as client, walking(client.app, PATH, "application/json") as walker:
        await asyncio.wait_for(store.hanging.wait(), 10)
        walker.leave()
        await asyncio.wait_for(walker.task, 10)
    assert store.was_stopped


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (StoreError("away"), "the store fails; what was accepted is kept and done later: away"),
        (TooSlow("slow"), "a request failed: TooSlow: slow"),
    ],
)
async def test_a_failure_midway_cuts_the_stream_off_and_is_logged_in_one_line(
    client: Client, store: _Stepwise, caplog: pytest.LogCaptureFixture, error: StoreError, line: str
) -> None:
    store.fails_at, store.error = 3, error
    with caplog.at_level(logging.WARNING):
        async with walking(client.app, PATH) as walker:
            assert _users(await walker.rest()) == [0, 1, 2, 3]
            assert walker.is_cut
            assert not walker.is_whole
    assert [record.getMessage() for record in caplog.records] == [line]


async def test_a_fault_of_ours_midway_cuts_the_stream_off_as_well(
    client: Client, store: _Stepwise, caplog: pytest.LogCaptureFixture
) -> None:
    store.fails_at, store.error = 2, ZeroDivisionError("ours")
    async with walking(client.app, PATH) as walker:
        assert _users(await walker.rest()) == [0, 1]
        assert walker.is_cut
    assert [record.getMessage() for record in caplog.records] == ["fault in GET /v1/bots/{bot_id}/conversations"]


async def test_a_failure_at_the_first_step_is_a_problem_as_any(client: Client, store: _Stepwise) -> None:
    store.fails_at, store.error = 1, TooSlow("slow")
    async with walking(client.app, PATH) as walker:
        assert json.loads(await walker.rest())["code"] == "query-too-slow"
    assert (walker.status, walker.headers["retry-after"]) == (503, "10")


async def test_a_service_that_stops_cuts_its_streams_off(client: Client, store: _Stepwise) -> None:
    store.hangs_at = 2
    async with walking(client.app, PATH) as walker:
        await walker.take()
        await asyncio.wait_for(store.hanging.wait(), 10)
        client.app.shutdown.begun.set()
        await asyncio.wait_for(walker.task, 10)
        assert walker.is_cut
    assert store.was_stopped


async def test_a_service_that_stops_says_so_to_who_waits_for_the_first_records(
    client: Client, store: _Stepwise
) -> None:
    store.hangs_at = 1
    async with walking(client.app, PATH) as walker:
        await asyncio.wait_for(store.hanging.wait(), 10)
        client.app.shutdown.begun.set()
        assert json.loads(await walker.rest())["code"] == "stopping"
    assert (walker.status, walker.headers["retry-after"]) == (503, "5")


# -- on a socket


async def test_a_cut_stream_ends_on_the_wire_without_its_last_chunk(client: Client, store: _Stepwise) -> None:
    async def ask() -> bytes:
        connection = await door.open()
        head = b"GET %b HTTP/1.1\r\nHost: a\r\nAuthorization: %b\r\nAccept: application/x-ndjson\r\n\r\n"
        await connection.send(head % (PATH.encode(), TOKEN))
        if store.fails_at is None:
            await connection.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return await connection.rest()

    async with listening(client.app) as door:
        whole = await ask()
        assert whole.startswith(b"HTTP/1.1 200")
        assert b"\r\ntransfer-encoding: chunked\r\n" in whole
        assert b"\r\n0\r\n\r\nHTTP/1.1 200" in whole
        store.steps, store.fails_at = 0, 3
        cut = await ask()
        assert cut.startswith(b"HTTP/1.1 200")
        assert b"user 3" in cut
        assert b"\r\n0\r\n" not in cut


async def test_a_reader_that_stops_holds_only_what_the_sockets_do(tmp_path: Path) -> None:
    """Each record is wide, so that a few fill the buffers of both sides."""

    class Endless(_Stepwise):
        async def stretch(self, collection: Any, bot: str, selection: Any, rows: int) -> Stretch:
            self.steps += 1
            return Stretch([b'{"a":"%b"}' % (b"b" * 250_000)], ((3, ""),))

    store = Endless()
    async with serving(tmp_path, store=store) as client, listening(client.app) as door:
        connection = await door.open()
        head = b"GET %b HTTP/1.1\r\nHost: a\r\nAuthorization: %b\r\nAccept: application/x-ndjson\r\n\r\n"
        await connection.send(head % (PATH.encode(), TOKEN))
        before = -1
        while store.steps != before or not before:
            before = store.steps
            for _ in range(1000):
                await asyncio.sleep(0)
        assert 0 < store.steps < 200
        connection.writer.transport.abort()
        await door.news.until(lambda: not door.state.connections)
        await asyncio.wait(door.state.tasks or {asyncio.ensure_future(asyncio.sleep(0))}, timeout=10)
        assert not door.state.tasks
