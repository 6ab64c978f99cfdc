from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow.check import training
from dialoom.flow.check.known import known_from
from dialoom.flow.pieces import Piece
from dialoom.flow.variables import Variables
from tests.flow.files import steps


def of_definition(strategy: str, *data: dict[str, Any]) -> list[tuple[str, str, str, bool]]:
    definition = {"name": "Mood", "lookup-strategy": strategy, "data": list(data)}
    found = steps(training={"entity-definitions": [definition]})
    return [
        (finding.rule, finding.severity, finding.path.removeprefix("entity-definitions/0/"), finding.prevents_loading)
        for finding in found
    ]


def test_a_value_needs_a_text() -> None:
    assert of_definition("keywords", {"value": " "}) == [("blank-name", "error", "data/0/value", True)]


def test_a_value_that_stands_twice_is_a_warning() -> None:
    assert of_definition("keywords", {"value": "a"}, {"value": "b"}, {"value": "a"}) == [
        ("doubled-value", "warning", "data/2/value", False)
    ]


def test_one_expression_for_two_values_is_a_warning() -> None:
    values = ({"value": "a", "expressions": ["Good  day", "hi"]}, {"value": "b", "expressions": ["good day"]})
    assert of_definition("trait", *values) == [("shared-expression", "warning", "data/1/expressions/0", False)]


def test_conversations_and_answers_are_compared_with_each_other_and_other_traits_are_not() -> None:
    def definition(name: str, strategy: str, value: str) -> dict[str, Any]:
        more = {"answers": ["a"]} if strategy == "QnA" else {}
        data = [{"value": value, "expressions": ["Opening hours?", "one", "two"], **more}]
        return {"name": name, "lookup-strategy": strategy, "data": data}

    definitions = [
        definition("Mood", "trait", "good"),
        definition("Conversation", "trait", "book"),
        definition("Weather", "trait", "fine"),
        definition("Questions", "QnA", "hours"),
    ]
    found = steps(training={"entity-definitions": definitions})
    assert {finding.path.rpartition("/data")[0] for finding in found if finding.rule == "shared-expression"} == {
        "entity-definitions/3"
    }


def test_one_name_for_two_values_is_right_where_the_user_is_asked_which_or_nobody_asks() -> None:
    data = [{"value": "Graz"}, {"value": "Linz", "synonyms": ["graz!", "L"]}]
    training = {"entity-definitions": [{"name": "City", "lookup-strategy": "keywords", "data": data}]}
    question: dict[str, Any] = {"type": "question", "entity": "a", "entity-type": "City", "messages": ["?"]}
    found = steps(question, training=training)
    assert [finding.path for finding in found if finding.rule == "shared-synonym"] == [
        "entity-definitions/0/data/1/synonyms/0"
    ]
    question["reactions"] = {"ambiguities": ["Which one?"]}
    assert steps(question, training=training) == steps(training=training) == []


@pytest.mark.parametrize(
    ("pattern", "is_told"),
    [
        ("[A-Z]{2}-[0-9]{4}", True),
        (r"C-\d+", True),
        ("[A-Za-z]{2}[0-9]{4}", False),
        (r"\S\D\p{Lu}[0-9]+", False),
        ("(?P<Name>[0-9]+)", False),
        ("[0-9]+", False),
    ],
)
def test_a_pattern_that_only_capital_letters_fit_is_told_where_case_counts(pattern: str, is_told: bool) -> None:
    known = known_from((), (), Variables())
    for case, expected in ((True, is_told), (False, False)):
        piece = Piece("pattern", "training.json", ("data",), {"pattern": pattern, "case-sensitive": case})
        assert bool(list(training.capitals_only(piece, known))) == expected
