"""The measured sets never get worse. ``python -m tests.engine.sets --rows`` shows each row that is not right."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest

from tests.engine.sets.measure import BY_ONE_TAP, HARMFUL, MISSED, RIGHT, SETS, WRONG, Outcome, measured


class Floor(NamedTuple):
    rows: int
    """The least that the set must hold, so that a figure is worth something."""
    good: float
    """The least percent of rows that are right, at once or by one tap."""
    wrong: float
    """The most percent of rows that are wrong."""
    harmful: int
    """The most rows that are harmful."""
    wanted: str
    """What the set is to come to; the figures before are those of today."""


FLOORS = {
    "stray-numbers": Floor(100, 99, 0, 0, "none harmful"),
    "meant-numbers": Floor(30, 97, 0, 0, "90 % good"),
    "text-corrections": Floor(100, 98, 1, 0, "80 % good"),
    "text-answers": Floor(100, 100, 0, 0, "100 % good"),
    "text-questions": Floor(20, 0, 100, 0, "only reported"),
    "denied": Floor(60, 98, 0, 1, "none harmful"),
    "denied-not": Floor(50, 89, 1, 0, "90 % good"),
    "wishes": Floor(160, 79, 3, 0, "75 % good, at most 5 % wrong"),
    # "Yes, then I want to extend my books" is missed: a comma also stands in "ok, cancel my booking", which must not act.
    "second-wish": Floor(40, 85, 15, 0, "80 % good, none harmful"),
    "values": Floor(60, 98, 0, 1, "80 % good, none harmful"),
    "talks": Floor(200, 97, 1, 0, "80 % good, at most 5 % wrong, none harmful"),
}


@cache
def outcomes(name: str) -> tuple[Outcome, ...]:
    return tuple(measured(name))


def percent(name: str, *verdicts: str) -> float:
    all = outcomes(name)
    return 100 * sum(outcome.verdict in verdicts for outcome in all) / len(all)


def test_each_set_has_a_floor() -> None:
    assert list(FLOORS) == list(SETS)


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_large_enough_and_holds_no_row_twice(name: str) -> None:
    rows = Counter((outcome.language, outcome.said) for outcome in outcomes(name))
    assert sum(rows.values()) >= FLOORS[name].rows
    if name != "talks":
        assert [row for row, count in rows.items() if count > 1] == []


@pytest.mark.parametrize("name", SETS)
def test_replies_are_understood_at_once_or_by_one_tap(name: str) -> None:
    failed = [outcome for outcome in outcomes(name) if outcome.verdict in {MISSED, WRONG, HARMFUL}]
    assert percent(name, RIGHT, BY_ONE_TAP) >= FLOORS[name].good, failed


@pytest.mark.parametrize("name", SETS)
def test_replies_are_seldom_understood_wrongly(name: str) -> None:
    assert percent(name, WRONG) <= FLOORS[name].wrong, [one for one in outcomes(name) if one.verdict == WRONG]


@pytest.mark.parametrize("name", SETS)
def test_no_known_value_changes_in_silence_and_nothing_unasked_is_done(name: str) -> None:
    harmful = [outcome for outcome in outcomes(name) if outcome.verdict == HARMFUL]
    assert len(harmful) <= FLOORS[name].harmful, harmful
