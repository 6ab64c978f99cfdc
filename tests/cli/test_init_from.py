"""An export of NativeChat becomes a bot folder; what cannot stay is changed and told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.cli import main
from dialoom.flow import read_bot

if TYPE_CHECKING:
    from pathlib import Path

BALANCE = "https://api.example.com/balance"
FLOW: dict[str, Any] = {
    "conversations": {
        "help": {"type": "support", "steps": [{"type": "message", "messages": ["Say balance."]}]},
        "balance": {
            "type": "goal",
            "display-name": "balance",
            "steps": [
                {
                    "type": "webhook",
                    "entity": "amount",
                    "data-source": {"endpoint": BALANCE, "method": "GET", "selector": "Result[(@.length-1)]"},
                    "messages": ["You have {{amount}} dollars."],
                    "editor-colour": "blue",
                },
                {"type": "message", "messages": ["That is a lot."], "conditions": ["amount > 100"]},
            ],
        },
    },
    "settings": {"invalid-replies": ["Sorry?"]},
    "commands": {"NEXT-PAGE": ["Next 5"], "RESTART": ["restart"]},
}
TRAINING = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": "balance", "expressions": ["balance", "my balance", "how much do I have"]}],
        }
    ]
}
TESTS = {
    "name": "balance",
    "botId": "5a",
    "channel": {"id": "c", "token": "t"},
    "scenarios": [
        {
            "it": "tells the balance",
            "contextMock": {"plan": "gold"},
            "steps": [
                {
                    "user": {"text": "my balance"},
                    "mocks": {BALANCE: {"GET": {"Result": [1, 7]}}},
                    "bot": [[{"text": "You have 7 dollars."}]],
                }
            ],
        }
    ],
}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    folder.mkdir()
    for name, value in (("cognitive-flow", FLOW), ("entity-definitions", TRAINING), ("tests", TESTS)):
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def test_an_export_becomes_a_bot_whose_tests_pass(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "My bank"
    assert main(["init", str(folder), "--from", str(export)]) == 0
    lines = capsys.readouterr().out.splitlines()
    step = "flow.json conversations/balance/steps"
    assert lines[:3] == [
        f'{step}/0/data-source/selector is now "$.Result[-1]".',
        f"{step}/0/editor-colour left out: the language has no such key.",
        f'{step}/1/conditions/0 is now "{{{{$gt amount 100}}}}".',
    ]
    assert lines[3] == "tests/tests.json: botId, channel left out: a test runs on the folder itself."
    assert lines[4].startswith("0 errors, ")
    bot = read_bot(folder)
    assert (bot.id, bot.name) == ("My-bank", "My bank")
    assert main(["test", str(folder)]) == 0


def test_what_loads_stays_as_it_is(export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (export / "tests.json").unlink()
    flow = {**FLOW, "conversations": {"help": FLOW["conversations"]["help"], "balance": {"type": "goal", "steps": []}}}
    (export / "cognitive-flow.json").write_text(json.dumps(flow), encoding="utf-8")
    assert main(["init", str(tmp_path / "bot"), "--from", str(export)]) == 0
    assert capsys.readouterr().out.startswith("Nothing was changed.\n0 errors")
    made = json.loads((tmp_path / "bot" / "flow.json").read_text("utf-8"))
    assert made == {"$schema": "./schema/flow.schema.json"} | flow
    made = json.loads((tmp_path / "bot" / "training.json").read_text("utf-8"))
    assert made == {"$schema": "./schema/training.schema.json"} | TRAINING


def test_an_export_that_does_not_load_is_written_and_says_why(
    export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    conversations = {"a": {"type": "goal", "steps": [{"type": "dance"}]}}
    (export / "cognitive-flow.json").write_text(json.dumps({"conversations": conversations}), encoding="utf-8")
    assert main(["init", str(tmp_path / "bot"), "--from", str(export)]) == 1
    assert '"dance" is no type of a step' in capsys.readouterr().out
    assert (tmp_path / "bot" / "flow.json").is_file()


def test_a_folder_that_is_no_export_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["init", str(tmp_path / "bot"), "--from", str(tmp_path / "empty")]) != 0
    assert "has no cognitive-flow.json" in capsys.readouterr().err
    assert not (tmp_path / "bot").exists()
