"""The users of the harness. Each knows what it said and what it has seen; what must be kept follows from that.

Users of ``rest`` wait for each answer; users of ``web`` read a stream of events or poll, and sometimes say all of several
orders at once, so that much waits in their inbox; users of ``brief`` say one thing and are forgotten by a timer; callers of ``desk`` are handed over again and again.
"""

from __future__ import annotations

import asyncio
import json
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tests.crash import bots
from tests.crash.check import Line, Wanted
from tests.crash.door import GONE, PATIENCE, Stuck

if TYPE_CHECKING:
    import random

    from tests.crash.door import Door
    from tests.crash.outside import Moments, Outside

THINKING = 0.25
"""Longest pause before a message."""


class Order:
    """One conversation of a user of ``ledger``. ``began`` and ``ended`` span the turn that calls the outside."""

    def __init__(self, number: int, item: str, amount: int) -> None:
        self.number = number
        self.item = item
        self.amount = amount
        self.began = time.monotonic()
        self.ended: float | None = None

    @property
    def texts(self) -> tuple[str, str, str]:
        return bots.ORDER, self.item, str(self.amount)


class User(ABC):
    """``is_over``: whether it is time to go, asked between two conversations."""

    def __init__(self, name: str, door: Door, moments: Moments, draw: random.Random) -> None:
        self.name = name
        self.id = name
        """By which the service knows it."""
        self.door = door
        self.moments = moments
        self.draw = draw
        self.seen: list[Line] = []
        """What it has said and was answered, or has read."""
        self.is_over = False

    bot = bots.LEDGER

    async def run(self) -> None:
        """Talks until it is over; whoever gets stuck has said so to the tally."""
        try:
            while not self.is_over:
                await self.talk()
        except Stuck:
            return

    @abstractmethod
    async def talk(self) -> None:
        """One conversation."""

    @abstractmethod
    def wanted(self, outside: Outside) -> list[Wanted]:
        """What must be kept of it in the end."""

    async def think(self) -> None:
        await asyncio.sleep(self.draw.uniform(0, THINKING))
        self.moments.happened("said")


class Buyer(User):
    """Orders again and again; its sum grows over all orders."""

    def __init__(self, name: str, door: Door, moments: Moments, draw: random.Random) -> None:
        super().__init__(name, door, moments, draw)
        self.orders: list[Order] = []

    def order(self) -> Order:
        """The next one."""
        number = len(self.orders) + 1
        order = Order(number, f"tea {number} of {self.name}", self.draw.randint(1, 9))
        self.orders.append(order)
        return order

    def wanted(self, outside: Outside) -> list[Wanted]:
        found, total = [], 0
        for order in self.orders:
            total += order.amount
            number, price = outside.numbers.get(order.item, "?"), bots.price_of(order.item)
            answers = (
                bots.WHICH,
                bots.how_many(order.item),
                bots.booked(order.item, order.amount, price, number, total),
            )
            pairs = zip(order.texts, answers, strict=True)
            lines = tuple(line for said, told in pairs for line in (Line("user", said), Line("bot", told)))
            entities = {
                "item": order.item,
                "amount": order.amount,
                "price": {"cents": price},
                "booking": {"number": number},
                "total": total,
            }
            found.append(Wanted(lines, "success", "order", entities))
        return found


async def say_on_rest(user: User, text: str, id: str) -> None:
    """A message and its answer; the same id again until there is one."""
    path = f"/v1/bots/{user.bot}/channels/rest/rest/crash"
    body = {"sender": {"id": user.id}, "message": {"id": id, "text": text}}
    answer = await user.door.ask("POST", path, f"Bearer {bots.token(user.bot, 'rest')}", body)
    user.seen.append(Line("user", text))
    user.seen += [Line("bot", message["text"]) for message in answer]


class RestBuyer(Buyer):
    async def talk(self) -> None:
        order = self.order()
        for place, text in enumerate(order.texts):
            await self.think()
            await say_on_rest(self, text, f"{order.number}.{place}")
        order.ended = time.monotonic()


