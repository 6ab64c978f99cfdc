"""Lets many users talk, kills at random instants, and compares what is found after each kill and in the end."""

from __future__ import annotations

import asyncio
import datetime
import json
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import aiohttp
import msgspec
from tests.crash import bots, check
from tests.crash.check import Fault, Kept
from tests.crash.desk import Desk, Guest, Person
from tests.crash.door import PATIENCE, Door, Tally
from tests.crash.outside import Moments, Outside
from tests.crash.users import Brief, Buyer, Caller, RestBuyer, User, WebBuyer

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

    from tests.crash.victims import Victim

PAGE = 1000
LATEST_START_KILL = 1.5
DELIVERED_WITHIN = 150.0
WINDOW = PATIENCE + 30.0
"""Seconds of history that are read again after each kill; the end reads all. A message has the time at which it was
accepted, and may wait for its turn as long as its sender waits for the answer."""


class Crowd(msgspec.Struct, frozen=True):
    """How many users of each kind."""

    rest: int = 10
    streaming: int = 4
    polling: int = 3
    brief: int = 4
    callers: int = 3
    """The end waits for what is delivered to them. What was on its way at a kill is tried again with the next start on
    SQLite, on PostgreSQL 60 s after it was taken."""
    guests: int = 0
    """Who wait for a person."""
    people: int = 0
    """Who answer them through the studio."""

    @property
    def moments(self) -> tuple[str, ...]:
        """What kills are aimed at."""
        return ("any", "said", "acted") if self.guests else ("any", "call", "result", "said", "post")


HAND_OFFS = Crowd(rest=0, streaming=0, polling=0, brief=0, callers=0, guests=8, people=3)


class Outcome(msgspec.Struct):
    """A row of the table."""

    what: str
    store: str
    kills: int = 0
    starts: int = 0
    """Of the kills, those in the middle of a start."""
    conversations: int = 0
    messages: int = 0
    repeated: int = 0
    """Outside calls made again."""
    timers: int = 0
    posts: int = 0
    posted_again: int = 0
    """Deliveries that came again although they had been taken."""
    seconds: float = 0.0
    longest: float = 0.0
    faults: list[Fault] = []
    met: dict[str, int] = {}

    def count(self, *kinds: str) -> int:
        return sum(fault.kind in kinds for fault in self.faults)


