"""Whose secrets a try-out sends: what is checked is what is played, whatever else is asked for at the same moment."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.studio.test_people import Person, signed_in
from tests.http.studio.test_try_outs import ReadTogether
from tests.http.support import BOT, FLOW, MOCKS, serving

from dialoom.authoring.mock_fetcher import MockFetcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Answer

    from dialoom.storage.store import StudioRow

ROOM = "/v1/studio/bots/tea"
FOREIGN = "http://127.0.0.1:8/tea"
REFUSED = (403, "administrator-needed")


def bot(host: str) -> dict[str, Any]:
    """Return the bot's file with a credential for this host."""
    return BOT | {"credentials": {"shop": {"type": "bearer", "token": "a-token-of-the-shop", "url-prefix": host}}}


def moved() -> dict[str, str]:
    """Return files that send the shop's credential to a foreign host."""
    flow: dict[str, Any] = json.loads(json.dumps(FLOW))
    flow["conversations"]["tea"]["steps"][-1]["data-source"]["endpoint"] = FOREIGN
    return {"flow.json": json.dumps(flow), "bot.json": json.dumps(bot("http://127.0.0.1:8"))}


MOVED = moved()


class Studio:
    """An administrator and a developer of the same studio."""

    def __init__(self, ada: Person, grace: Person, fetcher: MockFetcher) -> None:
        self.ada, self.grace = ada, grace
        self._fetcher = fetcher

    def ask(self, person: Person, path: str, **body: Any) -> Any:
        return person.ask("POST", f"{ROOM}/try-outs{path}", body)

    async def done(self, person: Person, path: str, **body: Any) -> dict[str, Any]:
        answer = await self.ask(person, path, **body)
        assert answer.status in (200, 201), answer.body
        shown: dict[str, Any] = answer.json
        return shown

    async def order(self, person: Person, id: str) -> list[Answer]:
        """Say what brings the bot to its call."""
        answers = []
        for text in ("tea", "Green", "sesame"):
            shown = (await self.ada.ask("GET", f"{ROOM}/try-outs/{id}")).json
            answers.append(await self.ask(person, f"/{id}/turns", text=text, revision=shown["revision"]))
        return answers

    @property
    def called(self) -> list[str]:
        return [request.url for request in self._fetcher.requests]


@contextlib.asynccontextmanager
async def studio(folder: Path, store: Any = None) -> AsyncIterator[Studio]:
    fetcher = MockFetcher(MOCKS | {FOREIGN: {"POST": {"number": 8}}})
    async with serving(folder, bot=bot("http://127.0.0.1:9"), fetcher=fetcher, store=store) as client:
        yield Studio(await signed_in(client, name="Ada"), await signed_in(client, "developer", "Grace"), fetcher)


