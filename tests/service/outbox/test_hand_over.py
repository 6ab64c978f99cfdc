"""The status of a record that a person has taken over (history-api.md, Records)."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.http.support import FLOW, serving

from dialoom.data.egress import Egress
from dialoom.data.fetcher import HttpFetcher

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Client

HAND_OVER = [
    {"type": "question", "entity": "topic", "entity-type": "Text", "messages": ["What about?"]},
    {"type": "message", "messages": ["Someone will be with you."]},
    {"type": "command", "command": "stay-silent 10", "live-agent": "desk"},
    {"type": "question", "entity": "happy", "entity-type": "Text", "messages": ["All well?"]},
]


def handing_over(*more: dict[str, Any]) -> dict[str, Any]:
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["tea"]["steps"] = [*HAND_OVER, *more]
    return flow


async def handed_over(client: Client) -> dict[str, Any]:
    for text in ("tea", "a refund"):
        await client.texts(text)
    return await the_record(client)


async def the_record(client: Client) -> dict[str, Any]:
    return (await client.history("conversations")).json[-1]


async def test_a_record_that_a_person_took_over_says_so_until_its_goal_is_completed(tmp_path: Path) -> None:
    async with serving(tmp_path, handing_over()) as client:
        assert (await handed_over(client))["Status"] == "handed-over"
        assert await client.texts("hello?") == []
        record = await the_record(client)
        assert (record["Status"], record["Messages"]["user"]) == ("handed-over", 3)
        client.clock.move(11 * 60)
        assert await client.texts("thanks") == ["All well?"]
        assert (await the_record(client))["Status"] == "handed-over"
        await client.texts("yes")
        assert (await the_record(client))["Status"] == "success"


async def test_a_restart_ends_a_record_that_was_handed_over_as_that(tmp_path: Path) -> None:
    async with serving(tmp_path, handing_over()) as client:
        await handed_over(client)
        await client.texts("restart")
        record = await the_record(client)
        assert record["Status"] == "handed-over"
        assert record["EndedAt"] is not None


async def test_a_failure_after_a_hand_over_is_counted_and_the_record_stays_handed_over(tmp_path: Path) -> None:
    source = {"endpoint": "http://127.0.0.1:1/"}
    fetcher = HttpFetcher(Egress(allow_private=True, allowed_hosts=frozenset(), own_addresses=frozenset()))
    async with serving(tmp_path, handing_over({"type": "webhook", "data-source": source}), fetcher) as client:
        await handed_over(client)
        client.clock.move(11 * 60)
        for text in ("thanks", "yes"):
            await client.texts(text)
        record = await the_record(client)
        assert (record["Status"], record["Errors"]) == ("handed-over", 1)


async def test_a_session_that_times_out_leaves_a_record_handed_over(tmp_path: Path) -> None:
    async with serving(tmp_path, handing_over()) as client:
        await handed_over(client)
        client.clock.move(1441 * 60)
        await client.texts("hello")
        first, _ = (await client.history("conversations")).json
        assert first["Status"] == "handed-over"
        assert first["EndedAt"] is not None
