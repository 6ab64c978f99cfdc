from __future__ import annotations

from typing import Any

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


def test_one_expression_for_two_values_is_a_linters_error() -> None:
    values = ({"value": "a", "expressions": ["Good  day", "hi"]}, {"value": "b", "expressions": ["good day"]})
    assert of_definition("trait", *values) == [("shared-expression", "error", "data/1/expressions/0", False)]
