from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow.check.behaviour.values import Slips
from tests.flow.files import said, steps


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
    found = steps(question(display=display))
    assert len(said(found, "unset-entity")) == 1
    display["template"] = "{{surnmae}}"
    assert said(steps(question(display=display)), "unset-entity") == []
