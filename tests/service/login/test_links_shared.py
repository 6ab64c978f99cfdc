"""Login links of a bot that several processes serve."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.service.login.chatting import (
    DATA,
    KEYS,
    OVER,
    THANKS,
    WORDS,
    flow,
    later,
    log_in,
    prompted,
    refused,
)
from tests.service.views import View, processes

from dialoom.errors import RequestError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.views import Tables


async def test_the_pages_may_be_another_processs_than_the_chat(tmp_path: Path, tables: Tables) -> None:
    async with processes(tmp_path, View(tables), View(tables), flow=flow(), training=WORDS, keys=KEYS) as (one, two):
        state = await prompted(one)
        await log_in(two, state)
        said: list[str] = []
        while len(said) < 2:
            said += await later(one)
            await asyncio.sleep(0)
        assert said == [THANKS, DATA]
        assert (await refused(one.service.links.open(state))) == OVER


async def test_of_many_that_come_to_two_processes_at_once_one_has_the_link(tmp_path: Path, tables: Tables) -> None:
    async with processes(tmp_path, View(tables), View(tables), flow=flow(), training=WORDS, keys=KEYS) as clients:
        state = await prompted(clients[0])
        links = [client.service.links for client in clients]
        await links[1].tie(await links[0].open(state), "off")
        work = (links[number % 2].take(state, None) for number in range(32))
        found = await asyncio.gather(*work, return_exceptions=True)
        assert sum(not isinstance(one, RequestError) for one in found) == 1
