"""Secrets that an author has written into a bot's files: nothing of the database shows one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BOT, FLOW, Client, serving
from tests.postgres import query

from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

    from tests.postgres import Server

SECRET = "quite-a-literal-"
WITH_SECRETS: dict[str, Any] = {
    **BOT,
    "access-token": f"{SECRET}access-token",
    "channels": [
        {"id": "rest", "type": "rest", "token": f"{SECRET}rest-token", "callback-url": None},
        {"id": "web", "type": "web", "token": f"{SECRET}web-token", "user-secret": f"{SECRET}user-secret-of-32-bytes"},
    ],
    "credentials": {
        "desk": {"type": "bearer", "token": f"{SECRET}bearer-token"},
        "till": {"type": "basic", "username": "ada", "password": f"{SECRET}password"},
    },
}
FLOW_WITH_SECRETS: dict[str, Any] = json.loads(json.dumps(FLOW))
FLOW_WITH_SECRETS["conversations"]["tea"]["steps"][2]["data-source"]["headers"] = {
    "Authorization": f"Bearer {SECRET}header"
}
FLOW_WITH_SECRETS["settings"] = {
    "authentication": {
        "entity": "auth",
        "messages": ["Please log in."],
        "acknowledgements": ["Thanks."],
        "display": {"type": "login", "template": {"title": "Log in"}},
        "oidc": {"issuer": "https://id.example", "client-id": "tea", "client-secret": f"{SECRET}client-secret"},
    }
}


async def talk(client: Client) -> None:
    token = f"{SECRET}rest-token"
    for text in ("tea", "Green", "sesame"):
        assert (await client.say(text, token=token)).status == 200
    made = client.service.bots.active("tea")
    assert made is not None
    assert await client.service.bots.files("tea", made.version)


async def test_a_sqlite_folder_shows_no_secret_of_a_published_version(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    store = SqliteStore(folder / "data.sqlite")
    async with serving(tmp_path, FLOW_WITH_SECRETS, store=store, bot=WITH_SECRETS) as client:
        await talk(client)
        running = {file.name: file.read_bytes() for file in folder.iterdir()}
        models = [file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file()]
    closed = [file.read_bytes() for file in folder.iterdir()]
    assert any(len(content) > 50_000 for content in running.values())
    for content in (*running.values(), *closed, *models):
        assert SECRET.encode() not in content


@pytest.mark.parametrize("how", ["text", "hex"])
async def test_a_postgresql_database_shows_no_secret_of_a_published_version(
    tmp_path: Path, postgres_server: Server, how: str
) -> None:
    url = postgres_server.database()
    async with serving(tmp_path, FLOW_WITH_SECRETS, store=PostgresStore(url), bot=WITH_SECRETS) as client:
        await talk(client)
    looked_for = SECRET if how == "text" else SECRET.encode().hex()
    tables = [name for (name,) in query(url, "select tablename from pg_tables where schemaname = 'dialoom'")]
    rows = [row for table in tables for (row,) in query(url, f"select t::text from dialoom.{table} t")]
    assert len(rows) > 10
    assert [row for row in rows if looked_for in row] == []
    postgres_server.drop(url)
