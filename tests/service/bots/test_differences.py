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
