"""What is said of a store that does not answer."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from dialoom.errors import StoreError
from dialoom.service.cluster.store_outage import StoreOutage

if TYPE_CHECKING:
    import pytest


def test_a_store_that_is_away_is_said_once_and_once_when_it_is_back(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    away = StoreOutage(logging.getLogger(__name__), "timers")
    for _ in range(2):
        away.is_over()
        away.note(StoreError("the disk is full"))
        away.note(StoreError("the disk is full"))
        away.is_over()
    assert [record.getMessage() for record in caplog.records] == [
        "timers wait for the store: the disk is full",
        "timers do not wait for the store any more",
    ] * 2
