"""``python -m tests.upgrade.make``: pack what a service leaves behind that ends by kill -9 amid its chats.

Run with the code of the release whose data it is; the README beside says how.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from tests.http.login_pages import Tab, code_of, state_of
from tests.postgres import dump, own_server
from tests.upgrade import talks
from tests.upgrade.talks import Calls, Page, say, service, texts

from dialoom.service.service import DATABASE
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore

HERE = Path(__file__).parent
KINDS = ("sqlite", "postgres")
"""Of databases."""
MADE, DUMP = "made.json", "dump.sql"
OLD = {
    "_id": "old-1", "User": "zoe", "Channel": "web", "Status": "success", "StartedAt": "2019-04-01T09:00:00+02:00",
    "Data": {"channel": {"ProviderName": "web"}, "user": {"FirstName": "Zoë"}}, "Ticket": 4711,
}  # fmt: skip
OLD_MESSAGE = {
    "_id": "old-1-1", "Conversation": "old-1", "User": "zoe", "Channel": "web", "From": "user", "Type": "text",
    "Text": "Grüße 👋", "CreatedAt": "2019-04-01T09:00:00+02:00", "Sequence": 1,
}  # fmt: skip


def store_in(folder: Path, database: str | None) -> Any:
    if database is None:
        return SqliteStore(folder / DATABASE)
    return PostgresStore(database, is_timed_by_server=False)


def _import(folder: Path, database: str | None) -> None:
    """Bring in records of another system by the command line."""
    for name, record, more in (("old", OLD, []), ("old-messages", OLD_MESSAGE, ["--messages"])):
        file = folder.parent / f"{name}.ndjson"
        file.write_text(json.dumps(record) + "\n", "utf-8")
        place = ["--data", str(folder)] if database is None else ["--data", str(folder), "--database", database]
        command = [sys.executable, "-m", "dialoom.cli", "history", "import", "tea", str(file), *more, *place]
        subprocess.run(command, check=True, env={**os.environ, "DIALOOM_KEYS": talks.KEYS})


async def _make(folder: Path, database: str | None) -> None:
    data = folder / "data"
    data.mkdir(parents=True)
    calls = Calls(talks.MOCKS, talks.SECOND)
    async with service(folder, store_in(data, database), calls, "First") as client:
        await texts(client, "pat", "tea")
        assert await texts(client, "pat", "Green") == ["The password?"]
        await texts(client, "mia", "help")
    await asyncio.to_thread(_import, data, database)
    made: dict[str, Any] = {}
    async with service(folder, store_in(data, database), calls) as client:
        clock, inner = client.clock, client.service
        await inner.store.add_index("conversations", "Ticket")
        read = await inner.tokens.create("tea", name="reports")
        gone = await inner.tokens.create("tea", name="gone")
        assert await inner.tokens.revoke("tea", gone.row.id)
        made["tokens"] = {"read": read.text, "revoked": gone.text}
        # An order that is done, one before its confirmation, one amid a digression, a page of quick replies.
        for text in ("tea", "Mint", talks.PASSWORD, "yes"):
            last = await texts(client, "amy", text)
        assert last == ["Second order 7: Mint."], last
        for text in ("tea", "Black", talks.PASSWORD):
            last = await texts(client, "dan", text)
        assert last == ["Black, right?"], last
        for text in ("tea", "help"):
            last = await texts(client, "leo", text)
        assert last[-1] == "Which tea?", last
        await texts(client, "ben", "tea")
        made["replies"] = (await say(client, "ben", "Next 5"))[-1]["quickReplies"]
        # A list that an endpoint filled; a dialog with its picker page.
        last = await texts(client, "cat", "cup")
        assert last[-1] == "Which cup?", last
        made["picker"] = talks.link_of((await say(client, "cleo", "day"))[-1])
        # Logins: prompted, with the provider, waiting for a code, done.
        made["prompted"] = talks.link_of((await say(client, "eve", "orders"))[-1])
        made["begun"] = talks.link_of((await say(client, "fay", "orders"))[-1])
        assert (await Tab(client).get(made["begun"])).status == 303
        link, tab = talks.link_of((await say(client, "hal", "orders"))[-1]), Tab(client)
        await tab.get(link)
        assert (await tab.back(state_of(link))).status == 200
        page = Page(client, (await client.open()).json)
        await page.send("1", text="orders")
        (link,) = [one["dialog"]["url"] for one in await page.read() if "dialog" in one]
        tab = Tab(client)
        await tab.get(link)
        made["code"], made["coded"] = code_of(await tab.back(state_of(link))), page.session
        # A file in the chat, and one that no message names yet.
        page = Page(client, (await client.open(context={"shop": "north"})).json)
        await page.send("1", text="leaf")
        file = await page.upload(talks.PNG, "leaf.png")
        await page.send("2", files=[file["id"]])
        assert (await page.read())[-1]["text"] == "Where?"
        made["files"] = [file, await page.upload(b"later", "later.txt")]
        made["page"], made["shown"] = page.session, await page.read()
        # Handed over, with a delivery that waits and one that is dead.
        await texts(client, "jan", "person")
        await texts(client, "kim", "refused")
        await inner.erasure.erase("tea", "mia", None)
        await _until(lambda: len(calls.to(talks.CALLBACK)) == 1 and calls.to(talks.PERSON) and calls.to(talks.REFUSED))
        (dead,) = await _until_some(lambda: inner.outbox.dead("tea"))
        made["dead"] = dead.id
        # Time goes on, and the process ends amid two calls, of which the first one has its result.
        clock.move(40)
        made["answered"] = (await client.say("help", sender="amy", id="again")).body.decode()
        turn = asyncio.create_task(client.say("calls", sender="oz", id="calls"))
        await _until(lambda: calls.to(talks.SECOND))
        made["now"] = clock.now()
        made["conversations"] = await talks.records(client, "conversations")
        made["messages"] = await talks.records(client, "messages")
        # Of a turn that runs nothing stands in the history yet.
        assert not turn.done()
        (folder / MADE).write_text(json.dumps(made, indent=1), "utf-8")
        os.kill(os.getpid(), signal.SIGKILL)


async def _until(claim: Any) -> None:
    for _ in range(4000):
        if claim():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("did not come true")


async def _until_some(ask: Any) -> Any:
    for _ in range(4000):
        if found := await ask():
            return found
        await asyncio.sleep(0.005)
    raise AssertionError("nothing came")


def _pack(kind: str, folder: Path) -> None:
    """Make the data of one kind of database in an empty folder, and pack it beside this file."""
    with contextlib.ExitStack() as ends:
        server = ends.enter_context(own_server()) if kind == "postgres" else None
        database = [] if server is None else [server.database()]
        command = [sys.executable, "-m", "tests.upgrade.make", str(folder), *database]
        assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
        files = [MADE, f"data/{DATABASE}", f"data/{DATABASE}-wal"]
        if database:
            (folder / DUMP).write_text(dump(database[0]), "utf-8")
            files = [MADE, DUMP]
    with tarfile.open(HERE / f"{kind}.tar.gz", "w:gz") as packed:
        for file in files:
            packed.add(folder / file, file)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(_make(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None))
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            _pack(kind, Path(folder))
