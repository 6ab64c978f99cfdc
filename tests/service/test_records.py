"""Every property of the two records, after real turns on every store (history-api.md, Records)."""

from __future__ import annotations

import asyncio
import copy
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import FLOW, MOCKS, TRAINING, serving
from tests.postgres import empty
from tests.stores import TemporaryStore

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.engine.events import NoResponse
from dialoom.storage.postgres.store import PostgresStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.http.support import Client
    from tests.postgres import Server

    from dialoom.engine.effects import Request
    from dialoom.engine.events import Response
    from dialoom.storage.store import Store

CONVERSATION = [
    "_id", "Bot", "User", "Channel", "Status", "StartedAt", "UpdatedAt", "EndedAt", "Goal", "Errors", "Messages",
    "FlowVersion", "Data",
]  # fmt: skip
MESSAGE = [
    "_id", "Bot", "Conversation", "User", "Channel", "From", "Type", "Text", "Payload", "Step", "Understanding",
    "Error", "CreatedAt", "Sequence",
]  # fmt: skip
FAILING = {"type": "webhook", "data-source": {"endpoint": "http://127.0.0.1:9/nothing-there"}}


@pytest.fixture(scope="module")
def kept(postgres_server: Server) -> str:
    return postgres_server.database()


@pytest.fixture(params=["sqlite", "postgres"])
def make(request: pytest.FixtureRequest) -> Iterator[Callable[[], Store]]:
    """Opens the same store again and again, as one service after the other does."""
    if request.param == "postgres":
        url = request.getfixturevalue("kept")
        yield lambda: PostgresStore(url, is_timed_by_server=False)
        empty(url)
    else:
        store = TemporaryStore()
        yield lambda: store


@pytest.fixture
def store(make: Callable[[], Store]) -> Store:
    return make()


def question(entity: str, type: str = "Text", **more: Any) -> dict[str, Any]:
    return {"type": "question", "entity": entity, "entity-type": type, "messages": [f"{entity}?"], **more}


def goal(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "goal", "display-name": "your order", "steps": [*steps]}


def flow(*steps: dict[str, Any], **more: dict[str, Any]) -> dict[str, Any]:
    """Return a flow whose goal "tea" has these steps, and other conversations, each begun by its name."""
    changed = copy.deepcopy(FLOW)
    changed["conversations"] |= {"tea": goal(*steps), **more}
    return changed


def training(*names: str) -> dict[str, Any]:
    changed = copy.deepcopy(TRAINING)
    changed["entity-definitions"][0]["data"] += [{"value": name, "expressions": [name]} for name in names]
    return changed


async def records(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await client.history("conversations")).json
    return found


async def messages(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await client.history("messages", limit=1000)).json
    return found


async def say(client: Client, *texts: str) -> None:
    for text in texts:
        await client.texts(text)


async def time_out(client: Client) -> None:
    """Let the session's time come, and wait until the turn of its timer is done."""
    client.clock.move(1441 * 60)
    async with asyncio.timeout(60):
        while True:
            await client.service.timers.fire()
            if all(one["EndedAt"] is not None for one in await records(client)):
                return
            await asyncio.sleep(0.001)


# -- every property


async def test_a_conversation_has_every_property(tmp_path: Path, store: Store) -> None:
    async with serving(tmp_path, store=store) as client:
        await say(client, "tea")
        (running,) = await records(client)
        client.clock.move(60)
        await say(client, "green", "open sesame")
        (record,) = await records(client)
        messages_ = await messages(client)
        assert [*running] == [*record] == CONVERSATION
        assert (running["Status"], running["EndedAt"], running["Messages"]) == ("active", None, {"user": 1, "bot": 2})
        assert record["_id"] == running["_id"] == messages_[0]["Conversation"]
        assert (record["Bot"], record["User"], record["Channel"]) == ("tea", "ada", "rest")
        assert (record["Status"], record["Goal"], record["Errors"]) == ("success", "tea", 0)
        assert record["StartedAt"] == "2026-09-21T14:13:20.000Z"
        assert record["UpdatedAt"] == record["EndedAt"] == "2026-09-21T14:14:20.000Z"
        assert record["Messages"] == {"user": 3, "bot": 4}
        version = await client.service.store.active("tea")
        assert version is not None
        assert record["FlowVersion"] == version.version
        assert record["Data"]["channel"] == {"Id": "rest", "ProviderName": "rest", "Name": "test"}
        user = record["Data"]["user"]
        assert [*user] == ["ExternalId", "FirstName", "LastName", "Avatar", "Locale", "Timezone"]
        assert (user["FirstName"], user["LastName"]) == ("Ada", "Lovelace")
        assert record["Data"]["entities"] == {"kind": {"value": "Green"}, "password": "***", "order": {"number": 7}}
        assert (await client.history(f"conversations/{record['_id']}")).json == record


