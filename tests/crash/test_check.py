"""The judge of the crash tests notices each kind of fault, on histories made by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.crash.check import Call, Kept, Line, Post, Wanted, check_calls, check_chat, check_posts, check_seen

LINES = (
    Line("user", "order"),
    Line("bot", "Which item?"),
    Line("user", "tea"),
    Line("bot", "How many of tea?"),
)
WANTED = Wanted(LINES, "success", "order", {"item": "tea"})


def kept(*lines: Line, **record: Any) -> Kept:
    """A conversation of these lines, whose record is as it must be but for what is named."""
    messages = tuple(
        {"From": line.who, "Text": line.text, "Sequence": number} for number, line in enumerate(lines, start=1)
    )
    counts = {who: sum(line.who == who for line in lines) for who in ("user", "bot")}
    right = {
        "Status": "success",
        "Goal": "order",
        "Errors": 0,
        "EndedAt": "2026-11-21T10:00:00.000Z",
        "Messages": counts,
        "Data": {"entities": {"item": "tea"}},
    }
    return Kept(right | record, messages)


def kinds(*found: Kept) -> set[str]:
    return {fault.kind for fault in check_chat("u", [WANTED], found)}


def test_a_talk_that_was_kept_as_it_was_has_no_fault() -> None:
    assert check_chat("u", [WANTED, WANTED], [kept(*LINES), kept(*LINES)]) == []


def test_a_message_that_is_missing_is_lost() -> None:
    assert kinds(kept(*LINES[:2], LINES[3])) == {"lost"}


def test_a_message_that_stands_twice_is_doubled() -> None:
    assert kinds(kept(*LINES, LINES[3])) == {"doubled"}


def test_messages_that_changed_places_are_out_of_order() -> None:
    assert kinds(kept(LINES[2], LINES[3], LINES[0], LINES[1])) == {"out of order"}


def test_a_text_that_nobody_was_to_say_is_wrong() -> None:
    assert kinds(kept(*LINES[:3], Line("bot", "How many of milk?"))) == {"lost", "wrong"}


@pytest.mark.parametrize(
    "change",
    [
        {"Status": "active"},
        {"Goal": None},
        {"Errors": 1},
        {"EndedAt": None},
        {"Messages": {"user": 2, "bot": 3}},
        {"Data": {"entities": {"item": "milk"}}},
    ],
)
def test_a_record_that_says_something_else_is_a_fault(change: dict[str, Any]) -> None:
    assert kinds(kept(*LINES, **change)) == {"record"}


def test_a_gap_in_sequence_is_a_fault() -> None:
    whole = kept(*LINES)
    broken = (*whole.messages[:3], whole.messages[3] | {"Sequence": 5})
    assert kinds(Kept(whole.record, broken)) == {"record"}


def test_a_conversation_that_stands_twice_is_doubled() -> None:
    assert kinds(kept(*LINES), kept(*LINES)) == {"doubled", "record"}


def test_what_was_stored_after_a_look_is_no_fault_but_what_was_seen_must_be_there() -> None:
    assert check_seen("u", LINES[:2], LINES) == []
    assert {fault.kind for fault in check_seen("u", LINES, LINES[:3])} == {"lost"}


GET, POST = Call("GET", None, b"", 1.0), Call("POST", "k", b"{}", 2.0)


def test_calls_that_came_once_or_were_repeated_once_a_kill_are_right() -> None:
    assert check_calls("u", [GET, POST], 0) == []
    assert check_calls("u", [GET, POST, POST._replace(at=3.0)], 1) == []
    assert check_calls("u", [GET, GET._replace(at=1.5), POST, POST._replace(at=3.0)], 2) == []


@pytest.mark.parametrize(
    ("calls", "kills"),
    [
        ([GET], 0),
        ([GET, POST, POST], 0),
        ([GET, POST, POST, POST], 1),
        ([GET, POST, POST._replace(key="other", at=3.0)], 1),
        ([GET, POST, POST._replace(body=b"[]", at=3.0)], 1),
        ([GET, POST._replace(key=None)], 0),
        ([GET, POST, GET._replace(at=3.0)], 1),
    ],
)
def test_calls_that_are_missing_too_many_or_different_are_faults(calls: list[Call], kills: int) -> None:
    assert {fault.kind for fault in check_calls("u", calls, kills)} == {"call"}


FIRST, SECOND = Post("a", b"1", 1, is_taken=True), Post("b", b"2", 3, is_taken=True)


def test_deliveries_that_came_in_order_are_right_also_when_one_came_again() -> None:
    assert check_posts("u", [FIRST, SECOND], 2) == []
    assert check_posts("u", [FIRST._replace(is_taken=False), FIRST, FIRST, SECOND], 2) == []


@pytest.mark.parametrize(
    "posts",
    [
        [FIRST],
        [FIRST, SECOND._replace(is_taken=False)],
        [SECOND, FIRST],
        [FIRST._replace(is_taken=False), SECOND, FIRST],
        [FIRST, SECOND, FIRST],
        [FIRST, FIRST._replace(body=b"other"), SECOND],
        [FIRST, SECOND, SECOND._replace(key="c")],
    ],
)
def test_deliveries_that_are_missing_different_or_out_of_order_are_faults(posts: list[Post]) -> None:
    assert {fault.kind for fault in check_posts("u", posts, 2)} == {"delivery"}
