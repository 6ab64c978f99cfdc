"""Lists of dynamic types over the life of a service: start, schedule, demand, failure, publish, restart."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from tests.data.far_ends import Call, far_end
from tests.stores import TemporaryStore

from dialoom.channels import CHANNELS
from dialoom.errors import RemoteError
from dialoom.service.bots.dynamic_data import MAX_WAIT_SECONDS
from dialoom.service.service import Service, build_service, running
from dialoom.service.settings import Settings
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.data.far_ends import FarEnd

    from dialoom.storage.store import Store


class Cities:
    """Plays an endpoint whose list the test changes."""

    def __init__(self, *names: Any) -> None:
        self.names: list[Any] = list(names)
        self.status = "200 OK"
        self.gate: asyncio.Event | None = None
        self.asked = asyncio.Event()

    async def __call__(self, call: Call) -> None:
        self.asked.set()
        if self.gate is not None:
            await self.gate.wait()
        body = json.dumps({"cities": [{"name": name} for name in self.names]}).encode()
        await call.reply(self.status, body, "Content-Type: application/json")


def write(
    folder: Path, url: str, data: tuple[str, ...] = ("Bern",), credentials: dict[str, Any] | None = None, **source: Any
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    question = {"type": "question", "entity": "city", "entity-type": "City", "messages": ["Where to?"]}
    flow = {
        "conversations": {"go": {"type": "goal", "steps": [question, {"type": "message", "messages": ["{{city}}!"]}]}}
    }
    city = {
        "name": "City",
        "lookup-strategy": "keywords",
        "data": [{"value": value} for value in data],
        "dynamic-data": {
            "data-source": {"endpoint": url, "method": "GET", "selector": "$.cities", "timeout": 30, **source},
            "value-template": "{{name}}",
        },
    }
    go = {"name": "Conversation", "lookup-strategy": "trait", "data": [{"value": "go", "expressions": ["go"]}]}
    (folder / "bot.json").write_text(json.dumps({"id": "trip", "credentials": credentials or {}}))
    (folder / "flow.json").write_text(json.dumps(flow))
    (folder / "training.json").write_text(json.dumps({"entity-definitions": [go, city]}))
    return folder


@contextlib.asynccontextmanager
async def service_of(
    folder: Path, *bots: Path, store: Store | None = None, clock: MovedClock | None = None, every: float = 3600
) -> AsyncIterator[Service]:
    (folder / "data").mkdir(exist_ok=True)
    settings = Settings(data=str(folder / "data"), dynamic_data_every=every)
    service = await asyncio.to_thread(
        build_service, settings, CHANNELS, store=store or TemporaryStore(), clock=clock or MovedClock()
    )
    async with running(service, bots, lambda: 0.5):
        yield service


def names(service: Service) -> list[str]:
    deployed = service.bots.active("trip")
    assert deployed is not None
    return [value["value"] for value in deployed.flow.recogniser.values("City")]


async def run_scheduled_jobs(service: Service) -> None:
    """Run the scheduled jobs that are due."""
    await service.scheduled_jobs.look()
    await service.scheduled_jobs.settled()


@pytest.fixture
async def far(request: pytest.FixtureRequest) -> AsyncIterator[tuple[FarEnd, Cities]]:
    cities = Cities("Oslo", "Paris")
    async with far_end(cities) as there:
        yield there, cities


async def test_the_start_has_the_list_beside_what_is_written(tmp_path: Path, far: tuple[FarEnd, Cities]) -> None:
    async with service_of(tmp_path, write(tmp_path / "bot", far[0].url)) as service:
        assert names(service) == ["Bern", "Oslo", "Paris"]


async def test_a_list_is_read_again_on_demand(tmp_path: Path, far: tuple[FarEnd, Cities]) -> None:
    there, cities = far
    async with service_of(tmp_path, write(tmp_path / "bot", there.url)) as service:
        cities.names = ["Rome", "", "rome", "Oslo"]
        found = await service.dynamic.refresh("trip", "City")
        assert names(service) == ["Bern", "Oslo", "Rome"]
        assert (found.values, found.changed, found.skipped) == (3, True, 1)
        assert not (await service.dynamic.refresh("trip", "City")).changed


async def test_an_unknown_or_plain_type_has_no_list(tmp_path: Path, far: tuple[FarEnd, Cities]) -> None:
    async with service_of(tmp_path, write(tmp_path / "bot", far[0].url)) as service:
        for bot, type in (("trip", "Nothing"), ("trip", "Conversation"), ("other", "City")):
            with pytest.raises(KeyError):
                await service.dynamic.refresh(bot, type)


async def test_two_who_ask_at_once_share_one_reading(tmp_path: Path, far: tuple[FarEnd, Cities]) -> None:
    there, _ = far
    async with service_of(tmp_path, write(tmp_path / "bot", there.url)) as service:
        before = len(there.calls)
        await asyncio.gather(*(service.dynamic.refresh("trip", "City") for _ in range(5)))
        assert len(there.calls) == before + 1


async def test_lists_are_read_again_when_their_time_has_come(tmp_path: Path, far: tuple[FarEnd, Cities]) -> None:
    there, cities = far
    clock = MovedClock()
    async with service_of(tmp_path, write(tmp_path / "bot", there.url), clock=clock) as service:
        await run_scheduled_jobs(service)
        cities.names = ["Rome"]
        clock.move(3600 * 0.85)
        await run_scheduled_jobs(service)
        assert len(there.calls) == 1
        clock.move(3600 * 0.3)
        await run_scheduled_jobs(service)
        assert names(service) == ["Bern", "Rome"]
        assert len(there.calls) == 2


@pytest.mark.parametrize("status", ["500 Oops", "404 Not Found", "302 Found"])
async def test_a_failing_endpoint_leaves_the_last_good_list(
    tmp_path: Path, far: tuple[FarEnd, Cities], status: str, caplog: pytest.LogCaptureFixture
) -> None:
    there, cities = far
    async with service_of(tmp_path, write(tmp_path / "bot", there.url + "/?key=s3cret")) as service:
        cities.status = status
        with pytest.raises(RemoteError, match=f"status {status[:3]}"):
            await service.dynamic.refresh("trip", "City")
        assert names(service) == ["Bern", "Oslo", "Paris"]
        assert 'the values of "City" of bot trip stay as they are' in caplog.text
        assert "s3cret" not in caplog.text


async def test_a_list_whose_elements_give_no_value_leaves_the_last_good_one(
    tmp_path: Path, far: tuple[FarEnd, Cities]
) -> None:
    async with service_of(tmp_path, write(tmp_path / "bot", far[0].url)) as service:
        far[1].names = ["", "  "]
        with pytest.raises(RemoteError, match="value-template"):
            await service.dynamic.refresh("trip", "City")
        far[1].names = []
        await service.dynamic.refresh("trip", "City")
        assert names(service) == ["Bern"]


async def test_after_a_failure_the_next_try_comes_soon_and_then_later_and_later(
    tmp_path: Path, far: tuple[FarEnd, Cities]
) -> None:
    there, cities = far
    clock = MovedClock()
    cities.status = "500 Oops"
    async with service_of(tmp_path, write(tmp_path / "bot", there.url), clock=clock) as service:
        for seconds, calls in ((30, 1), (31, 2), (61, 2), (60, 3)):
            clock.move(seconds)
            await run_scheduled_jobs(service)
            assert len(there.calls) == calls
        assert names(service) == ["Bern"]


async def test_the_start_does_not_fail_without_the_endpoint_and_serves_what_is_written(tmp_path: Path) -> None:
    async with service_of(tmp_path, write(tmp_path / "bot", "http://127.0.0.1:9/cities")) as service:
        assert names(service) == ["Bern"]


async def test_the_start_waits_for_a_slow_endpoint_no_longer_than_its_bound_and_takes_the_list_when_it_is_there(
    tmp_path: Path, far: tuple[FarEnd, Cities]
) -> None:
    there, cities = far
    cities.gate = asyncio.Event()
    clock = MovedClock()
    bot = write(tmp_path / "bot", there.url)
    async with contextlib.AsyncExitStack() as open:
        start = asyncio.create_task(open.enter_async_context(service_of(tmp_path, bot, clock=clock)))
        await cities.asked.wait()
        clock.move(MAX_WAIT_SECONDS - 1)
        await asyncio.sleep(0)
        assert not start.done()
        clock.move(1)
        service = await asyncio.wait_for(start, 20)  # less than the reading may take
        assert names(service) == ["Bern"]
        cities.gate.set()
        await service.dynamic.refresh("trip", "City")  # joins the reading that has begun
        assert len(there.calls) == 1
        assert names(service) == ["Bern", "Oslo", "Paris"]


async def test_the_last_good_list_outlives_a_restart_without_its_endpoint(tmp_path: Path) -> None:
    cities = Cities("Oslo")
    async with far_end(cities) as there:
        bot = write(tmp_path / "bot", there.url)
        (tmp_path / "data").mkdir()
        async with service_of(tmp_path, bot, store=SqliteStore(tmp_path / "data" / "x.sqlite")) as service:
            assert names(service) == ["Bern", "Oslo"]
    for folders in ((bot,), ()):  # with the folder, and from the stored version alone
        async with service_of(tmp_path, *folders, store=SqliteStore(tmp_path / "data" / "x.sqlite")) as service:
            assert names(service) == ["Bern", "Oslo"]
    assert b"Oslo" not in b"".join(file.read_bytes() for file in (tmp_path / "data").glob("x.sqlite*"))


async def test_a_start_with_a_kept_list_waits_for_nobody(tmp_path: Path, far: tuple[FarEnd, Cities]) -> None:
    store = TemporaryStore()
    bot = write(tmp_path / "bot", far[0].url)
    async with service_of(tmp_path, bot, store=store):
        pass
    far[1].gate = asyncio.Event()
    async with service_of(tmp_path, bot, store=store) as service:
        assert names(service) == ["Bern", "Oslo", "Paris"]


async def test_a_new_version_keeps_the_list_while_its_endpoint_fails(
    tmp_path: Path, far: tuple[FarEnd, Cities]
) -> None:
    bot = write(tmp_path / "bot", far[0].url)
    async with service_of(tmp_path, bot) as service:
        far[1].status = "500 Oops"
        await service.publish(write(bot, far[0].url, ("Bern", "Graz")))
        assert names(service) == ["Bern", "Graz", "Oslo", "Paris"]


async def test_a_new_version_with_another_source_has_its_list_when_it_is_published(
    tmp_path: Path, far: tuple[FarEnd, Cities]
) -> None:
    bot = write(tmp_path / "bot", far[0].url)
    async with service_of(tmp_path, bot) as service:
        far[1].names = ["Rome"]
        await service.publish(write(bot, far[0].url + "/v2"))
        assert names(service) == ["Bern", "Rome"]


@pytest.mark.parametrize(
    "other",
    [
        {"headers": {"X-Tenant": "b"}},
        {"headers": {"X-Key": {"env": "BOT_OTHER"}}},
        {"authentication-method": "b"},
        {"selector": "$['cities']"},
    ],
)
async def test_a_list_of_another_source_is_no_version_of_this_one(
    tmp_path: Path, far: tuple[FarEnd, Cities], other: dict[str, Any]
) -> None:
    tokens = {"a": {"type": "bearer", "token": "a"}, "b": {"type": "bearer", "token": "b"}}
    source = {"headers": {"X-Tenant": "a", "X-Key": {"env": "BOT_KEY"}}, "authentication-method": "a"}
    bot = write(tmp_path / "bot", far[0].url, credentials=tokens, **source)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("BOT_KEY", "1")
        environment.setenv("BOT_OTHER", "2")
        async with service_of(tmp_path, bot) as service:
            old = service.bots.active("trip")
            assert old is not None
            assert names(service) == ["Bern", "Oslo", "Paris"]
            far[1].status = "500 Oops"
            changed = source | other
            if "headers" in other:
                changed["headers"] = source["headers"] | other["headers"]  # type: ignore[operator]  # both are maps
            await service.publish(write(bot, far[0].url, credentials=tokens, **changed))
            assert names(service) == ["Bern"]
            far[1].status = "200 OK"
            far[1].names = ["Rome"]
            await service.dynamic.refresh("trip", "City")
            assert names(service) == ["Bern", "Rome"]
            pinned = await service.bots.pinned("trip", old.version)
            assert pinned is not None
            assert "Rome" not in [value["value"] for value in pinned.flow.recogniser.values("City")]


async def test_older_versions_that_talks_still_run_on_take_the_new_list_too(
    tmp_path: Path, far: tuple[FarEnd, Cities]
) -> None:
    bot = write(tmp_path / "bot", far[0].url)
    async with service_of(tmp_path, bot) as service:
        old = service.bots.active("trip")
        assert old is not None
        await service.publish(write(bot, far[0].url, ("Graz",)))
        far[1].names = ["Rome"]
        await service.dynamic.refresh("trip", "City")
        pinned = await service.bots.pinned("trip", old.version)
        assert pinned is not None
        assert [value["value"] for value in pinned.flow.recogniser.values("City")] == ["Bern", "Rome"]
        # What a turn holds never changes under it.
        assert [value["value"] for value in old.flow.recogniser.values("City")] == ["Bern", "Oslo", "Paris"]


async def test_the_guard_holds_for_lists_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    bot = write(tmp_path / "bot", "http://169.254.169.254/latest/meta-data")
    async with service_of(tmp_path, bot) as service:
        with pytest.raises(RemoteError) as refused:
            await service.dynamic.refresh("trip", "City")
        assert refused.value.kind == "egress"
        assert names(service) == ["Bern"]


async def test_a_kept_list_that_does_not_open_is_not_used_and_stops_nothing(
    tmp_path: Path, far: tuple[FarEnd, Cities]
) -> None:
    from dialoom.storage.store import ListRow

    store = TemporaryStore()
    await store.open()
    await store.keep_list(ListRow("trip", "City", b"source", b"not sealed", 1))
    far[1].status = "500 Oops"
    async with service_of(tmp_path, write(tmp_path / "bot", far[0].url), store=store) as service:
        assert names(service) == ["Bern"]


async def test_a_kept_list_is_read_anew_soon_after_a_start(tmp_path: Path, far: tuple[FarEnd, Cities]) -> None:
    store, clock = TemporaryStore(), MovedClock()
    bot = write(tmp_path / "bot", far[0].url)
    async with service_of(tmp_path, bot, store=store, clock=clock):
        pass
    far[1].names = ["Rome"]
    clock.move(600)
    async with service_of(tmp_path, bot, store=store, clock=clock) as service:
        await run_scheduled_jobs(service)
        assert names(service) == ["Bern", "Rome"]
        assert len(far[0].calls) == 2


async def test_a_publish_has_a_kept_list_read_anew(tmp_path: Path, far: tuple[FarEnd, Cities]) -> None:
    clock = MovedClock()
    bot = write(tmp_path / "bot", far[0].url)
    async with service_of(tmp_path, bot, clock=clock) as service:
        await run_scheduled_jobs(service)
        clock.move(600)
        far[1].names = ["Rome"]
        await service.publish(write(bot, far[0].url, ("Graz",)))
        await run_scheduled_jobs(service)
        assert names(service) == ["Graz", "Rome"]


async def test_without_a_schedule_a_list_is_read_at_the_start_and_then_on_demand_only(
    tmp_path: Path, far: tuple[FarEnd, Cities]
) -> None:
    clock = MovedClock()
    async with service_of(tmp_path, write(tmp_path / "bot", far[0].url), clock=clock, every=0) as service:
        for _ in range(3):
            await run_scheduled_jobs(service)
            clock.move(7 * 24 * 3600)
        assert len(far[0].calls) == 1


async def test_of_two_processes_on_one_store_one_reads_a_list_when_it_is_due_and_both_have_it(
    tmp_path: Path, far: tuple[FarEnd, Cities]
) -> None:
    there, cities = far
    store, clock = TemporaryStore(), MovedClock()
    bot = write(tmp_path / "bot", there.url)
    async with (
        service_of(tmp_path, bot, store=store, clock=clock) as one,
        service_of(tmp_path, store=store.beside(), clock=clock) as other,
    ):
        assert names(other) == ["Bern", "Oslo", "Paris"]
        for service in (one, other):
            await run_scheduled_jobs(service)
        assert len(there.calls) == 1
        cities.names = ["Rome"]
        clock.move(3600 * 1.15)
        await asyncio.gather(run_scheduled_jobs(one), run_scheduled_jobs(other))
        assert len(there.calls) == 2
        for service in (one, other):
            await service.bots.catch_up()
            assert names(service) == ["Bern", "Rome"]
