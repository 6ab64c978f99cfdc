"""Which version of a bot is served, since when, and which one is rolled back from: the same on every store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from dialoom.errors import StoreError
from dialoom.storage.store import Deployment, ListRow, Version, VersionRow

if TYPE_CHECKING:
    from dialoom.storage.store import Store


def version(name: str, at: int, bot: str = "salon") -> Version:
    return Version(bot, name, b'{"bot.json": "%s"}' % name.encode(), at)


async def test_versions_are_listed_the_one_that_became_active_last_first(store: Store) -> None:
    for name, at in (("v1", 10), ("v2", 20), ("v3", 30)):
        await store.publish(version(name, at))
    await store.publish(version("f1", 15, "faq"))
    assert await store.versions("salon") == [
        VersionRow("salon", "v3", 30, 30, None, is_active=True),
        VersionRow("salon", "v2", 20, 20, None, is_active=False),
        VersionRow("salon", "v1", 10, 10, None, is_active=False),
    ]
    assert await store.versions("nobody") == []


async def test_an_older_version_that_is_published_again_became_active_then(store: Store) -> None:
    for name, at in (("v1", 10), ("v2", 20), ("v1", 30)):
        await store.publish(version(name, at))
    assert await store.versions("salon") == [
        VersionRow("salon", "v1", 10, 30, None, is_active=True),
        VersionRow("salon", "v2", 20, 20, None, is_active=False),
    ]


async def test_publishing_the_active_version_again_changes_nothing(store: Store) -> None:
    await store.publish(version("v1", 10))
    await store.publish(version("v1", 99))
    assert await store.versions("salon") == [VersionRow("salon", "v1", 10, 10, None, is_active=True)]


async def test_a_version_that_is_rolled_back_to_is_active_and_the_one_before_is_withdrawn(store: Store) -> None:
    await store.publish(version("v1", 10))
    await store.publish(version("v2", 20))
    await store.roll_back("salon", "v1", 30)
    assert await store.active("salon") == version("v1", 10)
    assert await store.versions("salon") == [
        VersionRow("salon", "v1", 10, 30, None, is_active=True),
        VersionRow("salon", "v2", 20, 20, 30, is_active=False),
    ]


async def test_a_withdrawn_version_that_is_published_again_is_withdrawn_no_more(store: Store) -> None:
    await store.publish(version("v1", 10))
    await store.publish(version("v2", 20))
    await store.roll_back("salon", "v1", 30)
    await store.publish(version("v2", 40))
    assert await store.versions("salon") == [
        VersionRow("salon", "v2", 20, 40, None, is_active=True),
        VersionRow("salon", "v1", 10, 30, None, is_active=False),
    ]


async def test_rolling_back_goes_forward_again(store: Store) -> None:
    await store.publish(version("v1", 10))
    await store.publish(version("v2", 20))
    await store.roll_back("salon", "v1", 30)
    await store.roll_back("salon", "v2", 40)
    assert [(row.version, row.withdrawn_at) for row in await store.versions("salon")] == [("v2", None), ("v1", 40)]


async def test_rolling_back_to_the_active_version_withdraws_nothing(store: Store) -> None:
    await store.publish(version("v1", 10))
    await store.roll_back("salon", "v1", 30)
    assert await store.versions("salon") == [VersionRow("salon", "v1", 10, 10, None, is_active=True)]


@pytest.mark.parametrize(("bot", "name"), [("salon", "v9"), ("nobody", "v1")])
async def test_a_version_that_was_never_kept_cannot_be_rolled_back_to(store: Store, bot: str, name: str) -> None:
    await store.publish(version("v1", 10))
    with pytest.raises(StoreError, match=f'Bot {bot} has no version "{name}"'):
        await store.roll_back(bot, name, 30)
    assert await store.versions("salon") == [VersionRow("salon", "v1", 10, 10, None, is_active=True)]


async def test_what_is_to_be_served_is_told_by_bot_with_its_newest_list(store: Store) -> None:
    assert await store.deployments() == []
    await store.publish(version("v1", 10))
    await store.publish(version("v2", 20))
    await store.publish(version("f1", 15, "faq"))
    for type, at in (("City", 300), ("Plant", 200)):
        await store.keep_list(ListRow("salon", type, b"s", b"[]", at))
    assert await store.deployments() == [Deployment("faq", "f1", 0), Deployment("salon", "v2", 300)]
    await store.roll_back("salon", "v1", 30)
    assert await store.deployments() == [Deployment("faq", "f1", 0), Deployment("salon", "v1", 300)]


async def test_a_version_takes_the_place_of_the_one_that_is_named_alone(store: Store) -> None:
    assert await store.publish(version("v1", 10), "")
    assert not await store.publish(version("v2", 20), "")
    assert await store.publish(version("v2", 20), "v1")
    assert not await store.publish(version("v3", 30), "v1")
    assert not await store.roll_back("salon", "v1", 40, "v3")
    assert await store.versions("salon") == [
        VersionRow("salon", "v2", 20, 20, None, is_active=True),
        VersionRow("salon", "v1", 10, 10, None, is_active=False),
    ]
    assert await store.roll_back("salon", "v1", 50, "v2")
    assert await store.active("salon") == version("v1", 10)


@pytest.mark.parametrize("instead_of", ["", "v0"])
async def test_of_two_versions_that_take_one_place_at_once_one_is_there(store: Store, instead_of: str) -> None:
    if instead_of:
        await store.publish(version("v0", 1))
    done = await asyncio.gather(*(store.publish(version(name, 10), instead_of) for name in ("v1", "v2", "v3")))
    assert sorted(done) == [False, False, True]
    active = await store.active("salon")
    assert active == version(f"v{done.index(True) + 1}", 10)
    assert len(await store.versions("salon")) == 1 + bool(instead_of)