async def test_messages_have_every_property(tmp_path: Path, store: Store) -> None:
    steps = (
        question("kind", "Tea", display={"type": "quick-reply"}),
        question("place", "Location", display={"type": "location-picker", "title": "Show where"}),
        question("cup", display={"type": "single-select", "title": "Cups", "data": ["Red", "Blue"]}),
    )
    async with serving(tmp_path, flow(*steps), store=store) as client:
        await say(client, "tea")
        client.clock.move(1)
        assert (await client.say(option="Green")).status == 200
        assert (await client.say(location={"latitude": 42.7, "longitude": 23.3, "name": "Sofia"})).status == 200
        found = await messages(client)
        (record,) = await records(client)
        assert [[*one] for one in found] == [MESSAGE] * len(found)
        assert [one["Sequence"] for one in found] == [*range(1, len(found) + 1)]
        assert {(one["Bot"], one["User"], one["Channel"], one["Conversation"], one["Error"]) for one in found} == {
            ("tea", "ada", "rest", record["_id"], None)
        }
        assert [one["_id"] for one in found] == sorted(one["_id"] for one in found)
        assert [(one["From"], one["Type"], one["Text"], one["Step"]) for one in found] == [
            ("user", "text", "tea", None),
            ("bot", "text", "Hello!", "welcome/0"),
            ("bot", "text", "kind?", "tea/0"),
            ("user", "option", "Green", None),
            ("bot", "template", "place?", "tea/1"),
            ("user", "location", "Sofia", None),
            ("bot", "template", "cup?", "tea/2"),
        ]
        said, hello, kind, picked, place, located, cup = found
        assert said["Understanding"]["Conversation"][0]["value"] == {"value": "tea"}
        assert (said["Payload"], hello["Payload"], hello["Understanding"]) == (None, None, None)
        assert [reply["title"] for reply in kind["Payload"]["replies"]] == ["Black", "Green", "Mint"]
        assert picked["Payload"] == {"value": "Green"}
        assert picked["Understanding"]["Tea"][0]["value"] == {"value": "Green"}
        assert place["Payload"]["dialog"]["type"] == "location-picker"
        assert located["Payload"] == {"latitude": 42.7, "longitude": 23.3, "name": "Sofia"}
        assert [option["title"] for option in cup["Payload"]["dialog"]["options"]] == ["Red", "Blue"]
        assert (said["CreatedAt"], picked["CreatedAt"]) == ("2026-09-21T14:13:20.000Z", "2026-09-21T14:13:21.000Z")


async def test_a_record_that_an_opening_began_counts_no_message_of_the_user(tmp_path: Path, store: Store) -> None:
    async with serving(tmp_path, store=store) as client:
        await client.open(user={"name": "Ada"}, context={"page": "menu", "apiKey": "k-1234567"})
        (record,) = await records(client)
        assert (record["Status"], record["Goal"], record["Messages"]) == ("active", None, {"user": 0, "bot": 1})
        assert record["Data"]["context"]["page"] == "menu"
        assert b"k-1234567" not in (await client.history("conversations")).body


# -- Status, Errors and the counts


class OnceAway(MockFetcher):
    """Fails the first outside call."""

    async def fetch(self, request: Request, **more: Any) -> Response | NoResponse:
        answer = await super().fetch(request, **more)
        return NoResponse("refused", "nobody listens") if len(self.requests) == 1 else answer


async def test_a_failure_stands_until_the_next_message_takes_it_up(tmp_path: Path, store: Store) -> None:
    steps = (question("kind", "Tea"), FLOW["conversations"]["tea"]["steps"][2], question("note"))
    async with serving(tmp_path, flow(*steps), OnceAway(MOCKS), store=store) as client:
        await say(client, "tea", "green")
        (failed,) = await records(client)
        assert (failed["Status"], failed["Errors"], failed["EndedAt"]) == ("failure", 1, None)
        (wrong,) = [one for one in await messages(client) if one["Error"] is not None]
        assert (wrong["From"], wrong["Error"][:7]) == ("bot", "tea/1: ")
        await say(client, "and now?")
        (taken_up,) = await records(client)
        assert (taken_up["Status"], taken_up["Errors"], taken_up["Messages"]["user"]) == ("active", 1, 3)
        await say(client, "none")
        (done,) = await records(client)
        assert (done["Status"], done["Errors"]) == ("success", 1)


