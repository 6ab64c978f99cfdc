"""Several processes on one PostgreSQL: how they start at once, and how they follow each other's versions."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from typing import TYPE_CHECKING

import pytest
from tests.cli.test_run import dialoom
from tests.cli.test_versions import bot
from tests.live import Service, wait_until

from dialoom.errors import VaultError
from dialoom.service.service import build_service
from dialoom.service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.postgres import Server

KEY, OTHER = ("AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=", "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=")


@pytest.fixture
def database(postgres_server: Server) -> Iterator[str]:
    url = postgres_server.database()
    yield url
    postgres_server.drop(url)


async def start(folder: Path, name: str, url: str, key: str) -> list[str]:
    """Start a service and stop it; return the tokens that it made."""
    settings = Settings(data=str(folder / name), database_url=url, keys=key)
    service = await asyncio.to_thread(build_service, settings, {})
    try:
        return [token.row.id for token in await service.start([folder / "bot"])]
    finally:
        await service.stop(0.5)


async def test_processes_that_start_at_once_on_a_new_database_make_each_token_once(
    tmp_path: Path, database: str
) -> None:
    await asyncio.to_thread(bot, tmp_path / "bot", "Hello")
    made = await asyncio.gather(*(start(tmp_path, name, database, KEY) for name in "abcd"))
    assert sorted(id for ids in made for id in ids) == ["first", "first:rest", "first:web"]
    assert await start(tmp_path, "e", database, KEY) == []


async def test_of_processes_with_different_keys_on_a_new_database_those_of_one_key_start(
    tmp_path: Path, database: str
) -> None:
    await asyncio.to_thread(bot, tmp_path / "bot", "Hello")
    keys = (KEY, OTHER, KEY, OTHER)
    ended = await asyncio.gather(
        *(start(tmp_path, str(number), database, key) for number, key in enumerate(keys)), return_exceptions=True
    )
    refused = {key for key, one in zip(keys, ended, strict=True) if isinstance(one, VaultError)}
    started = {key for key, one in zip(keys, ended, strict=True) if isinstance(one, list)}
    assert len(refused) == len(started) == 1
    assert refused != started
    words = next(str(one) for one in ended if isinstance(one, VaultError))
    assert "Set DIALOOM_KEYS to the same value for all of them" in words


def says(service: Service, text: str) -> bool:
    """Return whether a new conversation begins with this."""
    return bool(service.say("echo", f"user-{os.urandom(4).hex()}", "hi").json[-1]["text"] == text)


def test_two_running_processes_take_what_is_published_and_rolled_back_beside_them(
    tmp_path: Path, database: str
) -> None:
    environment = {"DIALOOM_DATABASE_URL": database, "DIALOOM_KEYS": KEY}
    first = Service([bot(tmp_path / "bot", "first")], tmp_path / "data", environment=environment)
    second = None
    try:
        second = Service([], tmp_path / "data", environment=environment)
        sides = (first, second)
        assert second.say("echo", "ada", "order").json[-1]["text"] == "first: where to?"
        done = dialoom("publish", str(bot(tmp_path / "next", "second")), "--data", str(tmp_path / "cli"), **environment)
        assert done.returncode == 0, done.stderr
        for side in sides:
            wait_until(partial(says, side, "second"))
        assert first.say("echo", "ada", "Oslo").json[-1]["text"] == "first: Oslo"
        done = dialoom("rollback", "echo", "--data", str(tmp_path / "cli"), **environment)
        assert done.returncode == 0, done.stderr
        for side in sides:
            wait_until(partial(says, side, "first"))
    finally:
        for one in (first, second):
            if one is not None:
                assert one.stop() == 0


def test_a_process_with_other_keys_is_refused_and_no_password_is_shown(tmp_path: Path, database: str) -> None:
    environment = {"DIALOOM_DATABASE_URL": database, "DIALOOM_KEYS": KEY}
    Service([bot(tmp_path / "bot", "first")], tmp_path / "data", environment=environment).stop()
    words = ("run", "--port", "0", "--data", str(tmp_path / "other"))
    done = dialoom(*words, DIALOOM_DATABASE_URL=database, DIALOOM_KEYS=OTHER)
    assert done.returncode == 1
    assert "Set DIALOOM_KEYS to the same value" in done.stderr
    assert "Traceback" not in done.stderr
    for url in ("postgresql://ada:hidden@127.0.0.1:1/echo", "postgresql:/ada:hidden@127.0.0.1/echo"):
        done = dialoom(*words, "--database", url)
        assert done.returncode in {1, 2}
        assert "hidden" not in done.stderr + done.stdout
        assert "Traceback" not in done.stderr
