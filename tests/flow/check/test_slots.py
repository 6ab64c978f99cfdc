"""Slots in expressions that name nothing, or whose values cannot be found."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import Finding
from tests.flow.files import steps

QUESTIONS: tuple[dict[str, Any], ...] = (
    {"type": "question", "entity": "arrival", "entity-type": "Date", "messages": ["When?"]},
    {"type": "question", "entity": "name", "entity-type": "Text", "messages": ["Who?"]},
    {"type": "question", "entity": "town", "entity-type": "Town", "messages": ["Where?"]},
    {"type": "webhook", "entity": "price", "data-source": {"endpoint": "https://example.com/x"}},
)


def found(*expressions: str, kind: str = "trait") -> list[Finding]:
    key = "synonyms" if kind == "keywords" else "expressions"
    definitions = [
        {"name": "Town", "lookup-strategy": "keywords", "data": [{"value": "Graz"}]},
        {"name": "Mood", "lookup-strategy": kind, "data": [{"value": "good", key: list(expressions)}]},
    ]
    every = steps(*QUESTIONS, training={"entity-definitions": definitions})
    return [one for one in every if one.rule in ("unknown-slot", "unread-slot")]


@pytest.mark.parametrize("name", ["arrival", "town", "Town", "Date", "Number", "Url"])
def test_an_entity_or_a_type_that_is_found_in_sentences_is_right(name: str) -> None:
    assert found(f"from {{{name}}} on") == []


def test_a_misspelt_slot_is_an_error_at_its_name_with_what_was_meant_and_its_fix() -> None:
    [one] = found("a room", "from {arival} on")
    assert (one.rule, one.severity, one.prevents_loading) == ("unknown-slot", "error", False)
    assert one.path == "entity-definitions/1/data/0/expressions/1"
    assert one.message.endswith('Did you mean "arrival"?')
    assert one.fix is not None
    assert one.fix.edits[0].value == "from {arrival} on"


def test_what_no_question_asks_for_is_no_slot() -> None:
    assert [one.rule for one in found("it costs {price}", "{}")] == ["unknown-slot"]


def test_a_template_is_no_slot_and_its_fix_takes_the_outer_braces_away() -> None:
    [one] = found("from {{arrival}} on")
    assert one.fix is not None
    assert one.fix.edits[0].value == "from {arrival} on"


@pytest.mark.parametrize("name", ["name", "Text", "Mood", "Location"])
def test_a_type_that_is_not_found_in_sentences_is_a_warning(name: str) -> None:
    [one] = found(f"I am {{{name}}}")
    assert (one.rule, one.severity) == ("unread-slot", "warning")


def test_synonyms_of_a_keyword_have_no_slots() -> None:
    assert found("{arival}", kind="keywords") == []


@pytest.mark.parametrize(
    ("one", "other", "is_shared"),
    [
        ("go to {town}", "Go to {Town}!", True),
        ("go to {town}", "go to town", False),
        ("go to {town}", "go to {arrival}", False),
    ],
)
def test_expressions_with_slots_of_one_type_are_one(one: str, other: str, is_shared: bool) -> None:
    data = [{"value": "a", "expressions": [one]}, {"value": "b", "expressions": [other]}]
    definitions = [
        {"name": "Town", "lookup-strategy": "keywords", "data": [{"value": "Graz"}]},
        {"name": "Mood", "lookup-strategy": "trait", "data": data},
    ]
    every = steps(*QUESTIONS, training={"entity-definitions": definitions})
    assert [finding.rule for finding in every if finding.rule == "shared-expression"] == [
        "shared-expression"
    ] * is_shared
