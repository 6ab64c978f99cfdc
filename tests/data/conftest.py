"""A fetcher that may reach loopback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dialoom.data import Egress, HttpFetcher

from .far_ends import fetching

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def fetcher() -> AsyncIterator[HttpFetcher]:
    async with fetching(Egress(allow_private=True)) as fetcher:
        yield fetcher
