"""The page on history queries says what the tables of the code say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dialoom.query import operands, parse, parse_query, tree
from dialoom.query.cursor import MAX_CURSOR_CHARS
from dialoom.query.errors import CODES, Code
from dialoom.query.fields import MAX_FIELDS
from dialoom.query.json_text import MAX_BYTES, MAX_DEPTH
from dialoom.query.operators import LOGICAL, OPERATORS, Logical, Operator
from dialoom.query.regex import expression, pattern
from dialoom.query.sort import MAX_PROPERTIES

PAGE = (Path(__file__).parents[2] / "docs" / "look-up" / "history-queries.md").read_text("utf-8")
EXAMPLES = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("row", [*OPERATORS.values(), *LOGICAL.values()], ids=lambda row: row.name)
def test_every_operator_has_its_row(row: Operator | Logical) -> None:
    assert f"| `{row.name}` | {row.sentence} |" in PAGE


@pytest.mark.parametrize("letter", expression.REFUSED_OPTIONS)
def test_every_option_that_is_refused_is_named(letter: str) -> None:
    assert re.search(rf"refused: .*`{letter}`", PAGE)


@pytest.mark.parametrize("code", CODES)
def test_every_error_code_has_its_row(code: Code) -> None:
    assert f"| `{code}` | {CODES[code]} |" in PAGE


@pytest.mark.parametrize(
    ("start", "limit"),
    [
        ("bytes", MAX_BYTES),
        ("depth", MAX_DEPTH),
        ("conditions", parse.MAX_CLAUSES),
        ("values", operands.MAX_VALUES),
        ("parts", tree.MAX_PARTS),
        ("regular expressions", parse.MAX_REGEXES),
        ("characters of a regular", expression.MAX_CHARACTERS),
        ("depth of groups", pattern.MAX_DEPTH),
        ("times", pattern.MAX_TIMES),
        ("properties", MAX_PROPERTIES),
        ("names in `fields`", MAX_FIELDS),
        ("characters of a cursor", MAX_CURSOR_CHARS),
    ],
)
def test_every_limit_has_its_row(start: str, limit: int) -> None:
    assert re.search(rf"^\| {start}.* \| {limit:,} \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_docs_parse(example: str) -> None:
    parse_query(example)


def test_the_docs_have_at_least_three_query_examples() -> None:
    assert len(EXAMPLES) >= 3
