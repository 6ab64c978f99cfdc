"""Who may what in the studio, who is in it, and the log of what was done."""

from __future__ import annotations

import contextlib
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, Client, serving

from dialoom.http.endpoints import ENDPOINTS
from dialoom.http.routing import Access
from dialoom.service.access.studio_sign_in import ROLES, Role

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Answer

STUDIO_ROWS = [row for row in ENDPOINTS if row.access is Access.STUDIO]
READ_BY_ANALYSTS = {
    "studioSession", "studioBot", "studioConversations", "studioCount", "studioSaid", "studioConversation",
    "studioExport", "studioInsights", "studioTraces",
}  # fmt: skip
FOR_ADMINISTRATORS = {
    "studioPeople", "studioInvite", "studioEndSession", "studioAudit", "studioErase", "studioMakeToken",
    "studioShowToken", "studioRevokeToken", "studioKeys", "studioBackUp", "studioBackup",
}  # fmt: skip


class Person:
    def __init__(self, client: Client, cookie: str) -> None:
        self.client = client
        self.headers = {"Origin": BASE, "Cookie": cookie}

    async def ask(self, method: str, path: str, body: Any = None) -> Answer:
        return await self.client.call(method, path, body, self.headers)


async def signed_in(
    client: Client, role: Role = "administrator", name: str = "", bots: tuple[str, ...] | None = None
) -> Person:
    return await _by_link(client, await client.service.studio.link(role, name, bots))


async def _by_link(client: Client, link: str) -> Person:
    token = link.partition("#sign-in=")[2]
    opened = await client.call("POST", "/v1/studio/sign-in", {"token": token}, {"Origin": BASE})
    assert opened.status == 200, opened.body
    return Person(client, opened.headers["set-cookie"].partition(";")[0])


@asynccontextmanager
async def two(folder: Path, role: Role) -> AsyncIterator[tuple[Person, Person]]:
    """Signs in an administrator and somebody of another role."""
    async with serving(folder) as client:
        yield await signed_in(client, name="Ada"), await signed_in(client, role, "Grace")


