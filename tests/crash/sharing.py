"""Many messages of one user at two processes at once: in which order they are answered, and what others feel of it.

``python -m tests.crash.sharing`` prints the figures; the order is a test's.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import aiohttp
from tests.crash import bots
from tests.crash.victims import OneOfTwo, two_on_postgres
from tests.postgres import query, running_server

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from tests.postgres import Server

MESSAGES = 50
ROUNDS = 6
OTHERS = 8
NUMBERED = """select dedupe from answers where "user" = $1 and number is not null order by number"""
"""The keys of a user's messages, in the order of their inbox numbers."""
PASSING = {(429, "too-many-waiting"), (409, "still-running"), (503, "store-away")}
"""Refusals after which the same is sent again: too many of the user's wait already, or the database was too slow, and
what was sent may be on its way all the same."""
WEB = f"/v1/bots/{bots.LEDGER}/channels/web/web"
REST = f"/v1/bots/{bots.LEDGER}/channels/rest/rest/crash"


class Thrown(NamedTuple):
    """A message with the moments at which it was sent first, and was known to be accepted."""

    text: str
    sent: float
    accepted: float


class Shared(NamedTuple):
    """``told``: texts of the user in the order of their turns. ``numbered``: in that of their inbox numbers.
    ``refused``: by code, how often something had to be sent again."""

    thrown: list[Thrown]
    told: list[str]
    answers: list[str]
    numbered: list[str]
    alone: list[float]
    beside: list[float]
    refused: Counter[str]


async def share(place: Path, rounds: int, server: Server) -> Shared:
    """Throw so many rounds of messages at two services, beside other users who talk."""
    draw = random.Random(5)
    database = server.database()
    services = two_on_postgres(bots.write(place / "bots", "http://127.0.0.1:9"), place, database)
    pair = OneOfTwo(services, draw)
    refused: Counter[str] = Counter()
    try:
        await pair.start()
        async with aiohttp.ClientSession() as session:
            client = Sender(session, refused)
            alone = await _talk_beside(client, pair.urls, "before", asyncio.sleep(3.0))
            opened = await client.post(f"{pair.urls[0]}{WEB}/sessions", bots.token(bots.LEDGER, "web"), {})
            user, thrown = opened["user"]["id"], list[Thrown]()
            throwing = _throw(client, pair.urls, opened["token"], rounds, thrown)
            beside = await _talk_beside(client, pair.urls, "beside", throwing)
            told, answers = await _all_said(session, pair.urls[0], opened["token"], 1 + 2 * len(thrown))
        await pair.stop()
        kept = query(database, NUMBERED, user)
        texts = {f"m{one.text.rsplit(' ', 1)[1]}": one.text for one in thrown}
        return Shared(thrown, told, answers, [texts[key] for (key,) in kept], alone, beside, refused)
    finally:
        pair.kill_now()


class Sender:
    def __init__(self, session: aiohttp.ClientSession, refused: Counter[str]) -> None:
        self._session = session
        self._refused = refused

    async def post(self, url: str, token: str, body: object) -> dict[str, Any]:
        """However often it is refused in passing: again, under its id."""
        while True:
            async with self._session.post(url, json=body, headers={"Authorization": f"Bearer {token}"}) as answer:
                found = await answer.json()
                if answer.status in (200, 202):
                    return found if isinstance(found, dict) else {"messages": found}
            assert (answer.status, found["code"]) in PASSING, found
            self._refused[found["code"]] += 1
            await asyncio.sleep(0.05)


async def _throw(client: Sender, urls: Sequence[str], token: str, rounds: int, thrown: list[Thrown]) -> None:
    async def one(number: int) -> None:
        text, sent = f"message number {number}", time.monotonic()
        body = {"id": f"m{number}", "text": text}
        await client.post(f"{urls[number % len(urls)]}{WEB}/messages", token, body)
        thrown.append(Thrown(text, sent, time.monotonic()))

    for first in range(0, rounds * MESSAGES, MESSAGES):
        await asyncio.gather(*[one(first + number) for number in range(MESSAGES)])


async def _talk_beside(client: Sender, urls: Sequence[str], name: str, work: Awaitable[None]) -> list[float]:
    """Seconds that each answer took to users who talk while ``work`` goes on."""
    took: list[float] = []

    async def talk(user: str, url: str) -> None:
        token, number = bots.token(bots.LEDGER, "rest"), 0
        while True:
            number += 1
            began = time.monotonic()
            body = {"sender": {"id": user}, "message": {"id": str(number), "text": f"hello {number}"}}
            await client.post(f"{url}{REST}", token, body)
            took.append(time.monotonic() - began)
            await asyncio.sleep(0.02)

    talks = [asyncio.create_task(talk(f"{name} {n}", urls[n % len(urls)])) for n in range(OTHERS)]
    try:
        await work
    finally:
        for task in talks:
            task.cancel()
        ends = await asyncio.gather(*talks, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception):  # not only cancelled: something was refused for good
            raise end
    return took


async def _all_said(session: aiohttp.ClientSession, url: str, token: str, count: int) -> tuple[list[str], list[str]]:
    """What the user said and was answered after the greeting, by position, once so many messages are there."""
    found: list[dict[str, str]] = []
    after, end = "0", time.monotonic() + 180
    while len(found) < count:
        assert time.monotonic() < end, f"{len(found)} of {count} messages came"
        headers = {"Authorization": f"Bearer {token}"}
        async with session.get(f"{url}{WEB}/messages", params={"after": after, "wait": "5"}, headers=headers) as answer:
            page = await answer.json()
        found += page["messages"]
        after = page["next"]
    greeting, *talk = found
    assert greeting["text"] == bots.GREETING
    whom = [message["from"] for message in talk]
    assert whom == ["user", "bot"] * (len(talk) // 2), "an answer does not follow its message"
    return [m["text"] for m in talk[::2]], [m["text"] for m in talk[1::2]]


def percentile(took: Sequence[float], share: int) -> float:
    """Milliseconds."""
    return statistics.quantiles(took, n=100)[share - 1] * 1000


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="dialoom-crash-") as place, running_server() as server:
        shared = asyncio.run(share(Path(place), ROUNDS, server))
    print(f"{len(shared.thrown)} messages of one user at two processes, {MESSAGES} at once")
    print(f"sent again, by the code of the refusal: {dict(shared.refused)}")
    for name, took in (("alone", shared.alone), ("beside", shared.beside)):
        print(
            f"{OTHERS} others {name}: {len(took)} answers, p50 {percentile(took, 50):.1f} ms, p99 {percentile(took, 99):.1f} ms"
        )


if __name__ == "__main__":
    main()