async def test_a_time_out_ends_a_failure_as_that(tmp_path: Path, store: Store) -> None:
    async with serving(tmp_path, flow(question("kind", "Tea"), FAILING), store=store) as client:
        await say(client, "tea", "green")
        await time_out(client)
        (record,) = await records(client)
        assert (record["Status"], record["Errors"]) == ("failure", 1)
        assert record["EndedAt"] == record["UpdatedAt"] > record["StartedAt"]


async def test_silence_a_restart_and_a_go_to_abandon_and_what_never_had_a_goal_is_closed(
    tmp_path: Path, store: Store
) -> None:
    leaving = goal(question("why"), {"type": "command", "command": "go-to help"})
    changed = flow(question("kind", "Tea"), question("note"), leave=leaving)
    async with serving(tmp_path, changed, store=store, training=training("leave")) as client:
        await say(client, "tea")
        await time_out(client)
        await say(client, "tea", "restart", "leave", "no reason", "help")
        await time_out(client)
        found = [(one["Status"], one["Goal"], one["EndedAt"] is None) for one in await records(client)]
        assert found[:2] == [("abandoned", "tea", False)] * 2
        assert found[2] == ("abandoned", "leave", False)
        assert found[-1] == ("closed", None, False)
        for record in await records(client):
            numbers = [one["Sequence"] for one in await messages(client) if one["Conversation"] == record["_id"]]
            assert numbers == [*range(1, sum(record["Messages"].values()) + 1)]


async def test_an_invalid_answer_is_no_error(tmp_path: Path, store: Store) -> None:
    async with serving(tmp_path, flow(question("people", "Number"), question("note")), store=store) as client:
        await say(client, "tea", "many", "a lot", "three")
        (record,) = await records(client)
        assert (record["Errors"], record["Status"], record["Messages"]["user"]) == (0, "active", 4)
        assert record["Data"]["entities"] == {"people": 3}


async def test_messages_to_a_silent_bot_count_and_a_person_has_it(tmp_path: Path, store: Store) -> None:
    silent = {"type": "command", "command": "stay-silent 10", "live-agent": "desk"}
    async with serving(tmp_path, flow(question("topic"), silent, question("happy")), store=store) as client:
        await say(client, "tea", "a refund")
        before = (await records(client))[0]["Messages"]
        await say(client, "hello?", "anybody?")
        (record,) = await records(client)
        assert (record["Status"], record["EndedAt"]) == ("handed-over", None)
        assert record["Messages"] == {"user": before["user"] + 2, "bot": before["bot"]}
        assert [one["Sequence"] for one in await messages(client)] == [*range(1, 4 + before["bot"] + 1)]


async def test_goals_that_nest_share_one_record_across_a_correction_and_a_stop_of_the_service(
    tmp_path: Path, make: Callable[[], Store]
) -> None:
    changed = flow(
        question("kind", "Tea"), question("people", "Number"), question("note"), taxi=goal(question("street"))
    )
    words = training("taxi")
    async with serving(tmp_path, changed, store=make(), training=words) as client:
        await say(client, "tea", "green", "taxi")
    async with serving(tmp_path, changed, store=make(), training=words) as client:
        client.clock.move(60)
        await say(client, "Elm Street")
        (record,) = await records(client)
        assert (record["Goal"], record["Status"]) == ("tea", "active")
        await say(client, "3", "help", "make it black")
        (record,) = await records(client)
        assert record["Goal"] == "tea"
        found = await messages(client)
        assert [one["Sequence"] for one in found] == [*range(1, len(found) + 1)]
        counts = {side: sum(one["From"] == side for one in found) for side in ("user", "bot")}
        assert record["Messages"] == counts
        assert counts["user"] == 7
        assert {one["Conversation"] for one in found} == {record["_id"]}


# -- what is masked


AUTHENTICATION = {
    "entity": "member",
    "messages": ["Please log in."],
    "acknowledgements": ["Thanks."],
    "display": {"type": "login", "template": {"title": "Log in"}},
    "oidc": {"issuer": "https://id.example", "client-id": "a", "client-secret": "s"},
}
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
NAMES = ("secret", "accessToken", "password", "card-pin", "Authorization", "api key", "api-key", "api_key", "apiKey")


