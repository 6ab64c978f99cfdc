"""What a load balancer asks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import apsw
from tests.http.support import BASE, BOT, Client, serving, write_bot
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.channels import CHANNELS
from dialoom.errors import StoreError
from dialoom.http.app import App
from dialoom.service.bots.bots import Bots
from dialoom.service.clock import iso
from dialoom.service.observe.page_watch import PASS_EVERY_MS
from dialoom.service.records.clock_guard import DOUBT_MS, confirm
from dialoom.service.service import build_service, running
from dialoom.service.settings import Settings
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from pathlib import Path


class _Store(TemporaryStore):
    def __init__(self) -> None:
        super().__init__()
        self.is_asked = asyncio.Event()

    is_away = False
    hangs = False
    asked = 0
    answers: asyncio.Event | None = None

    async def bots(self) -> list[str]:
        self.asked += 1
        self.is_asked.set()
        if self.answers is not None:
            await self.answers.wait()
        if self.hangs:
            await asyncio.Event().wait()
        if self.is_away:
            raise StoreError("away")
        return await super().bots()


async def test_a_service_whose_store_answers_is_ready(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        assert (await client.call("GET", "/readyz")).status == 200
        assert (await client.call("GET", "/healthz")).json == {"status": "ok"}


async def test_while_the_store_is_away_it_is_alive_and_not_ready(tmp_path: Path) -> None:
    store = _Store()
    async with serving(tmp_path, store=store) as client:
        client.app.readiness.max_age_seconds = 0.0
        store.is_away = True
        answer = await client.call("GET", "/readyz")
        assert (answer.status, answer.json["code"]) == (503, "store-away")
        assert (await client.call("GET", "/healthz")).status == 200
        store.is_away = False
        assert (await client.call("GET", "/readyz")).status == 200


async def test_a_store_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    store = _Store()
    async with serving(tmp_path, store=store) as client:
        client.app.readiness.max_store_seconds = 0.01
        store.hangs = True
        answer = await client.call("GET", "/readyz")
        assert (answer.status, answer.json["code"]) == (503, "store-away")


async def test_what_the_store_said_counts_for_a_while(tmp_path: Path) -> None:
    store = _Store()
    async with serving(tmp_path, store=store) as client:
        client.app.readiness.max_age_seconds = 3600.0
        store.asked = 0
        assert {(await client.call("GET", "/readyz")).status for _ in range(50)} == {200}
        assert store.asked == 1
        client.app.readiness.max_age_seconds = 0.0
        store.is_away = True
        assert {(await client.call("GET", "/readyz")).status for _ in range(3)} == {503}
        assert store.asked == 4


async def test_all_who_ask_at_one_time_wait_for_one_answer_even_if_one_of_them_hangs_up(tmp_path: Path) -> None:
    store = _Store()
    async with serving(tmp_path, store=store) as client:
        client.app.readiness.max_age_seconds = 0.0
        store.asked, store.answers = 0, asyncio.Event()
        store.is_asked.clear()
        asking = [asyncio.ensure_future(client.call("GET", "/readyz")) for _ in range(20)]
        await store.is_asked.wait()
        asking[0].cancel()
        store.answers.set()
        assert [(await one).status for one in asking[1:]] == [200] * 19
        assert store.asked == 1


async def test_a_service_that_stops_is_not_ready_and_ends_connections_with_its_answers(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        assert "connection" not in (await client.call("GET", "/healthz")).headers
        client.app.shutdown.is_announced = True
        answer = await client.call("GET", "/readyz")
        assert (answer.status, answer.json["code"]) == (503, "stopping")
        for answer in (await client.say("help"), await client.call("GET", "/healthz")):
            assert answer.status == 200
            assert answer.headers["connection"] == "close"


async def test_a_clock_that_jumped_is_said_by_a_service_that_is_ready(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        guard = client.service.clock_guard
        await guard.trusted_now()
        assert (await client.call("GET", "/readyz")).json == {"status": "ok"}
        client.clock.set_ahead(400 * 24 * 3600)
        await guard.trusted_now()
        answer = await client.call("GET", "/readyz")
        (warning,) = answer.json["warnings"]
        assert (answer.status, answer.json["status"], warning["code"]) == (200, "ok", "clock-doubted")
        assert iso(client.clock.now() + DOUBT_MS) in warning["detail"]
        assert b"dialoom_clock_doubted 1.0" in (await client.call("GET", "/metrics")).body
        await confirm(client.service.store, client.clock)
        await guard.trusted_now()
        assert (await client.call("GET", "/readyz")).json == {"status": "ok"}
        assert b"dialoom_clock_doubted 0.0" in (await client.call("GET", "/metrics")).body


async def test_expiries_follow_a_clock_that_is_doubted(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        await client.service.clock_guard.trusted_now()
        token = (await client.open()).json["token"]
        client.clock.set_ahead(25 * 3600)
        headers = {"Origin": BASE, "Authorization": f"Bearer {token}"}
        answer = await client.call("GET", "/v1/bots/tea/channels/web/web/messages", None, headers)
        assert (answer.status, answer.json["code"]) == (401, "session")


async def test_a_damaged_page_is_said_by_a_service_that_is_ready(tmp_path: Path) -> None:
    """The store is that of a data folder, as `dialoom run` makes it."""
    settings = Settings(data=str(tmp_path / "data"))
    clock = MovedClock()
    service = await asyncio.to_thread(build_service, settings, CHANNELS, clock=clock)
    folder = write_bot(tmp_path / "tea", BOT)
    async with running(service, [folder], lambda: 0.5):
        client = Client(await asyncio.to_thread(App, service, BASE), service, clock, None)
        client.app.readiness.max_age_seconds = 0.0
        watch = service.page_watch
        assert watch is not None
        await watch.look()
        assert (await client.call("GET", "/readyz")).json == {"status": "ok", "pagesChecked": iso(clock.now())}
        checked_at = clock.now()
        await asyncio.to_thread(_damage, tmp_path / "data" / "dialoom.sqlite", "messages")
        clock.move(PASS_EVERY_MS / 1000)
        async with asyncio.timeout(60):
            while not watch.damage:  # noqa: ASYNC110  # the service's own loop looks, on a thread
                await asyncio.sleep(0.01)
        answer = await client.call("GET", "/readyz")
        assert (answer.status, answer.json["pagesChecked"]) == (200, iso(checked_at))
        (warning,) = answer.json["warnings"]
        assert warning["code"] == "store-damaged"
        assert str(tmp_path) not in answer.body.decode()
        assert b"dialoom_store_damaged 1.0" in (await client.call("GET", "/metrics")).body


def _damage(file: Path, table: str) -> None:
    """Overwrites the first page of a table."""
    connection = apsw.Connection(str(file))
    connection.execute("pragma wal_checkpoint(truncate)").fetchall()
    root = int(connection.execute("select rootpage from sqlite_schema where name = ?", (table,)).get)
    connection.close()
    with file.open("r+b") as data:
        data.seek((root - 1) * 4096)
        data.write(b"\xa5" * 4096)


async def test_a_published_bot_that_cannot_be_served_is_a_warning_of_a_service_that_is_ready(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        service = client.service
        stranger = Bots(service.store, Vault.from_keys([bytes([1]) * 32]), service.clock)
        bot = {"bot.json": '{"id": "alien", "name": "A"}', "flow.json": '{"conversations": {}}', "training.json": "{}"}
        published = await stranger.publish_files(bot)
        await service.bots.catch_up(service.check_published)
        answer = await client.call("GET", "/readyz")
        (warning,) = answer.json["warnings"]
        assert (answer.status, warning["code"]) == (200, "bot-not-served")
        assert f"version {published.version[:12]} of bot alien" in warning["detail"]
        metrics = (await client.call("GET", "/metrics")).body.decode()
        assert "dialoom_unserved_bots 1.0" in metrics
        assert "dialoom_processes 1.0" in metrics
        assert 'dialoom_store_bytes{part="database"}' in metrics
