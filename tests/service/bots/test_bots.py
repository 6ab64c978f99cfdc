"""Versions over the processes of one store: published, followed, rolled back from, filled with lists."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.errors import FlowError, StoreError
from dialoom.service.bots.bots import Bots, Withdrawn, version_row_name
from dialoom.service.bots.entity_lists import EntityList, sources
from dialoom.storage.store import Version
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from pathlib import Path

KEY = bytes(32)
CITY = {
    "name": "City",
    "lookup-strategy": "keywords",
    "data": [{"value": "Bern"}],
    "dynamic-data": {"data-source": {"endpoint": "http://127.0.0.1:9/", "method": "GET"}, "value-template": "{{name}}"},
}


def files(text: str, *, bot: str = "echo", types: tuple[Any, ...] = ()) -> dict[str, str]:
    steps = [{"type": "message", "messages": [text]}]
    flow = {"conversations": {"help": {"type": "support", "steps": steps}}}
    made = {"bot.json": json.dumps({"id": bot}), "flow.json": json.dumps(flow)}
    return made | ({"training.json": json.dumps({"entity-definitions": types})} if types else {})


def says(bots: Bots, bot: str = "echo") -> str | None:
    deployed = bots.active(bot)
    if deployed is None:
        return None
    steps: Any = deployed.bot.flow.conversations["help"].steps
    return str(steps[0].messages[0])


class Side:
    """Holds two processes on one store, and the clock of their machine."""

    def __init__(self) -> None:
        self.store = TemporaryStore()
        self.clock = MovedClock()
        self.one, self.other = (Bots(self.store, Vault.from_keys([KEY]), self.clock) for _ in range(2))

    async def publish(self, text: str, **kind: Any) -> str:
        self.clock.move(1)
        return (await self.one.publish_files(files(text, **kind))).version

    async def roll_back(self, version: str) -> None:
        self.clock.move(1)
        await self.store.roll_back("echo", version, self.clock.now())


@pytest.fixture
async def side() -> Side:
    side = Side()
    await side.store.open()
    return side


async def test_a_version_that_another_process_published_is_served_and_said_once(side: Side) -> None:
    version = await side.publish("first")
    assert [new.version for new in await side.other.catch_up()] == [version]
    assert says(side.other) == "first"
    assert await side.other.catch_up() == []
    assert await side.one.catch_up() == []


async def test_talks_that_began_before_end_on_the_version_that_they_began_with(side: Side) -> None:
    first = await side.publish("first")
    await side.other.catch_up()
    began = side.other.active("echo")
    await side.publish("second")
    await side.other.catch_up()
    assert says(side.other) == "second"
    assert await side.other.pinned("echo", first) is began


async def test_a_process_that_started_later_has_the_version_that_a_talk_began_with(side: Side) -> None:
    first = await side.publish("first")
    await side.publish("second")
    await side.other.load_active()
    pinned = await side.other.pinned("echo", first)
    assert says(side.other) == "second"
    assert pinned is not None
    assert pinned.version == first


async def test_a_rollback_is_followed_by_all(side: Side) -> None:
    first = await side.publish("first")
    await side.publish("second")
    await side.other.catch_up()
    await side.roll_back(first)
    for bots in (side.one, side.other):
        assert [new.version for new in await bots.catch_up()] == [first]
        assert says(bots) == "first"


async def test_a_version_that_was_rolled_back_from_stays_out_until_it_changes(side: Side) -> None:
    first = await side.publish("first")
    second = await side.publish("second")
    await side.roll_back(first)
    await side.one.catch_up()
    with pytest.raises(Withdrawn, match=f"{second[:12]} of bot echo was rolled back from.*dialoom publish"):
        await side.one.publish_files(files("second"))
    assert says(side.one) == "first"
    await side.publish("third")
    assert says(side.one) == "third"


async def test_a_version_that_was_rolled_back_from_can_be_taken_back(side: Side) -> None:
    first = await side.publish("first")
    await side.publish("second")
    await side.roll_back(first)
    await side.one.publish_files(files("second"), takes_back=True)
    await side.other.catch_up()
    assert says(side.other) == "second"
    await side.one.publish_files(files("second"))
    assert [row.withdrawn_at for row in await side.store.versions("echo")] == [None, None]


async def test_a_rollback_of_a_rollback_brings_the_later_version_back(side: Side) -> None:
    first = await side.publish("first")
    second = await side.publish("second")
    await side.roll_back(first)
    await side.roll_back(second)
    await side.other.catch_up()
    assert says(side.other) == "second"
    withdrawn = {row.version: row.withdrawn_at is not None for row in await side.store.versions("echo")}
    assert withdrawn == {first: True, second: False}


async def test_publishing_what_another_process_made_active_changes_nothing(side: Side) -> None:
    await side.publish("first")
    rows = await side.store.versions("echo")
    side.clock.move(10)
    await side.other.publish_files(files("first"))
    assert await side.store.versions("echo") == rows


async def test_a_version_that_does_not_open_is_said_once_and_the_one_before_goes_on(
    side: Side, caplog: pytest.LogCaptureFixture
) -> None:
    await side.publish("first")
    await side.other.catch_up()
    stranger = Bots(side.store, Vault.from_keys([bytes([1]) * 32]), side.clock)
    side.clock.move(1)
    bad = (await stranger.publish_files(files("second"))).version
    for _ in range(3):
        assert await side.other.catch_up() == []
    assert says(side.other) == "first"
    said = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(said) == 1
    assert f"version {bad[:12]} of bot echo cannot be used" in said[0].getMessage()
    await side.publish("third")
    await side.other.catch_up()
    assert says(side.other) == "third"


async def test_a_bot_that_cannot_be_used_is_not_served_and_others_are(
    side: Side, caplog: pytest.LogCaptureFixture
) -> None:
    stranger = Bots(side.store, Vault.from_keys([bytes([1]) * 32]), side.clock)
    await stranger.publish_files(files("a", bot="alien"))
    await side.publish("first")
    await side.other.load_active()
    assert [deployed.bot.id for deployed in side.other.all()] == ["echo"]
    assert "bot alien cannot be used, so it is not served" in caplog.text
    assert [*side.other.unserved] == ["alien"]


async def test_a_stored_version_with_a_pattern_that_is_refused_is_not_served_and_others_are(
    side: Side, caplog: pytest.LogCaptureFixture
) -> None:
    """It was published by a release that took such patterns."""
    old = files("a", bot="old", types=({"name": "Code", "lookup-strategy": "regex", "data": {"pattern": "a(?=b)"}},))
    sealed = Vault.from_keys([KEY]).seal(json.dumps(old).encode(), version_row_name("old", "abc"))
    await side.store.publish(Version("old", "abc", sealed, side.clock.now()))
    await side.publish("first")
    await side.other.load_active()
    assert [deployed.bot.id for deployed in side.other.all()] == ["echo"]
    assert "bot old cannot be used, so it is not served" in caplog.text
    assert "which cannot be searched in linear time" in caplog.text
    with pytest.raises(FlowError, match="look ahead"):
        await side.other.usable("old", "abc")


async def test_a_slow_look_does_not_put_back_what_was_published_meanwhile(side: Side) -> None:
    await side.publish("first")

    class Late(TemporaryStore):
        """Another process publishes while the files of the first version are read."""

        def __init__(self) -> None:
            super().__init__()
            self.meanwhile = asyncio.Event()
            self.is_read = asyncio.Event()

        async def version(self, bot: str, version: str) -> Any:
            found = await side.store.version(bot, version)
            self.is_read.set()
            await self.meanwhile.wait()
            return found

        async def deployments(self) -> Any:
            return await side.store.deployments()

    late = Late()
    slow = Bots(late, Vault.from_keys([KEY]), side.clock)
    look = asyncio.create_task(slow.catch_up())
    await late.is_read.wait()
    await side.publish("second")
    late.meanwhile.set()
    assert await look == []
    assert await slow.catch_up() != []
    assert says(slow) == "second"


async def test_a_fault_of_one_bot_comes_up_once_and_holds_up_no_other(side: Side) -> None:
    await side.publish("a", bot="alien")
    await side.publish("first")

    class Faulty(TemporaryStore):
        async def version(self, bot: str, version: str) -> Any:
            if bot == "alien":
                raise ZeroDivisionError
            return await side.store.version(bot, version)

        async def deployments(self) -> Any:
            return await side.store.deployments()

    bots = Bots(Faulty(), Vault.from_keys([KEY]), side.clock)
    with pytest.raises(ZeroDivisionError):
        await bots.catch_up()
    assert [new.bot.id for new in await bots.catch_up()] == ["echo"]


async def test_a_store_that_goes_away_meanwhile_is_asked_again(side: Side) -> None:
    await side.publish("first")

    class Shaky(TemporaryStore):
        is_away = True

        async def version(self, bot: str, version: str) -> Any:
            if self.is_away:
                raise StoreError("away")
            return await side.store.version(bot, version)

        async def deployments(self) -> Any:
            return await side.store.deployments()

    shaky = Shaky()
    bots = Bots(shaky, Vault.from_keys([KEY]), side.clock)
    with pytest.raises(StoreError):
        await bots.catch_up()
    shaky.is_away = False
    assert [new.bot.id for new in await bots.catch_up()] == ["echo"]


async def test_wrong_files_are_refused_with_their_findings_and_nothing_is_published(side: Side) -> None:
    with pytest.raises(FlowError):
        await side.one.publish_files({"bot.json": "{}", "flow.json": "{"})
    assert await side.store.bots() == []


async def test_a_list_that_another_process_read_is_filled_in(side: Side) -> None:
    await side.publish("where", types=(CITY,))
    await side.other.catch_up()
    active = side.one.active("echo")
    assert active is not None
    source = side.one.lists.fingerprint(sources(active.bot)["City"])
    for number, city in enumerate(("Oslo", "Rome"), 1):
        await side.one.lists.keep("echo", "City", EntityList(source, json.dumps([{"name": city}]).encode(), number))
        assert await side.other.catch_up() == []
        assert cities(side.other) == ["Bern", city]


async def test_a_list_of_a_machine_whose_clock_is_behind_is_filled_in_too(side: Side) -> None:
    await side.publish("where", types=(CITY, CITY | {"name": "Village"}))
    active = side.one.active("echo")
    assert active is not None
    for now, type in ((5000, "City"), (4000, "Village")):
        source = side.one.lists.fingerprint(sources(active.bot)[type])
        await side.one.lists.keep("echo", type, EntityList(source, json.dumps([{"name": "Oslo"}]).encode(), now))
        await side.other.catch_up()
        assert cities(side.other, type) == ["Bern", "Oslo"]


def cities(bots: Bots, type: str = "City") -> list[str]:
    deployed = bots.active("echo")
    assert deployed is not None
    return [value["value"] for value in deployed.flow.recogniser.values(type)]


async def test_a_folder_is_published_as_its_files(side: Side, tmp_path: Path) -> None:
    for name, text in files("first").items():
        (tmp_path / name).write_text(text)
    version = (await side.one.publish(tmp_path)).version
    assert await side.one.files("echo", version) == files("first")
    assert await side.one.files("echo", "0" * 64) is None
