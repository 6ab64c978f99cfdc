"""The page docs/look-up/templates.md: every row is true, and no helper or limit is left out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dialoom.errors import TemplateError
from dialoom.template import Scope, compile, compile_endpoint, compile_payload
from dialoom.template.blocks import BLOCKS
from dialoom.template.frame import MAX_LOOPS, MAX_OUTPUT_CHARS, MAX_PARTIALS, MAX_WORK
from dialoom.template.helpers import HELPERS
from dialoom.template.parser import MAX_SOURCE_CHARS
from dialoom.template.requests.iregexp import MAX_COST, MAX_STEPS
from dialoom.template.requests.jsonpath import MAX_VISITS
from dialoom.template.requests.selector import escape_literal
from dialoom.template.sections import MAX_NESTING
from dialoom.template.template import compile_guarded
from dialoom.template.values import CustomValue, DateText, TimeText

PAGE = Path(__file__).parents[2] / "docs" / "look-up" / "templates.md"
CELL = re.compile(r"(?<!\\)\|")


def rows() -> list[tuple[str, str, str, str]]:
    found = []
    kind = ""
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in CELL.split(line)[1:-1]] if line.startswith("|") else []
        if len(cells) != 3:
            kind = ""
        elif not kind:
            kind = cells[0]
        elif not set(cells[0]) <= {"-"}:
            found.append((kind, *(unquoted(cell) for cell in cells)))
    return found


def unquoted(cell: str) -> str:
    return cell[1:-1] if cell.startswith("`") else cell


def typed(value: Any) -> Any:
    """The page's convention: dates, times and values of custom types by their looks."""
    if isinstance(value, dict):
        fields = {key: typed(element) for key, element in value.items()}
        return CustomValue(fields, bare=fields["value"]) if "value" in fields else fields
    if isinstance(value, list):
        return [typed(element) for element in value]
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return DateText(value)
    if isinstance(value, str) and re.fullmatch(r"\d\d:\d\d", value):
        return TimeText(value)
    return value


def outcome(kind: str, source: str, scope: Scope) -> str | Any:
    if kind == "Template":
        return compile(source).text(scope)
    if kind == "Payload leaf":
        return compile_payload({"leaf": source}).render(scope)["leaf"]
    if kind == "Condition":
        return compile(source).truth(scope)
    if kind == "Selector":
        return compile_guarded(source, escape_literal).plain(scope)
    assert kind == "Endpoint"
    return compile_endpoint(source).render(scope)[0]


@pytest.mark.parametrize(("kind", "source", "memory", "expected"), rows())
def test_every_row_of_the_templates_page_renders_as_written(kind: str, source: str, memory: str, expected: str) -> None:
    scope = Scope(typed(json.loads(memory)))
    if expected == "refused":
        with pytest.raises(TemplateError):
            outcome(kind, source, scope)
        return
    wanted = json.loads(expected) if kind in {"Payload leaf", "Condition"} else expected
    assert outcome(kind, source, scope) == wanted


def test_every_helper_and_block_has_an_example() -> None:
    examples = " ".join(source for kind, source, *_ in rows() if kind in {"Template", "Condition"})
    for name in HELPERS:
        assert re.search(r"[{(]" + re.escape(name) + r"[ }]", examples), f"{name} has no example"
    for name in BLOCKS:
        assert f"{{{{#{name} " in examples, f"#{name} has no example"


def test_the_page_names_every_limit() -> None:
    text = PAGE.read_text("utf-8")
    selectors = (MAX_VISITS, MAX_COST, MAX_STEPS)
    for limit in (MAX_SOURCE_CHARS, MAX_NESTING, MAX_OUTPUT_CHARS, MAX_LOOPS, MAX_WORK, MAX_PARTIALS, *selectors):
        assert f" {limit} " in text
