"""Parse Server as a neighbour: the same conversations in the same PostgreSQL, asked over HTTP in its own way.

Its packages come from npm into ``bench/parse/node_modules`` when they are first wanted.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from bench.servers import Database

FOLDER = Path(__file__).parent / "parse"
HEADERS = {
    "X-Parse-Application-Id": "bench",
    "X-Parse-Master-Key": "bench-master",
    "Content-Type": "application/json",
}
ONE: dict[str, Any] = {
    "key": "a",
    "User": "a",
    "Channel": "a",
    "Status": "a",
    "StartedAt": "a",
    "UpdatedAt": "a",
    "EndedAt": "a",
    "Goal": "a",
    "Errors": 1,
    "Messages": {"user": 1},
    "FlowVersion": "1",
    "Data": {"user": {"FirstName": "a"}},
}
"""The object from which Parse makes the columns."""
COPY = """
insert into "Conversation" ("objectId", "createdAt", "updatedAt", key, "User", "Channel", "Status", "StartedAt",
    "UpdatedAt", "EndedAt", "Goal", "Errors", "Messages", "FlowVersion", "Data")
select id, now(), now(), id, "user", channel, status, started_at, updated_at, ended_at, goal, errors,
    body -> 'Messages', '1', body -> 'Data'
from dialoom.conversations
"""
INDEXES = (
    'create index on "Conversation" ("StartedAt")',
    'create index on "Conversation" ("Status")',
    'create index on "Conversation" ("Errors")',
    'vacuum analyze "Conversation"',
)
"""Those of its columns that it could use; what is inside of an object it asks by expressions that take none of ours."""


@contextlib.contextmanager
def parse_server(database: Database) -> Iterator[str]:
    """Gives its address, once all conversations are in its table."""
    if not (FOLDER / "node_modules").exists():
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=FOLDER, check=True)
    process = subprocess.Popen(
        ["node", "server.js", database.url], cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        base = next((line.split()[1] for line in process.stdout if line.startswith("API")), None)
        if base is None:
            raise RuntimeError("Parse Server did not start. Try by hand: node bench/parse/server.js DATABASE_URL")
        request = Request(f"{base}/classes/Conversation", json.dumps(ONE).encode(), HEADERS, method="POST")
        with urlopen(request) as answer:
            answer.read()
        database.run('delete from "Conversation"')
        database.run(COPY)
        for sql in INDEXES:
            database.run(sql)
        yield base
    finally:
        process.terminate()
        process.wait(timeout=30)
