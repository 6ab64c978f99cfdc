"""Every query has a name, a purpose and a place where it is used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from dialoom.storage import sql_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILES = sorted(sql_files.FOLDER.glob("*/queries/*.sql"))
SHARED = sql_files.load("", "shared")


def check_queries(queries: Mapping[str, sql_files.Query], code: str) -> None:
    for query in queries.values():
        assert query.purpose.endswith(".")
        assert f'"{query.name}"' in code, f"nothing uses {query.name}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_every_query_says_what_it_is_for_and_is_used(file: Path) -> None:
    store = file.parent.parent
    users = [*store.glob("*.py"), *(sql_files.FOLDER / "maintenance").glob("*.py")]
    if file.stem == "own":
        users = [sql_files.FOLDER / "shared_methods.py"]
    check_queries(sql_files.load(store.name, file.stem), "".join(source.read_text() for source in users))


def test_all_stores_have_the_same_statements_in_their_own_words() -> None:
    assert [*sql_files.load("sqlite", "own")] == [*sql_files.load("postgres", "own")]


def test_every_query_of_all_stores_says_what_it_is_for_and_is_used() -> None:
    users = [sql_files.FOLDER / "shared_methods.py", *sql_files.FOLDER.glob("*/*.py")]
    check_queries(SHARED, "".join(source.read_text() for source in users))


@pytest.mark.parametrize("query", SHARED.values(), ids=SHARED)
def test_parameters_of_all_stores_come_in_their_order(query: sql_files.Query) -> None:
    """SQLite numbers them by where they first stand, PostgreSQL by their names."""
    numbers = [int(number) for number in re.findall(r"\$(\d+)", query.sql)]
    assert numbers == list(range(1, len(numbers) + 1))


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
