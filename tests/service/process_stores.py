"""Several processes on one PostgreSQL database, in one event loop; with a bot whose every event can call outside."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from typing import TYPE_CHECKING, Any

import asyncpg
import msgspec
from tests.http.support import serving

from dialoom.engine.events import NoResponse, Response
from dialoom.errors import StoreError
from dialoom.messages import MessageRecord
from dialoom.storage.postgres.heartbeat import HeartbeatTimes
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
    from pathlib import Path

    from tests.http.support import Client

    from dialoom.engine.effects import Request
    from dialoom.storage.store import Notice

ADA = ChatKey("tea", "rest", "ada")


def _calls(place: str, *messages: str) -> dict[str, Any]:
    """Return a step that calls outside, with the number of its event."""
    endpoint = f"http://127.0.0.1:9/{place}"
    source = {"endpoint": endpoint, "method": "POST", "payload": {"tap": "{{tap}}"}}
    return {"type": "webhook", "data-source": source, "messages": list(messages)}


CALLING: dict[str, Any] = {
    "conversations": {
        "help": {"type": "support", "steps": [{"type": "message", "messages": ["Say call."]}]},
        "call": {"type": "support", "steps": [_calls("call", "Called for {{tap}}.")]},
        "trip": {
            "type": "support",
            "steps": [_calls("flight"), _calls("hotel"), _calls("car", "Went for {{tap}}.")],
        },
    }
}
"""Each event with the text "call" calls outside, with its own number; one with "trip" does so three times."""
WORDS: dict[str, Any] = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": value, "expressions": [value]} for value in ("call", "trip", "help")],
        }
    ]
}
PATIENCE = 60.0
"""Seconds after which nothing comes any more, however busy the machine is."""
LOOK_AGAIN_SECONDS = 0.5
RHYTHM = HeartbeatTimes(beat=0.02, void=3600, lost=3600)
"""Nobody is taken for dead, however busy the machine is; who lost its place hears of it soon."""
FREE = "update dialoom.leases set holder = null where holder = $1"
PERFORMED = ("chat", "hold", "let_go", "orphans", "accept", "answered", "journal", "journaled", "commit", "due")


class ProcessStore(PostgresStore):
    """Plays one process's store. ``pause`` is awaited before and after each of its questions; ``hears``: whether
    notices reach it; ``is_away``: whether the database does not answer; ``under_way``: its questions that have no
    answer yet."""

    def __init__(self, tables: DatabaseTables, pause: Callable[[], Awaitable[None]] | None = None) -> None:
        super().__init__(tables.url, is_timed_by_server=False, rhythm=RHYTHM)
        self.pause = pause
        self.is_away = False
        self.is_dead = False
        self.hears = True
        self.accepted: list[tuple[int, str]] = []
        self.asked: list[str] = []
        self.under_way = 0
        self._tables = tables
        self._lost = asyncio.Event()

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return self.paced(name, found) if name in PERFORMED else found

    def paced(self, name: str, method: Any) -> Any:
        async def ask(*args: Any) -> Any:
            self.asked.append(name)
            if self.pause is not None:
                await self.pause()
            if self.is_dead or self.is_away:
                raise StoreError("This process was killed." if self.is_dead else "away")
            self.under_way += 1
            try:
                answer = await method(*args)
            finally:
                self.under_way -= 1
            if name == "accept" and args[3] is not None and hasattr(answer, "number"):
                self.accepted.append((answer.number, args[3].key))
            if self.pause is not None:
                await self.pause()
            return answer

        return ask

    def listen(self, receiver: Callable[[Notice], None]) -> None:
        def hear(notice: Notice) -> None:
            if notice.kind == "lost":
                self._lost.set()
            if not self.is_dead and (self.hears or notice.kind == "lost"):
                receiver(notice)

        super().listen(hear)

    def tell(self, notice: Notice) -> None:
        if not self.is_dead:
            super().tell(notice)

    async def die(self) -> None:
        """Do what ``kill -9`` does to a process, where the others see it at once: its chats are free, nothing it does
        from here on is written."""
        self.is_dead = True
        await self._leave()

    async def lose(self) -> None:
        """Be out of touch for too long: its chats are free, and it is told so."""
        self._lost.clear()
        async with asyncio.timeout(PATIENCE):
            # A process that is just taking a new name, after a loss before this one, does not miss the old one.
            while not self._lost.is_set():
                await self._leave()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._lost.wait(), LOOK_AGAIN_SECONDS)

    async def _leave(self) -> None:
        """What is under way under the old name takes no chat any more: no living process has that name."""
        process = self.process
        await self._tables.change("delete from dialoom.processes where process = $1", process)
        await self._tables.change(FREE, process)

    async def stall(self) -> None:
        """Be out of touch without knowing it: the others see its chats free."""
        await self._tables.change(FREE, self.process)


class DatabaseTables:
    """The rows of a database, which a test looks at while processes work on it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._connection = self._do(asyncpg.connect(url))

    def close(self) -> None:
        self._do(self._connection.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Read at once; the event loop of the test waits meanwhile."""
        return [tuple(row) for row in self._do(self._connection.fetch(sql, *values))]

    async def change(self, sql: str, *values: Any) -> None:
        """Write, perhaps after a lock of the processes, which go on meanwhile."""
        await asyncio.to_thread(self.rows, sql, *values)

    @property
    def inbox(self) -> int:
        """The number of events that wait."""
        return int(self.rows("select count(*) from dialoom.inbox")[0][0])

    @property
    def journal(self) -> int:
        """The number of results that are kept."""
        return int(self.rows("select count(*) from dialoom.journal")[0][0])

    @property
    def leases(self) -> set[ChatKey]:
        """The chats that a process holds."""
        rows = self.rows('select bot, channel, "user" from dialoom.leases where holder is not null')
        return {ChatKey(*row) for row in rows}

    @property
    def timers(self) -> dict[tuple[ChatKey, str], int]:
        """When each timer is due."""
        rows = self.rows('select bot, channel, "user", key, value::bigint from dialoom.chats, jsonb_each_text(timers)')
        return {(ChatKey(*row[:3]), row[3]): row[4] for row in rows}

    @property
    def chats(self) -> int:
        """The number of chats whose memory is kept."""
        return int(self.rows("select count(*) from dialoom.chats")[0][0])

    def said(self, user: str = "ada") -> list[MessageRecord]:
        """The messages of a chat, in the order of their positions."""
        sql = """select document from dialoom.messages where bot = 'tea' and channel = 'rest' and "user" = $1
            order by position"""
        return [msgspec.json.decode(text, type=MessageRecord) for (text,) in self.rows(sql, user)]


class HeldFetcher:
    """Outside calls that wait until the test lets them go."""

    def __init__(self, *, is_open: bool = False) -> None:
        self.requests: list[Request] = []
        self.gate = asyncio.Event()
        if is_open:
            self.gate.set()

    async def fetch(self, request: Request, **_: Any) -> Response | NoResponse:
        self.requests.append(request)
        await self.gate.wait()
        return Response(200, headers={"content-type": ["application/json"]}, body=b'{"number": 7}')

    async def close(self) -> None:
        """Nothing is open."""


def in_background(work: Awaitable[Any]) -> asyncio.Task[Any]:
    return asyncio.ensure_future(asyncio.wait_for(work, PATIENCE))


def texts(answer: Any) -> list[str]:
    assert answer.status == 200, answer.body
    return [said["text"] for said in answer.json]


def calls_made(*clients: Client) -> list[tuple[str, str | None]]:
    """What was called for, each with the key of its call; in the order of the calls on each process."""
    requests = [request for client in clients for request in client.fetcher.requests]
    return [(json.loads(request.body)["tap"], request.idempotency_key) for request in requests]


async def thrown(clients: list[Client], count: int) -> dict[str, Any]:
    """Messages of one user, thrown at all processes at once; one that is refused with 429 comes again."""

    async def send(number: int) -> Any:
        client = clients[number % len(clients)]
        while True:
            answer = await client.say(f"text {number}", id=f"{number}")
            if answer.status != 429:
                return answer
            await asyncio.sleep(0.002)

    answers = await asyncio.gather(*(in_background(send(number)) for number in range(count)))
    return {str(number): answer for number, answer in enumerate(answers)}


@contextlib.asynccontextmanager
async def processes(folder: Path, *views: ProcessStore, **bot: Any) -> AsyncIterator[list[Client]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(serving(folder, fetcher=HeldFetcher(), store=view, **bot)) for view in views
        ]


@contextlib.asynccontextmanager
async def on_postgres(folder: Path, url: str, **bot: Any) -> AsyncIterator[list[Client]]:
    """Two processes as a service has them, on a database of their own."""
    async with contextlib.AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(serving(folder, fetcher=HeldFetcher(), store=PostgresStore(url), **bot))
            for _ in range(2)
        ]


async def until(claim: Callable[[], Any], *clients: Client, seconds: float = 0.0) -> None:
    """Wait until it is true. The clocks of the clients go on by ``seconds`` at each look at which no store waits for the
    database: on a busy machine it would be late by their time, and a deadline over that no test means."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    while not claim():
        assert loop.time() < end, "did not come true"
        if not any(_is_waiting(client) for client in clients):
            for client in clients:
                client.clock.move(seconds)
        await asyncio.sleep(0.001)


def _is_waiting(client: Any) -> bool:
    """Return whether the store of a client, or of a service, waits for the database."""
    store = getattr(getattr(client, "service", client), "store", None)
    return isinstance(store, ProcessStore) and store.under_way > 0


async def reach_outside_call(client: Client, sender: str = "ada") -> asyncio.Task[Any]:
    """Up to the outside call, which is left waiting."""
    for number, text in enumerate(("tea", "green")):
        await client.texts(text, sender=sender, id=f"{sender}-{number}")
    before = len(client.fetcher.requests)
    waiting = in_background(client.say("open sesame", sender=sender, id=f"{sender}-call"))
    await until(lambda: len(client.fetcher.requests) > before)
    return waiting


def heard(tables: DatabaseTables, user: str = "ada") -> list[str | None]:
    """The texts of the user, in the order of their turns."""
    return [record.text for record in tables.said(user) if record.from_ == "user"]
