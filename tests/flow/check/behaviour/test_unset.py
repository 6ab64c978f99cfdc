from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from dialoom.flow import Finding, check_files, check_folder
from dialoom.flow.check.behaviour.unset import Slips
from tests.flow.files import said, steps, texts


def question(**keys: Any) -> dict[str, Any]:
    return {"type": "question", "entity": "surname", "entity-type": "Text", "messages": ["?"], **keys}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("surnmae", "surname"),
        ("suname", "surname"),
        ("surnamme", "surname"),
        ("sur-name", "surname"),
        ("Surname", "surname"),
        ("surnames", None),
        ("surname2", None),
        ("firstname", None),
        ("surnam", None),
        ("surnamX", None),
        ("age", None),
    ],
)
def test_only_a_name_that_is_surely_mistyped_is_told(name: str, meant: str | None) -> None:
    assert Slips(["surname"]).meant(name) == meant


def test_a_name_that_nothing_sets_is_told_where_it_is_read_if_it_is_nearly_one_that_is_set() -> None:
    reviewed = {
        "type": "entities-confirmation",
        "entity": "sure",
        "entities": ["surname", "surnmae"],
        "messages": ["?"],
    }
    found = steps(
        question(),
        {"type": "message", "messages": ["Hello {{surnmae}}, {{user.FirstName}}"]},
        reviewed,
        {"type": "command", "command": "invalidate-entity surnmae"},
        settings={"persist-entities": ["surnmae"]},
    )
    told = [finding for finding in found if finding.rule == "unset-entity"]
    assert [finding.path for finding in told] == [
        "conversations/book/steps/1/messages/0",
        "conversations/book/steps/2/entities/1",
        "conversations/book/steps/3/command",
        "settings/persist-entities/0",
    ]
    assert 'Nothing sets "surnmae". Did you mean "surname"?' in told[0].message


def test_keys_of_an_element_are_no_entities() -> None:
    display = {"type": "quick-reply", "data-source": {"entity": "people"}, "template": "{{surnmae}} {{@root.surnmae}}"}
    settings = {"persist-entities": ["people"]}
    found = steps(question(display=display), settings=settings)
    assert [one.split(":")[0] for one in said(found, "unset-entity")] == [
        "conversations/book/steps/0/display/template",
    ]
    display["template"] = "{{surnmae}}"
    assert said(steps(question(display=display), settings=settings), "unset-entity") == []


def unset(found: list[Finding]) -> list[tuple[str, str]]:
    return [(one.path, one.message.split('"')[1]) for one in found if one.rule == "unset-entity"]


def test_every_name_that_nothing_sets_is_told_with_the_nearest_one() -> None:
    named = question(entity="name")
    found = steps(named, {"type": "message", "messages": ["Enjoy your {{topping}} and {{nam}}."]})
    path = "conversations/book/steps/1/messages/0"
    assert unset(found) == [(path, "topping"), (path, "nam")]
    topping, nam = (one for one in found if one.rule == "unset-entity")
    assert "Ask for it or set it in a step." in topping.message
    assert topping.fix is None
    assert 'Did you mean "name"?' in nam.message
    assert nam.fix is not None
    assert nam.fix.title == 'Write "Enjoy your {{topping}} and {{name}}.".'


def test_the_fix_changes_the_expression_and_not_the_words_before_it() -> None:
    (found,) = (
        one
        for one in steps(question(), {"type": "message", "messages": ["surnmae: {{surnmae}}"]})
        if one.rule == "unset-entity"
    )
    assert found.fix is not None
    assert found.fix.edits[0].value == "surnmae: {{surname}}"


