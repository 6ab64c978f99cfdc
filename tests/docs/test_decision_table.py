"""The table of docs/why/understanding.md is made from the rows that decide what a message means."""

from __future__ import annotations

import re
from pathlib import Path

from dialoom.engine.interpret.decision import ROWS

WORDS = Path(__file__).parents[2] / "frontend" / "src" / "studio" / "try-out" / "words.ts"
PAGE = Path(__file__).parents[2] / "docs" / "why" / "understanding.md"


def table() -> str:
    rows = "".join(f"| {row.name} | {row.when} | {row.becomes} |\n" for row in ROWS)
    return f"| Row | Holds when | Becomes |\n|---|---|---|\n{rows}"


def test_the_docs_have_the_rows_of_the_decision() -> None:
    assert table() in PAGE.read_text("utf-8"), f"Put this table into {PAGE.name}:\n\n{table()}"


def test_the_studio_says_each_row_in_both_languages() -> None:
    words = WORDS.read_text("utf-8")
    for row in ROWS:
        name = row.name if row.name.isidentifier() else f'"{row.name}"'
        assert len(re.findall(rf"^ +{re.escape(name)}: ", words, re.MULTILINE)) >= 2, row.name


def test_each_row_has_a_name_of_its_own() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)
