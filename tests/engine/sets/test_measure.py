"""How a row is judged, whatever the bot understands."""

from __future__ import annotations

from tests.engine.sets import bots
from tests.engine.sets.measure import HARMFUL, MISSED, RIGHT, WRONG, Told, holds, reply_check


def at_time() -> Told:
    """A table for 4 on 2026-11-28; the time is asked for."""
    return Told(bots.of_one_goal("table", "en"), bots.way_to("table", "time", "en"))


def test_a_known_value_that_was_another_before_is_harm() -> None:
    chat = at_time()
    assert reply_check({**chat.memory, "people": 5}, "time", {}, is_no=False)(chat) == HARMFUL


def test_a_reply_that_changed_nothing_is_missed_where_a_value_was_expected() -> None:
    chat = at_time()
    assert reply_check(dict(chat.memory), "time", {"time": "19:00"}, is_no=False)(chat) == MISSED


def test_a_question_that_is_still_asked_is_right_where_nothing_was_expected() -> None:
    chat = at_time()
    assert reply_check(dict(chat.memory), "time", {}, is_no=False)(chat) == RIGHT


def test_another_value_than_the_expected_one_is_wrong() -> None:
    chat = at_time()
    before = dict(chat.memory)
    chat.say("18:00")
    assert reply_check(before, "time", {"time": "19:00"}, is_no=False)(chat) == WRONG


def test_what_is_said_to_a_copy_is_not_said_to_the_chat() -> None:
    chat = at_time()
    chat.copy().say("18:00")
    assert chat.asked == "time"


def test_an_expected_value_may_be_one_of_several_or_any() -> None:
    assert holds("20:00", ["08:00", "20:00"])
    assert holds("1", "*")
    assert holds({"value": "BMW", "doors": 5}, "BMW")
    assert not holds(None, "*")
    assert holds(None, [None, "x"])
