"""The real service and the clinic's back end as subprocesses, for tests that use them as their users would."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import queue
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dialoom.cli.stores import open_beside
from dialoom.service.access.studio_sign_in import ADMINISTRATOR, Role
from dialoom.service.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from dialoom.service.service import Service as Parts
    from dialoom.service.settings import Settings

T = TypeVar("T")

ROOT = Path(__file__).parent.parent
CLINIC = ROOT / "examples" / "clinic"
START_WITHIN = 60.0
END_WITHIN = 60.0
PORTS = range(20_000, 32_000)
"""Below those that systems give to connections by themselves (Linux from 32768 on, others from 49152): between the choice
of a port and the start of what listens there, and while that is away, no connection takes it."""


def free_port() -> int:
    """One that no other test on this machine is given until this process ends."""
    for port in random.sample(PORTS, len(PORTS)):
        # Whoever holds a port's UDP half has the port: that hinders nobody from listening there for TCP.
        claim = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            claim.bind(("127.0.0.1", port))
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            claim.close()
            continue
        claim.detach()
        return port
    raise AssertionError(f"no port from {PORTS.start} to {PORTS.stop} is free")


class Process:
    """A subprocess whose output is read as it comes, so that it never blocks on a full pipe."""

    def __init__(self, command: list[str], ready: str, environment: dict[str, str] | None = None) -> None:
        self.lines: list[str] = []
        self._ready: queue.Queue[str | None] = queue.Queue()
        self._pattern = re.compile(ready)
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            found = self._ready.get(timeout=START_WITHIN)
        except queue.Empty:
            found = None
        if found is None:
            self.kill()
            raise AssertionError("did not start:\n" + "".join(self.lines))

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if self._pattern.search(line):
                self._ready.put(line)
        self._ready.put(None)

    @property
    def output(self) -> str:
        return "".join(self.lines)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self._end()

    def _end(self) -> int:
        try:
            code = self.process.wait(timeout=END_WITHIN)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self._reader.join(timeout=END_WITHIN)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


class Answer:
    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def call(
    method: str, url: str, body: Any = None, headers: dict[str, str] | None = None, timeout: float = 60.0
) -> Answer:
    """One HTTP request; an error status is an answer like any other. ``body``: bytes go as they are, else as JSON."""
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    if data is not None and not request.has_header("Content-type"):
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return Answer(answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, {k.lower(): v for k, v in error.headers.items()}, error.read())


class Backend(Process):
    """The clinic's back end on a port of its own; its bookings stay in ``data``."""

    def __init__(self, data: Path, port: int | None = None, delay: float = 0.0) -> None:
        self.port = port or free_port()
        command = [sys.executable, str(CLINIC / "backend.py"), "--port", str(self.port), "--data", str(data)]
        super().__init__([*command, "--delay", str(delay)], r"http://")
        self.url = f"http://127.0.0.1:{self.port}"

    def bookings(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = call("GET", f"{self.url}/appointments").json
        return found


class Service(Process):
    """``dialoom run`` on a free port (or the same again)."""

    def __init__(
        self,
        folders: list[Path],
        data: Path,
        port: int | None = None,
        environment: dict[str, str] | None = None,
        options: tuple[str, ...] = (),
    ) -> None:
        self.folders, self.data = folders, data
        self.port = port or free_port()
        command = [sys.executable, "-m", "dialoom.cli", "run", *map(str, folders), *options]
        super().__init__([*command, "--port", str(self.port), "--data", str(data)], r"^API description:", environment)
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = environment or {}

    @functools.cached_property
    def tokens(self) -> dict[str, str]:
        """The live tokens, by what they are for; of several bots those of the last. Asked for once a data folder."""
        kept = self.data / "tokens-of-the-test.json"
        if not kept.is_file():
            found: dict[str, str] = {}
            for bot in re.findall(r"  tokens: dialoom token list (\S+) --show", self.output):
                found |= self._tokens_of(bot)
            kept.write_text(json.dumps(found))
        read: dict[str, str] = json.loads(kept.read_text())
        return read

    def command(self, *words: str) -> str:
        """Run a command line beside the service, as an operator does; return what it prints."""
        command = [sys.executable, "-m", "dialoom.cli", *words, "--data", str(self.data)]
        environment = {**os.environ, **self._environment}
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True, env=environment).stdout

    def studio_link(self, role: Role = ADMINISTRATOR, name: str = "") -> str:
        """Make a link into the studio, as ``dialoom studio link`` does, without the start of a process."""
        return self._beside({"port": str(self.port)}, lambda parts: parts.studio.link(role, name))

    def _beside(self, given: dict[str, str], act: Callable[[Parts], Awaitable[T]]) -> T:
        """Do something with the parts of a service on this one's store, as a command does beside it; in a thread, as
        Playwright's event loop runs in the caller's."""

        async def with_parts(settings: Settings) -> T:
            async with open_beside(settings) as parts:
                return await act(parts)

        def run() -> T:
            place = given | {"data": str(self.data)}
            return asyncio.run(with_parts(read_settings(place, os.environ | self._environment, Path("dialoom.toml"))))

        with ThreadPoolExecutor(1) as pool:
            return pool.submit(run).result(120)

    def _tokens_of(self, bot: str) -> dict[str, str]:
        async def live(parts: Parts) -> dict[str, str]:
            return {
                "history token" if row.kind == "server" else f"token of {row.channel}": parts.tokens.reveal(row)
                for row in await parts.tokens.list(bot)
                if row.revoked_at is None
            }

        return self._beside({}, live)

    def again(self) -> Service:
        """The same service after it ended."""
        return Service(self.folders, self.data, self.port, self._environment)

    def say(
        self, bot: str, sender: str, text: str, id: str | None = None, timeout: float = 60.0, **message: Any
    ) -> Answer:
        """A message on the rest channel."""
        message |= {"text": text} if text else {}
        if id is not None:
            message["id"] = id
        body = {"sender": {"id": sender, "name": "Ada Lovelace"}, "message": message}
        headers = {"Authorization": f"Bearer {self.tokens['token of rest']}"}
        return call("POST", f"{self.url}/v1/bots/{bot}/channels/rest/rest/test", body, headers, timeout)

    def history(self, bot: str, path: str, **parameters: Any) -> Any:
        answer = self.ask_history(bot, path, **parameters)
        assert answer.status == 200, answer.body
        return answer.json

    def ask_history(self, bot: str, path: str, **parameters: Any) -> Answer:
        plain = {k: v if isinstance(v, str | int) else json.dumps(v) for k, v in parameters.items()}
        headers = {"Authorization": f"Bot-Server-Access-Token {self.tokens['history token']}"}
        return call("GET", f"{self.url}/v1/bots/{bot}/{path}?{urllib.parse.urlencode(plain)}", None, headers)


