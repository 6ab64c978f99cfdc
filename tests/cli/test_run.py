"""``dialoom run`` and ``dialoom token`` as an operator uses them, in real processes."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.identity.gate import gate
from tests.live import ROOT, Service, call, echo_bot, wait_until

if TYPE_CHECKING:
    from pathlib import Path

BLANK = ROOT / "examples" / "blank"


def dialoom(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dialoom.cli", *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | environment,
    )


def test_a_taken_port_is_said_with_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = str(door.getsockname()[1])
        done = dialoom("run", str(BLANK), "--port", port, "--data", str(tmp_path))
    assert done.returncode == 2
    assert f"port {port}" in done.stderr
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_bot_is_refused_with_every_finding_and_nothing_is_served(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot", "a")
    (folder / "flow.json").write_text('{\n  "conversatons": {},\n  "settings": {"timezone": "Mars"}\n}')
    done = dialoom("run", str(folder), "--port", "0", "--data", str(tmp_path / "data"))
    assert done.returncode == 1
    assert "flow.json:2:" in done.stderr
    assert 'Did you mean "conversations"?' in done.stderr
    assert "flow.json:3:" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "environment", "part"),
    [
        (["run", "--port", "many"], {}, "--port"),
        (["run", "--port", "0"], {"DIALOOM_LOG_FORMAT": "xml"}, "DIALOOM_LOG_FORMAT"),
        (["run", "--port", "0"], {"DIALOOM_KEYS": "short"}, "DIALOOM_KEYS"),
        (["run", "--port", "0", "--host", "0.0.0.0"], {}, "DIALOOM_BASE_URL"),
        (["rnu"], {}, 'Did you mean "run"?'),
        (["token", "list", "nobody"], {}, "no data folder"),
    ],
)
def test_wrong_usage_ends_with_2_and_a_sentence(
    tmp_path: Path, words: list[str], environment: dict[str, str], part: str
) -> None:
    data = ["--data", str(tmp_path / "data")] if words[0] in ("run", "token") else []
    done = dialoom(*words, *data, **environment)
    assert done.returncode == 2
    assert part in done.stderr
    assert "Traceback" not in done.stderr


def test_tokens_are_made_listed_and_revoked_beside_the_running_service(tmp_path: Path) -> None:
    service = Service([echo_bot(tmp_path / "bot", "Hello")], tmp_path / "data")
    try:
        data = ("--data", str(service.data))
        made = dialoom("token", "create", "echo", "--name", "report", *data)
        id, token = made.stdout.split()
        url, headers = (
            f"{service.url}/v1/bots/echo/conversations",
            {"Authorization": f"Bot-Server-Access-Token {token}"},
        )
        assert call("GET", url, None, headers).status == 200
        listed = dialoom("token", "list", "echo", *data).stdout
        assert any(id in line and "report" in line and "live" in line for line in listed.splitlines())
        assert token not in listed
        assert token in dialoom("token", "list", "echo", "--show", *data).stdout
        assert dialoom("token", "revoke", "echo", id, *data).returncode == 0
        wait_until(lambda: call("GET", url, None, headers).status == 401)
        assert dialoom("token", "revoke", "echo", "nothing", *data).returncode == 2
        assert dialoom("token", "list", "nobody", *data).returncode == 2
        assert token not in service.output
    finally:
        service.stop()


def test_a_start_without_a_terminal_shows_no_token_and_says_where_they_are_shown(tmp_path: Path) -> None:
    service = Service([echo_bot(tmp_path / "bot", "Hello")], tmp_path / "data")
    try:
        assert f"tokens: dialoom token list echo --show --data {service.data}" in service.output
        assert len(service.tokens) == 3
        assert not any(token in service.output for token in service.tokens.values())
    finally:
        service.stop()


def test_a_start_shows_which_channels_are_closed(tmp_path: Path) -> None:
    bot = echo_bot(tmp_path / "bot", "Hello")
    channels = [
        {"id": "web", "type": "web"},
        {"id": "telegram-of-ours", "type": "messenger-3", "bot-token": {"env": "BOT_OF_NOBODY"}},
        {"id": "desk", "type": "workplace-chat", "app-id": "1"},
    ]
    (bot / "bot.json").write_text(json.dumps({"id": "echo", "channels": channels}))
    service = Service([bot], tmp_path / "data")
    service.stop()
    where = f"Why: dialoom channel list echo --data {service.data}"
    assert f"  web              {service.url}/chat/echo/web\n" in service.output
    for channel in ("telegram-of-ours", "desk            "):
        assert f"  {channel} closed: it takes no calls. {where}\n" in service.output


def test_a_second_service_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    service = Service([echo_bot(tmp_path / "bot", "Hello")], tmp_path / "data")
    try:
        done = dialoom("run", str(tmp_path / "bot"), "--port", "0", "--data", str(service.data))
        assert done.returncode == 1
        assert "Another service is running" in done.stderr
    finally:
        service.stop()


def test_a_changed_file_is_taken_at_once_and_a_wrong_one_changes_nothing(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot", "first")
    service = Service([folder], tmp_path / "data")

    users = itertools.count()

    def says() -> str:
        return str(service.say("echo", f"user-{next(users)}", "hi").json[0]["text"])

    try:
        assert says() == "first"
        echo_bot(folder, "second")
        wait_until(lambda: says() == "second")
        (folder / "flow.json").write_text("{")
        wait_until(lambda: "is not used until it is right" in service.output)
        assert says() == "second"
    finally:
        service.stop()


def test_a_pipe_or_a_link_to_the_keys_in_one_folder_is_told_and_the_other_bots_go_on(tmp_path: Path) -> None:
    folder, other = echo_bot(tmp_path / "bot", "first"), echo_bot(tmp_path / "other", "first")
    (other / "bot.json").write_text(json.dumps({"id": "other"}))
    service = Service([other, folder], tmp_path / "data")

    def tells(words: str) -> None:
        wait_until(lambda: words in service.output)

    def tells_that_a_key_is_no_json() -> None:
        # A key is random: it may start with digits, which are read as a number before the first mistake.
        wait_until(lambda: re.search(r"flow\.json:1:\d+: Th(is|e file's value)", service.output))

    try:
        (folder / "flow.json").unlink()
        os.mkfifo(folder / "flow.json")
        tells("flow.json:1:1: It is a named pipe")
        (folder / "flow.json").unlink()
        (folder / "flow.json").symlink_to(tmp_path / "data" / "vault.keys")
        tells("flow.json:1:1: It is a link that leads out")
        (folder / "flow.json").unlink()
        (folder / "flow.json").write_bytes((tmp_path / "data" / "vault.keys").read_bytes())
        tells_that_a_key_is_no_json()
        assert (tmp_path / "data" / "vault.keys").read_text()[:6] not in service.output
        (other / "flow.json").write_text(json.dumps({"conversations": {"help": {"type": "support", "steps": []}}}))
        tells(f"{other}: version")
        assert service.say("echo", "ada", "hi").json[0]["text"] == "first"
    finally:
        service.stop()


def test_a_start_with_a_pipe_in_a_folder_ends_with_a_finding(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot", "first")
    os.mkfifo(folder / "training.json")
    for words in (["run", str(folder), "--port", "0", "--data", str(tmp_path / "data")], ["test", str(folder)]):
        done = dialoom(*words)
        assert done.returncode == 1
        assert "training.json:1:1: It is a named pipe" in done.stderr


def test_a_file_that_is_changed_while_the_service_starts_is_taken_too(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot", "first")
    with gate() as flavours, ThreadPoolExecutor(1) as aside:
        listed = {"data-source": {"endpoint": flavours.url, "method": "GET"}, "value-template": "{{this}}"}
        kind = {"name": "Flavour", "lookup-strategy": "keywords", "data": [{"value": "Mint"}], "dynamic-data": listed}
        (folder / "training.json").write_text(json.dumps({"entity-definitions": [kind]}))
        starting = aside.submit(Service, [folder], tmp_path / "data")
        assert flavours.asked.wait(60)
        # Its files have been read: a start that needs a list waits for it.
        echo_bot(folder, "second")
        flavours.open()
        service = starting.result()
        try:
            wait_until(lambda: service.say("echo", f"user-{time.monotonic()}", "hi").json[0]["text"] == "second")
        finally:
            service.stop()


def test_it_stops_in_time_with_an_open_stream_and_ends_with_0(tmp_path: Path) -> None:
    service = Service([echo_bot(tmp_path / "bot", "Hello")], tmp_path / "data")
    web = f"{service.url}/v1/bots/echo/channels/web/web"
    session = call("POST", f"{web}/sessions", {}, {"Origin": service.url}).json
    with socket.create_connection(("127.0.0.1", service.port)) as stream:
        head = (
            f"GET /v1/bots/echo/channels/web/web/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {session['token']}"
        )
        stream.sendall(f"{head}\r\n\r\n".encode())
        assert b"200 OK" in stream.recv(1000)
        assert service.stop() == 0


def test_two_folders_with_one_id_are_refused(tmp_path: Path) -> None:
    folders = [str(echo_bot(tmp_path / name, name)) for name in ("a", "b")]
    done = dialoom("run", *folders, "--port", "0", "--data", str(tmp_path / "data"))
    assert done.returncode == 2
    assert 'the id "echo"' in done.stderr


def test_a_lost_key_stops_the_start_and_says_so(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot", "Hello")
    Service([folder], tmp_path / "data").stop()
    (tmp_path / "data" / "vault.keys").unlink()
    done = dialoom("run", str(folder), "--port", "0", "--data", str(tmp_path / "data"))
    assert done.returncode == 1
    assert "Put that key back" in done.stderr
    assert not (tmp_path / "data" / "vault.keys").exists()
    assert "is running" not in done.stdout


def test_a_key_file_that_everybody_may_read_stops_the_start(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot", "Hello")
    Service([folder], tmp_path / "data").stop()
    (tmp_path / "data" / "vault.keys").chmod(0o644)
    done = dialoom("run", str(folder), "--port", "0", "--data", str(tmp_path / "data"))
    assert done.returncode == 2
    assert "mode 644" in done.stderr
    assert "chmod 600" in done.stderr


def test_a_data_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = dialoom("run", "--port", "0", "--data", str(tmp_path / "file"))
    assert done.returncode == 2
    assert "data folder" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bot_that_loads_with_mistakes_says_them_at_the_start_and_after_a_change(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot", "Hello")
    display = {"type": "quick-reply", "data": ["Purple"]}
    question = {"type": "question", "entity": "a", "entity-type": "Colour", "messages": ["?"], "display": display}
    flow = {"conversations": {"help": {"type": "goal", "steps": [question]}}}
    (folder / "flow.json").write_text(json.dumps(flow))
    colours = {"name": "Colour", "lookup-strategy": "keywords", "data": [{"value": "Red"}]}
    (folder / "training.json").write_text(json.dumps({"entity-definitions": [colours]}))
    service = Service([folder], tmp_path / "data")
    assert "Purple" in service.output
    assert "runs all the same" in service.output
    (folder / "flow.json").write_text(json.dumps(flow).replace("Purple", "Violet"))
    wait_until(lambda: "Violet" in service.output)
    assert service.stop() == 0


def test_the_start_names_the_conversations_that_nothing_starts_in_one_line(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot", "Hello")
    conversations = {name: {"type": "support", "steps": []} for name in ("help", "prices", "hours")}
    (folder / "flow.json").write_text(json.dumps({"conversations": conversations}))
    service = Service([folder], tmp_path / "data")
    assert service.stop() == 0
    (line,) = [line for line in service.output.splitlines() if "nothing starts" in line]
    assert "nothing starts prices, hours. What to add says: dialoom check" in line


def test_a_start_that_lacks_a_variable_publishes_nothing_and_the_next_one_is_as_before(tmp_path: Path) -> None:
    folder, data = echo_bot(tmp_path / "bot", "a"), ["--data", str(tmp_path / "data")]
    (folder / "bot.json").write_text(json.dumps({"id": "echo", "access-token": {"env": "BOT_NOT_SET"}}))
    for environment in ({}, {"BOT_NOT_SET": ""}):
        done = dialoom("run", str(folder), "--port", "0", *data, **environment)
        assert done.returncode == 2
        assert 'Bot "echo", access-token: The environment variable "BOT_NOT_SET"' in done.stderr
        assert "Traceback" not in done.stderr
    assert 'There is no bot "echo"' in dialoom("versions", "echo", *data).stderr


def test_a_tracing_variable_that_the_sdk_refuses_stops_the_start_without_a_stack_trace(tmp_path: Path) -> None:
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_BSP_MAX_QUEUE_SIZE": "-1"}
    done = dialoom("run", str(BLANK), "--port", "0", "--data", str(tmp_path), **environment)
    assert done.returncode == 2
    assert done.stderr.startswith("The OTEL_* variables cannot be used: max_queue_size must be")
    assert "Traceback" not in done.stderr


def test_a_demo_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    demo = [sys.executable, str(ROOT / "examples" / "clinic" / "demo.py"), "examples/nosuch", "--data", str(tmp_path)]
    done = subprocess.run(demo, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "There are: clinic, gym, library, shop." in done.stderr
    assert "Traceback" not in done.stderr


def test_the_sandbox_plays_one_bot_and_stays_out_of_databases() -> None:
    done = dialoom("run", "--sandbox", str(BLANK), str(BLANK))
    assert (done.returncode, "plays one bot" in done.stderr) == (2, True), done.stderr
    database = {"DIALOOM_DATABASE_URL": "postgresql://user@127.0.0.1:1/bots"}
    done = dialoom("run", "--sandbox", str(BLANK), "--port", "0", **database)
    assert (done.returncode, "unset DIALOOM_DATABASE_URL" in done.stderr) == (2, True), done.stderr


def test_a_start_says_what_it_allows_because_it_is_local(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot", "Hello")
    service = Service([folder], tmp_path / "local")
    service.stop()
    assert [line for line in service.output.splitlines() if line.startswith("Local service: ")] == [
        "Local service: bots may call private addresses, /metrics needs no token and / lists the bots."
    ]
    proxied = Service([folder], tmp_path / "proxied", environment={"DIALOOM_BASE_URL": "https://bots.example.org"})
    try:
        assert "Local service" not in proxied.output
        assert call("GET", f"{proxied.url}/metrics").status == 403
    finally:
        proxied.stop()


def test_health_checks_are_answered_when_every_connection_is_an_event_stream(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot", "Hello")
    service = Service([folder], tmp_path / "data", environment={"DIALOOM_MOST_CONNECTIONS": "10"})
    with contextlib.ExitStack() as streams:
        try:
            web = f"{service.url}/v1/bots/echo/channels/web/web"
            for _ in range(2):
                session = call("POST", f"{web}/sessions", {}, {"Origin": service.url}).json
                for _ in range(5):
                    stream = streams.enter_context(socket.create_connection(("127.0.0.1", service.port)))
                    token = f"Authorization: Bearer {session['token']}"
                    head = "GET /v1/bots/echo/channels/web/web/events HTTP/1.1\r\nHost: a"
                    stream.sendall(f"{head}\r\n{token}\r\n\r\n".encode())
                    assert b"200 OK" in stream.recv(1000)
            wait_until(lambda: call("GET", f"{web}/messages").status == 503)
            assert call("GET", f"{service.url}/healthz").status == 200
            assert call("GET", f"{service.url}/readyz").status == 200
        finally:
            service.stop()
