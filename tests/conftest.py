"""What all tests share: a blocking call of this package inside the event loop fails the test that made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from blockbuster import BlockBuster

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def no_blocking_calls() -> Iterator[None]:
    """Only calls made by this package count: test code may read files, and libraries answer for themselves."""
    guard = BlockBuster(scanned_modules=["dialoom"])
    guard.activate()
    yield
    guard.deactivate()
