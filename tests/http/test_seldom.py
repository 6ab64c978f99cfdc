"""One line for many requests that fail alike."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from dialoom.http.seldom import Seldom

if TYPE_CHECKING:
    import pytest


def test_a_line_comes_once_and_the_next_one_counts_those_that_were_left_out(caplog: pytest.LogCaptureFixture) -> None:
    seldom = Seldom(logging.getLogger("dialoom.test"), quiet=10.0)
    for tenth in range(100):
        seldom.warn("the store is away", tenth / 10)
    assert [record.message for record in caplog.records] == ["the store is away"]
    seldom.warn("the store is away still", 10.0)
    assert caplog.records[-1].message == "the store is away still (99 more such lines were left out before)"
    seldom.warn("and again", 30.0)
    assert caplog.records[-1].message == "and again"
