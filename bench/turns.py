"""Durable turns over HTTP: a form of three questions on the rest channel, every answer checked, each user in order.

The service is the real command in a process of its own, on SQLite in an empty folder. Its CPU time is the kernel's own
account of that process, so the load generator's cost does not count.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.machine import heading, median_of, table

FORM = Path(__file__).parent / "form"
TOKEN = "bench-token-of-the-form"
TALK = (
    ("register", "What is your name?"),
    ("Ada", "Hello Ada, how old are you?"),
    ("36", "Which colour do you like?"),
    ("navy", "Thank you, Ada: 36 and Blue."),
)
RUNS = 3
FORMS_EACH = 10


DIALOOM = ("dialoom.cli", "run", str(FORM), "--port", "0", "--data")
BARE = ("bench.bare",)


class Server:
    def __init__(self, module: tuple[str, ...], data: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *module, str(data)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"DIALOOM_LOG_LEVEL": "warning"},
        )
        assert self.process.stdout is not None
        self.port = next(
            int(line.rsplit(":", 1)[1].split("/")[0]) for line in self.process.stdout if line.startswith("API")
        )

    def cpu(self) -> float:
        """Seconds of CPU that the process has used, user and system."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)
        assert self.process.stdout is not None
        self.process.stdout.close()


async def _user(port: int, name: str, forms: int, times: list[float]) -> None:
    """One user on one connection: sends the next message when the answer to the last is there and right."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    number = 0
    for _ in range(forms):
        for text, expected in TALK:
            number += 1
            body = json.dumps({"sender": {"id": name}, "message": {"id": str(number), "text": text}}).encode()
            head = (
                f"POST /v1/bots/form/channels/rest/rest/bench HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                f"Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            began = time.perf_counter()
            writer.write(head.encode() + body)
            answer = await _answer(reader)
            times.append(time.perf_counter() - began)
            said = [message["text"] for message in answer]
            if said[-1] != expected:
                raise AssertionError(f"{name} said {text!r} and got {said!r}")
    writer.close()
    await writer.wait_closed()


async def _answer(reader: asyncio.StreamReader) -> list[dict[str, str]]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
    )
    body = await reader.readexactly(length)
    if not head.startswith(b"HTTP/1.1 200"):
        raise AssertionError(body.decode())
    return list(json.loads(body))


async def _load(port: int, users: int, prefix: str, forms: int) -> list[float]:
    times: list[float] = []
    await asyncio.gather(*(_user(port, f"{prefix}-{index}", forms, times) for index in range(users)))
    return times


def measure(users: int, module: tuple[str, ...] = DIALOOM) -> dict[str, float]:
    """Turns per CPU second and per second, and the latencies in milliseconds, for so many users at once."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(module, Path(folder))
        try:
            asyncio.run(_load(server.port, users, "warm", 2))
            cpu, began = server.cpu(), time.perf_counter()
            times = sorted(asyncio.run(_load(server.port, users, "user", max(FORMS_EACH, 400 // users))))
            wall, used = time.perf_counter() - began, server.cpu() - cpu
        finally:
            server.stop()
    return {
        "turns": len(times),
        "per CPU s": len(times) / used,
        "per s": len(times) / wall,
        "p50 ms": times[len(times) // 2] * 1000,
        "p99 ms": times[len(times) * 99 // 100] * 1000,
    }


def main() -> None:
    print(heading("Durable turns of a three-question form over HTTP, SQLite; beside the HTTP server alone"))
    rows = []
    for users in (1, 32, 256):
        for name, module in (("dialoom", DIALOOM), ("server alone", BARE)):
            found = median_of(RUNS, lambda users=users, module=module: measure(users, module))
            rows.append([users, name, *(round(value, 2) for value in found.values())])
    print(table(["users", "what", "turns", "per CPU s", "per s", "p50 ms", "p99 ms"], rows))


if __name__ == "__main__":
    main()
