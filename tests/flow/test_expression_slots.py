"""Which slots an expression has, and what they are for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dialoom.flow import Bot, read_files
from dialoom.flow.patterns.expression_slots import READ_INSIDE, slot_types, slots_in, without_slots

STYLISTS = {"name": "Stylist", "lookup-strategy": "keywords", "data": [{"value": "Anna"}]}


def question(entity: str, type: str) -> dict[str, Any]:
    return {"type": "question", "entity": entity, "entity-type": type, "messages": ["?"]}


def bot(*expressions: str, steps: tuple[dict[str, Any], ...] = ()) -> Bot:
    wishes = {
        "name": "Conversation",
        "lookup-strategy": "trait",
        "data": [{"value": "book", "expressions": list(expressions)}],
    }
    return read_files(
        {
            "bot.json": '{"id": "salon"}',
            "flow.json": json.dumps({"conversations": {"book": {"type": "goal", "steps": list(steps)}}}),
            "training.json": json.dumps({"entity-definitions": [wishes, STYLISTS]}),
        }
    )


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("{service} with {stylist}", ["service", "stylist"]),
        ("on { date }", ["date"]),
        ("{end-city}", ["end-city"]),
        ("plain words", []),
        ("a {{template}}", []),
        ("{} and { or", []),
        ("{a{b}", ["b"]),
    ],
)
def test_a_name_in_single_braces_is_a_slot(expression: str, names: list[str]) -> None:
    assert [slot.name for slot in slots_in(expression)] == names


def test_a_slot_is_of_the_type_of_its_entity_or_the_type_that_it_names() -> None:
    steps = (question("day", "Date"), question("who", "Stylist"))
    assert slot_types(bot("with {who} on {day} at {Time}", steps=steps)) == {
        "who": "Stylist",
        "day": "Date",
        "Time": "Time",
    }


def test_an_entity_goes_before_a_type_of_its_name_and_its_first_question_decides() -> None:
    steps = (question("Stylist", "Date"), question("Stylist", "Number"))
    assert slot_types(bot("with {Stylist}", steps=steps)) == {"Stylist": "Date"}


def test_only_slots_that_are_used_and_mean_something_count() -> None:
    assert slot_types(bot("with {somebody}", "hello", steps=(question("day", "Date"),))) == {}


@pytest.mark.parametrize("type", ["Text", "Confirmation", "File", "Location", "Conversation"])
def test_a_type_that_is_not_found_among_other_words_gives_a_slot_nothing(type: str) -> None:
    assert slot_types(bot("I am {name}", steps=(question("name", type),))) == {"name": ""}


def test_the_words_outside_of_values_are_an_expression_without_its_slots() -> None:
    assert without_slots("with {who} on {day} {x}", {"who": "Stylist", "day": "Date"}).split() == ["with", "on", "{x}"]


def test_the_studio_offers_the_same_types_for_slots() -> None:
    """It has a list of its own, since no request is made for nine words."""
    source = (Path(__file__).parents[2] / "frontend/src/studio/build/slot-names.ts").read_text(encoding="utf-8")
    listed = re.search(r"FOUND_TYPES = (\[[^\]]*\])", source)
    assert listed is not None
    assert set(json.loads(listed[1])) == READ_INSIDE
