"""Completion in real shells, from the scripts that ``dialoom completion`` prints."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dialoom.cli import COMMANDS
from tests.cli.test_run import dialoom

ASKED = [
    ("dialoom pu", {"publish"}),
    ("dialoom token ", {"create", "list", "revoke"}),
    ("dialoom token create --sc", {"--scope"}),
    ("dialoom token create --scope ", {"read", "erase"}),
    ("dialoom --env-file run token l", {"list"}),
    ("dialoom token list --data studio s", set()),
    ("dialoom index add m", {"messages"}),
    ("dialoom check --format s", {"sarif"}),
    ("dialoom completion f", {"fish"}),
    ("dialoom ", set(COMMANDS)),
]

BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dialoom; printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
compdef() { : }; _files() { : }
_describe() { local one; for one in "${(@P)2}"; do [[ $one == $words[CURRENT]* ]] && print -r -- "${one%%:*}"; done }
source "$1"; shift
words=("$@"); CURRENT=$#; _dialoom
"""
FISH = 'source $argv[1]; complete -C "$argv[2]"'


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    (folder / "cwd").mkdir()  # where there are no files to complete
    for shell in ("bash", "zsh", "fish"):
        (folder / shell).write_text(dialoom("completion", shell).stdout, encoding="utf-8")
    return folder


def complete(shell: str, script: Path, line: str) -> set[str]:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not on this machine: apt-get install {shell}")
    command = {
        "bash": ["bash", "--norc", "-c", BASH, "bash", str(script), *line.split(" ")],
        "zsh": ["zsh", "-f", "-c", ZSH, "zsh", str(script), *line.split(" ")],
        "fish": ["fish", "--no-config", "-c", FISH, str(script), line],
    }[shell]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=script.parent / "cwd")
    assert done.stderr == ""
    return {one.split("\t")[0] for one in done.stdout.splitlines() if one}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_commands_options_and_their_values_are_completed(shell: str, scripts: Path) -> None:
    for line, words in ASKED:
        assert complete(shell, scripts / shell, line) == words, line


def test_a_shell_that_nothing_is_known_of_is_refused() -> None:
    done = dialoom("completion", "bsh")
    assert done.returncode == 2
    assert 'Did you mean "bash"?' in done.stderr
