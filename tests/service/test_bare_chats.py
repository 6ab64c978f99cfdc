"""``retention-days`` for people of whom there never was a conversation: what is kept of them goes by the same rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BOT, FLOW, serving
from tests.stores import TemporaryStore

from dialoom.query import Selection
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Client

    from dialoom.storage.store import Store

DAY = 24 * 3600
SILENT: dict[str, Any] = {
    "settings": {"session-timeout": 2 * 365 * 24 * 60},
    "conversations": {name: one for name, one in FLOW["conversations"].items() if name != "welcome"},
}
"""It says nothing to who only opens it, and its sessions do not end by themselves."""


@pytest.fixture
def store() -> TemporaryStore:
    return TemporaryStore()


async def run_scheduled_jobs(client: Client, seconds: float = 0) -> None:
    client.clock.move(seconds)
    await client.service.scheduled_jobs.look()
    await client.service.scheduled_jobs.settled()


async def opened(client: Client, **body: Any) -> ChatKey:
    answer = await client.open(**body)
    assert answer.status == 200
    return ChatKey("tea", "web", answer.json["user"]["id"])


async def test_a_chat_that_was_only_opened_goes_when_nothing_came_into_it_for_so_long(
    tmp_path: Path, store: Store
) -> None:
    async with serving(tmp_path, SILENT, store=store, bot=BOT | {"retention-days": 30}) as client:
        await run_scheduled_jobs(client)
        early = await opened(client, context={"plan": "gold"})
        client.clock.move(20 * DAY)
        late = await opened(client)
        assert await store.count("conversations", "tea", Selection()) == 0
        assert await store.chat(early) is not None
        await run_scheduled_jobs(client, 9 * DAY)
        assert await store.chat(early) is not None
        await run_scheduled_jobs(client, 2 * DAY)
        assert await store.chat(early) is None
        assert await store.channels_of("tea", early.user) == []
        assert await store.chat(late) is not None


async def test_without_a_limit_it_stays(tmp_path: Path, store: Store) -> None:
    async with serving(tmp_path, SILENT, store=store) as client:
        key = await opened(client)
        await run_scheduled_jobs(client, 400 * DAY)
        assert await store.chat(key) is not None
