"""``dialoom dead list|resend|drop`` beside a running service, as an operator uses it."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.test_run import dialoom
from tests.live import Service, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from subprocess import CompletedProcess


@contextlib.contextmanager
def desk(refusals: int) -> Iterator[tuple[str, list[str]]]:
    """A live agents' server that refuses so many posts; its address, and the keys of what it took."""
    left, taken = [None] * refusals, list[str]()

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            if left:
                left.pop()
                self.send_response(403)
            else:
                taken.append(self.headers["Idempotency-Key"])
                self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Not on the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/in", taken
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def write_bot(folder: Path, address: str) -> Path:
    folder.mkdir()
    steps = [{"type": "command", "command": "stay-silent 1", "live-agent": "desk"}]
    (folder / "bot.json").write_text(json.dumps({"id": "echo", "live-agents": {"desk": address}}))
    (folder / "flow.json").write_text(json.dumps({"conversations": {"help": {"type": "support", "steps": steps}}}))
    return folder


def test_dead_letters_are_listed_resent_and_dropped_beside_the_service(tmp_path: Path) -> None:
    with desk(refusals=3) as (address, taken):
        service = Service([write_bot(tmp_path / "bot", address)], tmp_path / "data")

        def do(*words: str) -> CompletedProcess[str]:
            return dialoom("dead", *words, "--data", str(service.data))

        def letters() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = json.loads(do("list", "echo", "--format", "json").stdout)
            return found

        try:
            for user in ("ada", "ben", "cleo"):
                assert service.say("echo", user, "help").status == 200
            wait_until(lambda: len(letters()) == 3)
            first, second, third = (one["id"] for one in letters())
            told = do("list", "echo").stdout
            assert first in told
            assert "answered 403 Forbidden" in told
            assert do("drop", "echo", first).stdout == "1 dropped.\n"
            assert do("resend", "echo", second).stdout.startswith("1 put back")
            wait_until(lambda: taken == [second])
            assert do("resend", "echo", "--all").returncode == 0
            wait_until(lambda: taken == [second, third])
            assert letters() == []
            again = do("drop", "echo", first)
            assert again.returncode == 2
            assert "has no such dead letter" in again.stderr
        finally:
            assert service.stop() == 0
        assert "Traceback" not in service.output


@pytest.mark.parametrize("words", [("resend", "echo"), ("drop", "echo", "one", "--all")])
def test_ids_or_all_must_be_said(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = dialoom("dead", *words, "--data", str(tmp_path))
    assert done.returncode == 2
    assert "ID..., or --all" in done.stderr
