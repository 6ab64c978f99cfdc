"""What people say, by language: the tables of ``phrases/``, one line a phrase. Add a line to add a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.understanding.values.reading import values

TABLES = Path(__file__).parent / "phrases"


def _phrases() -> list[tuple[str, str, str, str]]:
    found = []
    for table in sorted(TABLES.glob("*.txt")):
        for line in table.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                type_, text, expected = (part.strip() for part in line.split("|"))
                found.append((table.stem, type_, text, expected))
    return found


def _written(type_: str, value: Any) -> str:
    """A value as the tables write it."""
    match type_:
        case "Amount":
            return f"{value['value']} {value['currency']}"
        case "Datetime":
            return str(value)[:16]
        case "Number" | "Confirmation":
            return json.dumps(value)
    return str(value)


@pytest.mark.parametrize(("language", "type_", "text", "expected"), _phrases())
def test_phrases_are_read_as_people_mean_them(language: str, type_: str, text: str, expected: str) -> None:
    read = [_written(type_, value) for value in values(type_, text, language)]
    assert (" ; ".join(read) or "-") == expected


def test_every_table_has_at_least_sixty_phrases() -> None:
    count: dict[str, int] = {}
    for language, *_ in _phrases():
        count[language] = count.get(language, 0) + 1
    assert {language for language, number in count.items() if number >= 60} >= {
        *("bg", "de", "en", "es", "fr", "it", "nl", "pt", "sv"),
    }
