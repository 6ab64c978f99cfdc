"""Events that cannot be run: when they are tried again, and what is said of them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from dialoom.errors import VaultError
from dialoom.service.cluster.failing_events import LOG_EVERY_MS, MAX_REST_MS, MIN_REST_MS, FailingEvents
from dialoom.storage.store import ChatKey
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    import pytest

ADA, GRACE = ChatKey("tea", "rest", "ada"), ChatKey("tea", "rest", "grace")


def test_rests_grow_to_some_minutes() -> None:
    clock = MovedClock()
    stuck = FailingEvents(clock)
    rests = []
    for _ in range(8):
        stuck.note(ADA, 1, VaultError("sealed"))
        began = clock.now()
        while stuck.is_resting(ADA):
            assert stuck.due() == []
            clock.move(1)
        assert stuck.due() == [ADA]
        rests.append(clock.now() - began)
    assert rests == [min(MIN_REST_MS * 2**tries, MAX_REST_MS) for tries in range(8)]


def test_only_the_events_that_failed_rest() -> None:
    stuck = FailingEvents(MovedClock())
    stuck.note(ADA, 2, VaultError("sealed"))
    assert stuck.is_resting(ADA, {1, 2})
    assert not stuck.is_resting(ADA, {1, 3})
    assert not stuck.is_resting(GRACE)


def test_an_event_is_told_when_it_begins_and_then_rarely(caplog: pytest.LogCaptureFixture) -> None:
    clock = MovedClock()
    stuck = FailingEvents(clock)
    for _ in range(100):
        stuck.note(ADA, 1, VaultError("sealed"))
        clock.move(60)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1 + 99 * 60_000 // LOG_EVERY_MS
    assert told[0].endswith("ever more rarely: sealed")
    assert told[1] == "an event of bot tea cannot be run here since 30 minutes: sealed"


def test_a_fault_is_told_with_its_trace_and_not_with_its_words(caplog: pytest.LogCaptureFixture) -> None:
    FailingEvents(MovedClock()).note(ADA, 1, ValueError("what the user said"))
    (record,) = caplog.records
    assert record.exc_info is not None
    assert "what the user said" not in record.getMessage()


def test_what_had_its_turn_or_is_gone_is_forgotten() -> None:
    stuck = FailingEvents(MovedClock())
    for number in (1, 2, 3):
        stuck.note(ADA, number, VaultError("sealed"))
    stuck.note(GRACE, 1, VaultError("sealed"))
    assert stuck.counts() == {"tea": 4}
    stuck.passed(ADA, 1)
    assert stuck.counts() == {"tea": 3}
    stuck.still(ADA, {3, 4})
    assert stuck.counts() == {"tea": 2}
    stuck.still(ADA, ())
    stuck.passed(GRACE, 1)
    stuck.passed(GRACE, 1)
    assert stuck.counts() == {}


def test_an_event_whose_chat_another_process_has_is_not_counted_and_its_failure_not_logged_anew(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = MovedClock()
    failing = FailingEvents(clock)
    for _ in range(3):
        failing.note(ADA, 1, VaultError("sealed"))
    failing.run_by_peer(ADA)
    assert (failing.counts(), failing.due(), failing.is_resting(ADA)) == ({}, [], True)
    clock.move(MIN_REST_MS / 1000)
    assert not failing.is_resting(ADA)
    failing.note(ADA, 1, VaultError("sealed"))
    assert failing.counts() == {"tea": 1}
    assert len(caplog.records) == 1
    clock.move(4 * MIN_REST_MS / 1000)
    assert failing.is_resting(ADA)  # as long as after four failures in a row
    failing.run_by_peer(ADA)
    failing.still(ADA, {1})
    assert failing.counts() == {"tea": 1}
    failing.run_by_peer(ADA)
    clock.move(LOG_EVERY_MS / 1000)
    failing.due()
    failing.still(ADA, {1})
    assert failing.counts() == {}


def test_the_end_of_an_event_is_logged_only_by_a_process_that_knows_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    clock = MovedClock()
    failing = FailingEvents(clock)
    failing.note(ADA, 1, VaultError("sealed"))
    failing.run_by_peer(ADA)
    clock.move(LOG_EVERY_MS / 1000)
    assert failing.due() == []
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    failing.note(ADA, 2, VaultError("sealed"))
    failing.run_by_peer(ADA)
    failing.still(ADA, ())
    assert caplog.records[-1].getMessage() == "an event of bot tea that could not be run here waits no more"


def test_a_timer_that_fails_holds_nothing_up_and_is_not_counted() -> None:
    clock = MovedClock()
    stuck = FailingEvents(clock)
    stuck.note(ADA, None, VaultError("sealed"))
    assert not stuck.is_resting(ADA)
    assert stuck.counts() == {}
    clock.move(3600)
    assert stuck.due() == []


def test_a_clock_that_jumps_back_lengthens_no_rest() -> None:
    clock = MovedClock()
    stuck = FailingEvents(clock)
    stuck.note(ADA, 1, VaultError("sealed"))
    clock.move(-5 * 3600)
    assert stuck.due() == [ADA]
