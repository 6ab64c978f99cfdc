"""``dialoom run`` as processes that are killed and started again, and that end with whoever started them."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
from tests.live import ROOT, free_port

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ON_LINUX = sys.platform == "linux"
START_WITHIN = 60.0
HOST = "127." + ".".join(str(random.SystemRandom().randint(1, 254)) for _ in range(3)) if ON_LINUX else "127.0.0.1"
"""An address of this run's own: the port of a service that is away stays free for it, whatever else is started."""
BASE_URL = "https://bots.example"
"""Of all services of a test, as behind a load balancer: the studio's session is one at each of them."""
SETTINGS = {
    "DIALOOM_BASE_URL": BASE_URL,
    # Under a public address no flow may call this machine unless a setting says so.
    "DIALOOM_EGRESS_PRIVATE": "allow",
    "DIALOOM_LOG_LEVEL": "warning",
    # One machine plays many users, faster than people are.
    "DIALOOM_RATE_TOKEN": "off",
    "DIALOOM_RATE_USER": "off",
    "DIALOOM_RATE_ADDRESS": "off",
    "DIALOOM_QUOTA_CHAT": "off",
    "DIALOOM_QUOTA_ADDRESS": "off",
}
LAUNCH = (
    "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
"""Becomes the service, having asked the system to kill it (signal 9) when its parent dies (``PR_SET_PDEATHSIG``): tests
that are killed themselves leave nothing behind. ``preexec_fn`` would do this in a fork of a process with threads."""


class Died(AssertionError):
    """A service that was to start, or to run, ended by itself."""


class ServiceProcess:
    """``command``: what is put in the place of ``python -m dialoom.cli``. Its output goes to ``log``."""

    def __init__(
        self,
        arguments: Sequence[str],
        log: Path,
        environment: Mapping[str, str] | None = None,
        command: Sequence[str] = ("-m", "dialoom.cli"),
    ) -> None:
        self.port = free_port()
        self.url = f"http://{HOST}:{self.port}"
        self.log = log
        self._arguments = arguments
        launch = ["-c", LAUNCH] if ON_LINUX else []
        self._command = [sys.executable, *launch, *command, "run", *arguments, "--host", HOST, "--port", str(self.port)]
        self._environment = {**os.environ, **SETTINGS, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def begin(self) -> None:
        """Start it; it is not ready yet. From the main thread: its death would be the service's too."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd=ROOT,
                env=self._environment,
                start_new_session=True,
            )

    async def ready(self) -> None:
        """Raises ``Died`` with the end of its output."""
        end = time.monotonic() + START_WITHIN
        async with aiohttp.ClientSession() as session:
            while time.monotonic() < end:
                if not self.is_running:
                    raise Died(f"The service ended by itself:\n{self.tail()}")
                try:
                    async with session.get(f"{self.url}/readyz") as answer:
                        if answer.status == 200:
                            return
                except (aiohttp.ClientError, ConnectionError):
                    pass
                await asyncio.sleep(0.02)
        raise Died(f"The service was not ready in {START_WITHIN:g} s:\n{self.tail()}")

    async def studio_link(self, role: str, name: str) -> str:
        """A link into the studio, made beside the service as an operator does."""
        data = self._arguments[self._arguments.index("--data") + 1]
        command = [
            sys.executable,
            "-m",
            "dialoom.cli",
            "studio",
            "link",
            "--role",
            role,
            "--name",
            name,
            "--data",
            data,
        ]
        made = await asyncio.create_subprocess_exec(*command, env=self._environment, stdout=asyncio.subprocess.PIPE)
        output, _ = await made.communicate()
        return output.decode().split()[-1]

    async def kill(self) -> None:
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """As an operator does; gives its exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> int:
        if self._process is None:
            return 0
        process = self._process
        if process.poll() is None:
            process.send_signal(number)
        return await asyncio.to_thread(process.wait, 40)

    def kill_now(self) -> None:
        """Whatever else went wrong, nothing of it is left."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def tail(self) -> str:
        return self.log.read_text("utf-8", "replace")[-3000:] if self.log.exists() else ""
