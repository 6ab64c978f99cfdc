"""``pg_dump`` is run without a password on its command line; what it made is read whole."""

from __future__ import annotations

import asyncio
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from dialoom.errors import StoreError
from dialoom.storage.maintenance.postgres_dump import NoTool, command, dump
from dialoom.storage.store import Version
from tests.postgres import Server, binaries
from tests.storage.postgres.opened import opened

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

URL = "postgresql://ada:s%40cret@db.example:5433/bots?sslmode=require&database=x"


def test_the_command_has_no_password(tmp_path: Path) -> None:
    words = command(URL, tmp_path / "copy")
    assert words[-1] == "--dbname=postgresql://ada@db.example:5433/bots?sslmode=require&dbname=x"
    assert command("postgresql:///bots?host=/run&password=secret", tmp_path)[-1].endswith("/bots?host=/run")
    assert "cret" not in " ".join(words)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Puts programs on the path, which has no others then."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(name: str, text: str) -> Path:
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
        return folder / name

    return put


@pytest.mark.usefixtures("tools")
def test_where_there_is_no_pg_dump_the_command_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoTool) as caught:
        dump(URL, tmp_path / "copy")
    said = str(caught.value)
    assert "pg_dump --format=custom --schema=dialoom" in said
    assert "PGPASSWORD" in said
    assert "cret" not in said
    assert not (tmp_path / "copy").exists()


def test_the_password_comes_by_the_environment(tmp_path: Path, tools: Callable[[str, str], Path]) -> None:
    said = tmp_path / "said"
    tools("pg_dump", f'echo "$PGPASSWORD $*" > {said}; echo archive > {tmp_path}/copy.part')
    tools("pg_restore", "exit 0")
    assert dump(URL, tmp_path / "copy").size == len("archive\n")
    password, *words = said.read_text().split()
    assert password == "s@cret"
    assert "cret" not in " ".join(words)
    assert "--no-password" in words


def test_a_pg_dump_that_is_too_old_is_told_with_what_to_do(tmp_path: Path, tools: Callable[[str, str], Path]) -> None:
    tools(
        "pg_dump",
        "echo 'pg_dump: error: aborting because of server version mismatch' >&2\n"
        "echo 'pg_dump: detail: server version: 18.1; pg_dump version: 15.18 (Debian 15.18)' >&2\nexit 1",
    )
    tools("pg_restore", "exit 0")
    with pytest.raises(StoreError, match=r"pg_dump 15\.18 cannot read a server of PostgreSQL 18\.1\. Install"):
        dump(URL, tmp_path / "copy")
    assert not list(tmp_path.glob("copy*"))


def test_what_pg_dump_says_is_passed_on_and_nothing_is_left(tmp_path: Path, tools: Callable[[str, str], Path]) -> None:
    tools("pg_dump", f"echo half > {tmp_path}/copy.part; echo 'pg_dump: error: no way in' >&2; exit 1")
    tools("pg_restore", "exit 0")
    with pytest.raises(StoreError, match="pg_dump failed: pg_dump: error: no way in"):
        dump(URL, tmp_path / "copy")
    assert not list(tmp_path.glob("copy*"))


def test_a_restored_dump_opens_with_what_was_stored(
    postgres_server: Server, emptied_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{binaries()}{os.pathsep}{os.environ['PATH']}")

    async def publish() -> None:
        async with opened(emptied_database) as store:
            await store.publish(Version("clinic", "v1", b"files", 1))

    async def bots(url: str) -> list[str]:
        async with opened(url) as store:
            return await store.bots()

    asyncio.run(publish())
    made = dump(emptied_database, tmp_path / "copy")
    assert made.size == (tmp_path / "copy").stat().st_size
    other = postgres_server.database()
    subprocess.run(["pg_restore", "--exit-on-error", f"--dbname={other}", tmp_path / "copy"], check=True)
    assert asyncio.run(bots(other)) == ["clinic"]
    postgres_server.drop(other)
