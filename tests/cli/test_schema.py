from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from dialoom.cli import main
from dialoom.flow import schemas

if TYPE_CHECKING:
    from pathlib import Path


def test_prints_the_schema_of_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "flow.json"]) == 0
    assert json.loads(capsys.readouterr().out) == schemas()["flow.json"]


def test_prints_all_by_file_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schemas()


def test_writes_them_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--out", str(tmp_path / "new")]) == 0
    written = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert written == ["bot.schema.json", "flow.schema.json", "training.schema.json"]
    assert json.loads((tmp_path / "new" / "bot.schema.json").read_text(encoding="utf-8")) == schemas()["bot.json"]
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_a_file_that_no_bot_has_is_wrong_usage() -> None:
    with pytest.raises(SystemExit) as stop:
        main(["schema", "bots.json"])
    assert stop.value.code == 2


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["schema", "--out", str(tmp_path / "file" / "x")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be written to" in line
    assert "Not a directory" in line
