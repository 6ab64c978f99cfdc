"""What a try-out sends to the outside: nothing that writes goes out by a replay, an edit or an undo, or unasked."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from tests.http.studio.test_try_outs import ORDER, ReadTogether, Studio, studio
from tests.http.support import FLOW, MOCKS
from tests.stores import TemporaryStore

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.data.fetcher import NO_SECRETS
from dialoom.engine.events import NoResponse, Response

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from dialoom.data.identity import Identity
    from dialoom.engine.effects import Request
    from dialoom.storage.store import StudioRow


def changed(change: Callable[[list[dict[str, Any]]], None]) -> dict[str, str]:
    """Return the flow's file with its steps of the conversation "tea" changed."""
    flow = json.loads(json.dumps(FLOW))
    change(flow["conversations"]["tea"]["steps"])
    return {"flow.json": json.dumps(flow)}


def without_kind(steps: list[dict[str, Any]]) -> None:
    """Delete the step that asks for what the order holds."""
    del steps[0]


def moved(steps: list[dict[str, Any]]) -> None:
    """Send the order to another address."""
    steps[-1]["data-source"]["endpoint"] = "http://127.0.0.1:9/other"


def with_stock(steps: list[dict[str, Any]]) -> None:
    """Read something before the order."""
    source = {"endpoint": "http://127.0.0.1:9/stock", "method": "GET"}
    steps.insert(-1, {"type": "webhook", "data-source": source, "entity": "stock"})


async def almost_ordered(room: Studio) -> str:
    """Begin a try-out with real calls, and say all but the words that send the order. Return its id."""
    id: str = (await room.begin())["id"]
    for text in ("tea", "Green"):
        await room.turn(id, text=text)
    return id


async def ordered(room: Studio, **begin: Any) -> tuple[str, dict[str, Any]]:
    """Begin a try-out with real calls, and order tea in it. Return its id, and how it stands."""
    id = (await room.begin(**begin))["id"]
    return id, await room.order(id)


async def decide(room: Studio, id: str, shown: dict[str, Any], **decision: Any) -> dict[str, Any]:
    return await room.do(id, "replay", decision={"call": shown["asks"]["call"], **decision})


