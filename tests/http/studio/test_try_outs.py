"""Try-outs over the whole HTTP face: what a turn answers with, going back, playing again, calls, clock, refusals."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest
from tests.http.support import BASE, FLOW, MOCKS, OTHER, Client, serving
from tests.service.login import chatting
from tests.stores import TemporaryStore

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.authoring.try_outs import try_out_rows
from dialoom.authoring.try_outs.tried_bots import MAX_AT_ONCE, TriedBots
from dialoom.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Mapping
    from pathlib import Path

    from tests.http.support import Answer

    from dialoom.service.bots.bots import Bots, Deployed
    from dialoom.storage.store import StudioRow

OWN = {"Origin": BASE}
ROOM = "/v1/studio/bots/tea"
ORDER = "http://127.0.0.1:9/tea"


class Studio:
    """An administrator's browser."""

    def __init__(self, client: Client, cookie: str) -> None:
        self.client = client
        self.cookie = cookie
        self._headers = OWN | {"Cookie": cookie}
        self._revisions = dict[str, str]()
        """Of try-outs as this browser shows them, by id."""

    async def call(self, method: str, path: str, body: Any = None, **query: str) -> Answer:
        return await self.client.call(method, f"{ROOM}{path}", body, self._headers, query)

    async def begin(self, **named: Any) -> dict[str, Any]:
        return self._seen(_done(await self.call("POST", "/try-outs", {"calls": "real"} | named), 201))

    async def turn(self, id: str, **user: Any) -> dict[str, Any]:
        return await self.do(id, "turns", **user)

    async def do(self, id: str, what: str, **named: Any) -> dict[str, Any]:
        if what == "test":
            return _done(await self.call("POST", f"/try-outs/{id}/{what}", named))
        return self._seen(_done(await self.ask(id, what, **named)))

    async def ask(self, id: str, what: str, **named: Any) -> Answer:
        """Ask for something with the revision that this browser shows."""
        return await self.call("POST", f"/try-outs/{id}/{what}", {"revision": self._revisions[id]} | named)

    async def show(self, id: str) -> dict[str, Any]:
        return self._seen(_done(await self.call("GET", f"/try-outs/{id}")))

    def _seen(self, shown: dict[str, Any]) -> dict[str, Any]:
        self._revisions[shown["id"]] = shown["revision"]
        return shown

    async def order(self, id: str) -> dict[str, Any]:
        """Say what brings the bot to its outside call."""
        for text in ("tea", "Green"):
            await self.turn(id, text=text)
        return await self.turn(id, text="sesame")


def _done(answer: Answer, status: int = 200) -> dict[str, Any]:
    assert answer.status == status, answer.body
    shown: dict[str, Any] = answer.json
    return shown


def _refusal(answer: Answer) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status, answer.json["code"]


def _said(turn: dict[str, Any]) -> list[str]:
    return [message["text"] for message in turn["messages"] if message["from"] == "bot"]


@contextlib.asynccontextmanager
async def studio(folder: Path, **named: Any) -> AsyncIterator[Studio]:
    async with serving(folder, **named) as client:
        yield await _signed_in(client)


async def _signed_in(client: Client) -> Studio:
    token = (await client.service.studio.link()).partition("#sign-in=")[2]
    answer = await client.call("POST", "/v1/studio/sign-in", {"token": token}, OWN)
    return Studio(client, answer.headers["set-cookie"].partition(";")[0])


def _flow(**steps: str) -> dict[str, str]:
    """Return the flow's file with other texts of the questions ``tea/0`` and ``tea/1``."""
    flow = json.loads(json.dumps(FLOW))
    for index, text in steps.items():
        flow["conversations"]["tea"]["steps"][int(index[1:])]["messages"] = [text]
    return {"flow.json": json.dumps(flow)}


def _welcome(text: str) -> dict[str, Any]:
    """Return the flow with another greeting."""
    flow: dict[str, Any] = json.loads(json.dumps(FLOW))
    flow["conversations"]["welcome"]["steps"][0]["messages"] = [text]
    return flow


# -- a turn


