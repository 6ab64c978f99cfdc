from __future__ import annotations

import json

import jsonschema_rs
import pytest

from dialoom.flow import schemas
from dialoom.flow.schema import FILES
from tests.flow.files import WHOLE_BOT, WHOLE_FLOW, WHOLE_TRAINING


@pytest.mark.parametrize("name", FILES)
def test_every_schema_is_valid_2020_12_and_whole_in_itself(name: str) -> None:
    schema = schemas()[name]
    jsonschema_rs.meta.validate(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    used = {part.split('"')[0] for part in json.dumps(schema).split("#/$defs/")[1:]}
    assert used <= set(schema["$defs"])


@pytest.mark.parametrize(
    ("name", "value"), [("bot.json", WHOLE_BOT), ("flow.json", WHOLE_FLOW), ("training.json", WHOLE_TRAINING)]
)
def test_a_bot_that_uses_every_key_fits_the_schemas(name: str, value: object) -> None:
    assert [str(error) for error in jsonschema_rs.Draft202012Validator(schemas()[name]).iter_errors(value)] == []


def test_no_union_is_left_for_a_validator_to_guess_at() -> None:
    assert "anyOf" not in json.dumps(schemas())


def test_editors_get_a_sentence_for_every_key() -> None:
    for schema in schemas().values():
        for name, part in {"": schema, **schema["$defs"]}.items():
            for key, value in part["properties"].items():
                assert value.get("description"), f"{name}/{key}"


@pytest.mark.parametrize(
    ("display", "fits"),
    [
        ({"title": "Open", "data": ["a"]}, True),
        ({"type": "multi-select", "data": ["a"]}, True),
        ({"type": "multi-selct", "data": ["a"]}, False),
        ({"titel": "Open"}, False),
    ],
)
def test_a_select_may_leave_its_type_out_in_an_editor_too(display: object, fits: bool) -> None:
    question = {"type": "question", "entity": "a", "entity-type": "Text", "display": display}
    flow = {"conversations": {"go": {"type": "goal", "steps": [question]}}}
    assert jsonschema_rs.Draft202012Validator(schemas()["flow.json"]).is_valid(flow) is fits
