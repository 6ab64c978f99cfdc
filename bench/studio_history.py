"""What the studio's Conversations and Insights ask of a million conversations: ``python -m bench.studio_history``.

Each request over HTTP to a service of its own, as the page makes it, on SQLite and on PostgreSQL; beside the median the
CPU for which the loop's own thread was held at most meanwhile. ``BENCH_CONVERSATIONS`` sets the number: a million take
ten minutes and 9 GB of disk.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from msgspec.structs import force_setattr
from tests.postgres import running_server

from bench.filled import BOT, FIRST, Pair, fill_postgres, fill_sqlite, records
from bench.machine import heading, table
from bench.servers import KEY, Database, Server
from bench.studio_service import Studio
from dialoom.service.clock import iso

COUNT = int(os.environ.get("BENCH_CONVERSATIONS", "1000000"))
RUNS = 5
SLOW_MS = 4000
"""After which a request is not asked again."""
EVERY_MS = 2_000
"""Between the beginnings of two conversations: a million are 23 days."""
GOALS = 200
SAID = ("Is there a table at the window?", "Do you have gluten-free bread", "My order 4711 has not come", "Thank you!")
NOW_AND_THEN = 0.03
"""Part of the conversations in which something was not understood."""


def varied(count: int, until: int) -> Iterator[Pair]:
    """Conversations until a moment, of many goals and two channels, with messages that were not understood."""
    draw = random.Random(2)
    shift = until - FIRST - count * EVERY_MS
    for index, (conversation, messages) in enumerate(records(count)):
        started = FIRST + shift + index * EVERY_MS
        conversation.started_at = iso(started)
        conversation.updated_at = conversation.ended_at = iso(started + 60_000)
        conversation.goal = f"goal-{draw.randrange(GOALS)}" if draw.random() < 0.8 else None
        conversation.channel = "web" if draw.random() < 0.5 else "rest"
        conversation.flow_version = f"{draw.randrange(5)}" * 12
        conversation.data.step = f"goal-{draw.randrange(GOALS)}/{draw.randrange(5)}"
        if draw.random() < NOW_AND_THEN:
            conversation.data.not_understood = 1
        for kept in messages:
            message = kept.record
            force_setattr(message, "created_at", iso(started + 1000 * message.sequence))
            force_setattr(message, "channel", conversation.channel)
            if message.from_ == "user":
                force_setattr(message, "text", f"{draw.choice(SAID)} {index}")
        yield conversation, messages


def _named(text: str) -> dict[str, Any]:
    """Return the query that the page makes of a text in its field."""
    like = {"$regex": f"^{text}", "$options": "i"}
    return {"$or": [{"User": text}, {"Data.user.FirstName": like}, {"Data.user.LastName": like}]}


def _asked(now: int) -> dict[str, str]:
    """Return the paths behind the bot's address. Times are the last day and the last week."""
    day, week = (iso(now - days * 86_400_000) for days in (1, 7))

    def rows(filter: dict[str, Any] | None = None, **more: str) -> str:
        given = {"sort": '{"StartedAt":-1}', **more}
        return f"conversations?{urlencode(given | ({} if filter is None else {'filter': json.dumps(filter)}))}"

    def count(filter: dict[str, Any]) -> str:
        return f"conversations/_count?{urlencode({'filter': json.dumps(filter)})}"

    everything = {"from": iso(now - 40 * 86_400_000)}
    return {
        "first page": rows(),
        "a user": rows({"User": "user-4711"}),
        "a name as typed": rows(_named("L77")),
        "a name that nobody has": rows(_named("Zzy")),
        "a channel": rows({"Channel": "web"}),
        "a channel that nobody uses": rows({"Channel": "none"}),
        "a goal": rows({"Goal": "goal-77"}),
        "a goal that nobody reached": rows({"Goal": "none"}),
        "a version": rows({"FlowVersion": "3" * 12}),
        "a version that nobody uses": rows({"FlowVersion": "none"}),
        "the last day": rows({"StartedAt": {"$gte": day}}),
        "not understood": rows({"Data.notUnderstood": {"$gt": 0}}),
        "not understood, more than ever": rows({"Data.notUnderstood": {"$gt": 5}}),
        "not understood, last day, web": rows(
            {"StartedAt": {"$gte": day}, "Channel": "web", "Data.notUnderstood": {"$gt": 0}}
        ),
        "stopped at a step": rows({"Status": "abandoned", "Data.step": "goal-77/2"}),
        "open": rows({"EndedAt": None}),
        "failed": rows({"Errors": {"$gt": 0}}),
        "count of all": count({}),
        "count, the last week": count({"StartedAt": {"$gte": week}}),
        "count, a channel": count({"Channel": "web"}),
        "count, a goal": count({"Goal": "goal-77"}),
        "count, not understood": count({"Data.notUnderstood": {"$gt": 0}}),
        "said, often": f"conversations/_said?{urlencode({'text': 'gluten'})}",
        "said, by one": f"conversations/_said?{urlencode({'text': 'bread 1234567 '})}",
        "insights, a day": f"insights?{urlencode({'from': day})}",
        "insights, all": f"insights?{urlencode(everything)}",
    }


