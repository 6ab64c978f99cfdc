"""With ``DIALOOM_LOG_FORMAT=json`` all that the service says is JSON, from the first line on."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.test_run import BLANK, dialoom
from tests.live import Process, echo_bot

if TYPE_CHECKING:
    from pathlib import Path

JSON = {"DIALOOM_LOG_FORMAT": "json"}


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_start_and_a_stop_are_json(tmp_path: Path) -> None:
    folder = echo_bot(tmp_path / "bot")
    command = [sys.executable, "-m", "dialoom.cli", "run", str(folder), "--port", "0", "--data", str(tmp_path / "data")]
    service = Process(command, '"message": "Dialoom .* is running on http://127', JSON)
    assert service.stop() == 0
    lines = _lines(service.output)
    assert [line["message"].endswith("its bots: echo") for line in lines if "is running" in line["message"]] == [True]
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)


@pytest.mark.parametrize(
    ("words", "environment", "code", "part"),
    [
        (["--port", "many"], {}, 2, "--port"),
        ([], {"DIALOOM_PROT": "1"}, 2, 'Did you mean "port"'),
        ([], {"DIALOOM_KEYS": "short"}, 2, "DIALOOM_KEYS"),
        (["missing"], {}, 1, "missing"),
    ],
)
def test_a_start_that_fails_says_why_in_json(
    tmp_path: Path, words: list[str], environment: dict[str, str], code: int, part: str
) -> None:
    port = [] if "--port" in words else ["--port", "0"]
    done = dialoom("run", *words, *port, "--data", str(tmp_path / "data"), **JSON, **environment)
    (line,) = _lines(done.stdout + done.stderr)
    assert (done.returncode, line["level"]) == (code, "critical")
    assert part in line["message"]


def test_a_taken_port_is_json(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = str(door.getsockname()[1])
        done = dialoom("run", str(BLANK), "--port", port, "--data", str(tmp_path), **JSON)
    (line,) = _lines(done.stdout + done.stderr)
    assert f"port {port}" in line["message"]


def test_the_file_of_settings_names_the_form_too(tmp_path: Path) -> None:
    (tmp_path / "dialoom.toml").write_text('log-format = "json"\nport = "many"\n')
    done = subprocess.run(
        [sys.executable, "-m", "dialoom.cli", "run"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    (line,) = _lines(done.stdout + done.stderr)
    assert "port" in line["message"]


FAULTS = """
import threading, warnings
from dialoom.service.observe.logs import configure
configure("info", "json")
warnings.warn("old")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
class Gone:
    def __del__(self):
        raise KeyError("Ada")
Gone()
raise ValueError("Ada")
"""


def test_what_python_says_by_itself_is_json_too() -> None:
    done = subprocess.run([sys.executable, "-c", FAULTS], capture_output=True, text=True, check=False)
    lines = _lines(done.stdout + done.stderr)
    assert [line["logger"] for line in lines] == ["py.warnings", "python", "python", "python"]
    assert [line["trace"].splitlines()[-1] for line in lines[1:]] == ["ZeroDivisionError", "KeyError", "ValueError"]
    assert "Ada" not in done.stderr
