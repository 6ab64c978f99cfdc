"""Documents of the studio: sealed for their place, and over when their time is over."""

from __future__ import annotations

import os

import msgspec
import pytest
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.errors import VaultError
from dialoom.service.access.studio_rows import StudioRows
from dialoom.testing.clock import MovedClock


async def test_a_document_opens_in_its_own_place_only_and_the_slower_writer_is_told() -> None:
    store, clock = TemporaryStore(), MovedClock()
    await store.open()
    rows = StudioRows(store, Vault.from_keys([os.urandom(32)]), clock, "draft")
    first = await rows.add("salon", "d1", b'{"secret": 1}')
    assert first is not None
    assert await rows.add("salon", "d1", b"{}") is None
    row = await store.studio_row("salon", "draft", "d1")
    assert row is not None
    assert b"secret" not in row.body
    second = await rows.change("salon", first, b"{}")
    assert second is not None
    assert second.revision == 2
    assert await rows.change("salon", first, b"[]") is None
    assert await rows.get("salon", "d1") == second
    await store.put_studio_row(msgspec.structs.replace(row, id="d2"), None)
    with pytest.raises(VaultError):
        await rows.get("salon", "d2")
    await store.close()


async def test_a_document_is_gone_when_its_time_is_over() -> None:
    store, clock = TemporaryStore(), MovedClock()
    await store.open()
    rows = StudioRows(store, Vault.from_keys([os.urandom(32)]), clock, "publication")
    await rows.add("salon", "t1", b"{}", expires_at=clock.now() + 1000)
    assert [one.id for one in await rows.list("salon")] == ["t1"]
    clock.move(seconds=2)
    assert await rows.get("salon", "t1") is None
    assert await rows.list("salon") == []
    await store.close()
