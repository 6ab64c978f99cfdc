from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import check_files
from tests.flow.files import said, steps, texts

CITY = {
    "name": "City",
    "lookup-strategy": "keywords",
    "data": [{"value": "Vienna", "synonyms": ["Wien"]}, {"value": "200"}],
}
TRAINING = {"entity-definitions": [CITY]}


def question(entity: str = "city", entity_type: str = "City", **keys: Any) -> dict[str, Any]:
    more = {key.replace("_", "-"): value for key, value in keys.items()}
    return {"type": "question", "entity": entity, "entity-type": entity_type, "messages": ["?"], **more}


def message(text: str = "a", *conditions: str) -> dict[str, Any]:
    return {"type": "message", "messages": [text], "conditions": list(conditions)}


# ---- values that nothing gives -----------------------------------------------------------------------------------


def test_a_comparison_with_a_value_that_the_type_does_not_have_is_told_with_the_one_that_was_meant() -> None:
    found = steps(question(), message("a", "{{$eq city 'Viena'}}"), training=TRAINING)
    (told,) = (finding for finding in found if finding.rule == "unknown-value")
    assert (told.severity, told.meant) == ("warning", "Vienna")
    assert told.path == "conversations/book/steps/1/conditions/0"


@pytest.mark.parametrize("text", ["{{#if ($eq 'Wien' city)}}a{{/if}}", "{{$and day ($ne city 'Graz')}}"])
def test_a_comparison_is_found_wherever_it_stands(text: str) -> None:
    assert len(said(steps(question(), message(text), training=TRAINING), "unknown-value")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "{{$eq city 'Vienna'}}",
        "{{$eq city 200}}",
        "{{$eq city null}}",
        "{{$eq city other}}",
        "{{$eq city.country 'Austria'}}",
        "{{$eq @root.city 'Graz'}}",
        "{{#each cities}}{{#if ($eq city 'Graz')}}a{{/if}}{{/each}}",
        "{{$eq town 'Graz'}}",
    ],
)
def test_what_may_be_equal_is_right(text: str) -> None:
    assert said(steps(question(), message(text), training=TRAINING), "unknown-value") == []


@pytest.mark.parametrize(
    "writer",
    [
        {"type": "command", "command": "set-entity", "entity": "city", "data": "Graz"},
        question(entity_type="Text"),
        question(capture_multiple_values=True),
    ],
)
def test_an_entity_that_something_else_may_set_can_be_anything(writer: dict[str, Any]) -> None:
    found = steps(question(), writer, message("a", "{{$eq city 'Graz'}}"), training=TRAINING)
    assert said(found, "unknown-value") == []


def test_a_type_that_is_filled_from_an_endpoint_can_have_any_value() -> None:
    source = {"endpoint": "https://a.at", "method": "GET"}
    dynamic = CITY | {"dynamic-data": {"data-source": source, "value-template": "{{name}}"}}
    found = steps(question(), message("a", "{{$eq city 'Graz'}}"), training={"entity-definitions": [dynamic]})
    assert said(found, "unknown-value") == []


def test_a_confirmation_is_true_or_false_and_no_text() -> None:
    sure = {"type": "confirmation", "entity": "sure", "messages": ["?"]}
    told = said(steps(sure, message("a", "{{$eq sure 'true'}}", "{{$ne sure 'yes'}}")), "unknown-value")
    assert told[0].endswith('The text "true" is never the answer of a confirmation. Write true without quotes.')
    assert told[1].endswith('"yes" is never the answer of a confirmation, which is true or false.')
    assert said(steps(sure, message("a", "{{$eq sure true}}")), "unknown-value") == []


def test_a_match_with_what_the_type_cannot_give_is_told() -> None:
    def of(entity_type: str, *values: Any) -> list[str]:
        validation = {"type": "match", "parameters": {"values": list(values)}, "error-message": ["No."]}
        asked = question("a", entity_type, reactions={"validations": [validation]})
        return said(steps(asked, training=TRAINING), "unknown-value")

    assert of("City", "Vienna", "{{other}}", "200", 200) == of("Text", "a") == of("Number", "5", 5) == []
    assert len(of("City", "Wien")) == len(of("Number", "five")) == 1


def test_two_questions_for_one_entity_may_have_two_types_where_conditions_choose() -> None:
    first, second = question("when", "Date"), question("when", "Time")
    assert len(said(steps(first, second), "mixed-types")) == 1
    assert said(steps(first, second | {"conditions": ["{{late}}"]}), "mixed-types") == []
    assert said(steps(first, question("when", "Date")), "mixed-types") == []


def confirmation(entity: str = "sure", kind: str = "confirmation") -> dict[str, Any]:
    return {"type": kind, "entity": entity, "messages": ["?"]}


def shared_confirmations(**conversations: tuple[str, list[dict[str, Any]]]) -> list[str]:
    flow = {"conversations": {key: {"type": type, "steps": steps} for key, (type, steps) in conversations.items()}}
    return said(check_files(texts({"id": "bot"}, flow)), "shared-confirmation")


@pytest.mark.parametrize("kind", ["confirmation", "entities-confirmation"])
def test_two_goals_whose_confirmations_have_one_entity_are_told_at_the_second(kind: str) -> None:
    found = shared_confirmations(book=("goal", [confirmation()]), cancel=("goal", [message(), confirmation(kind=kind)]))
    (told,) = found
    assert told.startswith(
        'conversations/cancel/steps/1/entity: "sure" holds the answer to a confirmation of the goal "book"'
    )
    assert told.endswith('such as "cancel-sure".')


def test_one_confirmation_may_stand_twice_in_a_goal_and_in_what_goals_run_in_place() -> None:
    confirm = {"type": "conversation", "conversation": "confirm"}
    found = shared_confirmations(
        book=("goal", [confirmation(), confirmation(), confirm]),
        cancel=("goal", [confirmation("drop"), confirm]),
        confirm=("support", [confirmation()]),
    )
    assert found == []