def code(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["code"]


async def test_an_earlier_version_sends_no_secret_where_the_active_one_does_not(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        room.grace.client.service.bots.folders.clear()  # so that the draft is in the store
        draft = (await room.ada.ask("GET", f"{ROOM}/draft")).json
        files = {"bot.json": json.dumps(bot("http://127.0.0.1:7"))}
        wish = {"revision": draft["revision"], "files": files}
        saved = (await room.ada.ask("PUT", f"{ROOM}/draft", wish)).json
        published = await room.ada.ask("POST", f"{ROOM}/draft/publish", {"revision": saved["revision"]})
        assert published.status == 200, published.body
        assert code(await room.ask(room.grace, "", calls="real", on=draft["base"])) == REFUSED
        assert (await room.ask(room.grace, "", calls="mocked", on=draft["base"])).status == 201
        assert (await room.ask(room.ada, "", calls="real", on=draft["base"])).status == 201


class Meanwhile(ReadTogether):
    """Does what another request does, behind the first read of a row of this kind."""

    kind = ""
    deed: Any = None

    async def studio_row(self, bot: str, kind: str, id: str) -> StudioRow | None:
        row = await super().studio_row(bot, kind, id)
        if kind == self.kind and self.deed is not None:
            deed, self.deed = self.deed, None
            await deed
        return row


async def test_other_calls_and_other_files_at_the_same_moment_send_no_secret(tmp_path: Path) -> None:
    store = ReadTogether()
    async with studio(tmp_path, store) as room:
        begun = await room.done(room.grace, "", calls="mocked")
        id, revision = begun["id"], begun["revision"]
        settings = room.ask(room.grace, f"/{id}/settings", calls="real", revision=revision)
        replay = room.ask(room.grace, f"/{id}/replay", files=MOVED, revision=revision)
        answers = await store.answer_both(settings, replay)
        assert sorted(answer.status for answer in answers) == [200, 409]
        await room.order(room.grace, id)
        assert FOREIGN not in room.called


@pytest.mark.parametrize("first", ["settings", "replay"])
async def test_what_is_asked_for_between_the_check_and_the_play_of_another_wish_sends_no_secret(
    tmp_path: Path, first: str
) -> None:
    store = Meanwhile()
    async with studio(tmp_path, store) as room:
        begun = await room.done(room.grace, "", calls="mocked")
        id, revision = begun["id"], begun["revision"]
        wishes = {
            "settings": room.ask(room.grace, f"/{id}/settings", calls="real", revision=revision),
            "replay": room.ask(room.grace, f"/{id}/replay", files=MOVED, revision=revision),
        }
        store.kind, store.deed = "try-out", wishes.pop(first)
        [late] = wishes.values()
        assert code(await late) == (409, "try-out-changed")
        assert store.deed is None
        await room.order(room.grace, id)
        assert FOREIGN not in room.called


async def test_other_calls_one_after_the_other_are_refused_either_way(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        begun = await room.done(room.grace, "", calls="mocked", files=MOVED)
        assert code(await room.ask(room.grace, f"/{begun['id']}/settings", calls="real", revision="2")) == REFUSED
        begun = await room.done(room.grace, "", calls="real")
        again = room.ask(room.grace, f"/{begun['id']}/replay", files=MOVED, revision=begun["revision"])
        assert code(await again) == REFUSED


async def test_a_draft_that_is_saved_while_a_try_out_begins_sends_no_secret(tmp_path: Path) -> None:
    store = Meanwhile()
    async with studio(tmp_path, store) as room:
        room.grace.client.service.bots.folders.clear()  # so that the draft is in the store
        draft = (await room.grace.ask("GET", f"{ROOM}/draft")).json
        plain = await room.grace.ask("PUT", f"{ROOM}/draft", {"revision": draft["revision"], "files": {}})
        wish = {"revision": plain.json["revision"], "files": MOVED}
        store.kind, store.deed = "draft", room.grace.ask("PUT", f"{ROOM}/draft", wish)
        begun = await room.ask(room.grace, "", calls="real")
        assert store.deed is None
        if begun.status == 201:
            await room.order(room.grace, begun.json["id"])
        else:
            assert code(begun) == REFUSED
        assert FOREIGN not in room.called


@pytest.mark.parametrize("calls", ["real", "recorded"])
async def test_who_goes_on_with_an_administrator_s_try_out_is_asked_for(tmp_path: Path, calls: str) -> None:
    async with studio(tmp_path) as room:
        begun = await room.done(room.ada, "", calls=calls, files=MOVED)
        assert [code(answer) for answer in await room.order(room.grace, begun["id"])] == [REFUSED] * 3
        answers = await room.order(room.ada, begun["id"])
        assert answers[-1].status == 200
        shown = answers[-1].json
        if calls == "recorded":
            decision = {"call": shown["asks"]["call"]}
            named = {"files": MOVED, "decision": decision, "revision": shown["revision"]}
            assert code(await room.ask(room.grace, f"/{begun['id']}/replay", **named)) == REFUSED
            assert room.called == []
            await room.done(room.ada, f"/{begun['id']}/replay", **named)
        assert room.called == [FOREIGN]


async def test_a_role_that_goes_while_a_try_out_is_compiled_is_gone(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        service = room.ada.client.service
        other = await signed_in(room.ada.client, name="Linus")
        compiled = service.bots.tried

        async def ends_meanwhile(files: Any) -> Any:
            [session] = [one for one in await service.studio.sessions() if one.name == "Linus"]
            assert await service.studio.end(session.id)
            return await compiled(files)

        service.bots.tried = ends_meanwhile  # type: ignore[method-assign]  # the only place between the check of the role and the play
        assert (await room.ask(other, "", calls="real", files=MOVED)).status == 401
        assert room.called == []


async def test_test_runs_call_nobody(tmp_path: Path) -> None:
    steps = [{"user": {"text": text}, "bot": [[]]} for text in ("tea", "Green", "sesame")]
    suite = {"name": "Order", "scenarios": [{"it": "orders", "steps": steps}]}
    async with studio(tmp_path) as room:
        files = MOVED | {"tests/order.json": json.dumps(suite)}
        ran = await room.grace.ask("POST", f"{ROOM}/tests/run", {"files": files})
        assert (ran.status, ran.json["failed"]) == (200, 1)
        await asyncio.sleep(0)
        assert room.called == []
