"""Every query has a name, a purpose and a place where it is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.storage import sql_files

FILES = sorted(sql_files.FOLDER.glob("*/queries/*.sql"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_every_query_says_what_it_is_for_and_is_used(file: Path) -> None:
    store = file.parent.parent
    code = "".join(source.read_text() for source in store.glob("*.py"))
    for query in sql_files.load(store.name, file.stem).values():
        assert query.purpose.endswith(".")
        assert f'"{query.name}"' in code, f"nothing uses {file}: {query.name}"


def test_a_query_for_many_rows_repeats_its_row() -> None:
    query = sql_files.parse(
        "-- name: put\n-- Puts.\ninsert into t (a, b)\nvalues (?, jsonb(?))\non conflict do nothing\n"
    )["put"]
    assert query.rows(1) == query.sql
    assert query.rows(3).splitlines()[1] == "values (?, jsonb(?)), (?, jsonb(?)), (?, jsonb(?))"


@pytest.mark.parametrize(
    "text", ["-- name: a\nselect 1\n", "-- name: a\n-- One.\nselect 1\n-- name: a\n-- Two.\nselect 2"]
)
def test_a_query_without_a_purpose_or_named_twice_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match='query "a"'):
        sql_files.parse(text)
