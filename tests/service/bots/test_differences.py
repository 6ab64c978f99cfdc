"""The difference of two versions part by part: what moved along is no change, and no secret is shown."""

from __future__ import annotations

import json
import time
from typing import Any

from dialoom.service.bots.differences import Side, changes, lines


def _flow(*steps: dict[str, Any]) -> dict[str, str]:
    return {"flow.json": json.dumps({"conversations": {"book": {"steps": steps}}})}


NAME = {"type": "question", "messages": ["Name?"]}
DAY = {"type": "question", "messages": ["Day?"]}
TIME = {"type": "question", "messages": ["Time?"]}


def test_a_step_that_is_put_in_between_is_one_addition() -> None:
    (found,) = changes(_flow(NAME, DAY), _flow(NAME, TIME, DAY))
    assert (found.kind, found.path, found.title, found.after) == (
        "added",
        "conversations/book/steps/1",
        "book › 2",
        TIME,
    )


def test_a_text_that_changes_is_shown_before_and_after() -> None:
    (found,) = changes(_flow(NAME, DAY), _flow(NAME, DAY | {"messages": ["Which day?"]}))
    assert (found.path, found.before, found.after) == ("conversations/book/steps/1/messages", ["Day?"], ["Which day?"])


def test_layout_is_no_change_and_a_secret_is_not_shown() -> None:
    bot = {"credentials": {"shop": {"password": "one"}}}
    assert changes({"bot.json": json.dumps(bot)}, {"bot.json": json.dumps(bot, indent=4)}) == []
    (found,) = changes({"bot.json": json.dumps(bot)}, {"bot.json": json.dumps(bot).replace("one", "two")})
    assert (found.path, found.before, found.after) == ("credentials/shop/password", None, None)


def test_a_file_that_comes_or_goes_is_one_change() -> None:
    found = changes({"a.json": "{}"}, {"b.json": "{}"})
    assert [(one.file, one.kind) for one in found] == [("a.json", "removed"), ("b.json", "added")]


def test_a_value_of_a_type_is_told_by_their_names() -> None:
    def training(*expressions: str) -> dict[str, str]:
        value = {"value": "cancel", "expressions": expressions}
        definition = {"name": "Conversation", "lookup-strategy": "trait", "data": [value]}
        return {"training.json": json.dumps({"entity-definitions": [definition]})}

    (found,) = changes(training("stop"), training("stop", "no more"))
    assert (found.title, found.path) == (
        "Conversation › cancel › expressions",
        "entity-definitions/0/data/0/expressions",
    )


def test_a_file_that_is_no_json_is_one_change_and_its_lines_are_those_that_were_written() -> None:
    good = {"flow.json": json.dumps({"conversations": {"a": 1, "b": 2}}, indent=1)}
    broken = {"flow.json": good["flow.json"].replace("2", "2,")}
    (found,) = changes(good, broken)
    assert (found.kind, found.title, found.before, found.after) == ("unreadable", "flow.json", None, None)
    assert [line for line in lines(Side("a", good), Side("b", broken)) if line[0] in "+-"] == [
        "--- a/flow.json",
        "+++ b/flow.json",
        '-  "b": 2',
        '+  "b": 2,',
    ]
    assert changes(broken, broken) == []
    assert [one.kind for one in changes({"flow.json": "[" * 5000}, good)] == ["unreadable"]


def test_true_is_not_one() -> None:
    (found,) = changes({"bot.json": '{"trace": true}'}, {"bot.json": '{"trace": 1}'})
    assert (found.path, found.before, found.after) == ("trace", True, 1)


def test_long_lists_of_equal_parts_are_compared_in_linear_time() -> None:
    begun = time.process_time()
    long = [NAME] * 10_000
    assert [one.kind for one in changes(_flow(*long), _flow(*long, DAY))] == ["added"]
    (found,) = changes(_flow(*long[:5000], DAY, *long), _flow(*long[:5000], TIME, *long))
    assert found.path == "conversations/book/steps/5000/messages"
    both_ends = changes(_flow(DAY, *long, DAY), _flow(TIME, *long, TIME))
    assert [one.path.split("/")[3] for one in both_ends] == ["0", "10001"]
    assert time.process_time() - begun < 20


def _call(address: str) -> dict[str, Any]:
    return {"type": "webhook", "data-source": {"endpoint": address, "method": "POST"}, "note": "Orders"}


def _kinds(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(one.kind, one.path.removeprefix("conversations/book/steps/")) for one in changes(_flow(*old), _flow(*new))]


def test_a_step_put_in_before_one_that_changes_is_two_changes() -> None:
    assert _kinds([NAME, _call("https://a"), DAY], [NAME, TIME, _call("https://b"), DAY]) == [
        ("changed", "2/data-source/endpoint"),
        ("added", "1"),
    ]
    assert (
        len(_kinds([NAME, DAY | {"entity": "day"}], [NAME, TIME, DAY | {"entity": "day", "messages": ["Which?"]}])) == 2
    )


def test_a_step_taken_away_before_one_that_changes_is_two_changes() -> None:
    assert _kinds([NAME, _call("https://a"), DAY], [_call("https://b"), DAY]) == [
        ("changed", "0/data-source/endpoint"),
        ("removed", "0"),
    ]


def test_a_step_that_moves_is_taken_away_and_put_in() -> None:
    assert sorted(_kinds([NAME, DAY, TIME], [DAY, TIME, NAME])) == [("added", "2"), ("removed", "0")]


def test_a_thousand_steps_that_all_change_are_compared_fast() -> None:
    begun = time.process_time()
    steps = [_call(f"https://a/{index}") for index in range(1000)]
    assert len(_kinds(steps, [_call(f"https://b/{index}") for index in range(1000)])) == 1000
    assert len(_kinds(steps, [*steps[:500], NAME, _call("https://b"), *steps[501:]])) == 2
    assert time.process_time() - begun < 5
