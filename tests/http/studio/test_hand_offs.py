"""Hand-offs over the whole HTTP face: the queue, taking, answering, notes, giving back, and what ends one."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, BOT, Client, serving
from tests.service.outbox.test_hand_over import handing_over
from tests.stores import TemporaryStore

from dialoom.authoring.drafts.drafts import Drafts
from dialoom.authoring.drafts.publishing import Publishing
from dialoom.service.access.studio_sign_in import Grant, Identity
from dialoom.storage.postgres.store import PostgresStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.http.support import Answer
    from tests.postgres import Server

    from dialoom.service.access.studio_sign_in import Role
    from dialoom.storage.store import Store

OWN = {"Origin": BASE}
KEYS = base64.b64encode(bytes(range(32))).decode()
"""Of a store that several processes share."""
WEB = "/v1/bots/tea/channels/web/web"


class Desk:
    """The browser of a person who answers chats."""

    made = 0

    def __init__(self, client: Client, cookie: str, name: str) -> None:
        self.client = client
        self.name = name
        self.cookie_name = cookie.partition("=")[0]
        self._headers = OWN | {"Cookie": cookie}

    async def call(self, method: str, path: str = "", body: Any = None, **query: Any) -> Answer:
        path = f"/v1/studio/bots/tea/hand-offs{path}"
        return await self.client.call(method, path, body, self._headers, query or None)

    async def call_at(self, path: str) -> Answer:
        return await self.client.call("GET", path, None, self._headers)

    async def rows(self) -> list[dict[str, Any]]:
        answer = await self.call("GET")
        assert answer.status == 200, answer.body
        rows: list[dict[str, Any]] = answer.json["handOffs"]
        return rows

    async def chat(self, id: str, **query: Any) -> dict[str, Any]:
        answer = await self.call("GET", f"/{id}", **query)
        assert answer.status == 200, answer.body
        chat: dict[str, Any] = answer.json
        return chat

    async def do(self, id: str, action: str, *, act: str = "", **named: Any) -> Answer:
        Desk.made += 1
        body = {"id": act or f"act-{Desk.made}", "action": action}
        return await self.call("POST", f"/{id}", body | named)


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "sqlite":
        yield TemporaryStore()
        return
    server: Server = request.getfixturevalue("postgres_server")
    yield PostgresStore(server.database(), is_timed_by_server=False)


@contextlib.asynccontextmanager
async def desks(folder: Path, store: Store | None = None, **named: Any) -> AsyncIterator[tuple[Desk, Desk]]:
    async with serving(folder, handing_over(), store=store, keys=KEYS, **named) as client:
        yield await _signed_in(client, "Ada"), await _signed_in(client, "Ben")


async def _signed_in(client: Client, name: str, role: Role = "agent") -> Desk:
    token = (await client.service.studio.link(role, name)).partition("#sign-in=")[2]
    answer = await client.call("POST", "/v1/studio/sign-in", {"token": token}, OWN)
    return Desk(client, answer.headers["set-cookie"].partition(";")[0], name)


class User:
    """A browser on the web channel."""

    def __init__(self, client: Client, session: dict[str, Any]) -> None:
        self.client = client
        self.session = session
        self._said = 0

    @classmethod
    async def waiting(cls, client: Client) -> User:
        """Return a user whose chat waits for a person."""
        user = cls(client, (await client.open()).json)
        for text in ("tea", "a refund"):
            await user.say(text)
        return user

    async def say(self, text: str) -> None:
        self._said += 1
        headers = OWN | {"Authorization": f"Bearer {self.session['token']}"}
        answer = await self.client.call("POST", f"{WEB}/messages", {"id": f"m{self._said}", "text": text}, headers)
        assert answer.status == 202, answer.body

    async def hears(self, text: str) -> None:
        """Wait until the last message is this one: the turn of a timer may run before."""
        for _ in range(200):
            if (await self.poll())["messages"][-1]["text"] == text:
                return
            await asyncio.sleep(0.02)  # real time: turns run beside
        pytest.fail(f"not said: {text}")

    async def poll(self) -> dict[str, Any]:
        headers = OWN | {"Authorization": f"Bearer {self.session['token']}"}
        seen: dict[str, Any] = (await self.client.call("GET", f"{WEB}/messages", None, headers, {"after": "0"})).json
        return seen


async def test_a_chat_waits_is_taken_answered_and_given_back(tmp_path: Path, store: Store) -> None:
    async with desks(tmp_path, store) as (ada, _):
        user = await User.waiting(ada.client)
        (row,) = await ada.rows()
        assert (row["queue"], row["channel"], row["person"], row["heard"]) == ("desk", "web", None, 1)
        assert (await user.poll())["handOff"] == {"person": None}
        await user.say("is anybody there?")
        taken = (await ada.do(row["id"], "take")).json
        assert (taken["person"]["name"], taken["lastText"], taken["heard"]) == ("Ada", "is anybody there?", 2)
        assert (await ada.do(row["id"], "answer", text="I am. What is it?")).status == 200
        seen = await user.poll()
        assert seen["handOff"] == {"person": "Ada"}
        assert (seen["messages"][-1]["text"], seen["messages"][-1]["person"]) == ("I am. What is it?", "Ada")
        await user.say("my tea was cold")
        chat = await ada.chat(row["id"])
        assert [one["text"] for one in chat["messages"][-2:]] == ["I am. What is it?", "my tea was cold"]
        assert (await ada.do(row["id"], "give-back")).status == 204
        assert await ada.rows() == []
        assert "handOff" not in await user.poll()
        await user.say("go on")
        assert (await user.poll())["messages"][-1]["text"] == "All well?"
        records = (await ada.client.history("messages", sort={"CreatedAt": 1})).json
        assert [one["Person"] for one in records if "Person" in one] == ["Ada"]


async def test_a_chat_that_is_given_back_is_the_bots_again_in_its_record(tmp_path: Path, store: Store) -> None:
    async with desks(tmp_path, store) as (ada, _):
        await User.waiting(ada.client)
        (row,) = await ada.rows()
        (record,) = (await ada.client.history("conversations")).json
        assert record["Status"] == "handed-over"
        assert await _running_talks(ada) == 1
        await ada.do(row["id"], "take")
        assert (await ada.do(row["id"], "give-back")).status == 204
        (record,) = (await ada.client.history("conversations")).json
        assert (record["Status"], record["EndedAt"], record["Data"]["handedOver"]) == ("active", None, True)
        assert await _running_talks(ada) == 1


async def _running_talks(desk: Desk) -> int:
    """Return how many conversations the active version still has to end."""
    service = desk.client.service
    version = service.bots.known("tea").version
    return await Publishing(service, Drafts(service)).running_talks("tea", version)


async def test_the_log_names_each_chat_that_somebody_opened(tmp_path: Path) -> None:
    async with desks(tmp_path) as (ada, _):
        for _ in range(2):
            await User.waiting(ada.client)
        rows = await ada.rows()
        for row in (*rows, rows[0]):
            await ada.chat(row["id"])
        await ada.do(rows[0]["id"], "take")
        owner = await _signed_in(ada.client, "Owner", "administrator")
        deeds = (await owner.call_at("/v1/studio/audit")).json["deeds"]
        assert sorted((one["what"], one["about"]) for one in deeds if one["bot"] == "tea") == sorted(
            [*(("hand-off-read", row["conversation"]) for row in rows), ("hand-off-acted", rows[0]["conversation"])]
        )


async def test_users_do_not_read_the_role_of_somebody_without_a_name(tmp_path: Path) -> None:
    async with serving(tmp_path, handing_over(), keys=KEYS) as client:
        nameless = await _signed_in(client, "")
        user = await User.waiting(client)
        (row,) = await nameless.rows()
        await nameless.do(row["id"], "take")
        await nameless.do(row["id"], "answer", text="Hello.")
        assert (await user.poll())["messages"][-1]["person"] == client.service.bots.known("tea").bot.name


async def test_of_two_who_take_a_chat_at_once_one_has_it(tmp_path: Path, store: Store) -> None:
    async with desks(tmp_path, store) as (ada, ben):
        await User.waiting(ada.client)
        (row,) = await ada.rows()
        answers = await asyncio.gather(ada.do(row["id"], "take"), ben.do(row["id"], "take"))
        assert sorted(answer.status for answer in answers) == [200, 409]
        first, last = (ada, ben) if answers[0].status == 200 else (ben, ada)
        refused = next(answer for answer in answers if answer.status == 409)
        assert (refused.json["code"], first.name in refused.json["detail"]) == ("hand-off-taken", True)
        assert (await last.do(row["id"], "answer", text="Mine!")).json["code"] == "hand-off-taken"
        assert (await last.do(row["id"], "give-back")).json["code"] == "hand-off-taken"
        assert (await ada.rows())[0]["person"]["name"] == first.name


async def test_an_answer_that_is_sent_again_goes_out_once(tmp_path: Path, store: Store) -> None:
    async with desks(tmp_path, store) as (ada, _):
        user = await User.waiting(ada.client)
        (row,) = await ada.rows()
        await ada.do(row["id"], "take")
        for _again in range(3):
            assert (await ada.do(row["id"], "answer", act="same", text="One moment.")).status == 200
        assert [one["text"] for one in (await user.poll())["messages"]].count("One moment.") == 1
        assert (await ada.do(row["id"], "answer", act="same", text="Another.")).json["code"] == "key-reused"


async def test_an_answer_renews_the_silence_and_its_end_wakes_the_bot(tmp_path: Path) -> None:
    async with desks(tmp_path) as (ada, _):
        user, client = await User.waiting(ada.client), ada.client
        (row,) = await ada.rows()
        await ada.do(row["id"], "take")
        client.clock.move(9 * 60)
        await ada.do(row["id"], "answer", text="Still looking.")
        client.clock.move(9 * 60)
        assert len(await ada.rows()) == 1
        await user.say("fine")
        assert (await user.poll())["messages"][-1]["text"] == "fine"
        client.clock.move(2 * 60)
        assert await ada.rows() == []
        assert (await ada.do(row["id"], "answer", text="Found it!")).status == 404
        await user.say("and now?")
        await user.hears("All well?")


async def test_the_timer_of_the_silence_deletes_the_row(tmp_path: Path, store: Store) -> None:
    async with desks(tmp_path, store) as (ada, _):
        await User.waiting(ada.client)
        service = ada.client.service
        assert len(await service.store.studio_rows("tea", "hand-off", None, 10)) == 1
        ada.client.clock.move(11 * 60)
        await service.timers.fire()
        for _ in range(200):
            if not await service.store.studio_rows("tea", "hand-off", None, 10):
                break
            await asyncio.sleep(0.02)  # real time: the timer's turn runs beside
        assert await service.store.studio_rows("tea", "hand-off", None, 10) == []


async def test_restart_takes_the_chat_out_of_the_queue(tmp_path: Path, store: Store) -> None:
    async with desks(tmp_path, store) as (ada, _):
        user = await User.waiting(ada.client)
        (row,) = await ada.rows()
        await ada.do(row["id"], "take")
        await user.say("restart")
        assert await ada.rows() == []
        assert (await ada.do(row["id"], "answer", text="Wait!")).status == 404


async def test_an_erased_user_waits_no_more(tmp_path: Path, store: Store) -> None:
    async with desks(tmp_path, store) as (ada, _):
        user = await User.waiting(ada.client)
        await ada.client.service.erasure.erase("tea", user.session["user"]["id"], "web")
        assert await ada.rows() == []
        assert await ada.client.service.store.studio_rows("tea", "hand-off", None, 10) == []


async def test_notes_are_for_people_and_stay_when_the_chat_is_passed_on(tmp_path: Path) -> None:
    async with desks(tmp_path) as (ada, ben):
        user = await User.waiting(ada.client)
        (row,) = await ada.rows()
        await ada.do(row["id"], "take")
        await ben.do(row["id"], "note", text="A known customer.")
        await ada.do(row["id"], "pass-on", queue="desk")
        chat = await ben.chat(row["id"])
        assert [(one["name"], one["text"]) for one in chat["notes"]] == [("Ben", "A known customer.")]
        assert chat["handOff"]["person"] is None
        assert "A known customer." not in [one.get("text") for one in (await user.poll())["messages"]]
        assert (await ada.do(row["id"], "pass-on", queue="nowhere")).status == 400


async def test_a_platform_reads_the_name_before_the_answer(tmp_path: Path) -> None:
    async with desks(tmp_path) as (ada, _):
        for text in ("tea", "a refund"):
            await ada.client.texts(text)
        (row,) = await ada.rows()
        await ada.do(row["id"], "take")
        await ada.do(row["id"], "answer", text="Here I am.")
        assert [one["text"] for one in (await ada.client.say(event={"type": "authentication"})).json] == [
            "Ada:\nHere I am."
        ]


async def test_an_agent_with_an_address_has_no_queue(tmp_path: Path) -> None:
    bot = BOT | {"live-agents": {"desk": "http://127.0.0.1:9/in"}}
    async with desks(tmp_path, bot=bot) as (ada, _):
        await User.waiting(ada.client)
        assert await ada.rows() == []


async def test_an_act_for_a_hand_off_that_is_over_does_nothing_in_the_next_one(tmp_path: Path) -> None:
    async with desks(tmp_path) as (ada, _):
        user = await User.waiting(ada.client)
        first = (await ada.rows())[0]
        ada.client.clock.move(1)
        for text in ("restart", "tea", "a refund"):
            await user.say(text)
        second = (await ada.rows())[0]
        assert (second["id"], second["since"] > first["since"]) == (first["id"], True)
        late = await ada.do(first["id"], "give-back", since=first["since"])
        assert (late.status, late.json["code"]) == (409, "hand-off-over")
        assert (await ada.do(second["id"], "take", since=second["since"])).status == 200


async def test_two_people_whom_a_provider_gives_one_name_have_their_own_chats(tmp_path: Path) -> None:
    async with desks(tmp_path) as (ada, _):
        await User.waiting(ada.client)
        (row,) = await ada.rows()
        one, two = [await _named_by_provider(ada, "Ann", subject) for subject in ("1", "2")]
        assert (await one.do(row["id"], "take")).status == 200
        refused = await two.do(row["id"], "answer", text="Hello")
        assert (refused.status, refused.json["code"]) == (409, "hand-off-taken")
        again = await _named_by_provider(ada, "Ann", "1")
        assert (await again.do(row["id"], "answer", text="Hello")).status == 200
        people = [(await desk.call_at("/v1/studio/session")).json["person"] for desk in (one, two, again, ada)]
        assert (people[0] == people[2], people[0] == people[1], people[3]) == (True, False, "Ada")


async def _named_by_provider(other: Desk, name: str, subject: str) -> Desk:
    opened = await other.client.service.studio.sign_in_as(Identity("https://id.example", subject), Grant("agent"), name)
    return Desk(other.client, f"{other.cookie_name}={opened.text}", name)
