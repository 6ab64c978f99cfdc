"""What the studio's Operate reads and changes: versions compared, channels and their checks, dead letters, the doctor, keys."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from tests.http.admin.test_dead_letters import letters
from tests.http.support import BASE, BOT, Client, serving

from dialoom.auth.keys import KEY_FILE, add_key
from dialoom.authoring.operate.backup import Backups
from dialoom.service.service import DATABASE
from dialoom.service.settings import Settings
from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.http.support import Answer

__all__ = ["letters"]
ROOM = "/v1/studio/bots/tea"


async def _sign_in(client: Client) -> dict[str, str]:
    token = (await client.service.studio.link()).partition("#sign-in=")[2]
    opened = await client.call("POST", "/v1/studio/sign-in", {"token": token}, {"Origin": BASE})
    return {"Origin": BASE, "Cookie": opened.headers["set-cookie"].partition(";")[0]}


async def _ask(client: Client, cookie: dict[str, str], method: str, path: str, body: Any = None) -> Answer:
    return await client.call(method, ROOM + path, body, cookie)


async def test_two_versions_are_compared_part_by_part_and_line_by_line(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        cookie = await _sign_in(client)
        draft = (await _ask(client, cookie, "GET", "/draft")).json
        files = {"bot.json": json.dumps(BOT | {"name": "Tea room"})}
        saved = (await _ask(client, cookie, "PUT", "/draft", {"revision": draft["revision"], "files": files})).json
        wish = {"revision": saved["revision"], "note": "The new name"}
        published = (await _ask(client, cookie, "POST", "/draft/publish", wish)).json
        before, after = published["previous"], published["version"]
        found = await _ask(client, cookie, "GET", f"/versions/{before}/difference/{after}")
        assert found.status == 200, found.body
        assert [(one["path"], one["after"]) for one in found.json["changes"]] == [("name", "Tea room")]
        assert next(line for line in found.json["lines"] if "Tea room" in line).startswith("+")
        assert (found.json["from"], found.json["to"]) == (before[:12], after[:12])
        unknown = await _ask(client, cookie, "GET", f"/versions/{before}/difference/no-version")
        assert unknown.status == 404


async def test_each_channel_says_whether_it_takes_calls_and_is_checked(tmp_path: Path) -> None:
    platform = {"id": "tg", "type": "messenger-3", "bot-token": {"env": "BOT_TEA_NOT_SET"}, "webhook-secret": "x" * 20}
    bot = BOT | {"channels": [{"id": "web", "type": "web"}, platform]}
    async with serving(tmp_path, bot=bot) as client:
        cookie = await _sign_in(client)
        web, closed = (await _ask(client, cookie, "GET", "/channels")).json
        assert (web["id"], web["hasPlatform"], web["reasons"], web["failures"]) == ("web", False, [], [])
        assert closed["hasPlatform"]
        assert "BOT_TEA_NOT_SET" in closed["reasons"][0]
        (line,) = (await _ask(client, cookie, "POST", "/channels/web/check", {})).json["findings"]
        assert line["state"] == "ok"
        checked = (await _ask(client, cookie, "POST", "/channels/tg/check", {})).json["findings"]
        assert [line["state"] for line in checked] == ["wrong"] * len(closed["reasons"])
        assert (await _ask(client, cookie, "POST", "/channels/nothing/check", {})).status == 404


async def test_dead_letters_are_listed_sent_again_and_dropped(letters: tuple[Client, Any]) -> None:
    client, _ = letters
    cookie = await _sign_in(client)
    found = (await _ask(client, cookie, "GET", "/dead-letters")).json
    assert found
    assert all(one["reason"] and "body" not in one and "user" not in one for one in found)
    ids = [one["id"] for one in found]
    dropped = await _ask(client, cookie, "POST", "/dead-letters/drop", {"ids": ids[:1]})
    assert dropped.json == {"count": 1}
    again = await _ask(client, cookie, "POST", "/dead-letters/drop", {"ids": ids[:1]})
    assert (again.status, again.json["code"]) == (404, "not-found")
    sent = await _ask(client, cookie, "POST", "/dead-letters/resend", {})
    assert sent.json == {"count": len(ids) - 1}
    assert (await _ask(client, cookie, "GET", "/dead-letters")).json == []


async def test_the_doctor_says_in_the_studio_what_it_says_in_the_terminal(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        cookie = await _sign_in(client)
        found = (await _ask(client, cookie, "POST", "/doctor", {})).json["findings"]
        checks = {one["check"] for one in found}
        assert {"settings", "data folder", "keys", "database"} <= checks
        assert {one["level"] for one in found} <= {"ok", "by-hand", "warn", "fail"}


async def test_keys_are_named_and_a_new_one_waits_for_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        cookie = await _sign_in(client)
        keys = (await _ask(client, cookie, "GET", "/keys")).json
        assert [(one["name"], one["seals"]) for one in keys["keys"]] == [(client.service.vault.names[0], True)]
        assert (keys["isFile"], keys["isRestartDue"]) == (True, False)
        assert keys["changedAt"]
        file = tmp_path / "data" / KEY_FILE
        await asyncio.to_thread(add_key, tmp_path / "data")
        answer = await _ask(client, cookie, "GET", "/keys")
        assert answer.json["isRestartDue"]
        assert [one["isLoaded"] for one in answer.json["keys"]] == [False, True]
        assert not any(key.encode() in answer.body for key in (await asyncio.to_thread(file.read_text)).split())


@pytest.mark.parametrize("path", ["/tokens", "/tokens/bot.json/show", "/tokens/bot.json/revoke", "/keys"])
async def test_they_are_given_to_nobody_who_is_not_signed_in(tmp_path: Path, path: str) -> None:
    async with serving(tmp_path) as client:
        method = "GET" if path == "/keys" else "POST"
        assert (await _ask(client, {"Origin": BASE}, method, path, None if method == "GET" else {})).status == 401


# -- a backup


@contextlib.asynccontextmanager
async def _with_file(folder: Path) -> AsyncIterator[tuple[Client, dict[str, str], Path]]:
    """Serves from the data file of the settings, as a service does."""
    data = folder / "data"
    async with serving(folder, store=SqliteStore(data / DATABASE)) as client:
        yield client, await _sign_in(client), data


async def _back_up(client: Client, cookie: dict[str, str]) -> Answer:
    return await client.call("POST", "/v1/studio/backup", {}, cookie)


async def test_a_backup_is_made_checked_and_downloaded_once(tmp_path: Path) -> None:
    async with _with_file(tmp_path) as (client, cookie, data):
        made = await _back_up(client, cookie)
        assert (made.status, made.json["bots"]) == (200, 2)
        path = f"/v1/studio/backup/{made.json['id']}"
        assert (await client.call("GET", path, None, {"Origin": BASE})).status == 401
        found = await client.call("GET", path, None, cookie)
        assert (found.status, len(found.body)) == (200, made.json["size"])
        assert found.headers["content-disposition"].startswith('attachment; filename="dialoom-')
        copy = tmp_path / "copy.sqlite"
        copy.write_bytes(found.body)
        connection = apsw.Connection(str(copy))
        assert ("tea",) in connection.execute("select bot from bots").fetchall()
        connection.close()
        assert (await client.call("GET", path, None, cookie)).status == 404
        assert not list(data.glob("studio-backup*"))
        deeds = (await client.call("GET", "/v1/studio/audit", None, cookie)).json["deeds"]
        assert {("backup-made", ""), ("backup-downloaded", "")} < {(one["what"], one["about"]) for one in deeds}


async def test_the_backup_before_goes_and_two_at_once_are_one(tmp_path: Path) -> None:
    async with _with_file(tmp_path) as (client, cookie, data):
        first = (await _back_up(client, cookie)).json["id"]
        both = await asyncio.gather(_back_up(client, cookie), _back_up(client, cookie))
        assert sorted(one.status for one in both) == [200, 500]
        (refused,) = [one for one in both if one.status == 500]
        assert (refused.json["code"], "already" in refused.json["detail"]) == ("backup-failed", True)
        assert (await client.call("GET", f"/v1/studio/backup/{first}", None, cookie)).status == 404
        assert len(list(data.glob("studio-backup*"))) == 1


def test_with_postgresql_the_command_is_said_without_the_password() -> None:
    backups = Backups(Settings(database_url="postgresql://ada:secret@db.example/bots"))
    command = backups.command()
    assert command is not None
    assert command.startswith("pg_dump --format=custom")
    assert "secret" not in command
