"""``dialoom keys add|rotate`` beside a running service, as an operator uses it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import apsw

from dialoom.auth.keys import KEY_FILE, NewKey, load_keys
from dialoom.auth.vault import Vault
from dialoom.service.service import DATABASE
from tests.cli.test_run import dialoom
from tests.cli.test_user import said, write_bot
from tests.live import Service

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import CompletedProcess


def do(data: Path, *words: str, **environment: str) -> CompletedProcess[str]:
    done = dialoom("keys", *words, "--data", str(data), **environment)
    assert "Traceback" not in done.stderr
    return done


def names(data: Path) -> tuple[str, ...]:
    return Vault.from_keys(load_keys(data, None)).names


def test_a_new_key_takes_the_place_of_the_old_one_and_nobody_notices(tmp_path: Path) -> None:
    data = tmp_path / "data"
    service = Service([write_bot(tmp_path / "bot")], data)
    said(service, "help")
    (old,) = names(data)
    added = do(data, "add")
    assert added.returncode == 0, added.stderr
    new, second = names(data)
    assert second == old
    assert added.stdout.startswith(f"Key {new} is new and stands first in {data / KEY_FILE}. Restart")
    early = do(data, "rotate")
    assert early.returncode == 2
    assert "Restart all of them with these keys" in early.stderr
    assert said(service, "Zaphodine")[0] == "Hello Zaphodine."
    assert service.stop() == 0

    service = service.again()
    rotated = do(data, "rotate")
    assert rotated.returncode == 0, rotated.stderr
    assert rotated.stdout.startswith(f"Sealed again with key {new}: ")
    assert f"Nothing that is stored needs {old} any more." in rotated.stdout
    assert service.say("echo", "ada", "tea").status == 200
    again = do(data, "rotate")
    assert again.stdout.startswith(f"Sealed again with key {new}: 0 values")
    assert service.stop() == 0

    first = (data / KEY_FILE).read_text().splitlines()[0]
    (data / KEY_FILE).write_text(first + "\n")
    service = service.again()
    assert service.history("echo", "conversations")[0]["Data"]["entities"]["name"] == "Zaphodine"
    assert said(service, "help")
    assert service.stop() == 0
    assert not any(key in service.output for key in (first, "Traceback"))


def test_where_the_keys_come_from_the_environment_none_is_added_to_a_file(tmp_path: Path) -> None:
    NewKey(tmp_path).save()
    before = (tmp_path / KEY_FILE).read_text()
    done = do(tmp_path, "add", DIALOOM_KEYS=before.strip())
    assert done.returncode == 2
    assert "openssl rand -base64 32" in done.stderr
    assert before.strip() not in done.stderr
    assert (tmp_path / KEY_FILE).read_text() == before


def test_without_a_key_file_and_without_data_the_command_says_so(tmp_path: Path) -> None:
    added = do(tmp_path, "add")
    assert (added.returncode, "cannot be read" in added.stderr) == (2, True)
    rotated = do(tmp_path, "rotate")
    assert (rotated.returncode, "no data folder" in rotated.stderr) == (2, True)
    assert os.listdir(tmp_path) == []


def test_what_does_not_open_is_counted_by_bot_and_left_as_it_is(tmp_path: Path) -> None:
    data = tmp_path / "data"
    service = Service([write_bot(tmp_path / "bot")], data)
    said(service, "help")
    assert service.stop() == 0
    connection = apsw.Connection(str(data / DATABASE))
    damaged = bytes([1]) * 60
    connection.execute("update chats set state = ?", (damaged,))
    connection.close()
    done = do(data, "rotate")
    assert done.returncode == 1
    assert done.stderr.startswith("Not sealed again: 1. Their key is missing, or they were damaged;")
    assert done.stderr.endswith('  1 of "chats" of bot echo\n')
    connection = apsw.Connection(str(data / DATABASE))
    assert connection.execute("select state from chats").get == damaged
    connection.close()
