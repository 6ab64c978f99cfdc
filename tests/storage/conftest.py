"""The stores that every test of the protocol runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dialoom.storage.memory import MemoryStore
from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.storage.store import Store


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "data.sqlite")
    await made.open()
    yield made
    await made.close()


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    made = SqliteStore(tmp_path / "data.sqlite")
    await made.open()
    yield made
    await made.close()
