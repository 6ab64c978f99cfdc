"""The process that trains beside the service: what it may see, and what happens when it fails."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest
from tests.service.bots.test_models import asking, bot

from dialoom.auth.vault import Vault
from dialoom.flow import Bot
from dialoom.service.bots.models import Models
from dialoom.service.bots.training import COMMAND, Definitions, Process, Stopped
from dialoom.understanding import train

VAULT = Vault.from_keys([bytes(range(32))])


def definitions(given: Bot) -> Definitions:
    return tuple(given.training.entity_definitions)


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-P", "-c", code)


async def test_neither_the_folder_it_stands_in_nor_a_secret_of_the_environment_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told = tmp_path / "told"
    (tmp_path / "msgspec.py").write_text(f"open({str(told)!r}, 'w').write('run')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIALOOM_KEYS", "s3cret")
    monkeypatch.setenv("BOT_TOKEN", "s3cret")
    given = definitions(bot())
    assert await Process().train(given, "en") == train(given, "en")
    assert not told.exists()
    assert caplog.text == ""
    show = f"import os; open({str(told)!r}, 'w').write(repr(dict(os.environ)))"
    await Process((*COMMAND[:-2], "-c", show)).train(given, "en")
    assert "PATH" in told.read_text()
    assert "s3cret" not in told.read_text()


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (python("import sys; sys.exit('no memory')"), "ended with 1: no memory"),
        (python("import os; os.kill(os.getpid(), 9)"), "ended with -9"),
        (python("import sys; sys.stdin.read(); print('garbage')"), "gave no model"),
        (python("pass"), "gave no model"),
        (("/nowhere/python",), "could not be started"),
    ],
)
async def test_where_it_fails_the_training_is_done_here(
    command: tuple[str, ...], reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    given = definitions(bot())
    assert await Process(command).train(given, "en") == train(given, "en")
    assert reason in caplog.text


async def test_one_that_takes_too_long_is_ended(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    given = definitions(bot())
    # A shell: it is there in milliseconds, where an interpreter that starts on a busy machine may come too late.
    slow = ("/bin/sh", "-c", 'echo $$ > "$0"; exec sleep 60', str(tmp_path / "id"))
    assert await Process(slow, longest=3).train(given, "en") == train(given, "en")
    assert "was not done after 3 s" in caplog.text
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "id").read_text()), 0)


async def test_a_signal_to_stop_is_no_failure_to_make_good_here(caplog: pytest.LogCaptureFixture) -> None:
    told = python("import os, signal; os.kill(os.getpid(), signal.SIGTERM)")
    with pytest.raises(Stopped, match="told to stop"):
        await Process(told).train(definitions(bot()), "en")
    assert caplog.text == ""


async def test_a_stop_of_the_service_ends_it_and_trains_nothing_here(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    hold = python(f"import os, time; open({str(pipe)!r}, 'w').write(str(os.getpgrp())); time.sleep(60)")
    given = bot(3, tuple(f"{{}} said {n}" for n in range(100)))
    models = Models(None, VAULT, lambda: Process(hold))
    asked = asyncio.create_task(models.of(given))
    group = int(await asyncio.to_thread(pipe.read_text))  # it has begun
    await models.stop()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert group != os.getpgrp()
    assert caplog.text == ""


def test_one_that_is_ended_before_it_begins_never_begins(tmp_path: Path) -> None:
    process = Process(python(f"open({str(tmp_path / 'told')!r}, 'w')"))
    process.end()
    with pytest.raises(Stopped):
        asyncio.run(process.train(definitions(bot()), "en"))
    assert not (tmp_path / "told").exists()


async def test_the_process_trains_slots_as_this_one_does() -> None:
    given = definitions(asking("Date"))
    assert await Process().train(given, "en", {"day": "Date"}) == train(given, "en", {"day": "Date"})
    assert await Process().train(given, "en", {"day": "Date"}) != train(given, "en")
