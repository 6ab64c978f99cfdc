"""What the doctor says of a database, by the condition that it is in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.errors import StoreError, VaultError
from dialoom.service.clock import iso
from dialoom.service.doctor import database
from dialoom.service.doctor.finding import Finding
from dialoom.service.records.clock_guard import DOUBT_MS
from dialoom.service.settings import Settings
from dialoom.storage.condition import Condition, Late, Waiting
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import CLOCK_DOUBTED, TokenRow

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_800_000_000.0
MINUTE = 60_000


def condition(**other: Any) -> Condition:
    plain = {"name": "PostgreSQL 18.1", "where": "the database", "step": 1, "known": 1, "seconds": 0.001}
    return Condition(**(plain | other))


def levels(lines: list[Finding]) -> list[str]:
    return [line.level for line in lines]


@pytest.mark.parametrize(
    ("found", "expected", "part"),
    [
        (condition(), ["ok", "ok"], "answers in 1.0 ms"),
        (condition(seconds=0.05), ["warn", "ok"], "put both nearer together"),
        (condition(step=0), ["ok", "ok"], "makes them at its start"),
        (condition(known=2), ["ok", "warn"], "Make a backup"),
        (condition(step=2), ["ok", "ok"], "works with them"),
        (condition(step=3, is_too_new=True), ["ok", "fail"], "Update this one"),
        (condition(risks=("fsync is off.",)), ["ok", "ok", "fail"], "fsync is off"),
        (condition(connections=(5, 97)), ["ok", "ok", "ok"], "5 of 97"),
        (condition(connections=(90, 97)), ["ok", "ok", "warn"], "Raise max_connections"),
    ],
)
def test_what_a_database_lacks_is_said(found: Condition, expected: list[str], part: str) -> None:
    lines = database.answer_lines(found)
    assert levels(lines) == expected
    assert part in " ".join(line.text for line in lines)


@pytest.mark.parametrize(
    ("found", "level", "part"),
    [
        (condition(ahead=0.2), "ok", "goes with"),
        (condition(ahead=5.0), "warn", "5.0 s behind the database's"),
        (condition(ahead=-90.0), "fail", "90.0 s ahead of the database's"),
        (condition(newest=int((NOW + 3600) * 1000)), "warn", "was set back"),
    ],
)
def test_clocks_that_differ_are_said(found: Condition, level: str, part: str) -> None:
    (line,) = database.clock_lines(found, lambda: NOW)
    assert (line.level, part in line.text) == (level, True)


def test_a_clock_that_is_doubted_is_said_with_the_command_that_ends_it() -> None:
    found = condition(marks={CLOCK_DOUBTED: int(NOW * 1000) - DOUBT_MS + 1000})
    (line,) = database.clock_lines(found, lambda: NOW)
    assert line.level == "warn"
    assert iso(int(NOW * 1000) + 1000) in line.text
    assert "dialoom clock confirm" in line.text
    (line,) = database.clock_lines(found, lambda: NOW + 1)
    assert line.level == "ok"


async def test_the_pages_of_a_data_file_are_looked_through(tmp_path: Path) -> None:
    path = tmp_path / "dialoom.sqlite"
    store = SqliteStore(path)
    await store.open()
    await store.close()
    (line,) = await asyncio.to_thread(database.page_lines, path)
    assert (line.level, "can be read" in line.text) == ("ok", True)
    await asyncio.to_thread(_overwrite_page, path, 5)
    (line,) = await asyncio.to_thread(database.page_lines, path)
    assert (line.level, "restore a backup" in line.text) == ("fail", True)


def _overwrite_page(path: Path, number: int) -> None:
    with path.open("r+b") as data:
        data.seek((number - 1) * 4096)
        data.write(bytes(range(256)) * 16)


def test_keys_that_do_not_open_what_is_stored_fail() -> None:
    row = TokenRow(bot="echo", id="first", kind="server", hash=b"", sealed=b"sealed")
    kept = condition(tokens=(row,))

    def missing(_: TokenRow) -> bool:
        raise VaultError("Put that key back.")

    assert levels(database.kept_lines(kept, lambda _: True)) == ["ok"]
    (line,) = database.kept_lines(kept, lambda _: False)
    assert "hashed with a key that is gone" in line.text
    (line,) = database.kept_lines(kept, missing)
    assert (line.level, "Put that key back" in line.text) == ("fail", True)
    assert database.kept_lines(condition(), missing) == []


def test_dead_letters_and_deliveries_that_wait_for_long_are_said() -> None:
    now = int(NOW * 1000)
    rows = (Waiting("a", 0, 3, None), Waiting("b", 2, 0, now - 60 * MINUTE), Waiting("c", 1, 0, now - MINUTE))
    lines = database.outbox_lines(condition(outbox=rows), lambda: NOW)
    assert levels(lines) == ["warn", "warn"]
    assert "dialoom dead list a" in lines[0].text
    assert "Of bot b 2 deliveries wait, the oldest for 60 minutes" in lines[1].text
    assert levels(database.outbox_lines(condition(), lambda: NOW)) == ["ok"]


def test_events_that_wait_for_their_turn_for_long_are_said() -> None:
    found = condition(late=(Late("tea", 3, int(NOW * 1000) - 12 * MINUTE),))
    (line,) = database.inbox_lines(found, lambda: NOW)
    assert line.level == "warn"
    assert "Of bot tea 3 chats wait for a turn, the longest for 12 minutes" in line.text
    assert levels(database.inbox_lines(condition(), lambda: NOW)) == ["ok"]


async def test_a_server_that_is_away_is_said_without_its_password() -> None:
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        await database.condition_of(Settings(database_url="postgresql://ada:hidden@127.0.0.1:1/echo"))
    assert "hidden" not in str(caught.value)


async def test_a_server_and_its_replica_are_looked_at(postgres_server: Any) -> None:
    url = postgres_server.database()
    try:
        found, lines = await database.condition_of(Settings(database_url=url, history_database_url=url))
    finally:
        postgres_server.drop(url)
    assert found is not None
    assert (found.step, found.tokens) == (0, ())
    assert {line.check for line in lines} == {"database", "tables", "history database"}
    # How long an answer takes is the machine's; which level goes with which time, the first test asks.
    answers = [line for line in lines if " answers in " in line.text]
    assert len(answers) == 2
    assert levels(answers) == ["warn" if "That is slow" in line.text else "ok" for line in answers]
    assert levels(answers)[0] == database.answer_lines(found)[0].level
    assert set(levels([line for line in lines if line not in answers])) == {"ok"}
