"""From the start of a process on an existing data folder to readiness, and what it holds when idle:
``python -m bench.start [BOT_FOLDER]``, the clinic by default; Linux only.

Each figure is the median of several starts. CPU is what the process used until ``/readyz`` said yes; where other work
takes the cores, it tells more than the clock. The first start, which trains the bot, is not counted. Bytecode is there,
as a package's installation leaves it.
"""

from __future__ import annotations

import compileall
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import dialoom
from bench import processes
from bench.machine import heading, median_of, table
from bench.servers import QUIET

EXAMPLES = Path(__file__).parent.parent / "examples"
RUNS = 7
LOOKS_SECONDS = 0.002
"""Between two looks whether it is ready."""
IDLE_SECONDS = 2.0
"""After readiness until memory is looked at: what is loaded beside the first requests is there."""
SECRETS = {"BOT_GYM_SECRET": "gym-demo", "DIALOOM_EGRESS_ALLOW": "127.0.0.1:8089"}


def _start(bot: Path, data: Path) -> dict[str, float]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "dialoom.cli", "run", str(bot), "--port", str(port), "--data", str(data)]
    began = time.perf_counter()
    process = subprocess.Popen(words, env={**os.environ, **QUIET, **SECRETS}, stdout=subprocess.DEVNULL)
    try:
        while not _is_ready(port):
            if process.poll() is not None:
                raise RuntimeError("The service did not start; what it said stands above.")
            time.sleep(LOOKS_SECONDS)
        seconds, cpu = time.perf_counter() - began, processes.precise_cpu(process.pid)
        time.sleep(IDLE_SECONDS)
        memory = processes.memory(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
    return {"seconds": seconds, "cpu": cpu, **memory}


def _is_ready(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n")
            return connection.recv(64).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def _row(name: str, found: Mapping[str, float]) -> list[object]:
    return [name, found["seconds"], found["cpu"], found["Rss"] / 1e6, found["Pss"] / 1e6]


def main() -> None:
    bots = [Path(word) for word in sys.argv[1:] if (Path(word) / "bot.json").is_file()]
    compileall.compile_dir(str(Path(dialoom.__file__).parent), quiet=1)
    rows = []
    for bot in bots or [EXAMPLES / "blank", EXAMPLES / "clinic"]:
        with tempfile.TemporaryDirectory() as data:
            _start(bot, Path(data))
            rows.append(_row(bot.name, median_of(RUNS, lambda bot=bot, data=data: _start(bot, Path(data)))))
    print(heading(f"Start on an existing data folder, median of {RUNS}; the goals are 0.5 s and 90 MB"))
    print(table(("bot", "ready, s", "CPU, s", "idle MB", "its share, MB"), rows))


if __name__ == "__main__":
    main()