def _code(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["code"]


def _path(path: str, bot: str = "tea") -> str:
    for part in ("{bot_id}", "{id}", "{conversation_id}", "{user_id}", "{version}", "{other}", "{channel_id}"):
        path = path.replace(part, bot if part == "{bot_id}" else "nothing")
    assert "{" not in path
    return path


REACHES: dict[str, tuple[str, ...] | None] = {"all bots": None, "this bot": ("tea",), "another bot": ("other",)}


@pytest.mark.parametrize("reach", REACHES)
@pytest.mark.parametrize("role", ROLES)
async def test_each_role_may_what_its_rows_say_of_its_bots_and_nothing_else(
    tmp_path: Path, role: Role, reach: str
) -> None:
    async with serving(tmp_path) as client:
        person = await signed_in(client, role, bots=REACHES[reach])
        for row in STUDIO_ROWS:
            body = {} if row.method != "GET" else None
            answer = await person.ask(row.method, _path(row.path), body)
            is_refused = answer.status == 403 and answer.json["code"] == "role"
            is_beyond = reach != "all bots" and row.reach == "service"
            assert is_refused == (role not in row.roles or is_beyond), (row.id, answer.body)
            if not is_refused and reach == "another bot" and row.reach == "bot":
                # Nothing tells a bot of others from one that there is not.
                assert _code(answer) == (404, "not-found"), row.id
                none = await person.ask(row.method, _path(row.path, "nobody"), body)
                told = none.json["detail"].replace("nobody", "tea")
                assert (none.status, told) == (404, answer.json["detail"]), row.id
            elif not is_refused:
                assert 'no bot "tea"' not in answer.body.decode(errors="replace"), row.id
            nobody = await client.call(row.method, _path(row.path), {}, {"Origin": BASE})
            assert nobody.status == 401, row.id


def test_each_row_says_whom_of_a_single_bot_it_is_for() -> None:
    """A row is for people of its bot, or about the whole service; what anybody may ask for is named here."""
    for row in STUDIO_ROWS:
        assert row.reach != "bot" or row.path.startswith("/v1/studio/bots/{bot_id}"), row.id
    assert {row.id for row in STUDIO_ROWS if row.reach == "own"} == {"studioSession", "studioWords", "studioSchemas"}


async def test_who_has_a_role_for_one_bot_sees_that_bot_alone(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        ada = await signed_in(client, name="Ada")
        wish = {"name": "Linus", "role": "administrator", "bots": ["tea"]}
        made = await ada.ask("POST", "/v1/studio/people/links", wish)
        assert made.status == 201, made.body
        linus = await _by_link(client, made.json["link"])
        visit = (await linus.ask("GET", "/v1/studio/session")).json
        assert ([one["id"] for one in visit["bots"]], visit["isForNamedBots"]) == (["tea"], True)
        whole = (await ada.ask("GET", "/v1/studio/session")).json
        assert (sorted(one["id"] for one in whole["bots"]), whole["isForNamedBots"]) == (["other", "tea"], False)
        sessions = (await ada.ask("GET", "/v1/studio/people")).json["sessions"]
        assert {one["name"]: one["bots"] for one in sessions} == {"Ada": None, "Linus": ["tea"]}
        unknown = await ada.ask("POST", "/v1/studio/people/links", wish | {"bots": ["tea", "nobody"]})
        assert _code(unknown) == (404, "not-found")
        for wrong in ([], "tea", [1]):
            refused = await ada.ask("POST", "/v1/studio/people/links", wish | {"bots": wrong})
            assert _code(refused) == (400, "bad-body")


async def test_an_administrator_of_one_bot_takes_neither_a_variable_nor_the_id_of_another(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        linus = await signed_in(client, name="Linus", bots=("tea",))
        draft = (await linus.ask("GET", "/v1/studio/bots/tea/draft")).json
        bot = json.loads(draft["files"]["bot.json"])

        async def save(**keys: Any) -> Answer:
            files = {"bot.json": json.dumps(bot | keys)}
            return await linus.ask("PUT", "/v1/studio/bots/tea/draft", {"revision": draft["revision"], "files": files})

        shop = {"shop": {"type": "bearer", "token": {"env": "BOT_OTHER"}, "url-prefix": "https://evil.example/"}}
        refused = await save(credentials=shop)
        assert _code(refused) == (403, "administrator-needed")
        assert "an administrator of all bots" in refused.json["detail"]
        real = {"calls": "real", "files": {"bot.json": json.dumps(bot | {"credentials": shop})}}
        assert _code(await linus.ask("POST", "/v1/studio/bots/tea/try-outs", real)) == (403, "administrator-needed")
        assert _code(await save(id="other")) == (403, "administrator-needed")
        client.service.bots.folders.clear()  # so that the draft is in the store
        draft = (await linus.ask("GET", "/v1/studio/bots/tea/draft")).json
        draft["revision"] = (await save(credentials=shop)).json["revision"]
        publish = {"revision": draft["revision"]}
        refused = await linus.ask("POST", "/v1/studio/bots/tea/draft/publish", publish)
        assert _code(refused) == (403, "administrator-needed")
        draft["revision"] = (await save(**{"retention-days": 30})).json["revision"]
        published = await linus.ask("POST", "/v1/studio/bots/tea/draft/publish", {"revision": draft["revision"]})
        assert published.status == 200, published.body


def test_administrators_may_all_and_others_what_the_docs_say() -> None:
    by_role = {role: {row.id for row in STUDIO_ROWS if role in row.roles} for role in ROLES}
    every = {row.id for row in STUDIO_ROWS}
    assert by_role["administrator"] == every
    assert by_role["developer"] & FOR_ADMINISTRATORS == set()
    assert by_role["analyst"] == READ_BY_ANALYSTS
    assert by_role["agent"] <= by_role["developer"]
    assert by_role["agent"] == {"studioSession", "studioHandOffs", "studioHandOff", "studioActInHandOff"}


async def test_an_administrator_invites_with_a_name_and_a_role_and_ends_the_session(tmp_path: Path) -> None:
    async with two(tmp_path, "developer") as (ada, _):
        made = await ada.ask("POST", "/v1/studio/people/links", {"name": "Linus", "role": "analyst"})
        assert made.status == 201
        linus = await _by_link(ada.client, made.json["link"])
        visit = (await linus.ask("GET", "/v1/studio/session")).json
        assert (visit["role"], visit["name"]) == ("analyst", "Linus")
        sessions = (await ada.ask("GET", "/v1/studio/people")).json["sessions"]
        assert {(one["name"], one["role"], one["isOwn"]) for one in sessions} == {
            ("Ada", "administrator", True),
            ("Grace", "developer", False),
            ("Linus", "analyst", False),
        }
        id = next(one["id"] for one in sessions if one["name"] == "Linus")
        assert (await ada.ask("POST", f"/v1/studio/people/{id}/end", {})).status == 204
        assert _code(await linus.ask("GET", "/v1/studio/session")) == (401, "studio-session")
        assert _code(await ada.ask("POST", f"/v1/studio/people/{id}/end", {})) == (404, "not-found")


@pytest.mark.parametrize("wrong", [{"name": ""}, {"name": "a\nb"}, {"role": "owner"}, {"extra": 1}])
async def test_an_invitation_has_a_name_and_a_role_that_there_is(tmp_path: Path, wrong: dict[str, Any]) -> None:
    async with two(tmp_path, "developer") as (ada, _):
        wish = {"name": "Linus", "role": "analyst"} | wrong
        assert _code(await ada.ask("POST", "/v1/studio/people/links", wish)) == (400, "bad-body")


async def test_a_link_cannot_end_what_is_no_session(tmp_path: Path) -> None:
    async with two(tmp_path, "developer") as (ada, _):
        rows = await ada.client.service.store.tokens("tea")
        assert _code(await ada.ask("POST", f"/v1/studio/people/{rows[0].id}/end", {})) == (404, "not-found")


async def test_the_log_says_who_did_what_and_holds_no_value(tmp_path: Path) -> None:
    async with two(tmp_path, "developer") as (ada, grace):
        draft = (await grace.ask("GET", "/v1/studio/bots/tea/draft")).json
        for text in ("Tea room", "Tea bar"):
            bot = json.dumps(json.loads(draft["files"]["bot.json"]) | {"name": text})
            wish = {"revision": draft["revision"], "files": {"bot.json": bot}}
            draft["revision"] = (await grace.ask("PUT", "/v1/studio/bots/tea/draft", wish)).json["revision"]
        published = await grace.ask("POST", "/v1/studio/bots/tea/draft/publish", {"revision": draft["revision"]})
        assert published.status == 200, published.body
        await ada.ask("POST", "/v1/studio/bots/tea/tokens/bot.json/show", {})
        made = await ada.ask("POST", "/v1/studio/bots/tea/tokens", {"name": "export", "scopes": ["read"]})
        invited = {"name": "Linus", "role": "analyst", "bots": ["tea"]}
        assert (await ada.ask("POST", "/v1/studio/people/links", invited)).status == 201
        back = {"version": published.json["previous"]}
        assert (await grace.ask("POST", "/v1/studio/bots/tea/rollback", back)).status == 200
        log = (await ada.ask("GET", "/v1/studio/audit")).json
        assert log["before"] is None
        shown = sorted((one["who"], one["role"], one["what"], one["bot"], one["about"]) for one in log["deeds"])
        assert shown == [
            ("Ada", "administrator", "invited", "", "analyst@tea"),
            ("Ada", "administrator", "signed-in", "", ""),
            ("Ada", "administrator", "token-made", "tea", made.json["row"]["id"]),
            ("Ada", "administrator", "token-shown", "tea", "bot.json"),
            ("Grace", "developer", "draft-saved", "tea", ""),
            ("Grace", "developer", "published", "tea", published.json["version"]),
            ("Grace", "developer", "rolled-back", "tea", back["version"]),
            ("Grace", "developer", "signed-in", "", ""),
        ]
        assert "Tea bar" not in json.dumps(log)


async def test_who_cuts_an_export_off_stands_in_the_log_as_well(tmp_path: Path) -> None:
    async with two(tmp_path, "developer") as (ada, grace):
        assert (await ada.client.say("hello")).status == 200
        [talk] = (await grace.ask("GET", "/v1/studio/bots/tea/conversations")).json["records"]
        app = ada.client.app

        async def cut(scope: Any, receive: Any, send: Any) -> None:
            async def send_head(event: Any) -> None:
                if event["type"] == "http.response.body":
                    raise ConnectionResetError
                await send(event)

            with contextlib.suppress(ConnectionResetError):
                await app(scope, receive, send_head)

        ada.client.app = cut
        exported = await grace.ask("GET", f"/v1/studio/bots/tea/conversations/{talk['_id']}/export")
        ada.client.app = app
        assert (exported.status, exported.body) == (200, b"")
        deeds = (await ada.ask("GET", "/v1/studio/audit")).json["deeds"]
        assert ("Grace", "conversation-exported") in {(one["who"], one["what"]) for one in deeds}


async def test_a_developer_publishes_and_tries_no_moved_credential_and_an_administrator_does(tmp_path: Path) -> None:
    async with two(tmp_path, "developer") as (ada, grace):
        grace.client.service.bots.folders.clear()  # so that the draft is in the store
        draft = (await grace.ask("GET", "/v1/studio/bots/tea/draft")).json
        bot = json.loads(draft["files"]["bot.json"]) | {
            "credentials": {"shop": {"type": "bearer", "token": {"env": "BOT_TEA_X"}}}
        }
        wish = {"revision": draft["revision"], "files": {"bot.json": json.dumps(bot)}}
        saved = (await grace.ask("PUT", "/v1/studio/bots/tea/draft", wish)).json
        publish = {"revision": saved["revision"]}
        refused = await grace.ask("POST", "/v1/studio/bots/tea/draft/publish", publish)
        assert _code(refused) == (403, "administrator-needed")
        assert '"BOT_TEA_X"' in refused.json["detail"]
        assert _code(await grace.ask("POST", "/v1/studio/bots/tea/try-outs", {"calls": "real"})) == (
            403,
            "administrator-needed",
        )
        assert (await grace.ask("POST", "/v1/studio/bots/tea/try-outs", {"calls": "mocked"})).status == 201
        by_ada = await ada.ask("POST", "/v1/studio/bots/tea/draft/publish", publish)
        assert by_ada.json.get("code") != "administrator-needed"


async def test_a_developer_brings_no_credential_into_a_real_call_by_a_version_or_a_change_of_settings(
    tmp_path: Path,
) -> None:
    async with two(tmp_path, "developer") as (ada, grace):
        grace.client.service.bots.folders.clear()  # so that the draft is in the store
        draft = (await grace.ask("GET", "/v1/studio/bots/tea/draft")).json
        bot = json.loads(draft["files"]["bot.json"]) | {
            "credentials": {"shop": {"type": "bearer", "token": {"env": "BOT_TEA_X"}}}
        }
        files = {"bot.json": json.dumps(bot)}
        refused = (403, "administrator-needed")
        on_version = {"calls": "real", "on": draft["base"], "files": files}
        assert _code(await grace.ask("POST", "/v1/studio/bots/tea/try-outs", on_version)) == refused
        mocked = (await grace.ask("POST", "/v1/studio/bots/tea/try-outs", {"calls": "mocked", "files": files})).json
        settings = f"/v1/studio/bots/tea/try-outs/{mocked['id']}/settings"
        wish = {"calls": "recorded", "revision": mocked["revision"]}
        assert _code(await grace.ask("POST", settings, wish)) == refused
        revision = (await ada.ask("POST", settings, wish)).json["revision"]
        replay = f"/v1/studio/bots/tea/try-outs/{mocked['id']}/replay"
        again = {"on": draft["base"], "files": files, "revision": revision}
        assert _code(await grace.ask("POST", replay, again)) == refused


async def test_a_developer_saves_no_credential_into_a_folder_that_the_next_start_runs(tmp_path: Path) -> None:
    async with two(tmp_path, "developer") as (ada, grace):
        draft = (await grace.ask("GET", "/v1/studio/bots/tea/draft")).json
        assert draft["source"] == "folder"
        bot = json.loads(draft["files"]["bot.json"]) | {
            "credentials": {"shop": {"type": "bearer", "token": {"env": "BOT_TEA_X"}}}
        }
        wish = {"revision": draft["revision"], "files": {"bot.json": json.dumps(bot)}}
        assert _code(await grace.ask("PUT", "/v1/studio/bots/tea/draft", wish)) == (403, "administrator-needed")
        saved = (await ada.ask("PUT", "/v1/studio/bots/tea/draft", wish)).json
        other = {"revision": saved["revision"], "files": {"tests/x.json": "{}"}}
        assert (await grace.ask("PUT", "/v1/studio/bots/tea/draft", other)).status == 200
