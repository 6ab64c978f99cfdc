"""``dialoom test``: the tree, the difference, the counts and the report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from dialoom.cli import main

if TYPE_CHECKING:
    from pathlib import Path

FLOW = {
    "conversations": {
        "weather": {
            "type": "goal",
            "steps": [
                {"type": "question", "entity": "town", "entity-type": "Text", "messages": ["Where?"]},
                {
                    "type": "webhook",
                    "entity": "now",
                    "data-source": {"endpoint": "http://127.0.0.1:1/{{$encodeURI town}}", "method": "GET"},
                },
                {"type": "message", "messages": ["{{now.sky}} in {{town}}, {{mood}}."]},
            ],
        }
    }
}
TRAINING = {
    "entity-definitions": [
        {"name": "Conversation", "lookup-strategy": "trait", "data": [{"value": "weather", "expressions": ["weather"]}]}
    ]
}


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    (tmp_path / "bot.json").write_text('{"id": "weather"}')
    (tmp_path / "flow.json").write_text(json.dumps(FLOW))
    (tmp_path / "training.json").write_text(json.dumps(TRAINING))
    (tmp_path / "tests").mkdir()
    return tmp_path


def _suite(bot: Path, *scenarios: Any, **more: Any) -> None:
    suite = {
        "name": "Weather",
        "parameters": {"town": "Sofia"},
        "mocks": {"http://127.0.0.1:1/{{town}}": {"GET": {"sky": "Sun"}}},
        "context": {"mood": "good"},
        "scenarios": scenarios,
    }
    (bot / "tests" / "weather.json").write_text(json.dumps(suite | more))


ASK = {"user": {"text": "weather"}, "bot": [[{"text": "Where?"}]]}
TELL = {"user": {"text": "{{town}}"}, "bot": [[{"text": ["no", "Sun in Sofia, good."]}]]}


def test_a_passing_suite_ends_with_0(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _suite(bot, {"it": "tells the weather", "steps": [ASK, TELL]}, {"xit": "later", "steps": [ASK]})
    assert main(["test", str(bot)]) == 0
    printed = capsys.readouterr().out
    assert "ok        tells the weather" in printed
    assert "left out  later" in printed
    assert printed.endswith("1 passed, 0 failed, 1 skipped\n")


def test_a_failure_shows_both_sides_and_the_understanding(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = {"user": {"text": "weather"}, "bot": [[{"text": "Which town?"}]]}
    _suite(bot, {"it": "asks", "steps": [wrong]})
    assert main(["test", str(bot), "--junit", str(bot / "report.xml")]) == 1
    printed = capsys.readouterr().out
    assert '- {"text": "Which town?"}' in printed
    assert '+ {"text": "Where?"}' in printed
    assert 'understood: {"Conversation"' in printed
    case = ElementTree.parse(bot / "report.xml").getroot().find("testsuite/testcase")
    assert case is not None
    assert case.get("name") == "asks"
    assert "Which town?" in (case.findtext("failure") or "")


def test_a_request_without_a_mock_fails_and_says_so(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = {"user": {"text": "Varna"}, "bot": [[{"textIncludes": "difficulties"}]]}
    _suite(bot, {"it": "asks", "steps": [ASK, there]})
    assert main(["test", str(bot)]) == 1
    assert "no mock for GET http://127.0.0.1:1/Varna" in capsys.readouterr().out


def test_only_focused_scenarios_are_played(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _suite(bot, {"it": "fails", "steps": [{"user": {"text": "x"}, "bot": [[]]}]}, {"fit": "asks", "steps": [ASK]})
    assert main(["test", str(bot)]) == 0
    assert capsys.readouterr().out.endswith("1 passed, 0 failed, 1 skipped\n")


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"scenarios": [{"steps": []}]}, '"it", "fit" or "xit"'),
        ({"scenarios": [{"it": "a", "steps": [{"user": {"txt": "a"}, "bot": []}]}]}, "txt"),
        ({"scenarois": []}, "scenarois"),
    ],
)
def test_a_broken_suite_is_named(bot: Path, capsys: pytest.CaptureFixture[str], change: Any, part: str) -> None:
    _suite(bot, **change)
    assert main(["test", str(bot)]) == 1
    printed = capsys.readouterr().err
    assert "tests/weather.json" in printed
    assert part in printed


def test_no_scenario_at_all_is_a_failure(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(bot)]) == 1
    assert "No scenario was run" in capsys.readouterr().err
