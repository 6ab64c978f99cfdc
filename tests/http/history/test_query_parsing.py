"""Reading the parameters of a history query never keeps the event loop from others."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING

import pytest
from tests.http.support import serving
from tests.storage import hostile

from dialoom.errors import RequestError
from dialoom.http.history.parameters import LONG_QUERY_CHARS, HistoryParameters, QueryParsing, read_parameters
from dialoom.storage.store import TooSlow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

REGEX = '{"Text": {"$regex": "[a]b"}}'


class Read:
    """Reads, and tells on which threads. Those with a regular expression wait for the gate, as if it were large."""

    def __init__(self) -> None:
        self.on: list[threading.Thread] = []
        self.gate = threading.Event()
        self.begun = threading.Event()

    def __call__(self, given: Mapping[str, str]) -> HistoryParameters:
        self.on.append(threading.current_thread())
        self.begun.set()
        if "query" in given:
            assert self.gate.wait(10)
        return read_parameters(given)


@pytest.mark.parametrize(
    ("query", "is_here"),
    [
        ('{"Text": "a"}', True),
        (REGEX, False),
        ('{"Text": {"$re\\u0067ex": "[a]b"}}', False),
        (json.dumps({"Text": "a" * LONG_QUERY_CHARS}), False),
    ],
)
async def test_what_takes_long_is_not_read_on_the_event_loop(query: str, is_here: bool) -> None:
    read = Read()
    read.gate.set()
    await QueryParsing(read).read({"query": query})
    assert (read.on == [threading.current_thread()]) == is_here


async def test_queries_with_regular_expressions_are_read_one_after_the_other_and_others_beside_them() -> None:
    read = Read()
    reading = QueryParsing(read)
    asking = [asyncio.create_task(reading.read({"query": REGEX})) for _ in range(3)]
    await asyncio.to_thread(read.begun.wait, 10)
    await reading.read({"limit": "5"})
    assert len(read.on) == 2
    read.gate.set()
    assert len(await asyncio.gather(*asking)) == 3


async def test_who_waits_for_its_turn_too_long_is_told_so() -> None:
    read = Read()
    reading = QueryParsing(read, seconds=0.01)
    first = asyncio.create_task(reading.read({"query": REGEX}))
    await asyncio.to_thread(read.begun.wait, 10)
    with pytest.raises(TooSlow, match="at once"):
        await reading.read({"query": REGEX})
    read.gate.set()
    await first


async def test_a_query_that_is_refused_leaves_the_turn_to_the_next() -> None:
    reading = QueryParsing()
    for _ in range(2):
        with pytest.raises(RequestError):
            await reading.read({"query": '{"Text": {"$regex": "("}}'})
    await reading.read({"query": REGEX})


async def test_a_short_query_of_large_expressions_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        answer = await client.history("messages", query=json.dumps(hostile.REFUSED))
        assert (answer.status, answer.json["code"]) == (400, "regex-too-large")
        assert "\\p{L}" in answer.json["detail"]
