"""The pages about data sources: every example is read as it stands, every key of the language stands in a table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom.engine import compile_flow, dynamic
from dialoom.engine.dynamic import MAX_ELEMENTS, MAX_NAME_CHARS
from dialoom.engine.events import Response
from dialoom.flow import check_files, read_files
from dialoom.flow.model import DynamicData
from dialoom.flow.parts import DataSource
from dialoom.service.bots.dynamic_data import MAX_WAIT_SECONDS, Refreshed

DO = Path(__file__).parents[2] / "docs" / "do"
CALLS = (DO / "data-sources.md").read_text("utf-8")
OF_CALLS = {"no-http", "unencoded-value", "dynamic-value", "default-taken", "literal-secret"}
LISTS = (DO / "dynamic-data.md").read_text("utf-8")


def examples(page: str) -> list[Any]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]


def _goal(step: dict[str, Any]) -> dict[str, Any]:
    return {"conversations": {"go": {"type": "goal", "steps": [step]}}}


def _files(example: dict[str, Any]) -> dict[str, Any] | None:
    """The example in the place where it belongs; None for one that is no part of a bot."""
    files: dict[str, Any] = {"bot.json": {"id": "clinic"}, "flow.json": _goal({"type": "message", "messages": ["a"]})}
    if "credentials" in example:
        return files | {"bot.json": example}
    if "entity-definitions" in example:
        return files | {"training.json": example}
    if example.get("type") == "webhook":
        return files | {"flow.json": _goal(example)}
    if example.get("type") == "quick-reply":
        question = {
            "type": "question",
            "entity": "doctor",
            "entity-type": "Text",
            "messages": ["Who?"],
            "display": example,
        }
        return files | {"flow.json": _goal(question)}
    return None


@pytest.mark.parametrize("page", [CALLS, LISTS], ids=["data-sources", "dynamic-data"])
def test_every_example_of_a_bot_is_right_without_a_warning_about_its_calls(page: str) -> None:
    bots = [files for files in map(_files, examples(page)) if files is not None]
    assert bots
    for files in bots:
        found = check_files({name: json.dumps(value) for name, value in files.items()})
        assert [one for one in found if one.severity == "error" or one.rule in OF_CALLS] == []


@pytest.mark.parametrize(("page", "model"), [(CALLS, DataSource), (LISTS, DynamicData)])
def test_every_key_stands_in_its_table(page: str, model: type[msgspec.Struct]) -> None:
    keys = [field.encode_name for field in msgspec.structs.fields(model)]
    assert [key for key in keys if key not in ("$schema", "note") and f"| `{key}` |" not in page] == []


def test_the_list_of_the_page_becomes_the_values_that_it_says() -> None:
    training = next(example for example in examples(LISTS) if "entity-definitions" in example)
    files = _files(training)
    assert files is not None
    flow = compile_flow(read_files({name: json.dumps(value) for name, value in files.items()}))
    answer = re.search(r"With the answer `(.*?)`", LISTS)
    assert answer is not None
    elements = dynamic.elements(flow, "City", Response(200, body=answer[1].encode()))
    filled = dynamic.filled(flow, {"City": elements})
    assert [value["value"] for value in filled.recogniser.values("City")] == ["Oslo", "Vienna"]
    named = filled.recogniser.value_named("City", "osl")
    assert named is not None
    assert named["zone"] == 2


def test_the_answer_of_a_reading_is_described_key_by_key() -> None:
    (described,) = [example for example in examples(LISTS) if "fetchedAt" in example]
    assert list(described) == [field.encode_name for field in msgspec.structs.fields(Refreshed)]


def test_the_limits_of_the_page_are_those_of_the_code() -> None:
    for words in (
        f"at most {MAX_ELEMENTS:,} elements",
        f"more than {MAX_NAME_CHARS} characters",
        f"up to {MAX_WAIT_SECONDS:g} seconds",
    ):
        assert words in LISTS