async def test_deleting_a_step_taking_it_back_and_moving_the_address_order_nothing(tmp_path: Path) -> None:
    fetcher = MockFetcher(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, before = await ordered(room)
        stopped = await room.do(id, "replay", files=changed(without_kind))
        assert (stopped["asks"]["method"], stopped["asks"]["url"]) == ("POST", ORDER)
        assert (stopped["asks"]["body"], stopped["asks"]["turn"]) == ('{"kind":null}', 2)
        assert [turn["index"] for turn in stopped["turns"]] == [0, 1]
        again = await room.do(id, "replay")
        assert (again["asks"], again["waiting"], again["turns"]) == (None, [], before["turns"][:3] + again["turns"][3:])
        assert again["turns"][3]["messages"] == before["turns"][3]["messages"]
        assert again["turns"][3]["outsideCalls"][0]["source"] == "recorded"
        assert (await room.do(id, "replay", files=changed(moved)))["asks"]["url"] == "http://127.0.0.1:9/other"
        assert len(fetcher.requests) == 1


async def test_the_turns_that_were_not_played_are_kept_masked_and_can_be_taken_back_one_by_one(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        id, _ = await ordered(room)
        await room.turn(id, text="help")
        stopped = await room.do(id, "replay", files=changed(moved))
        assert stopped["waiting"] == [{"user": {"text": "***"}}, {"user": {"text": "help"}}]
        assert (await room.show(id))["waiting"] == stopped["waiting"]
        refused = await room.ask(id, "turns", text="tea")
        assert (refused.status, refused.json["code"]) == (409, "try-out-waits")
        fewer = await room.do(id, "rewind", to=4)
        assert (len(fewer["waiting"]), fewer["asks"]) == (1, stopped["asks"])
        none = await room.do(id, "rewind", to=3)
        assert (none["waiting"], none["asks"], len(none["turns"])) == ([], None, 3)


async def test_a_call_that_the_author_sends_goes_out_once_and_then_has_a_recorded_answer(tmp_path: Path) -> None:
    fetcher = MockFetcher(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, _ = await ordered(room)
        stopped = await room.do(id, "replay", files=changed(without_kind))
        files = changed(without_kind)
        sent = await room.do(id, "replay", files=files, decision={"call": stopped["asks"]["call"]})
        assert (sent["asks"], sent["turns"][2]["outsideCalls"][0]["source"]) == (None, "real")
        assert (await room.do(id, "replay", files=files))["turns"][2]["outsideCalls"][0]["source"] == "recorded"
        first, second = fetcher.requests
        assert (first.body, second.body) == (b'{"kind":"Green"}', b'{"kind":null}')
        assert first.idempotency_key != second.idempotency_key


async def test_a_decision_is_about_one_call_and_none_that_an_edit_has_made_of_it(tmp_path: Path) -> None:
    fetcher = MockFetcher(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, _ = await ordered(room)
        stopped = await room.do(id, "replay", files=changed(without_kind))
        old = {"decision": {"call": stopped["asks"]["call"]}}
        other = await room.do(id, "replay", files=changed(moved), **old)
        assert other["asks"]["call"] != stopped["asks"]["call"]
        late = await room.ask(id, "replay", files=changed(without_kind), **old)
        assert (late.status, late.json["code"]) == (409, "try-out-changed")
        assert len(fetcher.requests) == 1


async def test_an_answer_that_the_author_gives_stands_for_the_call_that_is_not_made(tmp_path: Path) -> None:
    fetcher = MockFetcher(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, stopped = await ordered(room, calls="recorded")
        wrong = {"call": stopped["asks"]["call"], "answer": {"$status": 1}}
        assert (await room.ask(id, "replay", decision=wrong)).json["pointer"] == "/decision/answer"
        shown = await decide(room, id, stopped, answer={"$status": 201, "$body": {"number": 3}})
        assert shown["turns"][-1]["messages"][-1]["text"] == "Order 3: Green."
        assert [(call["status"], call["source"]) for call in shown["turns"][-1]["outsideCalls"]] == [(201, "mocked")]
        await room.do(id, "rewind", to=3)
        again = await room.turn(id, text="sesame")
        assert again["turns"][-1]["outsideCalls"][0]["source"] == "recorded"
        written = await room.do(id, "test", title="Ordered")
        assert written["obstacles"] == []
        assert fetcher.requests == []


async def test_recorded_reads_are_made_once_and_a_write_only_when_the_author_sends_it(tmp_path: Path) -> None:
    fetcher = MockFetcher(MOCKS | {"http://127.0.0.1:9/stock": {"GET": {"left": 3}}})
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, stopped = await ordered(room, calls="recorded", files=changed(with_stock))
        assert [request.method for request in fetcher.requests] == ["GET"]
        assert stopped["asks"]["body"] == '{"kind":"Green"}'
        assert stopped["waiting"] == [{"user": {"text": "***"}}]
        assert "sesame" not in json.dumps(stopped)
        sent = await room.do(id, "replay", files=changed(with_stock), decision={"call": stopped["asks"]["call"]})
        assert [call["source"] for call in sent["turns"][-1]["outsideCalls"]] == ["recorded", "real"]
        await room.do(id, "rewind", to=3)
        again = await room.turn(id, text="sesame")
        assert [call["source"] for call in again["turns"][-1]["outsideCalls"]] == ["recorded", "recorded"]
        assert [request.method for request in fetcher.requests] == ["GET", "POST"]


async def test_a_call_that_no_mock_had_asks_once_calls_are_not_mocked_any_more(tmp_path: Path) -> None:
    fetcher = MockFetcher(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, failed = await ordered(room, calls="mocked")
        assert failed["turns"][-1]["outsideCalls"][0]["failure"].startswith("No mock for POST")
        await room.do(id, "settings", calls="real")
        stopped = await room.do(id, "replay")
        assert stopped["asks"]["url"] == ORDER
        mocked = await room.do(id, "settings", calls="mocked", mocks={ORDER: {"POST": {"number": 5}}})
        assert mocked["asks"] == stopped["asks"]
        shown = await room.do(id, "replay")
        assert (shown["asks"], shown["turns"][-1]["messages"][-1]["text"]) == (None, "Order 5: Green.")
        await room.do(id, "settings", calls="real")
        assert (await room.do(id, "replay"))["asks"] is None
        assert fetcher.requests == []


async def test_a_try_out_begins_with_recorded_calls_where_nobody_chooses(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        begun = await room.call("POST", "/try-outs", {})
        assert begun.json["calls"] == "recorded"


async def test_saying_it_again_with_real_calls_is_another_order_with_another_key(tmp_path: Path) -> None:
    fetcher = MockFetcher(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, _ = await ordered(room)
        await room.do(id, "rewind", to=3)
        await room.turn(id, text="sesame")
        await ordered(room)
        keys = [request.idempotency_key for request in fetcher.requests]
        assert len(set(keys)) == 3


async def test_a_replay_with_real_calls_reads_again_what_has_no_answer(tmp_path: Path) -> None:
    fetcher = MockFetcher(MOCKS | {"http://127.0.0.1:9/stock": {"GET": {"left": 3}}})
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, _ = await ordered(room)
        shown = await room.do(id, "replay", files=changed(with_stock))
        assert (shown["asks"], [request.method for request in fetcher.requests]) == (None, ["POST", "GET"])


async def test_a_secret_does_not_stand_in_the_call_that_is_shown(tmp_path: Path) -> None:
    def with_password(steps: list[dict[str, Any]]) -> None:
        steps[-1]["data-source"]["payload"] = {"by": "{{password}}", "token": "abc", "kind": "{{kind}}"}
        steps[-1]["data-source"]["endpoint"] = "http://127.0.0.1:9/tea?of={{password}}"

    async with studio(tmp_path) as room:
        _, stopped = await ordered(room, calls="recorded", files=changed(with_password))
        assert stopped["asks"]["url"] == "http://127.0.0.1:9/tea?of=***"
        assert json.loads(stopped["asks"]["body"]) == {"by": "***", "token": "***", "kind": "Green"}


# -- at once, and broken off


class SlowFetcher(MockFetcher):
    """Answers calls when it is let go on."""

    def __init__(self, mocks: Mapping[str, Mapping[str, Any]]) -> None:
        super().__init__(mocks)
        self.is_called, self.goes_on = asyncio.Event(), asyncio.Event()

    async def fetch(
        self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS, identity: Identity | None = None
    ) -> Response | NoResponse:
        self.is_called.set()
        await self.goes_on.wait()
        return await super().fetch(request, secrets=secrets, identity=identity)


async def test_of_two_tabs_that_order_at_the_same_moment_one_does(tmp_path: Path) -> None:
    fetcher, store = MockFetcher(MOCKS), ReadTogether()
    async with studio(tmp_path, fetcher=fetcher, store=store) as room:
        id = await almost_ordered(room)
        answers = await store.answer_both(*(room.ask(id, "turns", text="sesame") for _ in range(2)))
        assert sorted(answer.status for answer in answers) == [200, 409]
        assert len(fetcher.requests) == 1


async def test_of_two_decisions_at_the_same_moment_one_sends(tmp_path: Path) -> None:
    fetcher, store = MockFetcher(MOCKS), ReadTogether()
    async with studio(tmp_path, fetcher=fetcher, store=store) as room:
        id, stopped = await ordered(room, calls="recorded")
        decision = {"call": stopped["asks"]["call"]}
        answers = await store.answer_both(*(room.ask(id, "replay", decision=decision) for _ in range(2)))
        assert sorted(answer.status for answer in answers) == [200, 409]
        assert len(fetcher.requests) == 1


async def test_an_answer_is_kept_when_another_tab_goes_on_while_the_call_is_made(tmp_path: Path) -> None:
    fetcher = SlowFetcher(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, stopped = await ordered(room, calls="recorded")
        sending = asyncio.create_task(room.ask(id, "replay", decision={"call": stopped["asks"]["call"]}))
        await fetcher.is_called.wait()
        waits = await room.show(id)  # the other tab
        assert (len(waits["turns"]), len(waits["waiting"]), waits["asks"]) == (3, 1, None)
        # What came of it is not known yet: neither sends it a second time.
        asks = (await room.do(id, "replay"))["asks"]
        assert asks["tried"] == "It was sent once, and what came of it is not known."
        fetcher.goes_on.set()
        assert (await sending).status == 409
        await room.show(id)
        shown = await room.do(id, "replay")
        assert (shown["asks"], shown["turns"][-1]["outsideCalls"][0]["source"]) == (None, "recorded")
        assert len(fetcher.requests) == 1


class Breaking(MockFetcher):
    """Breaks off the turn behind a call that was made, as a service that is killed does."""

    breaks = False

    async def fetch(
        self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS, identity: Identity | None = None
    ) -> Response | NoResponse:
        answer = await super().fetch(request, secrets=secrets, identity=identity)
        if self.breaks:
            raise asyncio.CancelledError
        return answer


async def test_a_turn_that_broke_off_behind_its_call_waits_and_is_not_sent_again(tmp_path: Path) -> None:
    fetcher = Breaking(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id = await almost_ordered(room)
        fetcher.breaks = True
        done = await asyncio.gather(room.ask(id, "turns", text="sesame"), return_exceptions=True)
        assert not isinstance(done[0], dict)
        fetcher.breaks = False
        waits = await room.show(id)
        assert (len(waits["turns"]), waits["waiting"], waits["asks"]) == (3, [{"user": {}}], None)
        stopped = await room.do(id, "replay")
        assert stopped["asks"]["tried"] == "It was sent once, and what came of it is not known."
        shown = await decide(room, id, stopped)
        assert shown["asks"] is None
        first, second = fetcher.requests
        assert first.idempotency_key == second.idempotency_key  # the far end knows it as the same


class Failing(TemporaryStore):
    """Takes so many try-outs, and is full then."""

    left = 1_000

    async def put_studio_row(self, row: StudioRow, expected: int | None) -> bool:
        if row.kind == "try-out":
            if self.left == 0:
                return False
            self.left -= 1
        return await super().put_studio_row(row, expected)


async def test_a_write_that_was_answered_is_known_though_its_turn_was_not_stored(tmp_path: Path) -> None:
    fetcher, store = MockFetcher(MOCKS), Failing()
    async with studio(tmp_path, fetcher=fetcher, store=store) as room:
        id = await almost_ordered(room)
        store.left = 2  # before the call, and with its answer
        assert (await room.ask(id, "turns", text="sesame")).status == 409
        store.left = 1_000
        assert len((await room.show(id))["waiting"]) == 1
        shown = await room.do(id, "replay")
        assert shown["turns"][-1]["messages"][-1]["text"] == "Order 7: Green."
        assert len(fetcher.requests) == 1


async def test_nothing_is_sent_where_it_cannot_be_written_down_before(tmp_path: Path) -> None:
    fetcher, store = MockFetcher(MOCKS), Failing()
    async with studio(tmp_path, fetcher=fetcher, store=store) as room:
        id = await almost_ordered(room)
        store.left = 0
        assert (await room.ask(id, "turns", text="sesame")).status == 409
        assert fetcher.requests == []


async def test_a_write_that_failed_asks_when_it_is_said_again(tmp_path: Path) -> None:
    class Silent(MockFetcher):
        async def fetch(self, request: Request, **_: Any) -> NoResponse:
            self.requests.append(request)
            return NoResponse("timeout", "No whole answer within 10 s.")

    fetcher = Silent({})
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, stopped = await ordered(room, calls="recorded")
        failed = await decide(room, id, stopped)
        assert failed["turns"][-1]["outsideCalls"][0]["failure"].startswith("No whole answer")
        assert (await room.do(id, "replay"))["asks"] is None  # the same failure
        await room.do(id, "rewind", to=3)
        again = await room.turn(id, text="sesame")
        assert again["asks"]["tried"] == "No whole answer within 10 s."
        assert len(fetcher.requests) == 1


def with_message(steps: list[dict[str, Any]]) -> None:
    """Say something before the order, which is another step then."""
    steps.insert(-1, {"type": "message", "messages": ["One moment."]})


async def test_a_write_whose_outcome_is_unknown_is_sent_again_under_its_first_key(tmp_path: Path) -> None:
    class Lost(MockFetcher):
        is_silent = True

        async def fetch(
            self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS, identity: Identity | None = None
        ) -> Response | NoResponse:
            answer = await super().fetch(request, secrets=secrets, identity=identity)
            return NoResponse("broken", "The connection broke.") if self.is_silent else answer

    fetcher = Lost(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, stopped = await ordered(room, calls="recorded")
        await decide(room, id, stopped)
        # Another step, and another turn.
        await room.do(id, "replay", files=changed(with_message))
        await room.do(id, "rewind", to=3)
        asks = await room.turn(id, text="sesame")
        assert asks["asks"]["tried"] == "The connection broke."
        fetcher.is_silent = False
        await decide(room, id, asks, answer={"$status": 500})
        await room.do(id, "rewind", to=3)
        await room.do(id, "settings", calls="real")
        shown = await room.turn(id, text="sesame")
        assert shown["turns"][-1]["messages"][-1]["text"] == "Order 7: Green."
        await room.do(id, "rewind", to=3)
        await room.turn(id, text="sesame")
        first, second, third = [request.idempotency_key for request in fetcher.requests]
        assert first == second  # the far end knows it as the same
        assert third != first  # it was answered: another order


class FailingFirst(MockFetcher):
    """Fails at the first call, and then answers."""

    async def fetch(
        self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS, identity: Identity | None = None
    ) -> Response | NoResponse:
        answer = await super().fetch(request, secrets=secrets, identity=identity)
        return Response(503) if len(self.requests) == 1 else answer


async def test_a_failure_of_the_far_end_is_no_answer_for_another_turn(tmp_path: Path) -> None:
    fetcher = FailingFirst(MOCKS)
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, stopped = await ordered(room, calls="recorded")
        failed = await decide(room, id, stopped)
        again = await room.do(id, "replay")
        assert (again["asks"], again["turns"][-1]["outsideCalls"][0]["status"]) == (None, 503)
        assert failed["turns"][-1]["messages"] == again["turns"][-1]["messages"]
        await room.do(id, "replay", files=changed(moved))
        assert (await room.do(id, "replay"))["asks"] is None  # the edit is taken back: the turn has its answer again
        await room.do(id, "rewind", to=3)
        asks = await room.turn(id, text="sesame")
        assert asks["asks"]["tried"] == "It was answered with status 503."
        assert (await room.do(id, "replay"))["asks"] == asks["asks"]
        shown = await decide(room, id, asks)
        assert shown["turns"][-1]["messages"][-1]["text"] == "Order 7: Green."
        first, second = [request.idempotency_key for request in fetcher.requests]
        assert first == second


async def test_a_read_that_failed_is_made_again_by_the_next_turn_alone(tmp_path: Path) -> None:
    fetcher = FailingFirst(MOCKS | {"http://127.0.0.1:9/stock": {"GET": {"left": 3}}})
    async with studio(tmp_path, fetcher=fetcher) as room:
        id, failed = await ordered(room, calls="recorded", files=changed(with_stock))
        assert failed["turns"][-1]["outsideCalls"][0]["status"] == 503
        again = await room.do(id, "replay", files=changed(with_stock))
        assert again["turns"][-1]["outsideCalls"][0]["status"] == 503
        await room.do(id, "rewind", to=3)
        assert (await room.turn(id, text="sesame"))["asks"]["url"] == ORDER
        assert [request.method for request in fetcher.requests] == ["GET", "GET"]
