"""Hostile messages to a running service: ``python -m bench.hostile_service [--texts 1000] [--store sqlite|postgres]``.

Each drawn text (``hostile_text``) is the answer of a user of its own to a goal with sixteen questions, to one with
titles that lie a slip of the finger apart, or to one with patterns. Meanwhile ``/healthz`` is asked every 50 ms, and so
is a bare server in the same run: what it waits, the machine made it wait.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp
from tests.postgres import running_server

from bench.drawn_texts import READ_LANGUAGES, Drawn, drawn_texts
from bench.hostile_text import (
    EVERY_TYPE,
    OPENING,
    RARE,
    Json,
    bot_files,
    pattern_types,
    patterned_text,
    titled_text,
    titles_type,
)
from bench.machine import heading, table
from bench.servers import Database, Server, other

TOKEN = "token-of-the-hostile-bench"
SPECIAL = {"titles": "titles", "patterns": "patterns"}
"""Bots beside those of the languages, by the shape of the texts that go to them."""
HEALTH_SECONDS = 0.05


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        bots = _write_bots(Path(folder))
        settings = {}
        if options.store == "postgres":
            database = stack.enter_context(Database(stack.enter_context(running_server())))
            settings = {"DIALOOM_DATABASE_URL": database.url, "DIALOOM_KEYS": _KEY}
        service = Server(("dialoom.cli", "run", *bots, "--port", "0", "--data", f"{folder}/data"), settings)
        stack.callback(service.stop)
        (bare,) = stack.enter_context(other("bench.bare"))
        asyncio.run(_run(service, bare, options))


_KEY = "a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s="


def _write_bots(folder: Path) -> list[str]:
    patterns = pattern_types()
    bots = {language: bot_files(language, EVERY_TYPE) for language in READ_LANGUAGES}
    bots["titles"] = bot_files("en", ["Title"], titles_type())
    bots["patterns"] = bot_files("en", [one["name"] for one in patterns], *patterns)
    for name, files in bots.items():
        files["bot.json"] |= {
            "id": f"b-{name}",
            "channels": [{"id": "rest", "type": "rest", "token": f"{TOKEN}-{name}"}],
        }
        (folder / name).mkdir()
        for file, value in files.items():
            (folder / name / file).write_text(json.dumps(value))
    return [str(folder / name) for name in bots]


def _texts(seed: int, count: int) -> Iterator[Drawn]:
    chance = random.Random(seed)
    for number, drawn in enumerate(drawn_texts(seed, count, READ_LANGUAGES)):
        yield (titled_text if number % 20 == 0 else patterned_text)(chance) if number % RARE == 0 else drawn


async def _run(service: Server, bare: Server, options: argparse.Namespace) -> None:
    waits: dict[str, list[float]] = {"service": [], "bare server": []}
    slowest: tuple[float, Drawn | None, int] = (0.0, None, 0)
    statuses: dict[int, int] = {}
    async with aiohttp.ClientSession() as client:
        probes = [
            asyncio.create_task(_probe(client, f"http://127.0.0.1:{service.port}/healthz", waits["service"])),
            asyncio.create_task(_probe(client, f"http://127.0.0.1:{bare.port}/", waits["bare server"])),
        ]
        began = service.cpu()
        for number, drawn in enumerate(_texts(options.seed, options.texts)):
            name = SPECIAL.get(drawn.shape, drawn.language)
            await _say(client, service, name, number, OPENING)
            seconds, status = await _say(client, service, name, number, drawn.text)
            statuses[status] = statuses.get(status, 0) + 1
            slowest = max(slowest, (seconds, drawn, status), key=lambda one: one[0])
        cpu = service.cpu() - began
        for probe in probes:
            probe.cancel()
        await asyncio.gather(*probes, return_exceptions=True)
    seconds, drawn, status = slowest
    print(heading(f"{options.texts:,} hostile messages to a service on {options.store}, seed {options.seed}"))
    rows = [
        [name, len(times), 1000 * sorted(times)[len(times) // 2], 1000 * max(times)] for name, times in waits.items()
    ]
    print(table(("asked every 50 ms", "times", "median ms", "slowest ms"), rows))
    shown = f"{drawn.language}, {drawn.shape}: {drawn.shown}" if drawn else ""
    print(f"\nSlowest message: {1000 * seconds:,.0f} ms, status {status} ({shown}). Statuses: {statuses}.")
    print(f"CPU of the service for a message: {1000 * cpu / options.texts:,.1f} ms on average.")


async def _say(client: aiohttp.ClientSession, service: Server, bot: str, user: int, text: str) -> tuple[float, int]:
    url = f"http://127.0.0.1:{service.port}/v1/bots/b-{bot}/channels/rest/rest/bench"
    body: Json = {"sender": {"id": f"u{user}"}, "message": {"text": text}}
    began = time.perf_counter()
    async with client.post(url, json=body, headers={"authorization": f"Bearer {TOKEN}-{bot}"}) as answer:
        await answer.read()
    return time.perf_counter() - began, answer.status


async def _probe(client: aiohttp.ClientSession, url: str, waits: list[float]) -> None:
    body = json.dumps({"message": {"text": "register"}})
    while True:
        began = time.perf_counter()
        async with client.request("GET" if url.endswith("healthz") else "POST", url, data=body) as answer:
            await answer.read()
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(HEALTH_SECONDS)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.hostile_service", description=__doc__)
    parser.add_argument("--texts", type=int, default=1_000, help="how many are drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the drawing")
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    return parser.parse_args()


if __name__ == "__main__":
    main()
