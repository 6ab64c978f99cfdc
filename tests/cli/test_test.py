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


def test_an_update_makes_the_tests_expect_what_came_and_touches_nothing_else(
    bot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = bot / "tests" / "weather.json"
    file.write_text(
        """{ "name": "Weather",  "parameters": {"town": "Sofia"},
  "mocks": {"http://127.0.0.1:1/{{town}}": {"GET": {"sky": "Sun"}}}, "context": {"mood": "good"},
  "scenarios": [
    {"it": "asks",
     "steps": [
       {"user": {"text": "weather"}, "bot": [[{"text": "Nothing"}, {"text": "of this"}], [{"textIncludes": "town"}]]},
       {"user": {"text": "{{town}}"}, "bot":   [[{"textStartsWith": "Sun"}]]}]},
    {"xit": "later", "steps": [{"user": {"text": "weather"}, "bot": [[]]}]}
  ] }
"""
    )
    assert main(["test", str(bot), "--update"]) == 0
    assert "1 step now expects what came" in capsys.readouterr().out
    assert file.read_text() == (
        """{ "name": "Weather",  "parameters": {"town": "Sofia"},
  "mocks": {"http://127.0.0.1:1/{{town}}": {"GET": {"sky": "Sun"}}}, "context": {"mood": "good"},
  "scenarios": [
    {"it": "asks",
     "steps": [
       {"user": {"text": "weather"}, "bot": [[{"text": "Nothing"}, {"text": "of this"}], [{"text": "Where?"}]]},
       {"user": {"text": "{{town}}"}, "bot":   [[{"textStartsWith": "Sun"}]]}]},
    {"xit": "later", "steps": [{"user": {"text": "weather"}, "bot": [[]]}]}
  ] }
"""
    )


def test_an_update_does_not_hide_a_request_without_a_mock(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = {"user": {"text": "Varna"}, "bot": [[{"text": "Sun"}]]}
    _suite(bot, {"it": "asks", "steps": [ASK, there]})
    before = (bot / "tests" / "weather.json").read_text()
    assert main(["test", str(bot), "--update"]) == 1
    assert (bot / "tests" / "weather.json").read_text() == before
    assert "no mock for GET" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("user", "part"),
    [
        ({"text": "a", "option": "b"}, "one thing at a time"),
        ({"attachments": [{"name": "a.png"}]}, "payload"),
        ({"event": {"type": "opned"}}, "opned"),
        ({"location": {"latitude": 1}}, "longitude"),
        ({}, "A user does something"),
    ],
)
def test_a_user_that_does_nothing_possible_is_named(
    bot: Path, capsys: pytest.CaptureFixture[str], user: Any, part: str
) -> None:
    _suite(bot, {"it": "a", "steps": [{"user": user, "bot": []}]})
    assert main(["test", str(bot)]) == 1
    assert part in capsys.readouterr().err


def test_a_moment_that_is_none_is_named(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _suite(bot, {"it": "a", "now": "yesterday", "steps": []})
    assert main(["test", str(bot)]) == 1
    assert '"now" is a moment' in capsys.readouterr().err


def _ice_cream(folder: Path) -> None:
    source = {"endpoint": "http://127.0.0.1:1/flavours", "method": "GET"}
    kind = {
        "name": "Flavour",
        "lookup-strategy": "keywords",
        "data": [{"value": "Vanilla"}],
        "dynamic-data": {"data-source": source, "value-template": "{{name}}"},
    }
    steps = [
        {"type": "question", "entity": "flavour", "entity-type": "Flavour", "messages": ["Which?"]},
        {"type": "message", "messages": ["{{flavour}} for {{flavour.price}}."]},
    ]
    (folder / "flow.json").write_text(json.dumps({"conversations": {"weather": {"type": "goal", "steps": steps}}}))
    training = {"entity-definitions": [*TRAINING["entity-definitions"], kind]}
    (folder / "training.json").write_text(json.dumps(training))


def _orders(flavour: str, answer: str) -> list[dict[str, Any]]:
    asked = {"user": {"text": "weather"}, "bot": [[{"text": "Which?"}]]}
    return [asked, {"user": {"text": flavour}, "bot": [[{"text": answer}]]}]


def test_values_of_an_endpoint_come_from_the_scenario_its_mock_or_the_file(bot: Path) -> None:
    _ice_cream(bot)
    address = "http://127.0.0.1:1/flavours"
    _suite(
        bot,
        {
            "it": "given",
            "dynamic-data": {"Flavour": [{"name": "Mango", "price": 2}]},
            "steps": _orders("mango", "Mango for 2."),
        },
        {
            "it": "mocked",
            "mocks": {address: {"GET": [{"name": "Plum", "price": 3}]}},
            "steps": _orders("plum", "Plum for 3."),
        },
        {"it": "neither", "steps": _orders("vanilla", "Vanilla for .")},
        {"it": "failing", "mocks": {address: {"GET": {"$status": 500}}}, "steps": _orders("vanilla", "Vanilla for .")},
    )
    assert main(["test", str(bot)]) == 0


def test_dynamic_data_of_a_type_that_has_none_is_named(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _ice_cream(bot)
    _suite(bot, {"it": "a", "dynamic-data": {"Flavor": []}, "steps": []})
    assert main(["test", str(bot)]) == 1
    assert '"Flavor" is no type that has dynamic-data. Those are Flavour.' in capsys.readouterr().err


def test_an_update_keeps_the_line_ends_of_the_file(bot: Path) -> None:
    wrong = {"user": {"text": "weather"}, "bot": [[{"text": "Which town?"}]]}
    _suite(bot, {"it": "asks", "steps": [wrong]})
    file = bot / "tests" / "weather.json"
    file.write_bytes(file.read_bytes().replace(b', "', b',\r\n"'))
    assert main(["test", str(bot), "--update"]) == 0
    assert file.read_bytes().count(b"\n") == file.read_bytes().count(b"\r\n") > 0


def test_the_report_can_be_read_whatever_was_said(bot: Path) -> None:
    wrong = {"user": {"text": "wea\u0001ther"}, "bot": [[{"text": "\u000b"}]]}
    _suite(bot, {"it": "asks \u0008", "steps": [wrong]})
    assert main(["test", str(bot), "--junit", str(bot / "report.xml")]) == 1
    case = ElementTree.parse(bot / "report.xml").getroot().find("testsuite/testcase")
    assert case is not None
    assert case.get("name") == "asks \ufffd"


def test_a_report_that_cannot_be_written_says_why(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _suite(bot, {"it": "asks", "steps": [ASK]})
    assert main(["test", str(bot), "--junit", "/no/such/folder/report.xml"]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_channel_of_a_scenario_that_is_none_is_named(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _suite(bot, {"it": "asks", "channel": "nope", "steps": [ASK]})
    assert main(["test", str(bot)]) == 1
    assert '"nope" is no channel of the bot "weather"' in capsys.readouterr().err


def test_secrets_are_masked_in_what_is_printed(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flow = json.loads((bot / "flow.json").read_text())
    steps = flow["conversations"]["weather"]["steps"]
    steps[0] = {"type": "question", "entity": "password", "entity-type": "Text", "messages": ["Your password?"]}
    (bot / "flow.json").write_text(json.dumps(flow))
    asked = {"user": {"text": "weather"}, "bot": [[{"text": "Your password?"}]]}
    told = {"user": {"text": "hunter2", "context": {"apiKey": "k-123"}}, "bot": [[{"text": "Thanks"}]]}
    _suite(bot, {"it": "a", "steps": [asked, told]})
    assert main(["test", str(bot)]) == 1
    printed = capsys.readouterr().out
    assert "step 2, user: ***" in printed
    assert "k-123" not in printed


def test_a_bot_may_name_the_variables_that_are_listed(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bot / "bot.json").write_text('{"id": "weather", "access-token": {"env": "MY_TOKEN"}}')
    _suite(bot, {"it": "asks", "steps": [ASK]})
    assert main(["test", str(bot)]) == 1
    monkeypatch.setenv("DIALOOM_BOT_ENV", "MY_TOKEN")
    assert main(["test", str(bot)]) == 0
