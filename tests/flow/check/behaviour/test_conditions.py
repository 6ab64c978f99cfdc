from __future__ import annotations

import time

import pytest

from dialoom.flow.check.steps import in_braces
from tests.flow.files import said, steps


def of(*conditions: str, rule: str) -> list[str]:
    found = steps({"type": "message", "messages": ["a"], "conditions": list(conditions)})
    return [message.partition("conditions/")[2] for message in said(found, rule)]


@pytest.mark.parametrize(
    "condition",
    [
        "{{paid}} && {{sent}}",
        "!{{paid}}",
        "{{$or ($ne colour 'red') ($ne colour 'blue')}}",
        "{{$or paid ($not paid)}}",
        "{{$eq 1 1}}",
        "{{$not ($eq 'a' 'b')}}",
    ],
)
def test_a_condition_that_always_holds_is_told(condition: str) -> None:
    assert len(of(condition, rule="always-holds")) == 1
    assert of(condition, rule="never-holds") == []


@pytest.mark.parametrize(
    ("condition", "right"),
    [
        ("{{age}} == 5", "{{$eq age 5}}"),
        ("{{$has a}} and {{$has b}}", "{{$and ($has a) ($has b)}}"),
        ("not {{paid}}", "{{$not paid}}"),
    ],
)
def test_a_condition_with_words_outside_of_its_braces_is_told_the_right_form(condition: str, right: str) -> None:
    (message,) = of(condition, rule="always-holds")
    assert message.endswith(f'"{right}".')


@pytest.mark.parametrize("text", ["x or " + "' " * 100 + '"', "x or " * 2000 + "y", "!" * 2000, "not " * 2000 + "x"])
def test_a_long_condition_without_braces_is_read_in_no_time(text: str) -> None:
    before = time.process_time()
    assert in_braces(text).startswith("{{")
    assert time.process_time() - before < 1


@pytest.mark.parametrize(
    ("condition", "rules"),
    [
        ("{{age}} == 5", ["always-holds"]),
        ("{{$eq 1 1}}", ["always-holds"]),
        ("", ["never-holds"]),
        ("{{true}}", ["never-holds"]),
        ("{{$eq a 5}}", []),
        ("{{_response.ok}}", []),
    ],
)
def test_a_validation_that_takes_every_answer_or_none_is_told(condition: str, rules: list[str]) -> None:
    validation = {"type": "custom", "parameters": {"condition": condition}, "error-message": ["No."]}
    found = steps(
        {"type": "question", "entity": "a", "entity-type": "Number", "reactions": {"validations": [validation]}}
    )
    assert [one.rule for one in found if one.rule.endswith("-holds")] == rules


@pytest.mark.parametrize(
    "conditions",
    [
        (" ",),
        ("{{false}}",),
        ("{{true}}",),
        ("{{$eq 1 2}}",),
        ("{{$and ($eq colour 'red') ($eq colour 'blue')}}",),
        ("{{$eq colour 'red'}}", "{{$eq 'blue' colour}}"),
        ("{{paid}}", "{{$not paid}}"),
        ("{{$has paid}}", "{{$not ($has paid)}}"),
        ("{{$eq colour 'red'}}", "{{sent}}", "{{$ne colour 'red'}}"),
        ("{{$gt age 5}}", "{{$lt age 3}}"),
        ("{{$eq age 5}}", "{{$eq age 6}}"),
        ("{{$eq paid true}}", "{{$eq paid false}}"),
        ("{{$eq paid false}}", "{{paid}}"),
        ("{{$not ($or paid sent)}}", "{{paid}}"),
    ],
)
def test_conditions_that_cannot_all_hold_are_told_once(conditions: tuple[str, ...]) -> None:
    assert len(of(*conditions, rule="never-holds")) == 1
    assert of(*conditions, rule="always-holds") == []


@pytest.mark.parametrize(
    "conditions",
    [
        ("{{city}}",),
        ("{{$not city}}", "{{$not country}}"),
        (" {{city}}\n",),
        ("{{#if city}}true{{/if}}",),
        ("{{a}}{{b}}",),
        ("{{$eq time '9:30'}}", "{{$eq time '09:30'}}"),
        ("{{$eq age 5}}", "{{$eq age '5.0'}}"),
        ("{{$ne colour 'red'}}", "{{$ne colour 'blue'}}"),
        ("{{$or ($eq colour 'red') ($eq colour 'blue')}}",),
        ("{{$gt age 3}}", "{{$lt age 5}}"),
        ("{{$gt age 10}}", "{{$lt age 9}}"),
        ("{{$not ($gt age 5)}}", "{{$not ($lte age 5)}}"),
        ("{{$eq city.name 'a'}}", "{{$eq city.country 'b'}}"),
        ("{{$eq list.length 0}}", "{{list}}"),
        ("{{$in city 'Vienna'}}", "{{$in city 'Graz'}}"),
        ("{{$date 'today'}}",),
    ],
)
def test_conditions_that_may_hold_or_not_are_right(conditions: tuple[str, ...]) -> None:
    assert of(*conditions, rule="never-holds") == of(*conditions, rule="always-holds") == []


@pytest.mark.parametrize(
    ("condition", "is_told"),
    [
        ("{{city}}", True),
        ("{{$has city}}", True),
        ("{{$eq city 'Graz'}}", True),
        ("{{$not city}}", False),
        ("{{$ne city 'Graz'}}", False),
        ("{{country}}", False),
        ("{{$or city country}}", False),
    ],
)
def test_a_question_that_wants_its_own_answer_first_is_never_asked(condition: str, is_told: bool) -> None:
    question = {
        "type": "question",
        "entity": "city",
        "entity-type": "Text",
        "messages": ["?"],
        "conditions": [condition],
    }
    assert (said(steps(question), "never-holds") != []) == is_told


def test_an_entity_that_is_called_as_a_literal_is_read_and_may_hold() -> None:
    switch = {"type": "command", "command": "set-entity", "entity": "1", "data": "a"}
    assert said(steps(switch, {"type": "message", "messages": ["a"], "conditions": ["{{1}}"]}), "never-holds") == []