async def test_a_try_out_opens_the_chat_and_answers_with_messages_of_the_web_protocol(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        begun = await room.begin()
        assert (begun["bot"], begun["on"], begun["channel"], begun["language"]) == ("tea", "draft", "web", "en")
        assert _said(begun["turns"][0]) == ["Hello!"]
        shown = await room.turn(begun["id"], text="tea")
        user, bot = shown["turns"][1]["messages"]
        assert (user["position"], user["from"], user["type"], user["text"]) == (2, "user", "text", "tea")
        assert [reply["title"] for reply in bot["replies"]] == ["Black", "Green", "Mint"]
        chosen = await room.turn(begun["id"], option={"key": bot["replies"][1]["key"]})
        assert chosen["turns"][2]["messages"][0]["text"] == "Green"
        assert chosen["memory"]["entities"] == {"kind": {"value": "Green"}}
        assert (await room.call("GET", f"/try-outs/{begun['id']}")).json == chosen


async def test_the_trace_leads_to_the_steps_and_masks_what_records_mask(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        shown = await room.order((await room.begin())["id"])
        assert "sesame" not in json.dumps(shown)
        last = shown["turns"][-1]
        visited = [(one["path"], one["outcome"]) for one in last["trace"] if one["kind"] == "visited"]
        assert visited[-1] == ("conversations/tea/steps/2", "ran")
        assert next(one for one in last["trace"] if one["kind"] == "called")["path"] == "conversations/tea/steps/2"
        assert [(one["method"], one["url"], one["status"], one["source"]) for one in last["outsideCalls"]] == [
            ("POST", ORDER, 200, "real")
        ]


async def test_a_try_out_leaves_nothing_in_records_chats_and_metrics(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        await room.order((await room.begin())["id"])
        service = room.client.service
        assert (await room.client.history("conversations")).json == []
        assert service.runner.counts().kept == 0
        metrics = (await room.client.call("GET", "/metrics")).body.decode()
        counted = [line for line in metrics.splitlines() if 'bot="tea"' in line or "data_source" in line]
        assert [line for line in counted if not line.startswith("#") and not line.endswith((" 0", " 0.0"))] == []


async def test_an_option_of_an_earlier_question_and_an_unknown_one_are_answered_by_the_bot(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = (await room.begin())["id"]
        key = (await room.turn(id, text="tea"))["turns"][1]["messages"][1]["replies"][0]["key"]
        await room.turn(id, option={"key": key})
        stale = await room.turn(id, option={"key": key})
        assert stale["turns"][3]["trace"][0]["meant"] == "old-options"
        unknown = await room.turn(id, option={"key": "77.7"})
        assert len(_said(unknown["turns"][4])) == 1
        written = await room.do(id, "test", title="Keys")
        assert any("Turn 5" in obstacle for obstacle in written["obstacles"])


async def test_the_engine_runs_with_the_label_of_another_channel(tmp_path: Path) -> None:
    async with studio(tmp_path, flow=_welcome("On {{_system.channel.ProviderName}}.")) as room:
        begun = await room.begin(channel="rest")
        assert begun["turns"] == []  # no page is opened there
        assert _said((await room.turn(begun["id"], text="help"))["turns"][0])[0] == "On rest."
        assert _said((await room.begin(channel="web"))["turns"][0]) == ["On web."]


# -- calls, clock, login


async def test_a_missing_mock_is_a_failure_that_names_the_call(tmp_path: Path) -> None:
    fetcher = MockFetcher(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id = (await room.begin(calls="mocked"))["id"]
        (call,) = (await room.order(id))["turns"][-1]["outsideCalls"]
        assert call["failure"].startswith(f"No mock for POST {ORDER}.")
        await room.do(id, "rewind", to=3)
        await room.do(id, "settings", mocks={ORDER: {"POST": {"number": 12}}})
        shown = await room.turn(id, text="sesame")
        assert _said(shown["turns"][-1]) == ["Order 12: Green."]
        assert fetcher.requests == []


async def test_a_replay_of_a_try_out_with_other_mocks_uses_those(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = (await room.begin(calls="mocked", mocks={ORDER: {"POST": {"number": 1}}}))["id"]
        await room.order(id)
        await room.do(id, "settings", mocks={ORDER: {"POST": {"number": 2}}})
        shown = await room.do(id, "replay")
        assert (_said(shown["turns"][-1]), shown["differsAt"]) == (["Order 2: Green."], 3)


async def test_clock_and_zone_are_those_that_were_set(tmp_path: Path) -> None:
    flow = _welcome("Hello!")
    question = {"type": "question", "entity": "day", "entity-type": "Date", "messages": ["Which day?"]}
    flow["conversations"]["tea"]["steps"][0] = question
    flow["conversations"]["tea"]["steps"][2]["data-source"]["payload"] = {}
    flow["conversations"]["tea"]["steps"][2]["messages"] = ["Ordered."]
    async with studio(tmp_path, flow=flow) as room:
        begun = await room.begin(now="2027-03-01T23:30:00Z", timezone="Europe/Vienna")
        assert (begun["now"], begun["timezone"]) == ("2027-03-01T23:30:00.000Z", "Europe/Vienna")
        await room.turn(begun["id"], text="tea")
        room.client.clock.move(90)
        shown = await room.turn(begun["id"], text="today")
        assert (shown["turns"][2]["at"], shown["now"]) == ("2027-03-01T23:31:30.000Z",) * 2
        assert shown["memory"]["entities"]["day"] == "2027-03-02"  # where it is tomorrow already
        reset = await room.do(begun["id"], "settings", now=None, timezone=None)
        assert (reset["now"], reset["timezone"]) == ("2026-09-21T14:14:50.000Z", "Universal")


async def test_a_login_is_what_the_turn_says_and_no_provider_is_called(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fetcher = MockFetcher({})
    async with studio(tmp_path, flow=chatting.flow(), fetcher=fetcher) as room:
        id = (await room.begin())["id"]
        asked = await room.turn(id, text="tea")
        assert asked["turns"][1]["messages"][-1]["dialog"]["type"] == "login"
        failed = await room.turn(id, login="failed")
        assert chatting.DATA not in _said(failed["turns"][2])
        shown = await room.turn(id, login={"access_token": "a-token-of-mine"})
        assert _said(shown["turns"][3]) == [chatting.THANKS, chatting.DATA]
        assert shown["memory"]["entities"]["auth"] == "***"
        assert "a-token-of-mine" not in json.dumps(shown) + caplog.text
        assert fetcher.requests == []
        written = await room.do(id, "test", title="Login")
        assert (written["obstacles"], "a-token-of-mine" in written["text"]) == ([], False)


# -- back, again, as a test


async def test_going_back_keeps_the_first_turns(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = (await room.begin())["id"]
        await room.order(id)
        back = await room.do(id, "rewind", to=2)
        assert len(back["turns"]) == 2
        other = await room.turn(id, text="Mint")
        assert other["memory"]["entities"]["kind"] == {"value": "Mint"}


async def test_playing_again_says_where_the_changed_flow_goes_another_way(tmp_path: Path) -> None:
    fetcher = MockFetcher(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id = (await room.begin())["id"]
        before = await room.order(id)
        same = await room.do(id, "replay")
        assert (same["differsAt"], same["turns"][-1]["messages"]) == (None, before["turns"][-1]["messages"])
        shown = await room.do(id, "replay", files=_flow(_1="And the password?"))
        assert shown["differsAt"] == 2
        assert _said({"messages": shown["before"]}) == ["The password?"]
        assert _said(shown["turns"][2]) == ["And the password?"]
        assert shown["turns"][3]["outsideCalls"][0]["source"] == "recorded"
        assert len(fetcher.requests) == 1
        short = await room.do(id, "replay", to=2)
        assert (len(short["turns"]), short["differsAt"]) == (2, None)


async def test_a_turn_ends_what_the_replay_before_it_told(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = (await room.begin())["id"]
        await room.order(id)
        assert (await room.do(id, "replay", files=_flow(_1="And the password?")))["differsAt"] == 2
        assert (await room.turn(id, text="help"))["differsAt"] is None
        back = await room.do(id, "rewind", to=4)
        assert (back["differsAt"], back["before"]) == (None, None)


async def test_an_option_is_the_same_one_when_the_changed_flow_gives_it_another_key(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = (await room.begin())["id"]
        replies = (await room.turn(id, text="tea"))["turns"][1]["messages"][1]["replies"]
        await room.turn(id, option={"key": replies[1]["key"]})
        training = {"entity-definitions": [
            {"name": "Conversation", "lookup-strategy": "trait", "data": [{"value": "tea", "expressions": ["tea"]}]},
            {"name": "Tea", "lookup-strategy": "keywords", "data": [{"value": "Assam"}, {"value": "Black"}, {"value": "Green"}]},
        ]}  # fmt: skip
        shown = await room.do(id, "replay", files={"training.json": json.dumps(training)})
        assert shown["memory"]["entities"]["kind"]["value"] == "Green"
        assert shown["differsAt"] == 1


async def test_a_bot_that_cannot_be_loaded_leaves_the_try_out_as_it_was(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = (await room.begin())["id"]
        before = await room.turn(id, text="tea")
        refused = await room.ask(id, "replay", files={"flow.json": "{"})
        assert _refusal(refused) == (422, "findings")
        (finding,) = refused.json["findings"]
        assert "line 1" in finding["message"]
        assert (finding["file"], finding["line"], finding["column"], finding["level"]) == ("flow.json", 1, 2, "error")
        assert (await room.call("GET", f"/try-outs/{id}")).json == before
        for files in ({"flow.json": None}, {"bot.json": json.dumps(OTHER)}):
            begun = await room.call("POST", "/try-outs", {"calls": "real", "files": files})
            assert _refusal(begun) == (422, "findings")


async def test_a_try_out_becomes_a_test_that_passes(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = (await room.begin(now="2027-03-01T09:00:00Z"))["id"]
        key = (await room.turn(id, text="tea"))["turns"][1]["messages"][1]["replies"][2]["key"]
        await room.turn(id, option={"key": key})
        await room.turn(id, text="sesame")
        written = await room.do(id, "test", title="Tea is ordered")
        assert (written["file"], written["obstacles"]) == ("tests/tea-is-ordered.json", [])
        assert '{"user": {"option": "Mint"}' in written["text"]
        ran = _done(await room.call("POST", "/tests/run", {"files": {written["file"]: written["text"]}}))
        assert (ran["passed"], ran["failed"]) == (1, 0)
        (suite,) = ran["suites"]
        assert (suite["file"], suite["scenarios"][0]["title"]) == (written["file"], "Tea is ordered")


async def test_a_run_tells_what_differs_and_runs_one_scenario_alone(tmp_path: Path) -> None:
    steps = [{"user": {"text": "help"}, "bot": [[{"text": "No."}]]}] * 2
    suite = {"name": "Help", "scenarios": [{"it": "one", "steps": steps}, {"xit": "two", "steps": steps}]}
    async with studio(tmp_path) as room:
        files = {"tests/help.json": json.dumps(suite)}
        ran = _done(await room.call("POST", "/tests/run", {"files": files}))
        one, two = ran["suites"][0]["scenarios"]
        assert (one["isPassed"], two["isSkipped"], ran["failed"]) == (False, True, 1)
        assert '- {"text": "No."}' in one["lines"]
        again = _done(await room.call("POST", "/tests/run", {"files": ran["updated"]}))
        assert (again["passed"], again["failed"], again["updated"]) == (1, 0, {})
        alone = _done(await room.call("POST", "/tests/run", {"files": files, "scenario": "two"}))
        assert [one["isSkipped"] for one in alone["suites"][0]["scenarios"]] == [True, False]
        wrong = await room.call("POST", "/tests/run", {"files": {"tests/help.json": "[]"}})
        assert _refusal(wrong) == (422, "findings")


# -- refusals


async def test_of_two_tabs_that_answer_at_once_the_second_is_told(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        begun = await room.begin()
        path = f"/try-outs/{begun['id']}/turns"
        await room.turn(begun["id"], text="tea", revision=begun["revision"])
        late = await room.call("POST", path, {"text": "help", "revision": begun["revision"]})
        assert _refusal(late) == (409, "try-out-changed")
        shown = (await room.call("GET", f"/try-outs/{begun['id']}")).json
        assert [len(turn["messages"]) for turn in shown["turns"]] == [1, 2]


class ReadTogether(TemporaryStore):
    """Lets two requests read a try-out before either of them goes on."""

    readers: asyncio.Barrier | None = None
    """Set while requests wait for each other."""

    async def studio_row(self, bot: str, kind: str, id: str) -> StudioRow | None:
        row = await super().studio_row(bot, kind, id)
        if kind == "try-out" and self.readers is not None:
            await self.readers.wait()
        return row

    async def answer_both(self, one: Awaitable[Answer], other: Awaitable[Answer]) -> list[Answer]:
        """Make two requests that read the try-out at the same moment."""
        self.readers = asyncio.Barrier(2)
        answers = await asyncio.gather(one, other)
        self.readers = None
        return answers


async def test_of_two_turns_at_once_one_is_played(tmp_path: Path) -> None:
    store = ReadTogether()
    async with studio(tmp_path, store=store) as room:
        id = (await room.begin())["id"]
        answers = await store.answer_both(*(room.ask(id, "turns", text=text) for text in ("tea", "help")))
        assert sorted(answer.status for answer in answers) == [200, 409]
        assert len((await room.show(id))["turns"]) == 2


async def test_a_bot_that_is_not_trained_in_time_is_there_when_it_is_asked_for_again(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        tried = TriedBots(room.client.service.bots, max_wait_seconds=0.0)
        files = await room.client.service.bots.files("tea", room.client.service.bots.all()[0].version)
        assert files is not None
        with pytest.raises(RequestError) as refused:
            await tried.of("tea", files, {})
        assert (refused.value.code, refused.value.headers) == ("try-out-training", {"Retry-After": "5"})
        (training,) = tried._compiled.values()  # noqa: SLF001  # to wait without a sleep
        await training
        assert (await tried.of("tea", files, {})).deployed.bot.id == "tea"


class CountedBots:
    """Compiles what it is asked for when it is let go on, and counts it."""

    def __init__(self, bots: Bots) -> None:
        self.bots, self.names, self.goes_on = bots, list[str](), asyncio.Event()

    async def tried(self, files: Mapping[str, str]) -> Deployed:
        self.names.append(json.loads(files["bot.json"])["name"])
        await self.goes_on.wait()
        return await self.bots.tried(files)

    async def lists_for(self, deployed: Deployed) -> dict[str, Any]:
        return await self.bots.lists_for(deployed)


async def test_a_bot_whose_askers_have_all_gone_before_its_turn_is_not_trained(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        bots = room.client.service.bots
        files = await bots.files("tea", bots.all()[0].version)
        assert files is not None
        counted = CountedBots(bots)
        tried = TriedBots(cast("Bots", counted))
        asking = []
        for number in range(6):
            named = files | {"bot.json": json.dumps(json.loads(files["bot.json"]) | {"name": f"{number}"})}
            asking += [asyncio.create_task(tried.of("tea", named, {})) for _ in range(2)]
        await asyncio.sleep(0)
        # Both who ask for each of the first four go, and one of the two who ask for the fifth.
        for task in asking[:9]:
            task.cancel()
        counted.goes_on.set()
        done = await asyncio.gather(*asking, return_exceptions=True)
        assert [isinstance(one, asyncio.CancelledError) for one in done] == [True] * 9 + [False] * 3
        assert counted.names[-2:] == ["4", "5"]
        assert len(counted.names) <= MAX_AT_ONCE + 2
        assert not tried._wanted  # noqa: SLF001  # what is done is forgotten


async def test_a_try_out_is_over_after_24_hours_without_use(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = (await room.begin())["id"]
        room.client.clock.move(11 * 3600)
        await room.turn(id, text="tea")
        room.client.clock.move(24 * 3600)
        again = await _signed_in(room.client)  # the session is over too
        late = await again.call("POST", f"/try-outs/{id}/turns", {"text": "Mint", "revision": "3"})
        assert _refusal(late) == (404, "not-found")


async def test_the_oldest_try_out_of_a_person_goes_for_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(try_out_rows, "MAX_TRY_OUTS", 2)  # three are as good as twenty-one
    async with studio(tmp_path) as room:
        first, second, third = [(await room.begin())["id"] for _ in range(3)]
        assert _refusal(await room.call("GET", f"/try-outs/{first}")) == (404, "not-found")
        assert [(await room.call("GET", f"/try-outs/{id}")).status for id in (second, third)] == [200, 200]
        assert (await room.call("DELETE", f"/try-outs/{third}", {})).status == 204
        assert (await room.call("GET", f"/try-outs/{third}")).status == 404


async def test_what_no_try_out_can_take_is_refused_with_the_part_at_fault(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = (await room.begin())["id"]
        turns, new = f"/try-outs/{id}/turns", "/try-outs"
        cases = [
            (turns, {"text": "x" * 8001}, (400, "text-too-long"), "/text"),
            (turns, {"text": "a", "option": "b"}, (400, "bad-body"), None),
            (turns, {}, (400, "bad-body"), None),
            (turns, {"text": "a", "revision": None}, (400, "bad-body"), "/revision"),
            (f"/try-outs/{id}/settings", {"calls": "real", "revision": None}, (400, "bad-body"), "/revision"),
            (f"/try-outs/{id}/replay", {"revision": None}, (400, "bad-body"), "/revision"),
            (f"/try-outs/{id}/rewind", {"to": 0, "revision": None}, (400, "bad-body"), "/revision"),
            (turns, {"option": {"key": "k" * 65}}, (400, "too-long"), "/option/keys/0"),
            (turns, {"location": {"latitude": 91, "longitude": 0}}, (400, "bad-body"), "/location"),
            (turns, {"attachments": [{"payload": {"url": "file:///etc/passwd"}}]}, (400, "bad-url"), None),
            (turns, {"text": "x" * 1_100_000}, (413, "too-large"), None),
            (f"/try-outs/{id}/rewind", {"to": 5}, (400, "bad-body"), "/to"),
            (f"/try-outs/{id}/test", {"title": "t", "file": "../x.json"}, (400, "bad-body"), "/file"),
            (f"/try-outs/{id}/settings", {"calls": "maybe"}, (400, "bad-body"), "/calls"),
            ("/try-outs/nobody/turns", {"text": "a"}, (404, "not-found"), None),
            (new, {"calls": "real", "on": "0" * 64}, (404, "not-found"), None),
            (new, {"calls": "real", "channel": "fax"}, (400, "bad-body"), "/channel"),
            (new, {"calls": "real", "now": "soon"}, (400, "bad-body"), "/now"),
            (new, {"calls": "real", "timezone": "Europe/Atlantis"}, (400, "bad-body"), "/timezone"),
            (new, {"calls": "mocked", "mocks": {ORDER: ["POST"]}}, (400, "bad-body"), None),
            (new, {"calls": "mocked", "mocks": {ORDER: {"POST": {"$status": "ok"}}}}, (400, "bad-body"), None),
            (new, {"calls": "mocked", "mocks": {"tea": {"POST": 1}}}, (400, "bad-body"), "/mocks/tea"),
            (new, {"calls": "real", "context": {"big": "x" * 70_000}}, (400, "context-too-large"), "/context"),
        ]
        for path, body, refusal, pointer in cases:
            revision = {} if path == new or path.endswith("/test") else {"revision": "2"}
            answer = await room.call("POST", path, revision | body)
            assert _refusal(answer) == refusal, (path, str(body)[:80], answer.body)
            if pointer is not None:
                assert answer.json["pointer"] == pointer, (body, answer.body)


async def test_another_bot_has_not_got_the_try_out(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id = (await room.begin())["id"]
        path = f"/v1/studio/bots/other/try-outs/{id}"
        assert (await room.client.call("GET", path, None, room._headers)).status == 404  # noqa: SLF001  # its cookie
        assert msgspec.json.decode((await room.call("GET", f"/try-outs/{id}")).body)["id"] == id
