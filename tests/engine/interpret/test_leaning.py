"""Which of the readings of the same words is meant."""

from __future__ import annotations

import pytest

from dialoom.engine.interpret.slots import Limits
from dialoom.engine.interpret.values.leaning import lean


def time(
    value: str,
    stored: str | None = None,
    *,
    least: str | None = None,
    most: str | None = None,
    offered: tuple[str, ...] = (),
) -> object:
    hours, minutes = value.split(":")
    other = f"{(int(hours) + 12) % 24:02}:{minutes}"
    return lean("Time", value, (other,), stored, Limits(least=least, most=most, offered=offered))


@pytest.mark.parametrize(
    ("said", "stored", "meant"),
    [
        ("08:00", "19:00", "20:00"),
        ("08:00", "09:00", "08:00"),
        ("19:00", "08:00", "07:00"),
        ("15:00", "10:00", "15:00"),
        ("15:00", "08:00", "15:00"),
        ("16:00", "06:00", "04:00"),
        ("12:00", "23:00", "00:00"),
        ("13:00", "20:00", "13:00"),
        ("13:00", "23:30", "01:00"),
        ("08:00", "14:00", "08:00"),
    ],
)
def test_a_time_is_the_one_nearest_to_the_stored_one(said: str, stored: str, meant: str) -> None:
    assert time(said, stored) == meant


@pytest.mark.parametrize(
    ("said", "least", "most", "meant"),
    [
        ("15:00", "09:00", "18:00", "15:00"),
        ("08:00", "17:00", "23:00", "20:00"),
        ("18:00", "05:00", "11:00", "06:00"),
        ("08:00", "17:00", None, "20:00"),
        ("18:00", None, "12:00", "06:00"),
        ("08:30", "09:00", "18:00", "08:30"),
    ],
)
def test_a_time_is_the_one_inside_the_range(said: str, least: str | None, most: str | None, meant: str) -> None:
    assert time(said, least=least, most=most) == meant


def test_the_range_counts_before_the_stored_time() -> None:
    assert time("08:00", "10:00", least="17:00", most="23:00") == "20:00"


def test_a_time_is_the_one_nearest_to_those_that_are_offered() -> None:
    assert time("08:00", offered=("17:00", "20:00")) == "20:00"


def test_a_time_without_anything_known_is_read_as_it_is() -> None:
    assert time("08:00") == "08:00"


def test_a_time_with_its_half_of_the_day_leans_on_nothing() -> None:
    assert lean("Time", "08:00", (), "19:00", Limits(least="17:00")) == "08:00"


@pytest.mark.parametrize(
    ("most", "meant"),
    [("2026-11-20", "2026-02-28"), ("2026-11-06", "2026-02-28"), ("2026-11-21", "2027-02-28"), (None, "2027-02-28")],
)
def test_a_date_is_the_last_one_where_the_range_ends_today_or_before(most: str | None, meant: str) -> None:
    limits = Limits(most=most, today="2026-11-20")
    assert lean("Date", "2027-02-28", ("2026-02-28",), None, limits) == meant


def test_today_is_no_day_of_the_future() -> None:
    assert lean("Date", "2026-11-20", ("2025-11-20",), None, Limits(most="2026-11-20", today="2026-11-20")) == (
        "2026-11-20"
    )
