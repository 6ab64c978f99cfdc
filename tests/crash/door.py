"""One client's way to the service: repeats what got no answer, and goes to another address when one is gone."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import aiohttp
from tests.crash.check import Fault

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

PATIENCE = 90.0
"""Seconds until a request that gets no answer counts as lost."""
GONE = (aiohttp.ClientError, asyncio.TimeoutError, ConnectionError)


class Stuck(Exception):
    """A request got no answer at all, or one that no repetition changes."""


class Tally:
    """What all clients met: faults, and how often what was repeated."""

    def __init__(self) -> None:
        self._faults: Counter[Fault] = Counter()
        self.met: Counter[str] = Counter()
        self.longest = 0.0
        """Seconds that the slowest request took with all its repetitions."""

    @property
    def faults(self) -> list[Fault]:
        return list(self._faults.elements())

    def fault(self, kind: str, whose: str, what: str) -> None:
        self._faults[Fault(kind, whose, what)] += 1

    def found(self, faults: Iterable[Fault]) -> None:
        """What one look found; the next look finds it again, and it is one fault all the same."""
        self._faults |= Counter(faults)


class Door:
    """``strays``: how many of the requests go to another address on purpose, as behind a load balancer."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        urls: Sequence[str],
        whose: str,
        tally: Tally,
        draw: random.Random,
        strays: float = 0.1,
    ) -> None:
        self.session = session
        self.urls = urls
        self.whose = whose
        self.tally = tally
        self.draw = draw
        self._home = draw.randrange(len(urls))
        self._strays = strays
        self._gone_at = [-9.0] * len(urls)

    @property
    def url(self) -> str:
        """Where the next request goes: home, unless it was gone a moment ago."""
        order = [(self._home + step) % len(self.urls) for step in range(len(self.urls))]
        if self.draw.random() < self._strays:
            order.reverse()
        now = time.monotonic()
        return self.urls[next((place for place in order if now - self._gone_at[place] > 1.0), order[0])]

    def gone(self, url: str) -> None:
        self._gone_at[self.urls.index(url)] = time.monotonic()

    async def ask(
        self, method: str, path: str, authorization: str, body: Any = None, query: dict[str, str] | None = None
    ) -> Any:
        """The JSON of a 2xx answer, however often it takes to ask. Raises ``Stuck``."""
        began = time.monotonic()
        while (taken := time.monotonic() - began) < PATIENCE:
            found = await self._once(method, path, authorization, body, query)
            if found is not None:
                self.tally.longest = max(self.tally.longest, taken)
                return found[0]
        self.tally.fault("lost", self.whose, f"{method} {path} got no answer in {PATIENCE:g} s: {body}")
        raise Stuck(path)

    async def _once(
        self, method: str, path: str, authorization: str, body: Any, query: dict[str, str] | None
    ) -> tuple[Any] | None:
        url = self.url
        headers = {"Authorization": authorization}
        try:
            async with self.session.request(method, url + path, json=body, params=query, headers=headers) as answer:
                status, content = answer.status, await answer.read()
                if 200 <= status < 300:
                    return (await answer.json(),)
                retry = answer.headers.get("Retry-After")
        except GONE as error:
            self.tally.met[f"{type(error).__name__}{f' {method} {path}' * isinstance(error, TimeoutError)}"] += 1
            self.gone(url)
            await asyncio.sleep(self.draw.uniform(0.02, 0.15))
            return None
        self.tally.met[str(status)] += 1
        if status == 503 and retry is not None:
            self.gone(url)
        elif status != 409:
            self.tally.fault("error", self.whose, f"{method} {path}: {status} {content[:300].decode()}")
            if status < 500 and status != 429:
                raise Stuck(path)
        await asyncio.sleep(self.draw.uniform(0.05, 0.3))
        return None
