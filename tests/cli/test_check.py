from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest

from dialoom.cli import main

BLANK = Path(__file__).parents[2] / "examples" / "blank"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A bot with one error and one warning."""
    folder = tmp_path / "wrong"
    folder.mkdir()
    (folder / "bot.json").write_text('{"id": "bot", "access-token": "hunter2-hunter2-hunter2"}', encoding="utf-8")
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


# What the standard demands of a log and what code hosts read of it, in our own words.
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
PLACE = {
    "type": "object",
    "required": ["artifactLocation", "region"],
    "properties": {
        "artifactLocation": {
            "type": "object",
            "required": ["uri"],
            "properties": {"uri": {"type": "string", "format": "uri-reference", "pattern": "^[!-~]+$"}},
        },
        "region": {
            "type": "object",
            "required": ["startLine", "startColumn"],
            "properties": {name: {"type": "integer", "minimum": 1} for name in ("startLine", "startColumn")},
        },
    },
}
RULE = {
    "type": "object",
    "required": ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"],
    "properties": {
        "id": {"type": "string"},
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "help": TEXT,
        "defaultConfiguration": {"properties": {"level": {"enum": ["error", "warning", "note", "none"]}}},
    },
    "not": {"required": ["helpUri"]},
}
RESULT = {
    "type": "object",
    "required": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
    "properties": {
        "level": {"enum": ["error", "warning", "note", "none"]},
        "message": TEXT,
        "locations": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object", "required": ["physicalLocation"], "properties": {"physicalLocation": PLACE}},
        },
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
DRIVER = {
    "type": "object",
    "required": ["name", "version", "rules"],
    "properties": {"rules": {"type": "array", "items": RULE, "uniqueItems": True}},
}
RUN = {
    "type": "object",
    "required": ["tool", "results", "columnKind"],
    "properties": {
        "tool": {"type": "object", "required": ["driver"], "properties": {"driver": DRIVER}},
        "columnKind": {"const": "unicodeCodePoints"},
        "results": {"type": "array", "items": RESULT},
    },
}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "maxItems": 1, "items": RUN},
    },
}


@pytest.mark.parametrize("others", [(), (BLANK,)])
def test_sarif_has_what_code_hosts_demand_of_one_bot_and_of_several(
    wrong: Path, others: tuple[Path, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    odd = wrong.parent / "zwei Bäder"
    wrong.rename(odd)
    (odd / "flow.json").write_text('{"settings": {"note": "\U0001f6bf", "mesages": 1}, "conversations": {}}', "utf-8")
    assert main(["check", *map(str, others), str(odd), "--format", "sarif"]) == 1
    told = json.loads(capsys.readouterr().out)
    jsonschema_rs.Draft202012Validator(SARIF).validate(told)
    (run,) = told["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert rules[result["ruleIndex"]]["defaultConfiguration"]["level"] == result["level"]
    place = run["results"][-1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/zwei%20B%C3%A4der/flow.json")
    # One character each: a column beyond the shower counts it once, not as two halves.
    assert place["region"] == {"startLine": 1, "startColumn": 28}


def test_sarif_names_a_file_from_where_the_command_was_called(
    wrong: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(wrong.parent)
    for folder in ("wrong", str(wrong)):
        main(["check", folder, "--format", "sarif"])
        (run,) = json.loads(capsys.readouterr().out)["runs"]
        places = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in run["results"]]
        assert places == [{"uri": "wrong/bot.json"}, {"uri": "wrong/flow.json"}]


def test_a_bot_with_nothing_wrong_is_an_empty_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(BLANK), "--format", "sarif"]) == 0
    told = json.loads(capsys.readouterr().out)
    jsonschema_rs.Draft202012Validator(SARIF).validate(told)
    assert told["runs"][0]["results"] == []


def test_options_are_read_as_the_bot_would_read_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    display = {"type": "quick-reply", "data": ["three", "a few"]}
    question = {"type": "question", "entity": "a", "entity-type": "Number", "messages": ["?"], "display": display}
    flow = {"conversations": {"help": {"type": "support", "steps": [question]}}}
    (tmp_path / "bot.json").write_text('{"id": "bot"}', encoding="utf-8")
    (tmp_path / "flow.json").write_text(json.dumps(flow), encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert '"a few" is not understood when it is chosen: it is no single Number.' in told
    assert '"three"' not in told


@pytest.mark.parametrize(
    "folder", [file.parent for file in sorted(BLANK.parent.glob("*/bot.json"))], ids=lambda one: one.name
)
def test_the_examples_have_nothing_to_mend(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder)]) == 0
    assert capsys.readouterr().out == "1 bot: nothing to mend.\n"


def test_variables_that_the_setting_opens_may_be_named(wrong: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (wrong / "bot.json").write_text('{"id": "bot", "access-token": {"env": "HISTORY"}}', encoding="utf-8")
    (wrong / "flow.json").write_text('{"conversations": {}}', encoding="utf-8")
    assert main(["check", str(wrong)]) == 1
    monkeypatch.setenv("DIALOOM_BOT_ENV", "HISTORY")
    assert main(["check", str(wrong)]) == 0


MISSPELT = '{\r\n "id": "bot",\r\n "lnguage":  "en", "access-token": {"env": "BOT_TOKEN"}\r\n}'


@pytest.fixture
def misspelt(tmp_path: Path) -> Path:
    """A bot with one misspelt key."""
    folder = tmp_path / "misspelt"
    folder.mkdir()
    (folder / "bot.json").write_bytes(MISSPELT.encode())
    (folder / "flow.json").write_text('{"conversations": {}}', encoding="utf-8")
    return folder


def test_fix_changes_only_the_slip_and_shows_it(misspelt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (misspelt / "bot.json").chmod(0o640)
    assert main(["check", "--fix", str(misspelt)]) == 0
    file = f"{misspelt.as_posix()}/bot.json"
    assert capsys.readouterr().out.splitlines() == [
        *(f"{file}:3:2 [unknown-key]", '- "lnguage"', '+ "language"'),
        *(f"{misspelt.as_posix()}: 1 fix was made.", "1 bot: nothing to mend."),
    ]
    assert (misspelt / "bot.json").read_bytes() == MISSPELT.replace("lnguage", "language").encode()
    assert (misspelt / "bot.json").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in misspelt.iterdir()) == ["bot.json", "flow.json"]
    assert main(["check", "--fix", str(misspelt)]) == 0
    assert capsys.readouterr().out == "1 bot: nothing to mend.\n"


def test_a_dry_run_shows_the_fixes_and_writes_nothing(misspelt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--fix", "--dry-run", str(misspelt)]) == 1
    assert "1 fix would be made." in capsys.readouterr().out
    assert (misspelt / "bot.json").read_bytes() == MISSPELT.encode()
    assert main(["check", "--dry-run", str(misspelt)]) == 2
    assert "--dry-run goes with --fix" in capsys.readouterr().err


def test_json_holds_the_fix_as_edits(misspelt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--format", "json", str(misspelt)])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    edit = {"file": "bot.json", "path": "/lnguage", "op": "rename-key", "value": "language"}
    assert finding["fix"] == {"title": 'Rename the key to "language".', "edits": [edit]}


def test_a_secret_is_not_printed_when_its_second_copy_is_removed(
    misspelt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = '"access-token": "hunter2-hunter2-hunter2"'
    (misspelt / "bot.json").write_text(f'{{"id": "bot", {secret}, {secret}}}', encoding="utf-8")
    assert main(["check", "--fix", str(misspelt)]) == 0
    assert (misspelt / "bot.json").read_text(encoding="utf-8") == f'{{"id": "bot", {secret}}}'
    told = capsys.readouterr().out
    assert '- "access-token"\n' in told
    assert "hunter2" not in told
