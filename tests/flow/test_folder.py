"""What is read of a bot's folder: regular files inside it, and nothing that a link, a pipe or a device brings in."""

from __future__ import annotations

import os
import shutil
import socket
from typing import TYPE_CHECKING

import pytest

from dialoom.authoring.scenarios import read_suites, read_text
from dialoom.errors import FlowError
from dialoom.flow import check_folder, files_of
from dialoom.flow.folder import MAX_FILE_BYTES, Folder, NotReadable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEY = "kR9xQ2mT7vB4nL1sW8zD5cF0gH3jP6yU+aEi/oKqXw0="
FLOW = '{"conversations": {"help": {"type": "support", "steps": [{"type": "message", "messages": ["Hi"]}]}}}'


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "tests").mkdir(parents=True)
    (folder / "bot.json").write_text('{"id": "bot"}')
    (folder / "flow.json").write_text(FLOW)
    (tmp_path / "vault.keys").write_text(KEY + "\n")
    return folder


def pipe(file: Path) -> None:
    os.mkfifo(file)


def device(file: Path) -> None:
    file.symlink_to("/dev/zero")


def link_out(file: Path) -> None:
    file.symlink_to("../vault.keys" if file.parent.name == "bot" else "../../vault.keys")


def whole_link_out(file: Path) -> None:
    file.symlink_to(file.parents[2 if file.parent.name == "tests" else 1] / "vault.keys")


def link_to_a_link_out(file: Path) -> None:
    other = file.with_name("other")
    link_out(other)
    file.symlink_to("other")


def circle(file: Path) -> None:
    file.symlink_to(file.name)


def unix_socket(file: Path) -> None:
    # The address of a socket has 107 characters at most, and a test's folder may have more.
    before = os.getcwd()
    os.chdir(file.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(file.name)
    finally:
        os.chdir(before)


def folder(file: Path) -> None:
    file.mkdir()


def large(file: Path) -> None:
    with file.open("wb") as stream:
        stream.truncate(MAX_FILE_BYTES + 1)


REFUSED = [
    (pipe, "named pipe"),
    (device, "leads out of the bot's folder"),
    (link_out, "leads out of the bot's folder"),
    (whole_link_out, "leads out of the bot's folder"),
    (link_to_a_link_out, "leads out of the bot's folder"),
    (circle, "circle"),
    (unix_socket, "socket"),
    (folder, "a folder"),
    (large, "larger than 16 MiB"),
]


@pytest.mark.parametrize(("put", "words"), REFUSED, ids=[put.__name__ for put, _ in REFUSED])
@pytest.mark.parametrize("name", ["bot.json", "flow.json", "training.json"])
def test_what_is_no_regular_file_of_the_folder_is_a_finding_and_is_not_read(
    bot: Path, name: str, put: Callable[[Path], None], words: str
) -> None:
    (bot / name).unlink(missing_ok=True)
    put(bot / name)
    (found,) = [finding for finding in check_folder(bot) if finding.file == name]
    assert (found.rule, found.severity, found.prevents_loading) == ("unreadable", "error", True)
    assert words in found.message
    with pytest.raises(FlowError, match=name) as refused:
        files_of(bot)
    assert KEY[:6] not in str(found) + str(refused.value)


@pytest.mark.parametrize(("put", "words"), REFUSED, ids=[put.__name__ for put, _ in REFUSED])
def test_a_conversation_test_that_is_no_regular_file_of_the_folder_is_not_read(
    bot: Path, put: Callable[[Path], None], words: str
) -> None:
    put(bot / "tests" / "a.json")
    with pytest.raises(FlowError) as refused:
        read_suites(bot)
    assert "tests/a.json" in str(refused.value)
    assert words in str(refused.value)
    assert KEY[:6] not in str(refused.value)
    with pytest.raises(FlowError, match=r"tests/a\.json") as unread:
        read_text(bot, "a.json")
    assert words in str(unread.value)


def test_a_folder_of_tests_that_lies_elsewhere_is_not_read(bot: Path, tmp_path: Path) -> None:
    (bot / "tests").rename(tmp_path / "elsewhere")
    (bot / "tests").symlink_to("../elsewhere")
    with pytest.raises(FlowError, match="tests: It is a link that leads out"):
        read_suites(bot)


@pytest.mark.parametrize("content", [KEY, f'"{KEY}"', f"[{KEY}", f'{{"{KEY}', "4711081512345678", "\xff\xfe" + KEY])
def test_a_finding_never_shows_the_text_of_a_file_that_is_no_bots(bot: Path, content: str) -> None:
    for file in (bot / "flow.json", bot / "tests" / "a.json"):
        file.write_text(content)
    with pytest.raises(FlowError) as refused:
        read_suites(bot)
    said = "\n".join(map(str, check_folder(bot))) + str(refused.value)
    assert "flow.json:1:" in said
    assert KEY[:6] not in said
    assert "4711" not in said


def test_links_that_stay_inside_the_folder_are_followed(bot: Path) -> None:
    # As a mounted volume of Kubernetes lays its files out.
    (bot / "..2027").mkdir()
    (bot / "flow.json").rename(bot / "..2027" / "flow.json")
    (bot / "..data").symlink_to("..2027")
    (bot / "flow.json").symlink_to("..data/flow.json")
    (bot / "training.json").symlink_to(bot / "tests" / "training.json")
    (bot / "tests" / "training.json").write_text("{}")
    assert files_of(bot) == {"bot.json": '{"id": "bot"}', "flow.json": FLOW, "training.json": "{}"}


def test_a_link_to_the_folder_itself_is_followed(bot: Path, tmp_path: Path) -> None:
    (tmp_path / "current").symlink_to("bot")
    assert files_of(tmp_path / "current")["flow.json"] == FLOW


def test_a_pipe_in_place_of_the_folder_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bot")
    assert [finding.rule for finding in check_folder(tmp_path / "bot")] == ["missing-folder"]


def test_a_link_that_takes_the_place_of_a_folder_after_the_look_is_not_followed(bot: Path, tmp_path: Path) -> None:
    (bot / "tests" / "a.json").write_text("inside")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.json").write_text(KEY)
    with Folder(bot) as opened:
        shutil.rmtree(bot / "tests")
        (bot / "tests").symlink_to("../elsewhere")
        with pytest.raises(NotReadable, match="leads out"):
            opened.read("tests/a.json")


def test_a_folder_that_is_replaced_while_it_is_open_is_read_to_its_end(bot: Path, tmp_path: Path) -> None:
    with Folder(bot) as opened:
        bot.rename(tmp_path / "before")
        bot.mkdir()
        (bot / "bot.json").write_text(KEY)
        assert opened.read("bot.json") == b'{"id": "bot"}'


def test_no_descriptor_stays_open(bot: Path) -> None:
    (bot / "training.json").symlink_to("../vault.keys")
    before = len(os.listdir("/dev/fd"))
    for _ in range(3):
        check_folder(bot)
        read_suites(bot)
    assert len(os.listdir("/dev/fd")) == before
