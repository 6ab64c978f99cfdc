"""The stand-ins of platforms that several files of tests talk with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dialoom.testing.platforms.workplace_chat import Teams

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def teams() -> AsyncIterator[Teams]:
    async with Teams() as platform:
        yield platform
