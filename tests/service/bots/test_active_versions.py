"""What is done, and said, about versions that others have made active."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import pytest
from tests.service.bots.test_bots import files
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.errors import SettingError, StoreError
from dialoom.service.bots.active_versions import LOOK_EVERY_SECONDS, ActiveVersions
from dialoom.service.bots.bots import Bots
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from dialoom.flow import Bot
    from dialoom.storage.store import Deployment


class Shaky(TemporaryStore):
    is_away = False

    async def deployments(self) -> list[Deployment]:
        if self.is_away:
            raise StoreError("The database does not answer.")
        return await super().deployments()


class Beside:
    """Holds a process that follows the active versions, and one that publishes."""

    def __init__(self) -> None:
        self.store, self.clock = Shaky(), MovedClock()
        self.publisher, follower = (Bots(self.store, Vault.from_keys([bytes(32)]), self.clock) for _ in range(2))
        self.taken: list[str] = []
        self.errors: list[Exception] = []
        self.lacks: str | None = None
        self.following = ActiveVersions(follower, self.clock, self.take_up, self.check)
        self.follower = follower

    async def check(self, bot: Bot) -> None:
        if self.lacks is not None:
            raise SettingError(self.lacks)

    async def take_up(self, bot: str) -> None:
        if self.errors:
            raise self.errors.pop(0)
        self.taken.append(bot)

    async def publish(self, text: str) -> None:
        self.clock.move(1)
        await self.publisher.publish_files(files(text))


@pytest.fixture
async def beside() -> Beside:
    beside = Beside()
    await beside.store.open()
    return beside


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_new_version_is_given_what_it_needs_once(beside: Beside) -> None:
    await beside.publish("first")
    await beside.following.look()
    await beside.following.look()
    assert beside.taken == ["echo"]
    await beside.publish("second")
    await beside.following.look()
    assert beside.taken == ["echo", "echo"]


async def test_a_store_that_is_away_is_asked_again_and_left_to_the_log_of_outages(
    beside: Beside, caplog: pytest.LogCaptureFixture
) -> None:
    beside.store.is_away = True
    for _ in range(3):
        await beside.following.look()
    assert warnings(caplog) == []
    beside.store.is_away = False
    await beside.publish("first")
    await beside.following.look()
    assert beside.taken == ["echo"]


async def test_what_a_store_that_went_away_left_undone_is_done_when_it_is_back(beside: Beside) -> None:
    await beside.publish("first")
    beside.errors = [StoreError("away")]
    await beside.following.look()
    assert beside.taken == []
    await beside.following.look()
    assert beside.taken == ["echo"]


async def test_a_version_that_lacks_a_variable_is_said_once_and_the_one_before_goes_on(
    beside: Beside, caplog: pytest.LogCaptureFixture
) -> None:
    await beside.publish("first")
    await beside.following.look()
    served = beside.follower.active("echo")
    assert served is not None
    await beside.publish("second")
    beside.lacks = 'The environment variable "BOT_KEY" is not set.'
    for _ in range(3):
        await beside.following.look()
    (said,) = warnings(caplog)
    assert f"version {served.version[:12]} goes on" in said
    assert "BOT_KEY" in said
    assert beside.follower.active("echo") is served
    assert beside.taken == ["echo"]


async def test_what_goes_wrong_when_a_version_is_taken_up_is_said_once_and_it_is_served(
    beside: Beside, caplog: pytest.LogCaptureFixture
) -> None:
    await beside.publish("first")
    beside.errors = [SettingError('The environment variable "BOT_KEY" is not set.')]
    for _ in range(3):
        await beside.following.look()
    assert [text for text in warnings(caplog) if "BOT_KEY" in text] == warnings(caplog)
    assert len(warnings(caplog)) == 1
    assert beside.follower.active("echo") is not None


async def test_it_looks_every_two_seconds_and_goes_on_after_a_fault(
    beside: Beside, caplog: pytest.LogCaptureFixture
) -> None:
    loop = asyncio.create_task(beside.following.run())
    try:
        beside.errors = [ZeroDivisionError()]
        await beside.publish("first")
        while "could not be looked up" not in caplog.text:
            beside.clock.move(LOOK_EVERY_SECONDS)
            await asyncio.sleep(0)
        await beside.publish("second")
        while not beside.taken:
            beside.clock.move(LOOK_EVERY_SECONDS)
            await asyncio.sleep(0)
    finally:
        loop.cancel()
    assert beside.taken == ["echo"]
    assert caplog.text.count("could not be looked up") == 1
