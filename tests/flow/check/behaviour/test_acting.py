from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import check_files
from tests.flow.files import said, texts

ASK = {"type": "question", "entity": "day", "entity-type": "Date", "messages": ["Which day?"]}
ASK_TIME = ASK | {"entity": "time", "entity-type": "Time"}
SURE = {"type": "confirmation", "entity": "sure", "messages": ["Sure?"]}
SILENT = {"type": "command", "command": "stay-silent"}


def post(*conditions: str, method: str = "POST") -> dict[str, Any]:
    source = {"endpoint": "https://a.test/x", "method": method}
    return {"type": "webhook", "data-source": source, "conditions": list(conditions)}


def on_no(step: dict[str, Any]) -> dict[str, Any]:
    return step | {"conditions": ["{{$not sure}}"]}


def command(text: str) -> dict[str, Any]:
    return {"type": "command", "command": text}


def of(rule: str, *steps: dict[str, Any], kind: str = "goal", **keys: Any) -> list[str]:
    conversations = {
        "a": {"type": kind, "steps": list(steps), **keys},
        "b": {"type": "goal", "steps": [{"type": "message", "messages": ["b"]}]},
        "silent": {"type": "support", "steps": [SILENT]},
    }
    found = said(check_files(texts({"id": "bot"}, {"conversations": conversations})), rule)
    return [one.removeprefix("conversations/") for one in found if one.startswith("conversations/a")]


@pytest.mark.parametrize("condition", ["{{sure}}", "{{$eq sure true}}", "{{$and sure day}}", "{{$ne sure false}}"])
def test_a_no_that_ends_the_goal_is_told(condition: str) -> None:
    message = on_no({"type": "message", "messages": ["Then not."]})
    [told] = of("no-way-to-change", ASK, ASK_TIME, SURE, message, post(condition))
    assert told.startswith("a/steps/2: After a no the goal is over")


def test_a_no_that_acts_as_well_is_told() -> None:
    [told] = of("no-way-to-change", ASK, ASK_TIME, SURE, post())
    assert "After a no the bot acts all the same" in told


@pytest.mark.parametrize(
    "way",
    [
        on_no({"type": "question", "entity": "change", "entity-type": "Text", "messages": ["What shall I change?"]}),
        on_no(command("invalidate-entity day")),
        on_no(command("go-to b")),
        on_no({"type": "conversation", "conversation": "b"}),
    ],
)
def test_a_no_that_leads_on_is_right(way: dict[str, Any]) -> None:
    assert of("no-way-to-change", ASK, ASK_TIME, SURE, way, post("{{sure}}")) == []


def test_a_no_with_nothing_to_change_or_to_act_on_is_right() -> None:
    assert of("no-way-to-change", ASK, SURE, post("{{sure}}")) == []
    assert of("no-way-to-change", ASK, ASK_TIME, SURE, post("{{sure}}", method="GET")) == []
    assert of("no-way-to-change", ASK, ASK_TIME, SURE, post("{{sure}}"), kind="support") == []


def test_a_conversation_that_acts_before_it_asks_and_starts_on_a_guess_is_told() -> None:
    found = {"on-a-guess": "start"}
    [told] = of("acts-on-a-guess", post(), **found)
    assert told.startswith("a/on-a-guess: ")
    assert of("acts-on-a-guess", command("go-to silent"), **found)
    assert of("acts-on-a-guess", ASK | {"conditions": ["{{b}}"]}, command("logout"), **found)
    assert of("acts-on-a-guess", ASK, post(), **found) == of("acts-on-a-guess", post()) == []
    assert of("acts-on-a-guess", post(method="get"), **found) == []


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("A colleague takes over.", True),
        ("We restarted.", True),
        ('Write "Restart" to come back.', False),
        ("{{goodbye}}", False),
    ],
)
def test_a_silence_is_told_unless_a_text_before_it_says_how_to_come_back(text: str, is_told: bool) -> None:
    message = {"type": "message", "messages": [[text]]}
    assert bool(of("no-way-back", message, SILENT)) == is_told
    assert of("no-way-back", SILENT, message)
