"""What one page of the studio asks of the service while somebody edits a bot of 200 conversations and 1,000 steps, and
for how long the service's event loop comes to nothing else meanwhile: ``python -m bench.studio_service [RUNS]``.

Nobody else's message waits longer than the loop is held. The hold is given by the clock and by the CPU of the loop's
own thread, which other work on the machine and other threads of the service do not lengthen.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from bench.large_bot import write_bot
from bench.machine import heading, table
from bench.servers import Server

RUNS = 7
BURST = 8
"""Checks that a page asks for at once in the row of that name."""
BOT = "large"


class Studio:
    """An administrator's session with a running service. ``holds``: where its watch writes. ``settings``: the
    environment of the service, for the command that makes the link."""

    def __init__(
        self, port: int, data: Path, holds: Path, bot: str = BOT, settings: Mapping[str, str] | None = None
    ) -> None:
        self.port, self._holds, self._bot = port, holds, bot
        words = ("studio", "link", "--data", str(data), "--port", str(port))
        command = [sys.executable, "-m", "dialoom.cli", *words]
        said = subprocess.run(
            command, capture_output=True, text=True, check=True, env={**os.environ, **(settings or {})}
        ).stdout
        token = next(word for word in said.split() if "#sign-in=" in word).rpartition("=")[2]
        self._cookie = ""
        self._cookie = self._send("POST", "/v1/studio/sign-in", {"token": token})[1].partition(";")[0]

    def _send(self, method: str, path: str, body: Any = None) -> tuple[bytes, str, int]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        origin = f"http://127.0.0.1:{self.port}"
        headers = {"Content-Type": "application/json", "Origin": origin, "Cookie": self._cookie}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        found = answer.read(), answer.getheader("set-cookie") or "", answer.status
        connection.close()
        return found

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask of the bot. Raises ``RuntimeError`` for a refusal."""
        text, _, status = self._send(method, f"/v1/studio/bots/{self._bot}/{path}", body)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {text[:500]!r}")
        return json.loads(text) if text else None

    def held(self, since: float) -> tuple[float, float]:
        """Return the longest hold of the loop since then: milliseconds by the clock, and of CPU."""
        lines = [[float(part) for part in line.split()] for line in self._holds.read_text().splitlines()]
        found = [(wall, cpu) for at, wall, cpu in lines if at >= since]
        return max((wall for wall, _ in found), default=0.0), max((cpu for _, cpu in found), default=0.0)


class Page:
    """The draft as a page holds it. Each edit is another text, so that nothing is answered from a cache."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        draft = studio.ask("GET", "draft")
        self.revision, self.flow = draft["revision"], draft["files"]["flow.json"]
        self._edits = 0
        self._try_out = studio.ask("POST", "try-outs", {"on": "draft", "calls": "mocked"})
        for text in ("book a table in town", "tomorrow", "2"):
            self.try_out("turns", text=text)

    def try_out(self, what: str, **wish: Any) -> None:
        """Do something to the try-out as it is."""
        named = wish | {"revision": self._try_out["revision"]}
        self._try_out = self.studio.ask("POST", f"try-outs/{self._try_out['id']}/{what}", named)

    def edited(self) -> dict[str, str]:
        self._edits += 1
        return {"flow.json": self.flow.replace("What can I do for you?", f"What can I do ({self._edits})?")}

    def save(self) -> None:
        files = self.edited()
        self.revision = self.studio.ask("PUT", "draft", {"revision": self.revision, "files": files})["revision"]
        self.flow = files["flow.json"].replace(f"({self._edits})?", "for you?")

    def check_at_once(self) -> None:
        asked = [
            threading.Thread(target=self.studio.ask, args=("POST", "draft/check", {"files": self.edited()}))
            for _ in range(BURST)
        ]
        for one in asked:
            one.start()
        for one in asked:
            one.join()


ASKED: dict[str, Callable[[Page], Any]] = {
    "GET draft": lambda page: page.studio.ask("GET", "draft"),
    "POST draft/check": lambda page: page.studio.ask("POST", "draft/check", {"files": page.edited()}),
    f"POST draft/check, {BURST} at once": Page.check_at_once,
    "PUT draft": Page.save,
    "GET draft/difference": lambda page: page.studio.ask("GET", "draft/difference"),
    "GET draft/archive": lambda page: page.studio._send("GET", f"/v1/studio/bots/{BOT}/draft/archive"),
    "POST picture": lambda page: page.studio.ask("POST", "picture", {"files": page.edited()}),
    "POST try-outs": lambda page: page.studio.ask("POST", "try-outs", {"on": "draft", "calls": "mocked"}),
    "POST try-outs/{id}/replay": lambda page: page.try_out("replay", files=page.edited()),
    "POST try-outs/{id}/turns": lambda page: page.try_out("turns", text="tomorrow"),
    "POST tests/run": lambda page: page.studio.ask("POST", "tests/run", {"files": page.edited()}),
}


def _row(name: str, page: Page, runs: int) -> list[object]:
    taken, held = list[float](), list[tuple[float, float]]()
    for _ in range(runs):
        time.sleep(0.05)
        since, began = time.time(), time.perf_counter()
        ASKED[name](page)
        taken.append((time.perf_counter() - began) * 1000)
        time.sleep(0.05)
        held.append(page.studio.held(since))
    wall, cpu = ([hold[at] for hold in held] for at in (0, 1))
    figures = (statistics.median(taken), min(wall), statistics.median(wall), min(cpu), statistics.median(cpu))
    return [name, *(f"{one:.1f}" for one in figures)]


def main() -> None:
    runs = next((int(word) for word in sys.argv[1:] if word.isdigit()), RUNS)
    with tempfile.TemporaryDirectory() as made:
        folder, data, holds = write_bot(Path(made) / BOT), Path(made) / "data", Path(made) / "holds"
        words = ("bench.watched_service", str(holds), "run", str(folder), "--port", "0", "--data", str(data))
        server = Server(words, {})
        try:
            page = Page(Studio(server.port, data, holds))
            rows = [_row(name, page, runs) for name in ASKED]
            print(heading(f"Milliseconds of a request, and of the longest hold of the event loop in it; of {runs}"))
            columns = ("", "answered", "held, least", "median", "CPU, least", "median")
            print(table(columns, rows))
            stacks = holds.with_name(f"{holds.name}.stacks")
            if stacks.exists():
                print(stacks.read_text(), file=sys.stderr)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
