"""The studio's Conversations over the whole HTTP face: the list, transcripts, exports, turns for a try-out, erasure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import msgspec
import pytest
from tests.http.support import BASE, FLOW, Client, serving

from dialoom.http.studio import conversations
from dialoom.service.access.studio_sign_in import Session
from dialoom.service.clock import iso

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Answer

ROOM = "/v1/studio/bots/tea"


class Studio:
    def __init__(self, client: Client, cookie: str) -> None:
        self.client = client
        self._headers = {"Cookie": cookie, "Origin": BASE}

    async def get(self, path: str, **query: Any) -> Answer:
        given = {
            key: value if isinstance(value, str | int) else msgspec.json.encode(value) for key, value in query.items()
        }
        return await self.client.call("GET", ROOM + path, None, self._headers, query=given)

    async def post(self, path: str, body: Any) -> Answer:
        return await self.client.call("POST", ROOM + path, body, self._headers)

    async def users(self, **query: Any) -> list[str]:
        return [row["User"] for row in (await self.get("/conversations", **query)).json["records"]]


@pytest.fixture
async def studio(tmp_path: Path) -> AsyncIterator[Studio]:
    async with serving(tmp_path) as client:
        yield await _signed_in(client)


async def _signed_in(client: Client) -> Studio:
    token = (await client.service.studio.link()).partition("#sign-in=")[2]
    answer = await client.call("POST", "/v1/studio/sign-in", {"token": token}, {"Origin": BASE})
    return Studio(client, answer.headers["set-cookie"].partition(";")[0])


async def _order(client: Client, sender: str, *texts: str) -> str:
    for text in texts or ("tea", "green", "open sesame"):
        assert (await client.say(text, sender=sender)).status == 200
    (record,) = (await client.history("conversations", query={"User": sender})).json
    client.clock.move(1)
    return str(record["_id"])


async def test_a_count_that_takes_too_long_is_left_aside(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    await _order(studio.client, "ada")
    monkeypatch.setattr(conversations, "COUNT_SECONDS", 0.0)
    answer = await studio.get("/conversations/_count", filter={})
    assert (answer.status, answer.json) == (200, {"count": None})


async def test_the_list_takes_the_queries_of_the_history_api_page_by_page(studio: Studio) -> None:
    for sender in ("ada", "ben", "cyn"):
        await _order(studio.client, sender)
    await _order(studio.client, "dan", "tea", "a submarine")
    newest = {"StartedAt": -1}
    assert await studio.users(sort=newest) == ["dan", "cyn", "ben", "ada"]
    assert await studio.users(filter={"Data.notUnderstood": {"$gt": 0}}) == ["dan"]
    first = (await studio.get("/conversations", sort=newest, limit=3, filter={"Status": "success"})).json
    assert first["next"] is None
    first = (await studio.get("/conversations", sort=newest, limit=3)).json
    assert [row["User"] for row in first["records"]] == ["dan", "cyn", "ben"]
    assert await studio.users(sort=newest, limit=3, **dict(parse_qsl(first["next"]))) == ["ada"]
    assert (await studio.get("/conversations/_count", filter={"Status": "success"})).json == {"count": 3}
    # What the list does not show may be long: it stays where it is.
    assert set(first["records"][0]["Data"]) == {"channel", "user", "step", "notUnderstood"}


async def test_an_error_of_a_filter_says_where_it_is(studio: Studio) -> None:
    answer = await studio.get("/conversations", filter={"Errors": {"$size": "x"}})
    assert (answer.status, answer.json["code"], answer.json["pointer"]) == (400, "bad-operand", "/Errors/$size")
    answer = await studio.get("/conversations", query="{}")
    assert (answer.status, answer.json["code"]) == (400, "unknown-parameter")


async def test_conversations_are_found_by_what_was_said_in_them(studio: Studio) -> None:
    ada = await _order(studio.client, "ada", "tea", "What (about) GREEN?")
    await _order(studio.client, "ben", "help")
    assert (await studio.get("/conversations/_said", text="(about) green")).json == {"ids": [ada], "isCut": False}
    mine = await studio.get("/conversations/_said", text="(about)", filter={"From": "bot"})
    assert mine.json == {"ids": [], "isCut": False}


async def test_a_transcript_is_whole_and_masked(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    id = await _order(studio.client, "ada")
    monkeypatch.setattr(conversations, "MESSAGES", 4)
    found = (await studio.get(f"/conversations/{id}")).json
    assert found["conversation"]["Data"]["entities"]["kind"] == {"value": "Green"}
    texts = [message["Text"] for message in found["messages"]]
    assert found["messages"][3]["Understanding"]["Tea"][0]["value"] == {"value": "Green"}
    rest = (await studio.get(f"/conversations/{id}", after=found["next"])).json
    texts += [message["Text"] for message in rest["messages"]]
    assert rest["next"] is None
    assert texts == ["tea", "Hello!", "Which tea?", "green", "The password?", "***", "Order 7: Green."]
    export = await studio.get(f"/conversations/{id}/export")
    assert export.headers["content-disposition"] == f'attachment; filename="conversation-{id}.json"'
    assert [message["Text"] for message in export.json["messages"]] == texts
    assert b"sesame" not in export.body
    assert (await studio.get("/conversations/none")).status == 404


async def test_a_conversations_turns_can_be_played_again_up_to_one_of_them(studio: Studio) -> None:
    await studio.client.say("tea", sender="ada")
    chosen = {"sender": {"id": "ada"}, "message": {"id": "7", "option": "Green"}}
    await studio.client.call(
        "POST", "/v1/bots/tea/channels/rest/rest/test", chosen, {"Authorization": "Bearer rest-token-of-tea"}
    )
    id = await _order(studio.client, "ada", "open sesame")
    whole = (await studio.post(f"/conversations/{id}/try-out", {})).json
    assert (whole["channel"], whole["isCut"]) == ("rest", False)
    assert whole["turns"] == [
        {"sequence": 1, "text": "tea"},
        {"sequence": 4, "option": "Green"},
        {"sequence": 6, "isMasked": True, "text": "***"},
    ]
    some = (await studio.post(f"/conversations/{id}/try-out", {"to": 4})).json
    assert some["turns"] == whole["turns"][:2]


async def test_erasing_a_user_gives_a_receipt_to_who_may(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    id = await _order(studio.client, "ada")

    async def as_analyst(_: Any, __: str | None) -> Session:
        return Session("id", "analyst", None, "Ann", "Ann", 0, 0)

    with monkeypatch.context() as patch:
        patch.setattr(type(studio.client.service.studio), "session", as_analyst)
        answer = await studio.post("/users/ada/erase", {"channel": "rest"})
        assert (answer.status, answer.json["code"]) == (403, "role")
    assert (await studio.get(f"/conversations/{id}")).status == 200
    answer = await studio.post("/users/ada/erase", {"channel": "rest"})
    assert (answer.status, answer.json["conversations"], answer.json["messages"]) == (200, 1, 7)
    assert (await studio.get(f"/conversations/{id}")).status == 404


async def test_each_number_of_insights_has_the_filter_that_finds_its_conversations(studio: Studio) -> None:
    await _order(studio.client, "ada")
    await _order(studio.client, "ben")
    await _order(studio.client, "cyn", "tea", "a submarine")
    await _order(studio.client, "dan", "help")
    studio.client.clock.move(2 * 3600)
    await _order(studio.client, "eve", "tea")
    found = (await studio.get("/insights")).json
    expected = {
        "conversations": 5, "withGoal": 4, "completed": 2, "stopped": 1, "notUnderstood": 1, "failed": 0, "running": 3,
    }  # fmt: skip
    assert {name: found[name]["count"] for name in expected} == expected
    for name, count in expected.items():
        assert (await studio.get("/conversations/_count", filter=found[name]["filter"])).json == {"count": count}, name
    assert found["completed"]["share"] == 0.5
    assert (found["notUnderstoodMessages"], found["isCut"]) == (1, False)
    assert found["dropOff"] == {"conversations/tea/steps/0": 1}
    assert await studio.users(filter=found["dropOffs"][0]["stopped"]["filter"]) == ["cyn"]
    for kind in ("goals", "channels", "versions", "days"):
        for row in found[kind]:
            for name in ("conversations", "completed", "notUnderstood", "failed"):
                count = (await studio.get("/conversations/_count", filter=row[name]["filter"])).json["count"]
                assert count == row[name]["count"], (kind, row["name"], name)
    assert found["answer"]["count"] == 10
    assert found["firstAnswer"]["count"] == 5


async def test_insights_count_how_often_users_were_asked_what_they_meant_and_what_came_of_it(tmp_path: Path) -> None:
    offering = FLOW | {"settings": {"understanding": {"ask": 0.05, "threshold": 1}}}
    async with serving(tmp_path, offering) as client:
        studio = await _signed_in(client)
        for sender, answer in (("ada", "your tea"), ("ben", "no"), ("cyn", "yes"), ("dan", "help")):
            await _order(client, sender, "hi", "I want your tea", answer)
        await _order(client, "eve", "tea")
        found = (await studio.get("/insights")).json
        expected = {"offered": ["ada", "ben", "cyn", "dan"], "offersTaken": ["ada", "cyn"], "offersRefused": ["ben"]}
        for name, users in expected.items():
            assert found[name]["count"] == len(users)
            assert sorted(await studio.users(filter=found[name]["filter"])) == users
        assert (found["offers"], found["offersTaken"]["share"]) == (4, 0.5)


async def test_insights_are_of_the_period_channel_and_version_that_is_asked_for(studio: Studio) -> None:
    await _order(studio.client, "ada")
    began = studio.client.clock.now()
    studio.client.clock.move(11 * 3600)
    await _order(studio.client, "ben")
    whole = (await studio.get("/insights")).json
    assert [row["conversations"]["count"] for row in whole["days"]] == [1, 1]
    assert whole["allChannels"] == ["rest"]
    (version,) = whole["allVersions"]

    assert (await studio.get("/insights", **{"from": iso(began)})).json["conversations"]["count"] == 1
    assert (await studio.get("/insights", channel="web")).json["conversations"]["count"] == 0
    assert (await studio.get("/insights", version=version)).json["conversations"]["count"] == 2
    for wrong in ({"from": "soon"}, {"from": "2026-09-21", "to": "2026-09-20"}, {"from": "2020-01-01"}):
        assert (await studio.get("/insights", **wrong)).json["code"] == "bad-parameter"
