"""Traces of real conversations: kept where bot.json says so, masked, for a week, erased with their user."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from tests.http.studio.test_try_outs import Studio, studio
from tests.http.support import BOT
from tests.stores import TemporaryStore

from dialoom.engine.trace import Understood
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.storage.store import StudioRow

TRACED = BOT | {"trace": True}


class SlowTraces(TemporaryStore):
    """Holds a trace back until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.is_let_go = asyncio.Event()

    async def put_studio_row(self, row: StudioRow, expected: int | None) -> bool:
        if row.kind == "trace":
            await self.is_let_go.wait()
        return await super().put_studio_row(row, expected)


async def _traces(room: Studio) -> dict[str, Any]:
    """Return the traces of the only conversation."""
    await room.client.service.traces.written()
    (record,) = (await room.client.history("conversations")).json
    answer = await room.call("GET", f"/traces/{record['_id']}")
    assert answer.status == 200, answer.body
    shown: dict[str, Any] = answer.json
    return shown


async def _order(room: Studio) -> None:
    for text in ("tea", "Green", "sesame"):
        await room.client.say(text)


async def test_the_turns_of_a_traced_bot_are_listed_in_order_and_masked(tmp_path: Path) -> None:
    async with studio(tmp_path, bot=TRACED) as room:
        await _order(room)
        shown = await _traces(room)
        assert shown["isKept"] is True
        assert [turn["trace"][0]["text"] for turn in shown["turns"]] == ["tea", "Green", "***"]
        assert "sesame" not in json.dumps(shown)
        called = next(one for one in shown["turns"][2]["trace"] if one["kind"] == "called")
        assert (called["path"], called["status"]) == ("conversations/tea/steps/2", 200)
        assert isinstance(called["milliseconds"], int)
        messages = (await room.client.history("messages", sort={"CreatedAt": 1})).json
        assert [id for turn in shown["turns"] for id in turn["messages"]] == [one["_id"] for one in messages]


async def test_other_bots_are_not_traced(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        await _order(room)
        assert await _traces(room) == {"isKept": False, "turns": []}


async def test_a_trace_goes_after_seven_days(tmp_path: Path) -> None:
    async with studio(tmp_path, bot=TRACED) as room:
        await room.client.say("tea")
        assert len((await _traces(room))["turns"]) == 1
        room.client.clock.move(60)
        await room.client.say("Green")
        await room.client.service.traces.written()
        room.client.clock.move(7 * 24 * 3600 - 30)
        (record,) = (await room.client.history("conversations")).json
        key = ChatKey("tea", "rest", "ada")
        kept = await room.client.service.traces.of(key, record["_id"])
        # The end of the session may have its turn meanwhile, in which nothing is understood.
        assert [one.text for turn in kept for one in turn.entries if isinstance(one, Understood)] == ["Green"]


async def test_traces_are_erased_with_their_user_and_with_no_other(tmp_path: Path) -> None:
    async with studio(tmp_path, bot=TRACED) as room:
        await room.client.say("tea")
        await room.client.say("tea", sender="grace")
        await room.client.service.traces.written()
        await room.client.service.erasure.erase("tea", "ada")
        assert len((await _traces(room))["turns"]) == 1
        rows = await room.client.service.store.studio_rows("tea", "trace", None, 10)
        assert len(rows) == 1


async def test_a_trace_that_is_written_after_its_users_erasure_does_not_stay(tmp_path: Path) -> None:
    store = SlowTraces()
    async with studio(tmp_path, bot=TRACED, store=store) as room:
        await room.client.say("tea")
        await room.client.service.erasure.erase("tea", "ada")
        store.is_let_go.set()
        await room.client.service.traces.written()
        assert await store.studio_rows("tea", "trace", None, 10) == []


async def test_an_unknown_conversation_has_no_traces(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        answer = await room.call("GET", "/traces/nobody")
        assert (answer.status, answer.json["code"]) == (404, "not-found")