class Harness:
    """``make`` gives the victim, of the bots' folders."""

    def __init__(self, place: Path, draw: random.Random, crowd: Crowd, make: Callable[[list[Path]], Victim]) -> None:
        self._place = place
        self._draw = draw
        self._crowd = crowd
        self._make = make
        self._tally = Tally()
        self._moments = Moments()
        self._outside = Outside(self._moments, draw)
        self._users: list[User] = []
        self._people: list[Person] = []
        self._kills: list[float] = []
        self._mirror: dict[str, dict[str, Any]] = {}
        """Messages of ``ledger`` by id, as the history gave them."""
        self._order: dict[str, str] = {}
        """When each conversation began, by id."""
        self._read_at = time.time()

    async def run(self, kills: int) -> Outcome:
        began = time.monotonic()
        await self._outside.start()
        victim = self._make(bots.write(self._place / "bots", self._outside.url))
        outcome = Outcome(victim.what, victim.store)
        timeout = aiohttp.ClientTimeout(total=60, sock_connect=5)
        try:
            async with aiohttp.ClientSession(timeout=timeout) as session:
                await victim.start()
                self._invite(session, victim)
                await asyncio.gather(*[person.sign_in(victim.services[0]) for person in self._people])
                watcher = Door(session, victim.urls, "the checker", self._tally, self._draw)
                talking = [asyncio.create_task(user.run()) for user in self._users]
                answering = [asyncio.create_task(person.run()) for person in self._people]
                try:
                    await self._kill(victim, kills, watcher, outcome)
                    for user in self._users:
                        user.is_over = True
                    await asyncio.gather(*talking)
                finally:
                    for task in (*talking, *answering):
                        task.cancel()
                    await asyncio.gather(*talking, *answering, return_exceptions=True)
                await self._delivered()
                await self._check_all(watcher, outcome)
                await victim.stop()
        finally:
            victim.kill_now()
            await self._outside.stop()
        outcome.seconds = time.monotonic() - began
        outcome.faults = self._tally.faults
        outcome.met = dict(self._tally.met)
        outcome.longest = self._tally.longest
        return outcome

    def _invite(self, session: aiohttp.ClientSession, victim: Victim) -> None:
        def door(name: str) -> Door:
            return Door(session, victim.urls, name, self._tally, self._draw)

        crowd, moments, draw = self._crowd, self._moments, self._draw
        self._users += [RestBuyer(name, door(name), moments, draw) for name in _names("r", crowd.rest)]
        self._users += [
            WebBuyer(name, door(name), moments, draw, streams=True) for name in _names("s", crowd.streaming)
        ]
        self._users += [WebBuyer(name, door(name), moments, draw, streams=False) for name in _names("p", crowd.polling)]
        self._users += [Brief(name, door(name), moments, draw) for name in _names("b", crowd.brief)]
        self._users += [Caller(name, door(name), moments, draw) for name in _names("c", crowd.callers)]
        desk = Desk()
        self._users += [Guest(name, door(name), moments, draw, desk) for name in _names("g", crowd.guests)]
        self._people = [Person(name, door(name), moments, draw, desk) for name in _names("agent-", crowd.people)]

    # -- kills

    async def _kill(self, victim: Victim, kills: int, watcher: Door, outcome: Outcome) -> None:
        # Once everybody is in the middle of something.
        await asyncio.sleep(1.0)
        while outcome.kills < kills:
            await self._instant(victim.longest_run)
            await victim.strike()
            self._count(outcome)
            await victim.begin_again()
            while outcome.kills < kills and self._draw.random() < victim.in_starts:
                await asyncio.sleep(self._draw.uniform(0, LATEST_START_KILL))
                await victim.strike_again()
                self._count(outcome)
                outcome.starts += 1
                await victim.begin_again()
            await victim.ready()
            await self._check_seen(watcher)

    def _count(self, outcome: Outcome) -> None:
        outcome.kills += 1
        self._kills.append(time.monotonic())

    async def _instant(self, longest: float) -> None:
        """Any time, or just after something that a kill may tear in two."""
        kind = self._draw.choice(self._crowd.moments)
        await asyncio.sleep(self._draw.uniform(0.05, longest))
        if kind != "any":
            await self._moments.next(kind, 2.0)
            await asyncio.sleep(self._draw.choice((0.0, 0.001, 0.003, 0.01, 0.03)) * self._draw.random())

    # -- checks

    @property
    def _buyers(self) -> list[Buyer]:
        return [user for user in self._users if isinstance(user, Buyer)]

    @property
    def _callers(self) -> list[Caller]:
        return [user for user in self._users if isinstance(user, Caller)]

    async def _check_seen(self, watcher: Door) -> None:
        """After a kill: whatever any user has seen is there, each once, in its order."""
        seen = {user.name: list(user.seen) for user in self._buyers}
        now = time.time()
        since = {"CreatedAt": {"$gte": {"$date": round((self._read_at - WINDOW) * 1000)}}}
        self._read_at = now
        known = set(self._mirror)
        found = await _pages(watcher, bots.LEDGER, "messages", since)
        self._mirror |= {message["_id"]: message for message in found}
        gone = [
            message
            for id, message in self._mirror.items()
            if id in known and _at(message) > now - WINDOW / 2 and id not in {message["_id"] for message in found}
        ]
        for message in gone:
            self._tally.fault("lost", message["User"], f"was in the history before the kill: {check.line_of(message)}")
        by_user: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for message in self._mirror.values():
            by_user[message["User"]].append(message)
        for user in self._buyers:
            mine = sorted(by_user[user.id], key=lambda message: (message["Conversation"], message["Sequence"]))
            lines = [check.line_of(message) for message in mine]
            self._tally.found(check.check_seen(user.name, seen[user.name], lines))

    async def _check_all(self, watcher: Door, outcome: Outcome) -> None:
        for bot in (bots.LEDGER, bots.BRIEF, bots.DESK, bots.QUEUE):
            kept = await _conversations(watcher, bot)
            for user in self._users:
                if user.bot == bot:
                    mine = kept[user.id]
                    self._tally.found(check.check_chat(user.name, user.wanted(self._outside), mine))
                    if isinstance(user, Brief):
                        self._check_timers(user, mine)
                        outcome.timers += len(mine)
                    if isinstance(user, Guest):
                        self._tally.found(user.check(mine))
                    outcome.conversations += len(mine)
                    outcome.messages += sum(len(conversation.messages) for conversation in mine)
        for buyer in self._buyers:
            began = 0.0
            for order in buyer.orders:
                calls = self._outside.calls[order.item]
                # Of several that were said at once, the turn of one begins after the calls of the one before.
                began, ended = max(began, order.began), order.ended or time.monotonic()
                meanwhile = sum(began <= kill <= ended for kill in self._kills)
                self._tally.found(check.check_calls(buyer.name, calls, meanwhile))
                outcome.repeated += max(0, check.repeats(calls))
                began = max([call.at for call in calls], default=ended)
        for person in self._people[:1]:
            for row in await person.rows():
                self._tally.fault("wrong", row["user"], "waits for a person after the end of all talks")
        for caller in self._callers:
            posts = self._outside.posts[caller.id]
            self._tally.found(check.check_posts(caller.name, posts, caller.count))
            outcome.posts += caller.count
            outcome.posted_again += sum(post.is_taken for post in posts) - self._outside.taken(caller.id)

    async def _delivered(self) -> None:
        """Wait for what is still on its way."""
        end = time.monotonic() + DELIVERED_WITHIN
        while time.monotonic() < end and any(self._outside.taken(user.id) < user.count for user in self._callers):
            await self._moments.next("post", 1.0)

    def _check_timers(self, user: User, kept: list[Kept]) -> None:
        """A timer that fired twice would end the session after its own too early."""
        for conversation in kept:
            if conversation.record["EndedAt"] is None:
                continue
            lasted = _time(conversation.record["EndedAt"]) - _at(conversation.messages[-1])
            if lasted < bots.SESSION_SECONDS - 0.01:
                self._tally.fault("timer", user.name, f"a session ended after {lasted:.3f} s")


