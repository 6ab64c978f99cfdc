"""What an erasure does with what the studio has made of a user's conversations: try-outs, tests, training, the log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.http.studio.test_try_outs import OWN, studio
from tests.stores import TemporaryStore

from dialoom.storage.store import ChatKey, StudioRow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.http.studio.test_try_outs import Studio

SENTENCE = "Please bring it to the blue house"
TRAINING = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "type": "trait",
            "values": [{"value": "tea", "expressions": ["I want tea", f"{SENTENCE} "]}],
        }
    ]
}


async def _talk(room: Studio, user: str = "ada") -> str:
    await room.client.say("tea", sender=user)
    await room.client.say(SENTENCE, sender=user)
    records = (await room.client.history("conversations")).json
    id: str = next(one["_id"] for one in records if one["User"] == user)
    return id


async def _erase(room: Studio, user: str = "ada") -> dict[str, Any]:
    answer = await room.call("POST", f"/users/{user}/erase", {"channel": "rest"})
    assert answer.status == 200, answer.body
    receipt: dict[str, Any] = answer.json
    return receipt


async def _rows(room: Studio) -> list[StudioRow]:
    return await room.client.service.store.studio_rows("tea", "try-out", None, 100)


async def test_try_outs_that_were_begun_from_a_users_conversation_go_with_the_user(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        talks = {user: await _talk(room, user) for user in ("ada", "ben")}
        for id in talks.values():
            await room.begin(calls="mocked", conversation=id)
        await room.begin(calls="mocked")
        receipt = await _erase(room)
        assert receipt["tryOuts"] == 1
        assert len(await _rows(room)) == 2
        refused = await room.call("POST", "/try-outs", {"calls": "mocked", "conversation": talks["ada"]})
        assert (refused.status, refused.json["code"]) == (404, "not-found")
        assert len(await _rows(room)) == 2


class Interleaved(TemporaryStore):
    """Does something else just before a try-out is stored."""

    meanwhile: Callable[[], Awaitable[object]] | None = None

    async def put_studio_row(self, row: StudioRow, expected: int | None) -> bool:
        if row.kind == "try-out" and self.meanwhile is not None:
            await self.meanwhile()
        return await super().put_studio_row(row, expected)


async def test_a_user_who_is_erased_while_a_try_out_begins_leaves_none(tmp_path: Path) -> None:
    store = Interleaved()
    async with studio(tmp_path, store=store) as room:
        id = await _talk(room)
        store.meanwhile = lambda: room.client.service.erasure.erase("tea", "ada", "rest")
        refused = await room.call("POST", "/try-outs", {"calls": "mocked", "conversation": id})
        assert refused.status == 404
        assert await _rows(room) == []
        assert await store.record_of(ChatKey("tea", "rest", "ada"), id) is None


async def test_the_receipt_names_tests_and_training_that_hold_what_the_user_said(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = await _talk(room)
        draft = (await room.call("GET", "/draft")).json
        begun = await room.begin(calls="mocked", conversation=id)
        written = (await room.call("POST", f"/try-outs/{begun['id']}/test", {"title": "From a talk"})).json
        other = {
            "name": "own",
            "scenarios": [{"it": "x", "steps": [{"user": {"text": SENTENCE.upper()}, "bot": [[]]}]}],
        }
        files = {
            "training.json": json.dumps(TRAINING),
            "tests/own.json": json.dumps(other),
            written["file"]: written["text"],
        }
        saved = await room.call("PUT", "/draft", {"revision": draft["revision"], "files": files})
        assert saved.status == 200, saved.body
        receipt = await _erase(room)
        assert {(one["version"], one["file"], one["path"]) for one in receipt["copies"]} == {
            ("draft", "training.json", "/entity-definitions/0/values/0/expressions/1"),
            ("draft", "tests/own.json", "/scenarios/0/steps/0/user/text"),
            ("draft", written["file"], "/scenarios/0/note"),
        }
        assert SENTENCE not in json.dumps(receipt)


async def test_the_log_says_who_opened_which_conversation_its_trace_and_a_try_out_of_it(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        talks = [await _talk(room, user) for user in ("ada", "ben")]
        for id in (*talks, talks[0]):
            assert (await room.call("GET", f"/conversations/{id}")).status == 200
        await room.call("GET", f"/traces/{talks[1]}")
        await room.call("POST", f"/conversations/{talks[1]}/try-out", {})
        headers = {**OWN, "Cookie": room.cookie}
        deeds = (await room.client.call("GET", "/v1/studio/audit", None, headers)).json["deeds"]
        read = sorted((one["what"], one["about"]) for one in deeds if one["bot"] == "tea")
        assert read == sorted(
            [
                *(("conversation-read", id) for id in talks),
                ("trace-read", talks[1]),
                ("conversation-tried", talks[1]),
            ]
        )
