"""Every command that lists: as JSON for programs, in words for people, and a line where there is nothing."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from dialoom.cli import COMMANDS, parser
from dialoom.cli.output import print_list
from dialoom.cli.usage import parsers_of
from tests.cli.test_run import dialoom
from tests.live import ROOT, Service, echo_bot

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LISTS = {
    "token list echo": None,
    "channel list echo": None,
    "versions echo": None,
    "dead list echo": 'Bot "echo" has no dead letters.\n',
    "index list": "No index was added. See: dialoom index add --help\n",
}
"""With what each says where there is nothing; the others have something as soon as there is a bot."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("lists")
    service = Service([echo_bot(folder / "bot")], folder / "data")
    yield service
    service.stop()


@pytest.mark.parametrize("command", LISTS)
def test_a_list_comes_as_json_and_in_words(command: str, service: Service) -> None:
    words = (*command.split(), "--data", str(service.data))
    rows = json.loads(dialoom(*words, "--format", "json").stdout)
    shown = dialoom(*words)
    assert shown.returncode == 0
    empty = LISTS[command]
    assert (shown.stdout == "", rows == [], shown.stderr) == (bool(empty), bool(empty), empty or "")


def test_each_command_that_lists_is_in_this_table() -> None:
    found = {
        inner.prog.removeprefix("dialoom ").partition(" BOT")[0]
        for name in COMMANDS
        for inner in parsers_of(parser(name))
        if inner.prog.endswith((" list", " versions"))
    }
    assert found == {command.removesuffix(" echo") for command in LISTS}


def test_an_empty_list_is_said_beside_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    print_list([], "text", line=str, value=str, empty="There is none.")
    assert capsys.readouterr() == ("", "There is none.\n")
    print_list([], "json", line=str, value=str, empty="There is none.")
    assert capsys.readouterr() == ("[]\n", "")


def on_terminal(*words: str, **environment: str) -> str:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "dialoom.cli", *words]
    env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"} | environment
    running = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env)
    os.close(slave)
    output = b""
    try:
        while piece := os.read(master, 65536):
            output += piece
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(master)
        running.wait(timeout=60)
    return output.decode()


@pytest.mark.parametrize("command", ["check", "test"])
def test_colours_are_for_a_terminal_and_not_with_no_color(command: str, tmp_path: Path) -> None:
    words = (command, str(ROOT / "examples" / "blank"))
    assert "\033[32m" in on_terminal(*words)
    assert "\033[" not in on_terminal(*words, NO_COLOR="1")
    assert "\033[" not in on_terminal(*words, TERM="dumb")
    assert "\033[" not in dialoom(*words).stdout
    doctor = ("doctor", "--data", str(tmp_path))
    if command == "check":
        assert "\033[" in on_terminal(*doctor)
        assert "\033[" not in dialoom(*doctor).stdout
