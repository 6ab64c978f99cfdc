"""A file that a command gives comes whole, for its owner alone, or not at all."""

from __future__ import annotations

import os
import resource
from typing import TYPE_CHECKING

import pytest

from dialoom.cli.output import written
from dialoom.errors import SettingError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_has_its_name_when_it_is_whole_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    file, left = tmp_path / "copy", tmp_path / "copy.part"
    left.write_bytes(b"from before")
    left.chmod(0o644)
    with written(str(file)) as write:
        write(b"one\n")
        assert os.listdir(tmp_path) == ["copy.part"]
        assert left.stat().st_mode & 0o777 == 0o600
        write(b"two\n")
    assert os.listdir(tmp_path) == ["copy"]
    assert file.read_bytes() == b"one\ntwo\n"
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_was_broken_off_leaves_nothing_and_is_not_told_as_the_files_fault(tmp_path: Path) -> None:
    file = tmp_path / "copy"
    file.write_bytes(b"before")
    with pytest.raises(ConnectionError, match="far away"):
        give(file, ConnectionError("far away"))
    assert os.listdir(tmp_path) == ["copy"]
    assert file.read_bytes() == b"before"


def test_a_new_file_takes_the_place_of_none(tmp_path: Path) -> None:
    file = tmp_path / "copy"
    file.symlink_to("nowhere")
    with pytest.raises(SettingError, match="exists and is left as it is"), written(str(file), is_new=True):
        pass
    assert os.listdir(tmp_path) == ["copy"]


@pytest.mark.parametrize("name", ["no such folder/copy", "folder"])
def test_what_cannot_be_written_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(SettingError, match="cannot be written"):
        give(tmp_path / name)
    assert os.listdir(tmp_path) == ["folder"]


def test_what_cannot_be_written_to_its_end_leaves_nothing_and_is_said(tmp_path: Path) -> None:
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2, most[1]))
    try:
        with pytest.raises(SettingError, match="copy cannot be written: File too large"):
            give(tmp_path / "copy")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert os.listdir(tmp_path) == []


def give(file: Path, error: Exception | None = None) -> None:
    """Begin, and break off."""
    with written(str(file)) as write:
        write(b"one\n")
        if error is not None:
            raise error