class WebBuyer(Buyer):
    """``streams``: reads events; else it polls."""

    def __init__(self, name: str, door: Door, moments: Moments, draw: random.Random, *, streams: bool) -> None:
        super().__init__(name, door, moments, draw)
        self._streams = streams
        self._session = ""
        self._position = 0
        self._read = asyncio.Condition()

    _PATH = f"/v1/bots/{bots.LEDGER}/channels/web/web"

    async def run(self) -> None:
        try:
            opened = await self.door.ask("POST", f"{self._PATH}/sessions", f"Bearer {bots.token(self.bot, 'web')}", {})
        except Stuck:
            return
        self.id, self._session = opened["user"]["id"], f"Bearer {opened['token']}"
        reading = asyncio.create_task(self._follow() if self._streams else self._poll())
        try:
            with suppress(Stuck):
                await self._until(1)
                await super().run()
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    def wanted(self, outside: Outside) -> list[Wanted]:
        """Opening the chat was greeted, ahead of the first order."""
        wanted = super().wanted(outside)
        if wanted:
            wanted[0] = wanted[0]._replace(lines=(Line("bot", bots.GREETING), *wanted[0].lines))
        return wanted

    async def talk(self) -> None:
        if self.draw.random() < 0.5:
            await self._say_all_at_once([self.order() for _ in range(self.draw.randint(2, 4))])
            return
        order, before = self.order(), len(self.seen)
        for place, text in enumerate(order.texts):
            await self.think()
            await self._say(text, f"{order.number}.{place}")
            await self._until(before + 2 * (place + 1))
        order.ended = time.monotonic()

    async def _say_all_at_once(self, orders: list[Order]) -> None:
        before = len(self.seen)
        for order in orders:
            for place, text in enumerate(order.texts):
                await self._say(text, f"{order.number}.{place}")
        for order in orders:
            before += 2 * len(order.texts)
            await self._until(before)
            order.ended = time.monotonic()

    async def _say(self, text: str, id: str) -> None:
        await self.door.ask("POST", f"{self._PATH}/messages", self._session, {"id": id, "text": text})

    async def _until(self, count: int) -> None:
        """So many messages were read."""
        try:
            async with asyncio.timeout(PATIENCE), self._read:
                await self._read.wait_for(lambda: len(self.seen) >= count)
        except TimeoutError as error:
            self.door.tally.fault("lost", self.name, f"message {count} never came; the last is {self.seen[-1:]}")
            raise Stuck(self.name) from error

    async def _take(self, message: dict[str, Any]) -> None:
        """Positions are counted without a gap: each message comes once, in its order."""
        position = message["position"]
        if position != self._position + 1:
            kind = "doubled" if position <= self._position else "lost"
            self.door.tally.fault(kind, self.name, f"read message {position} after {self._position}")
        async with self._read:
            self._position = position
            self.seen.append(Line(message["from"], message["text"]))
            self._read.notify_all()

    async def _poll(self) -> None:
        while True:
            query = {"after": str(self._position), "wait": "5"}
            found = await self.door.ask("GET", f"{self._PATH}/messages", self._session, query=query)
            for message in found["messages"]:
                await self._take(message)

    async def _follow(self) -> None:
        """An event stream, opened again where it broke off."""
        while True:
            url = self.door.url
            headers = {"Authorization": self._session, "Last-Event-ID": str(self._position)}
            try:
                async with self.door.session.get(f"{url}{self._PATH}/events", headers=headers) as stream:
                    if stream.status == 200:
                        async for line in stream.content:
                            await self._hear(line.decode().rstrip("\n"))
                    elif stream.status != 503:
                        self.door.tally.fault("error", self.name, f"events: {stream.status} {await stream.text()}")
            except GONE:
                self.door.gone(url)
            await asyncio.sleep(self.draw.uniform(0.02, 0.2))

    async def _hear(self, line: str) -> None:
        if line.startswith("data: ") and "position" in (found := json.loads(line.removeprefix("data: "))):
            await self._take(found)


class Brief(User):
    """Says one thing and waits until its record was ended by the timer."""

    bot = bots.BRIEF

    def __init__(self, name: str, door: Door, moments: Moments, draw: random.Random) -> None:
        super().__init__(name, door, moments, draw)
        self.count = 0

    async def talk(self) -> None:
        self.count += 1
        await self.think()
        await say_on_rest(self, bots.ORDER, str(self.count))
        end = time.monotonic() + PATIENCE
        while await self._open_records():
            if time.monotonic() > end:
                self.door.tally.fault("timer", self.name, f"session {self.count} did not end in {PATIENCE:g} s")
                raise Stuck(self.name)
            await asyncio.sleep(0.4)

    async def _open_records(self) -> int:
        authorization = f"Bot-Server-Access-Token {bots.token(self.bot, 'history')}"
        query = {"query": json.dumps({"User": self.id, "EndedAt": None})}
        found = await self.door.ask("GET", f"/v1/bots/{self.bot}/conversations/_count", authorization, query=query)
        return int(found["count"])

    def wanted(self, outside: Outside) -> list[Wanted]:
        lines = (Line("user", bots.ORDER), Line("bot", bots.WHICH))
        return [Wanted(lines, "abandoned", "order", {})] * self.count


class Caller(User):
    """Asks for a person; what it says next ends the bot's silence. All of it is one record."""

    bot = bots.DESK

    def __init__(self, name: str, door: Door, moments: Moments, draw: random.Random) -> None:
        super().__init__(name, door, moments, draw)
        self.count = 0

    async def talk(self) -> None:
        self.count += 1
        await self.think()
        await say_on_rest(self, bots.PERSON, f"{self.count}.0")
        await asyncio.sleep(2 * bots.SILENT_SECONDS)
        await say_on_rest(self, bots.PERSON, f"{self.count}.1")

    def wanted(self, outside: Outside) -> list[Wanted]:
        asked = Line("user", bots.PERSON)
        lines = (asked, Line("bot", bots.MOMENT), asked) * self.count
        return [Wanted(lines, "handed-over", None, {})] if lines else []
