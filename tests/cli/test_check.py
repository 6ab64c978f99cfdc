from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom.cli import main

BLANK = Path(__file__).parents[2] / "examples" / "blank"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A bot with one error and one warning."""
    folder = tmp_path / "wrong"
    folder.mkdir()
    (folder / "bot.json").write_text('{"id": "bot", "access-token": "hunter2"}', encoding="utf-8")
    (folder / "flow.json").write_text('{\n "conversation": {},\n "conversations": {}\n}', encoding="utf-8")
    return folder


def test_a_right_bot_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(BLANK)]) == 0
    assert capsys.readouterr().out == "1 bot: nothing to mend.\n"


def test_an_error_ends_with_1_and_is_told_with_file_line_column_and_path(
    wrong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(BLANK), str(wrong)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == (
        f'{wrong.as_posix()}/flow.json:2:2 conversation: "conversation" is no key of flow.json. '
        'Did you mean "conversations"? [unknown-key]'
    )
    assert lines[0].startswith(f"{wrong.as_posix()}/bot.json:1:31 access-token: ")
    assert lines[0].endswith("[warning, literal-secret]")
    assert lines[2:] == ["1 error, 1 warning in 2 bots."]


def test_warnings_alone_end_with_0(wrong: Path) -> None:
    (wrong / "flow.json").write_text('{"conversations": {}}', encoding="utf-8")
    assert main(["check", str(wrong)]) == 0


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "nowhere")]) == 2
    assert "is no folder" in capsys.readouterr().err


def test_json_holds_every_part_of_a_finding(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(wrong), "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["errors"], told["warnings"]) == (1, 1)
    error = told["findings"][1]
    assert error["folder"] == wrong.as_posix()
    assert (error["file"], error["line"], error["column"], error["path"]) == ("flow.json", 2, 2, "conversation")
    assert error["meant"] == "conversations"
    assert "settings" in error["allowed"]


def test_sarif_points_code_hosts_at_the_place(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(wrong), "--format", "sarif"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["version"] == "2.1.0"
    (run,) = told["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["literal-secret", "unknown-key"]
    assert [result["level"] for result in run["results"]] == ["warning", "error"]
    place = run["results"][1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("wrong/flow.json")
    assert place["region"] == {"startLine": 2, "startColumn": 2}


def test_variables_that_the_setting_opens_may_be_named(wrong: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (wrong / "bot.json").write_text('{"id": "bot", "access-token": {"env": "HISTORY"}}', encoding="utf-8")
    (wrong / "flow.json").write_text('{"conversations": {}}', encoding="utf-8")
    assert main(["check", str(wrong)]) == 1
    monkeypatch.setenv("DIALOOM_BOT_ENV", "HISTORY")
    assert main(["check", str(wrong)]) == 0
