from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.cli import main
from tests.http.support import BOT, FLOW, TRAINING, write_bot

if TYPE_CHECKING:
    from pathlib import Path


def intents_of(text: str) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in json.loads(text)["interactionModel"]["languageModel"]["intents"]}


def bot_with(folder: Path, expressions: list[str], **changed: Any) -> str:
    """Write the tea bot with these expressions of its goal."""
    training = copy.deepcopy(TRAINING)
    training["entity-definitions"][0]["data"][0]["expressions"] = expressions
    return str(write_bot(folder / "tea", {**BOT, **changed}, FLOW, training))


def test_one_file_is_written_for_each_locale_of_the_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = bot_with(tmp_path, ["tea"])
    assert main(["voice-model", bot, "--output", str(tmp_path / "new")]) == 0
    written = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert written == ["en-AU.json", "en-CA.json", "en-GB.json", "en-IN.json", "en-US.json"]
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert main(["voice-model", bot_with(tmp_path, ["tea"], language="de-AT")]) == 0
    assert "ich möchte {query}" in intents_of(capsys.readouterr().out)["CatchAllIntent"]["samples"]


def test_names_and_samples_keep_to_the_rules_of_alexa(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = [
        "Tea!",
        "tea",
        "What's \u201cnew\u201d, please?",
        "green tea",
        "two cups",
        "tea on Monday",
        "x" * 201,
        "tea 4 me",
    ]
    assert main(["voice-model", bot_with(tmp_path, said, name="Tea-House No. 5 (Alexa Skill)")]) == 0
    text = capsys.readouterr().out
    model = json.loads(text)["interactionModel"]["languageModel"]
    assert model["invocationName"] == "tea house no"
    intents = intents_of(text)
    assert intents["GoalTeaIntent"]["samples"] == ["Tea", "What's new please"]
    assert all(re.fullmatch(r"(AMAZON\.)?[A-Za-z]+", name) for name in intents)
    assert {f"AMAZON.{name}Intent" for name in ("Help", "Stop", "Cancel", "NavigateHome", "Fallback")} <= {*intents}
    searches = [sample for sample in intents["CatchAllIntent"]["samples"] if sample == "{query}"]
    assert searches == []
    values = [one["name"]["value"] for one in model["types"][0]["values"]]
    assert {"Green", "Black", "Mint", "second", "more"} <= {*values}


def test_a_bot_of_another_language_than_alexas_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["voice-model", bot_with(tmp_path, ["tea"], language="fi")]) == 2
    assert 'Alexa does not speak "fi"' in capsys.readouterr().err
