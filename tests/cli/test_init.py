from __future__ import annotations

import json
import shlex
from pathlib import Path

import jsonschema_rs
import pytest

from dialoom.authoring.drafts.new_bot import TEMPLATES, example_folder, id_of, with_id
from dialoom.cli import main
from dialoom.flow import check_folder, read_bot
from dialoom.flow.patterns.expression_slots import slot_types

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_new_bot_is_right_at_once_and_has_the_folders_name_as_its_id(template: str, tmp_path: Path) -> None:
    folder = tmp_path / "My new bot"
    assert main(["init", str(folder), "--template", template]) == 0
    assert [str(finding) for finding in check_folder(folder) if finding.severity == "error"] == []
    assert read_bot(folder).id == "My-new-bot"
    assert list((folder / "tests").glob("*.json"))


@pytest.mark.parametrize("template", sorted(TEMPLATES.keys() - {"blank"}))
def test_a_new_bot_whose_wishes_hold_values_shows_slots_in_its_expressions(template: str, tmp_path: Path) -> None:
    assert main(["init", str(tmp_path / "bot"), "--template", template]) == 0
    assert len(slot_types(read_bot(tmp_path / "bot"))) >= 3


def test_blank_is_the_template_when_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", str(tmp_path)]) == 0
    made = json.loads((tmp_path / "flow.json").read_text(encoding="utf-8"))
    del made["$schema"]
    assert made == json.loads((EXAMPLES / "blank" / "flow.json").read_text(encoding="utf-8"))
    assert f"dialoom run {tmp_path}" in capsys.readouterr().out


@pytest.mark.parametrize("template", TEMPLATES)
def test_each_file_names_a_schema_that_lies_beside_it_and_that_it_fits(template: str, tmp_path: Path) -> None:
    assert main(["init", str(tmp_path / "bot"), "--template", template]) == 0
    for name in ("bot.json", "flow.json", "training.json"):
        file = tmp_path / "bot" / name
        if not file.is_file():
            continue
        made = json.loads(file.read_text(encoding="utf-8"))
        assert next(iter(made)) == "$schema"
        schema = json.loads((file.parent / made["$schema"]).read_text(encoding="utf-8"))
        assert list(jsonschema_rs.Draft202012Validator(schema).iter_errors(made)) == []


def test_a_folder_that_is_not_empty_is_refused_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert main(["init", str(tmp_path)]) == 2
    assert main(["init", str(tmp_path / "mine.txt")]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert "is not empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "expected"), [("bot", "bot"), ("My bot!", "My-bot"), ("..", "bot"), ("ä", "bot"), ("a" * 99, "a" * 64)]
)
def test_an_id_is_made_of_what_may_stand_in_an_address(name: str, expected: str) -> None:
    assert id_of(name) == expected


def test_only_the_id_of_the_file_changes() -> None:
    assert with_id('{\n  "note": "x",\n  "id" :"old", "name": "old"}', "new") == (
        '{\n  "note": "x",\n  "id" :"new", "name": "old"}'
    )


def test_an_example_that_is_not_there_is_not_found() -> None:
    assert example_folder("nothing") is None


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["init", str(tmp_path / "file" / "bot")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"{tmp_path}/file/bot cannot be made: Not a directory. Name a folder that you may write."


def test_the_command_that_is_offered_can_be_pasted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "x 2ü"
    assert main(["init", str(folder)]) == 0
    assert shlex.split(capsys.readouterr().out)[-3:] == ["dialoom", "run", str(folder)]


@pytest.mark.parametrize("template", ["appointment", "shop"])
def test_what_must_run_beside_a_bot_is_named(template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "bot"
    assert main(["init", str(folder), "--template", template]) == 0
    assert f"python {folder}/backend.py" in capsys.readouterr().out
    assert (folder / "backend.py").is_file()


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_new_bots_readme_names_no_path_of_the_examples(template: str) -> None:
    readme = EXAMPLES / TEMPLATES[template] / "README.md"
    assert not readme.is_file() or "examples/" not in readme.read_text("utf-8")
