"""Login links whose page was opened: the same on every store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from dialoom.storage.store import LoginRow
from tests.storage.row_makers import ANN, BEN, commit, forget, in_groups, message, record, time, write
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from dialoom.storage.store import ChatKey, Store


def login(link: str = "l1", key: ChatKey = ANN, about: bytes = b"sealed", expires_at: int = 1000) -> LoginRow:
    return LoginRow(key, link, about, expires_at)


@pytest.fixture
async def known(store: Store) -> Store:
    """A store in which there are chats."""
    for key in (ANN, BEN, ANN._replace(bot="faq")):
        await commit(store, write(key=key))
    return store


def taken(row: LoginRow, about: bytes = b"sealed again") -> LoginRow:
    return msgspec.structs.replace(row, about=about, is_taken=True)


async def test_a_link_is_kept_as_it_was_opened_first(known: Store) -> None:
    assert await known.open_login(login()) == login()
    assert await known.open_login(login(about=b"another", expires_at=2000)) == login()
    assert await known.login(ANN, "l1") == login()


async def test_a_link_is_found_in_its_own_chat_alone(known: Store) -> None:
    await known.open_login(login())
    for key in (BEN, ANN._replace(bot="faq"), ANN._replace(channel="mobile")):
        assert await known.login(key, "l1") is None
    assert await known.login(ANN, "l2") is None


async def test_links_of_a_chat_stand_side_by_side(known: Store) -> None:
    rows = [login("l1"), login("l2"), login("l1", BEN), login("l1", ANN._replace(bot="faq"))]
    assert [await known.open_login(row) for row in rows] == rows
    assert [await known.login(row.key, row.link) for row in rows] == rows


async def test_what_is_known_is_changed_once(known: Store) -> None:
    row = await known.open_login(login())
    assert await known.change_login(row, taken(row))
    assert await known.login(ANN, "l1") == taken(row)
    assert not await known.change_login(row, taken(row, b"again"))
    assert await known.login(ANN, "l1") == taken(row)


async def test_nothing_is_changed_where_any_part_is_another_than_known(known: Store) -> None:
    row = await known.open_login(login())
    others = (
        login(about=b"other"),
        login(expires_at=1001),
        msgspec.structs.replace(row, is_taken=True),
        login("l2"),
        login(key=BEN),
    )
    for other in others:
        assert not await known.change_login(other, taken(row))
    assert await known.login(ANN, "l1") == row


async def test_of_64_that_take_a_link_at_once_one_does(known: Store) -> None:
    row = await known.open_login(login())
    changes = (known.change_login(row, taken(row, b"by %d" % number)) for number in range(64))
    done = await asyncio.gather(*changes)
    assert done.count(True) == 1
    kept = await known.login(ANN, "l1")
    assert kept == taken(row, b"by %d" % done.index(True))


async def test_of_64_that_open_a_link_at_once_all_get_the_same(known: Store) -> None:
    rows = await asyncio.gather(*(known.open_login(login(about=b"by %d" % number)) for number in range(64)))
    assert len(set(rows)) == 1
    assert await known.login(ANN, "l1") == rows[0]


async def test_a_link_of_a_chat_that_is_not_known_is_not_kept(store: Store) -> None:
    assert await store.open_login(login()) == login()
    assert await store.login(ANN, "l1") is None
    assert not await store.change_login(login(), taken(login()))


async def test_links_that_are_over_are_forgotten_those_of_the_bot_alone(known: Store) -> None:
    faq = ANN._replace(bot="faq")
    for row in (login("l1", expires_at=999), login("l2", expires_at=1000), login("l1", faq, expires_at=1)):
        await known.open_login(row)
    assert await known.forget_logins("salon", 1000) == 1
    assert await known.login(ANN, "l1") is None
    assert await known.login(ANN, "l2") is not None
    assert await known.login(faq, "l1") is not None


async def test_very_many_links_are_forgotten_at_once(known: Store) -> None:
    await in_groups([known.open_login(login(f"l{number}")) for number in range(250)])
    assert await known.forget_logins("salon", 1001) == 250
    assert await known.forget_logins("salon", 1001) == 0


async def test_an_erased_users_links_go_with_the_user(known: Store) -> None:
    await known.open_login(login())
    await known.open_login(login(key=BEN))
    while not (await known.erase(ANN, 64)).is_done:
        pass
    assert await known.login(ANN, "l1") is None
    assert await known.login(BEN, "l1") is not None
    assert await known.open_login(login()) == login()
    assert await known.login(ANN, "l1") is None


async def test_a_forgotten_users_links_go_with_the_user(store: Store) -> None:
    said = message(1, conversation="c000001")
    await commit(store, write(records=(record(1),), messages=(said,), position=1))
    await store.open_login(login())
    assert await forget(store, time(1000), 10) == 1
    assert await store.chat(ANN) is None
    assert await store.login(ANN, "l1") is None


async def test_a_link_outlives_a_turn_of_its_chat(known: Store) -> None:
    await known.open_login(login())
    await commit(known, write(1))
    assert await known.login(ANN, "l1") == login()


async def test_another_process_sees_what_was_changed() -> None:
    one = TemporaryStore()
    other = one.beside()
    await one.open()
    await other.open()
    await commit(one, write())
    row = await one.open_login(login())
    assert await other.change_login(row, taken(row))
    assert not await one.change_login(row, taken(row, b"late"))
