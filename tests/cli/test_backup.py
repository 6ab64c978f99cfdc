"""``dialoom backup`` beside a service with traffic, and the way back, as ``docs/do/deploy.md`` tells it."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_run import dialoom
from tests.live import Service, echo_bot, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service([echo_bot(tmp_path / "bot")], tmp_path / "data")
    yield service
    if service.process.poll() is None:
        service.stop()


@pytest.fixture
def answered(service: Service) -> Iterator[list[str]]:
    """What was said, and answered, until now; more comes all the time."""
    found: list[str] = []
    is_over = threading.Event()

    def talk() -> None:
        while not is_over.is_set():
            text = f"message {len(found)}"
            if service.say("echo", f"user-{len(found) % 5}", text).status == 200:
                found.append(text)

    assert service.tokens
    thread = threading.Thread(target=talk)
    thread.start()
    wait_until(lambda: len(found) > 5)
    yield found
    is_over.set()
    thread.join()


def test_a_backup_beside_traffic_is_restored_with_all_that_was_answered_before_it(
    service: Service, answered: list[str], tmp_path: Path
) -> None:
    before = [*answered]
    file = tmp_path / "copy.sqlite"
    done = dialoom("backup", str(file), "--data", str(service.data))
    assert done.returncode == 0, done.stderr
    assert f"{file}: " in done.stdout
    assert "its pages are right: 1 bots, 5 conversations" in done.stdout
    assert f"Not in it: the keys, without which it is of no use ({service.data / 'vault.keys'})" in done.stdout
    assert len(answered) > len(before)

    restored = tmp_path / "restored"
    restored.mkdir(mode=0o700)
    shutil.copy(file, restored / "dialoom.sqlite")
    shutil.copy(service.data / "vault.keys", restored)
    ended = dialoom("after-restore", "--yes", "--data", str(restored))
    assert ended.returncode == 0, ended.stderr
    again = Service([], restored)
    try:
        messages = again.history("echo", "messages", limit=1000, fields="Text")
        assert set(before) <= {message["Text"] for message in messages}
        assert again.say("echo", "user-1", "and on").status == 200
    finally:
        again.stop()


def test_a_stopped_service_is_backed_up_and_a_file_that_exists_is_kept(service: Service, tmp_path: Path) -> None:
    service.stop()
    file = tmp_path / "copy.sqlite"
    assert dialoom("backup", str(file), "--data", str(service.data)).returncode == 0
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
    kept = file.read_bytes()
    again = dialoom("backup", str(file), "--data", str(service.data))
    assert (again.returncode, again.stderr) == (2, f"{file} exists and is left as it is. Name a new file.\n")
    assert file.read_bytes() == kept


def test_a_backup_needs_a_service(tmp_path: Path) -> None:
    done = dialoom("backup", str(tmp_path / "copy"), "--data", str(tmp_path))
    assert done.returncode == 2
    assert "There is no data folder of a service" in done.stderr


def test_the_keys_of_the_setting_are_named_and_not_shown(service: Service, tmp_path: Path) -> None:
    keys = (service.data / "vault.keys").read_text().strip()
    place = ("--data", str(service.data))
    done = dialoom("backup", str(tmp_path / "copy"), *place, DIALOOM_KEYS=keys)
    assert "the setting keys (DIALOOM_KEYS)" in done.stdout
    assert keys not in done.stdout + done.stderr


def test_without_pg_dump_the_command_is_said(tmp_path: Path) -> None:
    url = "postgresql://ada:secret@db.invalid/bots"
    done = dialoom("backup", str(tmp_path / "copy"), PATH=os.path.dirname(sys.executable), DIALOOM_DATABASE_URL=url)
    assert done.returncode == 1
    assert "pg_dump --format=custom" in done.stderr
    assert "secret" not in done.stderr + done.stdout
