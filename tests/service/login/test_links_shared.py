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
    later_texts,
    log_in,
    reach_prompt,
    refusal_code,
)
from tests.service.process_stores import ProcessStore, processes

from dialoom.errors import RequestError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.process_stores import DatabaseTables


async def test_the_pages_may_be_another_processs_than_the_chat(tmp_path: Path, tables: DatabaseTables) -> None:
    async with processes(
        tmp_path, ProcessStore(tables), ProcessStore(tables), flow=flow(), training=WORDS, keys=KEYS
    ) as (one, two):
        state = await reach_prompt(one)
        await log_in(two, state)
        said: list[str] = []
        while len(said) < 2:
            said += await later_texts(one)
            await asyncio.sleep(0)
        assert said == [THANKS, DATA]
        assert (await refusal_code(one.service.links.open(state))) == OVER


async def test_of_many_that_come_to_two_processes_at_once_one_has_the_link(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    async with processes(
        tmp_path, ProcessStore(tables), ProcessStore(tables), flow=flow(), training=WORDS, keys=KEYS
    ) as clients:
        state = await reach_prompt(clients[0])
        links = [client.service.links for client in clients]
        await links[1].tie(await links[0].open(state), "off")
        work = (links[number % 2].take(state, None) for number in range(32))
        found = await asyncio.gather(*work, return_exceptions=True)
        assert sum(not isinstance(one, RequestError) for one in found) == 1
