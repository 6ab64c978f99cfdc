"""An outage of the store in the log: said once, then ever more rarely, then its end."""

from __future__ import annotations

import logging

import pytest

from dialoom.errors import StoreError
from dialoom.service.observe.store_outage import StoreOutage
from dialoom.storage.errors import DiskFull, HistoryBusy, Overtaken, TooSlow


class Seconds:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def outage(seconds: Seconds, caplog: pytest.LogCaptureFixture) -> StoreOutage:
    caplog.set_level(logging.INFO)
    return StoreOutage(seconds)


def _lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage().removeprefix("the store fails; what was accepted is kept and done later: ")
        for record in caplog.records
    ]


def _succeed(outage: StoreOutage, operation: str) -> None:
    if outage.is_on:
        outage.succeeded(operation)


def test_an_outage_is_said_once_then_rarely_and_then_its_end(
    outage: StoreOutage, seconds: Seconds, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(210):
        outage.note("commit", StoreError("It is stopped. Start it."))
        seconds.now += 0.1
    seconds.now += 5
    _succeed(outage, "due")
    assert _lines(caplog) == [
        "It is stopped. Start it.",
        "It is stopped. Start it. (for 10 s now; 101 operations failed)",
        "the store works again after 26 s (210 operations failed meanwhile)",
    ]


def test_it_lasts_until_the_first_operation_that_works(
    outage: StoreOutage, seconds: Seconds, caplog: pytest.LogCaptureFixture
) -> None:
    outage.note("commit", StoreError("It is stopped."))
    for pause in (20, 1, 10):
        seconds.now += pause
        _succeed(outage, "due")
    assert _lines(caplog)[-1] == "the store works again after 20 s (1 operation failed meanwhile)"


def test_each_state_of_an_outage_is_said_once(
    outage: StoreOutage, seconds: Seconds, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(5):
        outage.note("due", StoreError("It is starting."))
        outage.note("due", StoreError("It is stopped."))
        seconds.now += 1
    assert _lines(caplog) == ["It is starting.", "It is stopped."]


def test_a_full_disk_is_one_outage_however_many_reads_and_small_writes_succeed(
    outage: StoreOutage, seconds: Seconds, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(300):
        outage.note("commit", DiskFull("The disk is full."))
        _succeed(outage, "hold")
        _succeed(outage, "accept")
        seconds.now += 1
    assert len(caplog.records) == 3
    seconds.now += 20
    _succeed(outage, "due")
    assert outage.is_on
    _succeed(outage, "accept")
    assert _lines(caplog)[-1] == "the store works again after 5 min (300 operations failed meanwhile)"


@pytest.mark.parametrize(
    ("operation", "error"),
    [("find", TooSlow("Narrow it.")), ("find", HistoryBusy("Later.")), ("commit", Overtaken("Again."))],
)
def test_what_a_store_that_is_well_refuses_is_no_outage(
    outage: StoreOutage, operation: str, error: StoreError, caplog: pytest.LogCaptureFixture
) -> None:
    outage.note(operation, error)
    assert (outage.is_on, error.is_logged, caplog.records) == (False, False, [])


def test_turns_that_are_stopped_for_their_length_are_an_outage(outage: StoreOutage, seconds: Seconds) -> None:
    outage.note("commit", TooSlow("It is slow."))
    seconds.now += 6
    _succeed(outage, "due")
    assert outage.is_on
