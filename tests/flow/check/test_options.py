from __future__ import annotations

from typing import Any

import pytest

from dialoom.cli.check import finder
from dialoom.flow import check_files
from tests.flow.files import HELP, said, texts

CODE = {"name": "Code", "lookup-strategy": "regex", "data": {"pattern": "^[A-Z]{2}-\\d+$"}}
SIZE = {
    "name": "Size",
    "lookup-strategy": "keywords",
    "data": [{"value": "Large", "synonyms": ["big one"]}, {"value": "Small"}, {"value": "No onions"}],
}


def unmatched(entity_type: str, *data: Any, language: str = "en", takes_many: bool = False) -> list[str]:
    display = {"type": "quick-reply", "data": list(data)}
    question = {"type": "question", "entity": "a", "entity-type": entity_type, "messages": ["?"], "display": display}
    question |= {"capture-multiple-values": True} if takes_many else {}
    flow = {"conversations": {"book": {"type": "goal", "steps": [question]}, "help": HELP}}
    files = texts({"id": "bot", "language": language}, flow, {"entity-definitions": [CODE, SIZE]})
    if entity_type != "Size":
        assert said(check_files(files), "unmatched-option") == []
    found = [finding for finding in check_files(files, finder=finder) if finding.rule == "unmatched-option"]
    assert not any(finding.prevents_loading for finding in found)
    return [finding.path.rpartition("display/data/")[2] for finding in found]


@pytest.mark.parametrize(
    ("entity_type", "right", "wrong"),
    [
        ("Code", "AB-12", "ab"),
        ("Number", "twenty-five", "a few"),
        ("Date", "tomorrow", "some day"),
        ("Time", "half past 11", "late"),
        ("Email", "ada@example.com", "ada"),
        ("Confirmation", "Yes", "banana"),
        ("Text", "anything", None),
        ("Location", "Vienna", None),
    ],
)
def test_an_option_in_which_no_value_of_its_type_is_found_is_an_error_that_lets_the_bot_load(
    entity_type: str, right: str, wrong: str | None
) -> None:
    assert unmatched(entity_type, right, {"title": "a", "value": right}, "{{x}}") == []
    if wrong is not None:
        assert unmatched(entity_type, right, wrong, {"title": right, "value": wrong}) == ["1", "2/value"]


@pytest.mark.parametrize(
    ("entity_type", "answers", "does_not"),
    [
        ("Size", "Large pizza, extra text", "Large or Small"),
        ("Size", "**large**", "Large, Small"),
        ("Size", "the big one please", "Not Large"),
        ("Size", "Small, not Large", "anything but Large"),
        ("Size", "Lärge", "L a r g e"),
        ("Size", "No onions", "onions"),
        ("Number", "3 pieces", "3 or 4"),
        ("Date", "Tomorrow at noon", "not Monday"),
        ("Time", "noon", "between 9 and 11"),
        ("Confirmation", "Yes please", "Yes, but later"),
    ],
)
def test_an_option_is_told_when_choosing_it_does_not_answer_the_question(
    entity_type: str, answers: str, does_not: str
) -> None:
    found = unmatched(
        entity_type, answers, {"title": "a", "value": answers}, does_not, {"title": "a", "value": does_not}
    )
    assert found == ["2", "3/value"]


def test_an_option_of_several_values_answers_a_question_that_takes_several() -> None:
    assert unmatched("Size", "Large or Small", "Large, Small", takes_many=True) == []


def test_options_are_read_in_the_language_of_the_bot() -> None:
    assert unmatched("Date", "morgen", language="de") == []
    assert unmatched("Date", "morgen") == ["0"]