@pytest.mark.parametrize(
    ("step", "path"),
    [
        ({"type": "message", "messages": [["a", "{{gone}}"]]}, "messages/0/1"),
        ({"type": "message", "messages": ["a"], "conditions": ["{{$has gone}}"]}, "conditions/0"),
        ({"type": "message", "messages": ["a"], "conditions": ["{{$has 'gone'}}"]}, "conditions/0"),
        ({"type": "message", "messages": ["{{#if gone}}a{{/if}}"]}, "messages/0"),
        ({"type": "message", "messages": ["{{#each gone}}{{title}}{{/each}}"]}, "messages/0"),
        ({"type": "message", "messages": ["{{lookup @root 'gone'}}"]}, "messages/0"),
        (question(display={"type": "quick-reply", "data": ["{{gone}}"]}), "display/data/0"),
        (question(display={"type": "single-select", "title": "{{gone}}", "data": ["a"]}), "display/title"),
        (question(**{"entity-display": "{{gone}}"}), "entity-display"),
        (question(reactions={"acknowledgements": ["{{gone}}"]}), "reactions/acknowledgements/0"),
        ({"type": "command", "command": "set-entity", "entity": "x", "data": {"a": ["{{gone}}"]}}, "data/a/0"),
    ],
)
def test_it_is_told_wherever_a_name_is_read(step: dict[str, Any], path: str) -> None:
    assert unset(steps(step)) == [(f"conversations/book/steps/0/{path}", "gone")]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("endpoint", "https://a.at/{{$encodeURI gone}}"),
        ("headers", {"X-A": "{{gone}}"}),
        ("payload", {"a": ["{{gone}}"]}),
        ("selector", "$['{{gone}}']"),
    ],
)
def test_it_is_told_in_every_part_of_a_request(key: str, value: Any) -> None:
    source = {"endpoint": "https://a.at", "method": "POST", key: value}
    ((path, name),) = unset(steps({"type": "webhook", "entity": "result", "data-source": source}))
    assert name == "gone"
    assert path.startswith(f"conversations/book/steps/0/data-source/{key}")


def test_it_is_told_in_the_answers_of_training() -> None:
    answers = {"name": "FAQ", "lookup-strategy": "QnA", "data": [{"value": "hours", "answers": ["{{gone}}"]}]}
    assert unset(steps(training={"entity-definitions": [answers]})) == [
        ("entity-definitions/0/data/0/answers/0", "gone")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "{{user.FirstName}} {{_system.culture}} {{conversation}} {{conversationDisplayName}} {{event.id}}",
        "{{#each surname}}{{title}} {{@index}} {{this}}{{/each}}",
        "{{#with surname}}{{title}}{{/with}}",
        "{{#surname}}{{title}}{{/surname}}",
        "{{#each surname as |one|}}{{one.title}}{{/each}}",
        "{{#forEach surname}}{{item.title}}{{/forEach}}",
        r"\{{gone}}",
        "{{lookup surname 'title'}}",
    ],
)
def test_what_may_be_there_is_not_told(text: str) -> None:
    assert unset(steps(question(), {"type": "message", "messages": [text]})) == []


def test_a_name_whose_only_question_was_deleted_is_told() -> None:
    told = {"type": "message", "messages": ["Hello {{surname}}."]}
    assert unset(steps(question(), told)) == []
    assert unset(steps(told)) == [("conversations/book/steps/0/messages/0", "surname")]


@pytest.mark.parametrize(
    "test",
    [
        {"context": {"plan": "gold"}, "scenarios": []},
        {"scenarios": [{"it": "a", "context": {"plan": "gold"}, "steps": []}]},
        {"scenarios": [{"it": "a", "steps": [{"user": {"context": {"plan": "gold"}}, "bot": []}]}]},
    ],
)
def test_context_of_a_conversation_test_counts_as_set(test: dict[str, Any], tmp_path: Path) -> None:
    flow = {"conversations": {"help": {"type": "support", "steps": [{"type": "message", "messages": ["{{plan}}"]}]}}}
    files = texts({"id": "bot"}, flow)
    assert unset(check_files(files)) == [("conversations/help/steps/0/messages/0", "plan")]
    with_test = files | {"tests/a.json": json.dumps(test), "tests/b.json": "{", "tests/c.json": "[[1]]"}
    assert unset(check_files(with_test)) == []
    (tmp_path / "tests").mkdir()
    for name, text in with_test.items():
        (tmp_path / name).write_text(text)
    assert unset(check_folder(tmp_path)) == []


def test_a_thousand_names_that_nothing_sets_are_looked_up_in_linear_time() -> None:
    near = [question(entity=f"surname{number:04}") for number in range(1000)]
    told = {"type": "message", "messages": ["".join(f"{{{{surnmae{number:04}}}}}" for number in range(900))]}
    begun = time.process_time()
    assert len(unset(steps(*near, told))) == 900
    assert time.process_time() - begun < 5
