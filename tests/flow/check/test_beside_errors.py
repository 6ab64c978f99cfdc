"""The checks of a bot as a whole also look at one whose files have errors: whatever these are, they end well."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from dialoom.flow import check_files, files_of
from tests.flow.files import certain, said, steps, whole

EXAMPLES = Path(__file__).parents[3] / "examples"
ODD: list[Any] = [None, True, 7, -1.5, "", "{{", "{{$nix a}}", "go-to", [], [None], [1, "a", {}], {}, {"a": {}}, [[]]]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place of a value, as what holds it and the key or index there."""
    found: list[tuple[Any, Any]] = []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        found += [(value, key), *places(inner)]
    return found


@pytest.mark.parametrize("seed", range(8))
def test_whatever_has_the_wrong_shape_every_check_ends_well(seed: int) -> None:
    dice = random.Random(seed)
    files = dice.choice([whole(), files_of(EXAMPLES / "shop"), files_of(EXAMPLES / "clinic")])
    for _ in range(12):
        values = {name: json.loads(text) for name, text in files.items()}
        for _ in range(dice.randint(1, 8)):
            owner, key = dice.choice(places(values))
            if dice.random() < 0.3 and isinstance(owner, dict):
                owner.pop(key, None)
            else:
                owner[key] = copy.deepcopy(dice.choice(ODD))
        check_files({name: json.dumps(value) for name, value in values.items()})


def test_a_name_that_nothing_sets_is_told_beside_an_error() -> None:
    found = steps({"type": "message", "messages": ["Enjoy your {{topping}}."], "mesages": []})
    assert {finding.rule for finding in certain(found)} == {"unknown-key"}
    assert len(said(found, "unset-entity")) == 1


def test_what_has_the_wrong_shape_still_sets_its_entity() -> None:
    question = {"type": "question", "entity": "topping", "entity-type": "Text", "messages": 7, "is-explicit": "no"}
    found = steps({"type": "message", "messages": ["Enjoy your {{topping}}."]}, question)
    assert said(found, "unset-entity") == []