def _names(letter: str, count: int) -> list[str]:
    return [f"{letter}{number}" for number in range(count)]


def _time(text: str) -> float:
    return datetime.datetime.fromisoformat(text).timestamp()


def _at(message: dict[str, Any]) -> float:
    return _time(message["CreatedAt"])


async def _conversations(watcher: Door, bot: str) -> defaultdict[str, list[Kept]]:
    """By user, in their order."""
    messages: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for message in await _pages(watcher, bot, "messages", {}):
        messages[message["Conversation"]].append(message)
    kept: defaultdict[str, list[Kept]] = defaultdict(list)
    for record in await _pages(watcher, bot, "conversations", {}):
        mine = sorted(messages[record["_id"]], key=lambda message: message["Sequence"])
        kept[record["User"]].append(Kept(record, tuple(mine)))
    return kept


async def _pages(watcher: Door, bot: str, what: str, where: dict[str, Any]) -> list[dict[str, Any]]:
    """All that match, by ``_id``, that is by time."""
    authorization = f"Bot-Server-Access-Token {bots.token(bot, 'history')}"
    found: list[dict[str, Any]] = []
    while True:
        after = {"_id": {"$gt": found[-1]["_id"]}} if found else {}
        query = {"query": json.dumps(where | after), "limit": str(PAGE)}
        page = await watcher.ask("GET", f"/v1/bots/{bot}/{what}", authorization, query=query)
        found += page
        if len(page) < PAGE:
            return found
