"""Dates, times and moments written as text."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest

from dialoom.template.values import DateText, DatetimeText, TimeText
from dialoom.template.values.moments import in_zone, read_date, read_datetime, read_moment, read_time, zone_of


@pytest.mark.parametrize("text", ["2015-06-05", "2015.6.5", "2015/06/05", " 2015-06-05 "])
def test_a_date_may_be_spelled_with_hyphens_points_or_slashes(text: str) -> None:
    assert read_date(text) == date(2015, 6, 5)


@pytest.mark.parametrize(
    "text", ["", "2015-02-30", "2015-06.05", "15-06-05", "06/05/2015", "2015-06-05T", "٢٠١٥-٠٦-٠٥"]
)
def test_a_text_that_is_no_date_gives_none(text: str) -> None:
    assert read_date(text) is None


def test_a_time_may_have_seconds_and_a_single_digit() -> None:
    assert read_time("9:05") == read_time("09:05") == read_time("09:05:00") == time(9, 5)
    assert read_time("09:05:07.25") == time(9, 5, 7, 250_000)
    assert [read_time(text) for text in ("24:00", "9:60", "9", "9:5", "")] == [None] * 5


def test_a_moment_is_aware_when_it_has_an_offset() -> None:
    plus = timezone(timedelta(hours=5, minutes=30))
    assert read_datetime("2015-06-05T10:00Z") == datetime(2015, 6, 5, 10, tzinfo=UTC)
    assert read_datetime("2015-06-05 10:00:01+05:30") == datetime(2015, 6, 5, 10, 0, 1, tzinfo=plus)
    assert read_datetime("2015-06-05T10:00+0530") == datetime(2015, 6, 5, 10, tzinfo=plus)
    naive = read_datetime("2015-06-05T10:00")
    assert naive is not None
    assert naive.tzinfo is None


@pytest.mark.parametrize(
    "text", ["", "2015-06-05", "2015-13-05T10:00", "2015-06-05T25:00", "2015-06-05T10:00+99:99", "2015-06-05T10:00X"]
)
def test_a_text_that_is_no_moment_gives_none(text: str) -> None:
    assert read_datetime(text) is None


@pytest.mark.parametrize(
    "name", ["Universal", "UTC", "", "Nowhere/City", "../../etc/passwd", "/etc/passwd", "a\0b", "é"]
)
def test_a_name_that_is_no_zone_is_utc(name: str) -> None:
    assert datetime(2015, 6, 5, tzinfo=UTC).astimezone(zone_of(name)).utcoffset() == timedelta(0)


def test_the_first_and_last_moment_stay_in_every_zone() -> None:
    last = datetime.max.replace(tzinfo=UTC)
    assert in_zone(last, "Asia/Tokyo") == last


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (DateText("2015-06-05"), date(2015, 6, 5)),
        (DateText("soon"), None),
        (TimeText("9:05"), time(9, 5)),
        (TimeText("2015-06-05"), None),
        (DatetimeText("9:05"), None),
        ("9:05", time(9, 5)),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (1e300, None),
        (float("nan"), None),
        (10**30, None),
        (True, None),
        ([], None),
        (None, None),
    ],
)
def test_read_moment_reads_each_kind_of_value(value: object, expected: object) -> None:
    assert read_moment(value, "UTC") == expected
