"""Many messages of one user at two processes at once: in which order they are answered, and what others feel of it.

``python -m tests.crash.sharing`` prints the figures; the order is a test's.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
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
WEB = f"/v1/bots/{bots.LEDGER}/channels/web/web"
REST = f"/v1/bots/{bots.LEDGER}/channels/rest/rest/crash"


class Thrown(NamedTuple):
    """A message with the moments at which it was sent first, and was known to be accepted."""

    text: str
    sent: float
    accepted: float


class Shared(NamedTuple):
    """``told``: texts of the user in the order of their turns. ``numbered``: in that of their inbox numbers."""

    thrown: list[Thrown]
    told: list[str]
    answers: list[str]
    numbered: list[str]
    alone: list[float]
    beside: list[float]


async def share(place: Path, rounds: int, server: Server) -> Shared:
    """Throw so many rounds of messages at two services, beside other users who talk."""
    draw = random.Random(5)
    database = server.database()
    services = two_on_postgres(bots.write(place / "bots", "http://127.0.0.1:9"), place, database)
    pair = OneOfTwo(services, draw)
    try:
        await pair.start()
        async with aiohttp.ClientSession() as session:
            alone = await _talk_beside(session, pair.urls, "before", asyncio.sleep(3.0))
            opened = await _post(session, f"{pair.urls[0]}{WEB}/sessions", bots.token(bots.LEDGER, "web"), {})
            user, thrown = opened["user"]["id"], list[Thrown]()
            throwing = _throw(session, pair.urls, opened["token"], rounds, thrown)
            beside = await _talk_beside(session, pair.urls, "beside", throwing)
            told, answers = await _all_said(session, pair.urls[0], opened["token"], 2 * len(thrown))
        await pair.stop()
        kept = query(database, NUMBERED, user)
        texts = {f"m{one.text.rsplit(' ', 1)[1]}": one.text for one in thrown}
        return Shared(thrown, told, answers, [texts[key] for (key,) in kept], alone, beside)
    finally:
        pair.kill_now()


async def _post(session: aiohttp.ClientSession, url: str, token: str, body: object) -> dict[str, Any]:
    """However often it is refused because too many wait already, or the database was too slow: again, under its id."""
    while True:
        async with session.post(url, json=body, headers={"Authorization": f"Bearer {token}"}) as answer:
            if answer.status not in (429, 503):
                assert answer.status in (200, 202), await answer.text()
                found = await answer.json()
                return found if isinstance(found, dict) else {"messages": found}
        await asyncio.sleep(0.05)


async def _throw(
    session: aiohttp.ClientSession, urls: Sequence[str], token: str, rounds: int, thrown: list[Thrown]
) -> None:
    async def one(number: int) -> None:
        text, sent = f"message number {number}", time.monotonic()
        body = {"id": f"m{number}", "text": text}
        await _post(session, f"{urls[number % len(urls)]}{WEB}/messages", token, body)
        thrown.append(Thrown(text, sent, time.monotonic()))

    for first in range(0, rounds * MESSAGES, MESSAGES):
        await asyncio.gather(*[one(first + number) for number in range(MESSAGES)])


async def _talk_beside(
    session: aiohttp.ClientSession, urls: Sequence[str], name: str, work: Awaitable[None]
) -> list[float]:
    """Seconds that each answer took to users who talk while ``work`` goes on."""
    took: list[float] = []

    async def talk(user: str, url: str) -> None:
        token, number = bots.token(bots.LEDGER, "rest"), 0
        while True:
            number += 1
            began = time.monotonic()
            body = {"sender": {"id": user}, "message": {"id": str(number), "text": f"hello {number}"}}
            await _post(session, f"{url}{REST}", token, body)
            took.append(time.monotonic() - began)
            await asyncio.sleep(0.02)

    talks = [asyncio.create_task(talk(f"{name} {n}", urls[n % len(urls)])) for n in range(OTHERS)]
    try:
        await work
    finally:
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
    return took


async def _all_said(session: aiohttp.ClientSession, url: str, token: str, count: int) -> tuple[list[str], list[str]]:
    """What the user said and was answered, by position, once so many messages are there."""
    found: list[dict[str, str]] = []
    after, end = "0", time.monotonic() + 180
    while len(found) < count:
        assert time.monotonic() < end, f"{len(found)} of {count} messages came"
        headers = {"Authorization": f"Bearer {token}"}
        async with session.get(f"{url}{WEB}/messages", params={"after": after, "wait": "5"}, headers=headers) as answer:
            page = await answer.json()
        found += page["messages"]
        after = page["next"]
    whom = [message["from"] for message in found]
    assert whom == ["user", "bot"] * (count // 2), "an answer does not follow its message"
    return [m["text"] for m in found[::2]], [m["text"] for m in found[1::2]]


def percentile(took: Sequence[float], share: int) -> float:
    """Milliseconds."""
    return statistics.quantiles(took, n=100)[share - 1] * 1000


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="dialoom-crash-") as place, running_server() as server:
        shared = asyncio.run(share(Path(place), ROUNDS, server))
    print(f"{len(shared.thrown)} messages of one user at two processes, {MESSAGES} at once")
    for name, took in (("alone", shared.alone), ("beside", shared.beside)):
        print(
            f"{OTHERS} others {name}: {len(took)} answers, p50 {percentile(took, 50):.1f} ms, p99 {percentile(took, 99):.1f} ms"
        )


if __name__ == "__main__":
    main()
