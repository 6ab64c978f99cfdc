"""A process with other keys than the store's does not start, however many start at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.service.access.test_tokens import Interleaved
from tests.stores import TemporaryStore

from dialoom.auth.keys import KEY_FILE
from dialoom.auth.vault import Vault
from dialoom.errors import VaultError
from dialoom.service.access.key_check import check_keys, is_in_use, note_keys
from dialoom.service.access.tokens import Tokens
from dialoom.service.bots.bots import Bots
from dialoom.service.service import build_service
from dialoom.service.settings import Settings
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.storage.store import Store

A, B = bytes([1]) * 32, bytes([2]) * 32


async def two(*, is_shared: bool = True) -> tuple[Store, Store]:
    store = TemporaryStore()
    await store.open()
    if not is_shared:
        return store, store
    other = store.beside()
    await other.open()
    # All that the check asks of a store that is shared is its words.
    store.is_shared = other.is_shared = True
    return store, other


def tokens(store: Store, *keys: bytes) -> Tokens:
    vault, clock = Vault.from_keys(keys), MovedClock()
    return Tokens(store, vault, Bots(store, vault, clock), clock)


async def test_the_same_keys_are_right_again_and_again() -> None:
    store, other = await two()
    for one in (store, other, store):
        await check_keys(one, tokens(one, A))
    assert len(await store.tokens("")) == 1


async def test_a_new_key_in_front_of_the_old_one_is_right() -> None:
    store, other = await two()
    await check_keys(store, tokens(store, A))
    await check_keys(other, tokens(other, B, A))


async def test_other_keys_are_refused_also_while_there_is_no_bot_and_the_words_say_what_to_set() -> None:
    store, other = await two()
    await check_keys(store, tokens(store, A))
    with pytest.raises(VaultError, match="Set DIALOOM_KEYS to the same value for all of them"):
        await check_keys(other, tokens(other, B))


async def test_a_new_key_may_first_stand_behind_the_old_one_where_it_only_opens() -> None:
    store, other = await two()
    await check_keys(store, tokens(store, A, B))
    await check_keys(other, tokens(other, B, A))
    await check_keys(store, tokens(store, A, B))


async def test_a_token_that_was_hashed_with_a_key_that_is_gone_is_told() -> None:
    store, other = await two()
    await check_keys(store, tokens(store, A))
    (row,) = await store.tokens("")
    change = tokens(store, B, A).resealed(row)
    assert change is not None
    before, after = change
    assert await store.reseal("tokens", "", [(before, after._replace(beside=row.hash))]) == 1
    with pytest.raises(VaultError, match="hashed with one that is gone"):
        await check_keys(other, tokens(other, B))


async def test_the_newest_key_is_in_use_once_a_service_has_started_with_it() -> None:
    store, other = await two()
    old, both = Vault.from_keys([A]), Vault.from_keys([B, A])
    await check_keys(store, tokens(store, A))
    await note_keys(store, tokens(store, A))
    assert await is_in_use(store, old)
    assert not await is_in_use(store, both)
    await check_keys(other, tokens(other, B, A))
    assert not await is_in_use(store, both)
    await note_keys(other, tokens(other, B, A))
    await note_keys(other, tokens(other, B, A))
    assert await is_in_use(store, both)
    assert not await is_in_use(store, old)
    with pytest.raises(VaultError, match="other keys than those"):
        await check_keys(store, tokens(store, A))
    await check_keys(store, tokens(store, B))


async def test_of_two_that_start_at_once_on_a_new_store_with_different_keys_one_is_refused() -> None:
    store = Interleaved()
    store.is_shared = True
    await store.open()
    ended = await asyncio.gather(*(check_keys(store, tokens(store, key)) for key in (A, B)), return_exceptions=True)
    assert sorted(type(one) for one in ended if one is not None) == [VaultError]


async def test_a_lost_key_of_a_data_folder_is_to_be_put_back() -> None:
    store, _ = await two(is_shared=False)
    await check_keys(store, tokens(store, A))
    with pytest.raises(VaultError, match="Put that key back") as caught:
        await check_keys(store, tokens(store, B))
    assert "other keys than those" not in str(caught.value)


async def test_the_token_that_checks_the_keys_opens_no_door() -> None:
    store, _ = await two()
    mine = tokens(store, A)
    await check_keys(store, mine)
    (row,) = await store.tokens("")
    text = mine.reveal(row)
    assert await store.bots() == []
    with pytest.raises(Exception, match="for another bot"):
        await mine.check_server(text, "echo", "read")


async def test_a_new_key_is_refused_where_anything_was_sealed_and_its_file_is_not_made(tmp_path: Path) -> None:
    settings, store = Settings(data=str(tmp_path)), TemporaryStore()
    first = await asyncio.to_thread(build_service, settings, {}, store=store.beside())
    assert not (tmp_path / KEY_FILE).exists()
    await first.start([])
    await first.stop(0.5)
    (tmp_path / KEY_FILE).unlink()
    again = await asyncio.to_thread(build_service, settings, {}, store=store.beside())
    with pytest.raises(VaultError, match="no new one was made"):
        await again.start([])
    await again.stop(0.5)
    assert not (tmp_path / KEY_FILE).exists()


def test_a_start_that_ends_before_its_store_opens_leaves_no_key_file(tmp_path: Path) -> None:
    build_service(Settings(data=str(tmp_path)), {}, store=TemporaryStore())
    assert list(tmp_path.iterdir()) == []