@pytest.mark.parametrize("name", NAMES)
async def test_the_answer_to_a_question_with_a_secret_name_is_nowhere(tmp_path: Path, name: str) -> None:
    async with serving(tmp_path, flow(question(name), question("pinned"))) as client:
        await say(client, "tea", "blue-monday", "nailed up")
        found = await messages(client)
        answer = next(one for one in found if one["From"] == "user" and one["Sequence"] == 4)
        assert (answer["Text"], answer["Payload"], answer["Understanding"]) == ("***", None, "***")
        entities = (await records(client))[0]["Data"]["entities"]
        assert entities == {name: "***", "pinned": "nailed up"}
        assert b"blue-monday" not in (await client.history("messages")).body
        assert b"nailed up" in (await client.history("messages")).body


async def test_an_option_that_answers_a_secret_question_is_masked_with_its_payload(
    tmp_path: Path, store: Store
) -> None:
    picked = question("pin", display={"type": "quick-reply", "data": ["7431", "8642"]})
    async with serving(tmp_path, flow(picked, question("note")), store=store) as client:
        await say(client, "tea")
        assert (await client.say(option="7431")).status == 200
        (answer,) = [one for one in await messages(client) if one["Type"] == "option"]
        assert (answer["Text"], answer["Payload"], answer["Understanding"]) == ("***", "***", "***")


async def test_a_secret_among_several_values_in_one_message_is_masked_and_the_rest_stays(
    tmp_path: Path, store: Store
) -> None:
    steps = (question("kind", "Tea"), question("pin", "Number"), question("note"))
    async with serving(tmp_path, flow(*steps), store=store) as client:
        await say(client, "tea", "green 47110815")
        answer = [one for one in await messages(client) if one["From"] == "user"][-1]
        assert answer["Text"] == "green ***"
        assert answer["Understanding"]["Tea"][0]["value"] == {"value": "Green"}
        assert b"47110815" not in (await client.history("messages")).body
        assert b"47110815" not in (await client.history("conversations")).body


async def test_a_short_secret_and_one_in_words_are_masked_in_the_message_that_brought_them(tmp_path: Path) -> None:
    steps = (question("kind", "Tea"), question("pin", "Number"), question("note"))
    async with serving(tmp_path, flow(*steps)) as client:
        await say(client, "tea", "green 12", "in 2012 we had 12 cups")
        texts = [one["Text"] for one in await messages(client) if one["From"] == "user"]
        assert texts[1:] == ["green ***", "in 2012 we had 12 cups"]
        await client.texts("tea", sender="ben")
        await client.texts("green, one hundred", sender="ben")
        (answer,) = (await client.history("messages", query={"User": "ben", "Text": {"$regex": "^green"}})).json
        assert answer["Text"] == "green, ***"
        assert "100" not in str(answer["Understanding"])


async def test_a_correction_that_brings_a_secret_is_masked(tmp_path: Path, store: Store) -> None:
    steps = (question("pin", "Number"), question("kind", "Tea"), question("note"))
    async with serving(tmp_path, flow(*steps), store=store) as client:
        await say(client, "tea", "47110815", "no, the pin is 88997766")
        texts = [one["Text"] for one in await messages(client) if one["From"] == "user"]
        assert texts[:2] == ["tea", "***"]
        assert "88997766" not in texts[2]
        assert b"88997766" not in (await client.history("messages")).body


async def test_a_jwt_is_masked_wherever_it_stands(tmp_path: Path, store: Store) -> None:
    async with serving(tmp_path, flow(question("note"), question("more")), store=store) as client:
        await say(client, "tea", f"it is {JWT}, see?")
        opened = await client.open(context={"page": {"links": [f"https://x.example/?t={JWT}"]}})
        assert opened.status in (200, 201)
        (answer,) = [one for one in await messages(client) if one["Text"] == "it is ***, see?"]
        assert "***" in str(answer["Understanding"])
        for path in ("conversations", "messages"):
            assert JWT.split(".")[1].encode() not in (await client.history(path)).body


async def test_the_authentication_entity_is_masked_whatever_its_name(tmp_path: Path, store: Store) -> None:
    known = {
        "type": "command",
        "command": "set-entity",
        "entity": "member",
        "data": {"access_token": "77123-a", "name": "Ada"},
    }
    changed = flow(known, question("note")) | {"settings": {"authentication": AUTHENTICATION}}
    async with serving(tmp_path, changed, store=store) as client:
        await say(client, "tea")
        (record,) = await records(client)
        assert record["Data"]["entities"] == {"member": "***"}
        assert b"77123-a" not in (await client.history("conversations")).body
