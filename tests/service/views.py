"""Several processes on one store, played by views of the twin in memory; with a bot whose every event can call outside."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

from tests.http.support import serving

from dialoom.engine.events import NoResponse, Response
from dialoom.errors import StoreError
from dialoom.storage.memory import MemoryStore
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from tests.http.support import Client

    from dialoom.engine.effects import Request
    from dialoom.storage.memory_tables import Tables
    from dialoom.storage.store import Notice

ADA = ChatKey("tea", "rest", "ada")


def _calls(place: str, *messages: str) -> dict[str, Any]:
    """A step that calls outside, with the number of its event."""
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
PERFORMED = ("chat", "hold", "let_go", "orphans", "accept", "answered", "journal", "journaled", "commit", "due")


class View(MemoryStore):
    """One process's view. ``pause`` is awaited before and after each of its questions; ``hears``: whether what is told
    reaches it; ``is_away``: whether the database does not answer."""

    def __init__(self, tables: Tables, pause: Callable[[], Awaitable[None]] | None = None) -> None:
        super().__init__(tables)
        self.is_shared = True
        self.pause = pause
        self.is_away = False
        self.hears = True
        self.accepted: list[tuple[int, str]] = []
        self.asked: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return self.paced(name, found) if name in PERFORMED else found

    def paced(self, name: str, method: Any) -> Any:
        async def ask(*args: Any) -> Any:
            self.asked.append(name)
            if self.pause is not None:
                await self.pause()
            if self.is_away:
                raise StoreError("away")
            answer = await method(*args)
            if name == "accept" and args[3] is not None and hasattr(answer, "number"):
                self.accepted.append((answer.number, args[3].key))
            if self.pause is not None:
                await self.pause()
            return answer

        return ask

    def _hear(self, notice: Notice) -> None:
        if self.hears or notice.kind == "lost":
            super()._hear(notice)

    def stall(self) -> None:
        """Out of touch without knowing it: the others see its chats free."""
        self._tables.free(self._view)


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


def soon(work: Awaitable[Any]) -> asyncio.Task[Any]:
    return asyncio.ensure_future(asyncio.wait_for(work, PATIENCE))


def texts(answer: Any) -> list[str]:
    assert answer.status == 200, answer.body
    return [said["text"] for said in answer.json]


def called(*clients: Client) -> list[tuple[str, str | None]]:
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

    answers = await asyncio.gather(*(soon(send(number)) for number in range(count)))
    return {str(number): answer for number, answer in enumerate(answers)}


@contextlib.asynccontextmanager
async def processes(folder: Path, *views: View, **bot: Any) -> AsyncIterator[list[Client]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(serving(folder, fetcher=HeldFetcher(), store=view, **bot)) for view in views
        ]


async def until(claim: Callable[[], Any], *clients: Client, seconds: float = 0.0) -> None:
    """Wait until it is true; the clocks of the clients go on by ``seconds`` at each look."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    while not claim():
        assert loop.time() < end, "did not come true"
        for client in clients:
            client.clock.move(seconds)
        await asyncio.sleep(0.001)


async def to_the_call(client: Client, sender: str = "ada") -> asyncio.Task[Any]:
    """Up to the outside call, which is left waiting."""
    for number, text in enumerate(("tea", "green")):
        await client.texts(text, sender=sender, id=f"{sender}-{number}")
    before = len(client.fetcher.requests)
    waiting = soon(client.say("open sesame", sender=sender, id=f"{sender}-call"))
    await until(lambda: len(client.fetcher.requests) > before)
    return waiting


def heard(tables: Tables, user: str = "ada") -> list[str | None]:
    """The texts of the user, in the order of their turns."""
    said = tables.said[ChatKey("tea", "rest", user)]
    return [said[position].record.text for position in sorted(said) if said[position].record.from_ == "user"]
