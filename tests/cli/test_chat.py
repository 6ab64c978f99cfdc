"""``dialoom chat``: what is typed, what is shown, and the talk kept as a test that passes."""

from __future__ import annotations

import io
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from dialoom.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class _Towns(BaseHTTPRequestHandler):
    calls = 0
    keys: ClassVar[list[str]] = []
    """``Idempotency-Key`` of each order."""

    def do_POST(self) -> None:
        self.keys.append(self.headers["Idempotency-Key"])
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def do_GET(self) -> None:
        type(self).calls += 1
        towns = [{"name": "Sofia"}, {"name": "Varna"}]
        if self.path == "/count":
            towns = [{"name": f"Town {self.calls}"}]
        body = json.dumps(towns).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing: the test's output is the chat's."""


@pytest.fixture
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Towns)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def bot(tmp_path: Path, address: str) -> Path:
    source = {"endpoint": f"{address}/towns", "method": "GET"}
    town = {
        "type": "question",
        "entity": "town",
        "entity-type": "Text",
        "messages": ["Which town?"],
        "display": {"type": "quick-reply", "data-source": source, "template": "{{name}}"},
    }
    steps = [town, {"type": "message", "messages": ["{{town}} it is."]}]
    welcome = {"type": "support", "steps": [{"type": "message", "messages": ["Hello."]}]}
    flow = {"conversations": {"welcome": welcome, "travel": {"type": "goal", "steps": steps}}}
    trait = {
        "name": "Conversation",
        "lookup-strategy": "trait",
        "data": [{"value": "travel", "expressions": ["travel"]}],
    }
    (tmp_path / "bot.json").write_text('{"id": "travel", "name": "Travel"}')
    (tmp_path / "flow.json").write_text(json.dumps(flow))
    (tmp_path / "training.json").write_text(json.dumps({"entity-definitions": [trait]}))
    (tmp_path / "tests").mkdir()
    return tmp_path


def _chat(bot: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    return main(["chat", str(bot)])


def test_a_talk_is_shown_with_its_options_and_its_memory(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _chat(bot, monkeypatch, "travel", "/2", "/memory", "/quit", "never said") == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Travel. Type what you want to say")
    assert "  Hello.\n> travel\n  Which town?\n  /1 Sofia\n  /2 Varna\n> /2\n  Varna it is.\n> /memory\n" in printed
    assert "never said" not in printed


def test_a_trace_shows_under_each_turn_how_it_came_about_without_secrets(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("travel\nSofia\n"))
    flow = json.loads((bot / "flow.json").read_text())
    flow["conversations"]["travel"]["steps"][0]["entity"] = "pin"
    flow["conversations"]["travel"]["steps"][1]["conditions"] = ["{{$not pin}}"]
    _change(bot, "flow.json", flow)
    assert main(["chat", str(bot), "--trace"]) == 0
    shown = [line.removeprefix("  | ") for line in capsys.readouterr().out.splitlines() if line.startswith("  | ")]
    assert shown[:2] == ["welcome/0  ran", '  says "Hello." (welcome/0)']
    assert any("calls GET http" in line and "/towns: 200 in " in line for line in shown)
    assert 'understood "***" as value, at travel/0' in shown
    assert 'pin: null -> "***"' in shown
    assert "travel/1  condition-false: {{$not pin}} (conversations/travel/steps/1/conditions/0)" in shown
    assert not any("Sofia" in line for line in shown)


def test_the_last_message_is_taken_back(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _chat(bot, monkeypatch, "/back", "travel", "Paris", "/back", "/memory", "/1")
    printed = capsys.readouterr().out
    assert "There is nothing to take back." in printed
    assert '"open": [\n    "travel"\n  ]' in printed
    assert "Paris it is." in printed
    assert printed.endswith("> /1\n  Sofia it is.\n")


def test_no_two_orders_have_one_key_in_another_talk_or_behind_a_turn_that_was_taken_back(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    flow = json.loads((bot / "flow.json").read_text())
    source = {"endpoint": f"{address}/orders", "method": "POST", "payload": {"town": "{{town}}"}}
    flow["conversations"]["travel"]["steps"][1] = {"type": "webhook", "data-source": source, "messages": ["Booked."]}
    _change(bot, "flow.json", flow)
    _Towns.keys.clear()
    _chat(bot, monkeypatch, "travel", "/1", "/back", "/2")
    _chat(bot, monkeypatch, "travel", "/1")
    assert capsys.readouterr().out.count("Booked.") == 3
    assert len(set(_Towns.keys)) == 3


def test_a_talk_is_kept_as_a_test_that_passes_without_the_outside(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    file = bot / "tests" / "talk.json"
    _chat(bot, monkeypatch, "travel", "/1", f"/save {file}", f"/save {file}")
    assert "Name another file; nothing was written" in capsys.readouterr().out
    kept = json.loads(file.read_text())
    assert kept["mocks"] == {f"{address}/towns": {"GET": [{"name": "Sofia"}, {"name": "Varna"}]}}
    assert kept["scenarios"][0]["steps"][-1] == {"user": {"option": "Sofia"}, "bot": [[{"text": "Sofia it is."}]]}
    assert main(["test", str(bot)]) == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/memry", "There is no command /memry"),
        ("/7", "Nothing is listed to choose"),
        ("/save", "Name the file"),
        ("/save /no/such/folder/a.json", "cannot be written"),
        ("/at here", "A place is two numbers"),
        ("/file photo.png", "by its address"),
        ("/rstart", "There is no command /rstart"),
    ],
)
def test_a_command_that_cannot_be_done_says_why(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, told: str
) -> None:
    assert _chat(bot, monkeypatch, line) == 0
    assert told in capsys.readouterr().out


def test_a_folder_that_is_none_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chat", str(tmp_path / "none")]) == 2
    assert "is no folder of a bot" in capsys.readouterr().err


def _change(bot: Path, file: str, change: dict[str, Any]) -> None:
    old = json.loads((bot / file).read_text())
    (bot / file).write_text(json.dumps(old | change))


def test_a_phrase_of_the_bot_may_begin_with_a_slash(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _change(bot, "flow.json", {"commands": {"RESTART": ["/restart"]}})
    assert _chat(bot, monkeypatch, "travel", "/restart", "/memory") == 0
    printed = capsys.readouterr().out
    assert "no command" not in printed
    assert printed.endswith("> /memory\n{}\n")


def test_secrets_are_masked_where_memory_is_shown(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    flow = json.loads((bot / "flow.json").read_text())
    secret = {"type": "command", "command": "set-entity", "entity": "api-key", "data": "abcdef"}
    flow["conversations"]["travel"]["steps"].insert(0, secret)
    (bot / "flow.json").write_text(json.dumps(flow))
    _chat(bot, monkeypatch, "travel", "/memory")
    printed = capsys.readouterr().out
    assert '"api-key": "***"' in printed
    assert "abcdef" not in printed


def test_a_talk_that_mocks_cannot_tell_is_said_to_fail(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    count = {
        "type": "webhook",
        "entity": "count",
        "data-source": {"endpoint": f"{address}/count", "method": "GET"},
    }
    flow = json.loads((bot / "flow.json").read_text())
    flow["conversations"]["travel"]["steps"] = [count, {"type": "message", "messages": ["{{count.[0].name}}"]}]
    (bot / "flow.json").write_text(json.dumps(flow))
    _chat(bot, monkeypatch, "travel", "travel", f"/save {bot / 'tests' / 'talk.json'}")
    assert (
        f"It will not pass as it stands: GET {address}/count was answered in different ways" in capsys.readouterr().out
    )


def test_a_channel_that_is_none_is_named(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chat", str(bot), "--channel", "telegram"]) == 1
    assert '"telegram" is no channel of the bot "travel". Its channels are web, rest.' in capsys.readouterr().err


def _with_login(bot: Path) -> None:
    authentication = {
        "entity": "auth",
        "messages": ["Log in."],
        "acknowledgements": ["Thanks."],
        "display": {"type": "login", "template": {"title": "Log in"}},
        "oidc": {"issuer": "https://id.test", "client-id": "b", "client-secret": {"env": "BOT_S"}},
    }
    step = {"type": "message", "protected": True, "messages": ["Secret."]}
    conversations = {"travel": {"type": "goal", "steps": [step]}}
    _change(bot, "flow.json", {"conversations": conversations, "settings": {"authentication": authentication}})


def test_a_login_goes_on_with_the_protected_step_and_its_token_is_not_kept(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _with_login(bot)
    file = bot / "tests" / "talk.json"
    assert _chat(bot, monkeypatch, "travel", "/login t-1", "/memory", f"/save {file}") == 0
    printed = capsys.readouterr().out
    assert "  Log in.\n  [login] Log in: /login logs in\n> /login t-1\n  Thanks.\n  Secret.\n" in printed
    assert '"auth": "***"' in printed
    assert "t-1" not in file.read_text()
    assert main(["test", str(bot)]) == 0


def test_a_login_may_fail_and_a_token_has_no_spaces(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _with_login(bot)
    assert _chat(bot, monkeypatch, "travel", "/login failed", "/login a b", '/login {"access_token": "a"}') == 0
    printed = capsys.readouterr().out
    assert printed.count("A login has one token without spaces") == 2
    assert "Secret." not in printed


def test_a_bot_without_a_login_says_so(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _chat(bot, monkeypatch, "/login") == 0
    assert "This bot has no login" in capsys.readouterr().out
