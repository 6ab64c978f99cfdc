"""One line for many requests that fail alike."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from dialoom.service.observe.logs import MAX_MATTERS, ThrottledLog

if TYPE_CHECKING:
    import pytest


def test_a_line_comes_once_and_the_next_one_counts_those_that_were_left_out(caplog: pytest.LogCaptureFixture) -> None:
    seldom = ThrottledLog(logging.getLogger("dialoom.test"), quiet=10.0)
    for tenth in range(100):
        seldom.warn("the store is away", tenth / 10)
    assert [record.message for record in caplog.records] == ["the store is away"]
    seldom.warn("the store is away still", 10.0)
    assert caplog.records[-1].message == "the store is away still (99 more such lines were left out before)"
    seldom.warn("and again", 30.0)
    assert caplog.records[-1].message == "and again"


def test_lines_about_one_matter_do_not_hold_those_about_another_back(caplog: pytest.LogCaptureFixture) -> None:
    seldom = ThrottledLog(logging.getLogger("dialoom.test"), quiet=10.0)
    for now, bot, code in ((0.0, "tea", "keys"), (1.0, "tea", "token"), (2.0, "other", "keys"), (3.0, "tea", "keys")):
        seldom.warn(f"{bot} {code}", now, bot, code)
    assert [record.message for record in caplog.records] == ["tea keys", "tea token", "other keys"]
    seldom.warn("tea keys", 10.0, "tea", "keys")
    assert caplog.records[-1].message == "tea keys (1 more such lines were left out before)"


def test_of_many_matters_the_one_told_of_longest_ago_is_forgotten(caplog: pytest.LogCaptureFixture) -> None:
    seldom = ThrottledLog(logging.getLogger("dialoom.test"), quiet=10.0)
    for number in range(MAX_MATTERS + 1):
        seldom.warn("a line", 0.0, str(number))
    told = len(caplog.records)
    seldom.warn("a line", 1.0, "1")
    assert len(caplog.records) == told
    seldom.warn("a line", 1.0, "0")
    assert len(caplog.records) == told + 1
