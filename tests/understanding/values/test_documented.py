"""Every example of the page on entity types is what the readers give."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dialoom.flow.model import BUILT_IN_TYPES
from tests.understanding.values.reading import values

PAGE = Path(__file__).parents[3] / "docs" / "look-up" / "entity-types.md"
_ROW = re.compile(r"\| (?P<first>[\w-]+) \| (?P<said>.+?) \| `(?P<stored>[^`]+)` \|")


def _examples() -> list[tuple[str, str, str, str]]:
    found, heading = [], ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif (row := _ROW.fullmatch(line)) is not None:
            is_type = row["first"] in BUILT_IN_TYPES
            type_, language = (row["first"], "en") if is_type else (heading, row["first"])
            found.append((type_, language, row["said"], row["stored"]))
    return found


def _stored(type_: str, text: str) -> Any:
    return json.loads(text) if type_ in ("Number", "Amount", "Confirmation") else text


@pytest.mark.parametrize(("type_", "language", "said", "stored"), _examples())
def test_every_example_of_the_page_is_read_so(type_: str, language: str, said: str, stored: str) -> None:
    assert values(type_, said, language) == [_stored(type_, stored)]


def test_the_page_names_every_built_in_type() -> None:
    headings = {
        name
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("## ")
        for name in line.removeprefix("## ").split(", ")
    }
    assert headings == set(BUILT_IN_TYPES)