def _measured(studio: Studio, path: str) -> list[str]:
    taken, held = list[float](), list[float]()
    while len(taken) < RUNS and sum(taken) < SLOW_MS:
        since, began = time.time(), time.perf_counter()
        try:
            studio.ask("GET", path)
        except RuntimeError as error:
            return [str(error).rpartition('"code":"')[2].partition('"')[0], f"{time.perf_counter() - began:.0f} s"]
        taken.append((time.perf_counter() - began) * 1000)
        held.append(studio.held(since)[1])
    return [f"{statistics.median(taken):,.1f}", f"{max(held):.1f}"]


def _next_pages(studio: Studio) -> list[str]:
    """Measure the pages behind the first, as one scrolls."""
    path = first = "conversations?" + urlencode({"sort": '{"StartedAt":-1}'})
    taken = list[float]()
    since = time.time()
    for _ in range(20):
        following = studio.ask("GET", path)["next"]
        began = time.perf_counter()
        path = f"{first}&{following}"
        studio.ask("GET", path)
        taken.append((time.perf_counter() - began) * 1000)
    return [f"{statistics.median(taken):,.1f}", f"{studio.held(since)[1]:.1f}"]


def measure(data: Path, database: str | None) -> dict[str, list[str]]:
    """Return what each request takes of the service on the data folder, or on the database of this address."""
    settings = {} if database is None else {"DIALOOM_DATABASE_URL": database, "DIALOOM_KEYS": KEY}
    with tempfile.TemporaryDirectory() as made:
        bot, holds = Path(made) / "bot", Path(made) / "holds"
        bot.mkdir()
        steps = [{"type": "message", "messages": ["Hello"]}]
        (bot / "bot.json").write_text(json.dumps({"id": BOT}))
        (bot / "flow.json").write_text(json.dumps({"conversations": {"help": {"type": "support", "steps": steps}}}))
        words = ("bench.watched_service", str(holds), "run", str(bot), "--port", "0", "--data", str(data))
        server = Server(words, settings)
        try:
            studio = Studio(server.port, data, holds, BOT, settings)
            found = {name: _measured(studio, path) for name, path in _asked(int(time.time() * 1000)).items()}
            return {"first page": found.pop("first page"), "the next pages": _next_pages(studio)} | found
        finally:
            server.stop()


def main() -> None:
    with tempfile.TemporaryDirectory() as name, running_server() as postgres:
        folder, now = Path(name), int(time.time() * 1000)
        fill_sqlite(folder / "dialoom.sqlite", COUNT, varied(COUNT, now))
        sqlite = measure(folder, None)
        with Database(postgres) as database:
            fill_postgres(database.url, COUNT, varied(COUNT, now))
            on_postgres = measure(folder, database.url)
    print(heading(f"Milliseconds of what the studio asks of {COUNT:,} conversations; median of {RUNS}"))
    rows = [[what, *sqlite[what], *on_postgres[what]] for what in sqlite]
    print(table(("", "SQLite", "loop's CPU", "PostgreSQL", "loop's CPU"), rows))


if __name__ == "__main__":
    main()