def copy_clinic(to: Path, port: int) -> Path:
    """The clinic's folder, calling a back end on this port."""
    folder = to / "clinic"
    shutil.copytree(CLINIC, folder, ignore=shutil.ignore_patterns("__pycache__"))
    flow = folder / "flow.json"
    flow.write_text(flow.read_text("utf-8").replace("http://127.0.0.1:8089", f"http://127.0.0.1:{port}"), "utf-8")
    return folder


@contextlib.contextmanager
def clinic(folder: Path, delay: float = 0.0) -> Iterator[tuple[Service, Backend]]:
    """The clinic bot with its back end, in an empty folder."""
    backend = Backend(folder / "backend", delay=delay)
    service = None
    try:
        service = Service([copy_clinic(folder, backend.port)], folder / "data")
        yield service, backend
    finally:
        if service is not None and service.process.poll() is None:
            service.stop()
        backend.stop()


def wait_until(claim: Any, seconds: float = 60.0) -> None:
    """Poll a claim about another process until it holds. The limit ends what would never: a slow machine is no failure."""
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, "did not come true in time"
        time.sleep(0.02)


def echo_bot(folder: Path, text: str = "Hello") -> Path:
    """Write a bot that answers everything with this text, and return its folder."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.json").write_text(json.dumps({"id": "echo"}))
    steps = [{"type": "message", "messages": [text]}]
    (folder / "flow.json").write_text(json.dumps({"conversations": {"help": {"type": "support", "steps": steps}}}))
    return folder
