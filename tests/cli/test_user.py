"""``dialoom user export|erase|logout`` beside a running service, as an operator uses it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_run import dialoom
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from subprocess import CompletedProcess


def write_bot(folder: Path) -> Path:
    """It remembers a name."""
    folder.mkdir()
    question = {"type": "question", "entity": "name", "entity-type": "Text", "messages": ["Your name?"]}
    steps = [question, {"type": "message", "messages": ["Hello {{name}}."]}]
    again = {"type": "question", "entity": "wish", "entity-type": "Text", "messages": ["What do you wish, {{name}}?"]}
    (folder / "bot.json").write_text(json.dumps({"id": "echo"}))
    (folder / "flow.json").write_text(
        json.dumps({"conversations": {"help": {"type": "goal", "steps": [*steps, again]}}})
    )
    return folder


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = Service([write_bot(tmp_path / "bot")], tmp_path / "data")
    yield made
    assert made.stop() == 0
    assert "Traceback" not in made.output


def said(service: Service, text: str, sender: str = "ada") -> list[str]:
    answer = service.say("echo", sender, text)
    assert answer.status == 200, answer.body
    return [message["text"] for message in answer.json]


def do(service: Service, *words: str) -> CompletedProcess[str]:
    return dialoom("user", *words, "--data", str(service.data))


def test_a_person_is_exported_and_erased_beside_the_service_which_forgets_them(
    service: Service, tmp_path: Path
) -> None:
    said(service, "help")
    assert said(service, "Zaphodine")[0] == "Hello Zaphodine."
    done = do(service, "export", "echo", "ada")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {next(iter(line)) for line in found} == {"conversation", "message", "memory"}
    assert found[-1]["memory"]["entities"]["name"] == "Zaphodine"
    copy = tmp_path / "ada.ndjson"
    assert do(service, "export", "echo", "ada", "--output", str(copy)).returncode == 0
    assert copy.read_text("utf-8") == done.stdout
    assert copy.stat().st_mode & 0o777 == 0o600
    twice = do(service, "export", "echo", "ada", "--output", str(copy))
    assert twice.returncode == 2
    assert "exists and is left as it is" in twice.stderr

    erased = do(service, "erase", "echo", "ada", "--yes")
    assert erased.returncode == 0, erased.stderr
    receipt = json.loads(erased.stdout)
    assert receipt["user"] == "ada"
    assert receipt["memory"] is True
    assert receipt["log"] == "truncated"
    files = [path for path in service.data.rglob("*") if path.is_file()]
    assert not [path.name for path in files if b"Zaphodine" in path.read_bytes()]
    assert service.history("echo", "messages") == []
    assert "Zaphodine" not in str(said(service, "help"))
    assert {one["User"] for one in service.history("echo", "messages")} == {"ada"}
    assert b"Zaphodine" not in json.dumps(service.history("echo", "messages")).encode()
    assert "Zaphodine" not in service.output


def test_who_is_not_known_is_said(service: Service, tmp_path: Path) -> None:
    said(service, "help")
    for words in (("erase", "echo", "eve", "--yes"), ("export", "echo", "eve", "--output", str(tmp_path / "eve"))):
        done = do(service, *words)
        assert done.returncode == 1
        assert done.stderr == "Nothing is kept of a user of this id.\n"
    assert not (tmp_path / "eve").exists()
    assert do(service, "erase", "eccho", "ada", "--yes").returncode == 2


def test_it_asks_once_on_a_terminal_and_needs_yes_without_one(service: Service) -> None:
    said(service, "help")
    silent = do(service, "erase", "echo", "ada")
    assert silent.returncode == 2
    assert "--yes" in silent.stderr
    assert typed(service, b"no\n") == 1
    assert len(service.history("echo", "conversations")) == 1
    assert typed(service, b"yes\n") == 0
    assert service.history("echo", "conversations") == []


def typed(service: Service, answer: bytes) -> int:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "dialoom.cli", "user", "erase", "echo", "ada", "--data", str(service.data)]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        os.write(ours, answer)
        told = process.communicate(timeout=120)[1]
        os.close(ours)
    assert b'Erase everything of user "ada" of bot "echo"?' in told
    return process.returncode


def test_a_person_is_logged_out_beside_the_service(service: Service) -> None:
    said(service, "help")
    done = do(service, "logout", "echo", "ada")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Logged out.\n", "")
    assert said(service, "Zaphodine")[0] == "Hello Zaphodine."
    unknown = do(service, "logout", "echo", "eve")
    assert (unknown.returncode, unknown.stderr) == (1, "Nothing is kept of a user of this id.\n")
