"""A person is erased: nothing of them is left, in no table, file, log or process, and nobody who waits hangs."""

from __future__ import annotations

import asyncio
import logging
import shutil
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.http.support import BASE, BOT, serving
from tests.postgres import query
from tests.service.process_stores import (
    ADA,
    PATIENCE,
    HeldFetcher,
    ProcessStore,
    in_background,
    on_postgres,
    processes,
    reach_outside_call,
    until,
)
from tests.stores import TemporaryStore

from dialoom.errors import RequestError, StoreError
from dialoom.service.outbox.outbox import Outbox
from dialoom.service.records.erasure import INTERRUPTED_AFTER_MS, SCRUB_AGAIN_MS, user_of
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey, Notice

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Client
    from tests.postgres import Server
    from tests.service.process_stores import DatabaseTables

    from dialoom.storage.store import Erased, Store
    from dialoom.testing.clock import MovedClock

WORDS = ("Zaphodine", "octarine", "wombatsyrup", "quagga-7731", "parsnipfile")


@pytest.fixture
def store() -> TemporaryStore:
    return TemporaryStore()


@pytest.fixture
async def client(tmp_path: Path, store: Store) -> AsyncIterator[Client]:
    async with serving(tmp_path, store=store, fetcher=HeldFetcher()) as client:
        yield client


async def erase(client: Client, user: str = "ada", channel: str | None = None) -> dict[str, Any]:
    receipt: dict[str, Any] = msgspec.to_builtins(await client.service.erasure.erase("tea", user, channel))
    return receipt


async def users(client: Client) -> set[str]:
    records = [*(await client.history("conversations")).json, *(await client.history("messages")).json]
    return {one["User"] for one in records}


# -- what goes, and what is said of it


async def test_the_receipt_says_what_was_erased(client: Client) -> None:
    await client.say("tea")
    await client.say("green")
    await client.say("tea", sender="ben")
    receipt = await erase(client)
    assert receipt == {
        "user": "ada",
        "channel": "rest",
        "conversations": 1,
        "messages": 5,
        "files": 0,
        "deliveries": 0,
        "memory": True,
        "erasedAt": receipt["erasedAt"],
        "log": "truncated",
        "tryOuts": 0,
        "copies": (),
    }
    assert receipt["erasedAt"].endswith("Z")
    assert await users(client) == {"ben"}


async def test_who_was_erased_is_a_stranger(client: Client) -> None:
    await client.say("tea")
    await client.say("green")
    await erase(client)
    assert await client.texts("tea") == ["Hello!", "Which tea?"]
    assert [one["Sequence"] for one in (await client.history("messages")).json] == [1, 2, 3]


async def test_a_key_that_was_used_before_is_new_again(client: Client) -> None:
    await client.say("tea", id="1")
    await erase(client)
    assert await client.texts("tea", id="1") == ["Hello!", "Which tea?"]
    assert len((await client.history("messages")).json) == 3


async def test_a_user_who_is_not_known_is_404_also_after_the_erasure(client: Client) -> None:
    await client.say("tea")
    for user, channel in (("eve", None), ("ada", "web"), ("ada\0", None)):
        with pytest.raises(RequestError) as raised:
            await erase(client, user, channel)
        assert raised.value.code == "not-found"
    await erase(client, channel="rest")
    with pytest.raises(RequestError) as raised:
        await erase(client)
    assert raised.value.code == "not-found"


async def test_one_of_several_channels_has_to_be_named(client: Client) -> None:
    await client.say("tea")
    web = ChatKey("tea", "web", "ada")
    await client.service.attachments.keep(web, "a.txt", b"hello")
    with pytest.raises(RequestError) as raised:
        await erase(client)
    assert raised.value.code == "several-channels"
    assert "rest, web" in raised.value.detail
    assert (await erase(client, channel="web"))["files"] == 1
    assert await users(client) == {"ada"}
    assert await user_of(client.service.store, "tea", "ada", None) == ADA


async def test_many_records_go_in_steps(client: Client) -> None:
    for number in range(40):
        await client.say(f"text {number}")
    assert (await erase(client))["messages"] == 80
    assert await users(client) == set()


# -- nothing is left


async def test_no_word_of_an_erased_person_is_left_in_any_file_or_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    name, text, context, user, file = WORDS
    folder = tmp_path / "kept"
    folder.mkdir()
    store = SqliteStore(folder / "data.sqlite")
    async with serving(tmp_path, store=store, fetcher=HeldFetcher(is_open=True)) as client:
        key = ChatKey("tea", "rest", user)
        headers = {"Authorization": "Bearer rest-token-of-tea"}
        for number in range(30):
            said = {
                "id": f"{text} {number}",
                "text": f"{text} {number} tea" * (1 + 50 * (number % 2)),
                "context": {context: context * 600},
            }
            body = {"sender": {"id": user, "name": name}, "message": said}
            answer = await client.call("POST", "/v1/bots/tea/channels/rest/rest/test", body, headers)
            assert answer.status == 200, answer.body
            await client.say("tea", sender=f"ben {number}")
        kept = await client.service.attachments.keep(key, f"{file}.txt", file.encode() * 1000)
        assert await store.accept(key, "e1", b"sealed", None, 5, files=(kept.id,)) is not None
        await store.scrub()
        assert found(folder) >= {user, text, name, context}
        receipt = await erase(client, user)
        assert receipt["log"] == "truncated"
        assert receipt["files"] == 1
        assert receipt["messages"] > 60
        assert found(folder) == set()
        assert len(await users(client)) == 30
    assert found(folder) == set()
    told = caplog.text
    assert "a user of bot tea was erased" in told
    assert not [word for word in WORDS if word in told]


def found(folder: Path) -> set[str]:
    contents = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    return {word for word in WORDS if any(word.encode() in content for content in contents)}


class Reading(TemporaryStore):
    """Reports so many times that somebody reads from its log."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left = times

    async def scrub(self, *, whole: bool = False) -> bool:
        self.left -= 1
        return self.left < 0


async def test_a_log_that_is_read_from_is_scrubbed_by_a_job(tmp_path: Path) -> None:
    store = Reading(2)
    async with serving(tmp_path, store=store) as client:
        await client.say("tea")
        assert (await erase(client))["log"] == "pending"
        for _ in range(2):
            client.clock.move(SCRUB_AGAIN_MS / 1000)
            await client.service.scheduled_jobs.look()
            await client.service.scheduled_jobs.settled()
        assert store.left == -1
        assert store.query("select name from scheduled_jobs where name = 'scrub'") == []


class Broken(SqliteStore):
    """Fails behind the last step."""

    async def scrub(self, *, whole: bool = False) -> bool:
        raise StoreError("The disk is gone.")


async def test_what_an_erasure_that_was_broken_off_left_in_the_log_is_scrubbed_after_a_start(tmp_path: Path) -> None:
    text = "octarine"
    folder, after = tmp_path / "kept", tmp_path / "after the kill"
    folder.mkdir()
    async with serving(tmp_path, store=Broken(folder / "data.sqlite")) as client:
        await client.say("tea", sender="ben")
        for number in range(30):
            await client.say(f"{text} {number}")
        with pytest.raises(StoreError):
            await erase(client)
        with pytest.raises(RequestError) as raised:
            await erase(client)
        assert raised.value.code == "not-found"
        # The last connection that is closed empties the log: files as a kill leaves them are copied before.
        shutil.copytree(folder, after)
    assert found(after) == {text}
    async with serving(tmp_path, store=SqliteStore(after / "data.sqlite")) as client:
        await client.service.scheduled_jobs.look()
        await client.service.scheduled_jobs.settled()
        assert found(after) == {text}
        client.clock.move(INTERRUPTED_AFTER_MS / 1000)
        await client.service.scheduled_jobs.look()
        await client.service.scheduled_jobs.settled()
        assert found(after) == set()
        assert await users(client) == {"ben"}
        assert await scrubs(client.service.store) == []


async def scrubs(store: Store) -> list[str]:
    end = 2**62
    return [job.name for job in await store.take_jobs(end, end, 100) if job.name.startswith("scrub")]


class Slow(TemporaryStore):
    """Takes a while for each step."""

    def __init__(self, clock: list[MovedClock]) -> None:
        super().__init__()
        self.clock = clock
        self.left: list[int] = []

    async def erase(self, key: ChatKey, limit: int) -> Erased:
        (clock,) = self.clock
        clock.move(INTERRUPTED_AFTER_MS * 0.4 / 1000)
        times = self.query("select due from scheduled_jobs where name like 'scrub %'")
        self.left += [due - clock.now() for (due,) in times]
        return await super().erase(key, limit)


async def test_the_job_of_an_erasure_waits_for_its_last_step_and_goes_with_its_scrub(tmp_path: Path) -> None:
    clock: list[MovedClock] = []
    store = Slow(clock)
    async with serving(tmp_path, store=store) as client:
        clock.append(client.clock)
        for number in range(100):
            await client.say(f"text {number}")
        await erase(client)
        assert len(store.left) > 3
        assert min(store.left) > 0
        assert await scrubs(store) == []


# -- turns that run meanwhile


async def test_a_turn_that_waits_for_a_call_writes_nothing_and_its_user_is_told(client: Client) -> None:
    waiting = await reach_outside_call(client)
    behind = in_background(client.say("black", id="behind"))
    queue = client.service.runner.active_chats.take(ADA).queue
    await until(lambda: queue and queue[-1].durable.done())
    await erase(client)
    client.fetcher.gate.set()
    for answer in (await waiting, await behind):
        assert (answer.status, answer.json["code"]) == (410, "erased")
    assert await users(client) == set()
    assert await client.service.store.channels_of("tea", "ada") == []
    assert len(client.fetcher.requests) == 1
    assert await client.texts("tea") == ["Hello!", "Which tea?"]


async def test_a_call_without_a_key_is_told_the_same(client: Client) -> None:
    for text in ("tea", "green"):
        await client.say(text)
    waiting = in_background(client.say("open sesame"))
    await until(lambda: client.fetcher.requests)
    await erase(client)
    client.fetcher.gate.set()
    assert (await waiting).json["code"] == "erased"
    assert await users(client) == set()


async def test_what_comes_while_a_turn_of_the_erased_waits_begins_anew(client: Client) -> None:
    waiting = await reach_outside_call(client)
    await erase(client)
    new = in_background(client.say("tea", id="new"))
    await until(lambda: client.service.runner.counts().waiting)
    client.fetcher.gate.set()
    assert (await waiting).status == 410
    assert [said["text"] for said in (await new).json] == ["Hello!", "Which tea?"]
    assert len((await client.history("messages")).json) == 3


async def test_timers_of_the_erased_have_no_turn(client: Client) -> None:
    await client.say("tea")
    await erase(client)
    client.clock.move(30 * 24 * 3600)
    assert await client.service.store.next_due() is None
    assert await users(client) == set()


async def test_a_process_that_has_the_chat_forgets_it_when_another_erases(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    async with processes(tmp_path, ProcessStore(tables), ProcessStore(tables)) as (a, b):
        await a.texts("tea")
        assert a.service.runner.active_chats.take(ADA).loaded is not None
        assert (await erase(b))["log"] == "operator"
        await until(lambda: a.service.runner.active_chats.take(ADA).loaded is None)
        assert await a.texts("tea") == ["Hello!", "Which tea?"]


@pytest.mark.parametrize("hears", [True, False])
async def test_a_turn_that_waits_in_another_process_writes_nothing(
    tmp_path: Path, tables: DatabaseTables, *, hears: bool
) -> None:
    one = ProcessStore(tables)
    async with processes(tmp_path, one, ProcessStore(tables)) as (a, b):
        waiting = await reach_outside_call(a)
        one.hears = hears
        await erase(b)
        a.fetcher.gate.set()
        assert (await waiting).json["code"] == "erased"
        assert await users(b) == set()
        one.hears = True
        assert (await b.texts("tea", id="new"))[-1] == "Which tea?"


async def test_who_waits_for_a_turn_of_another_process_is_told(tmp_path: Path, tables: DatabaseTables) -> None:
    async with processes(tmp_path, ProcessStore(tables), ProcessStore(tables)) as (a, b):
        waiting = await reach_outside_call(a)
        behind = in_background(b.say("black", id="behind"))
        await until(lambda: tables.inbox == 2)
        await erase(a)
        await until(behind.done, a, b, seconds=0.1)
        assert (await behind).json["code"] == "erased"
        a.fetcher.gate.set()
        assert (await waiting).json["code"] == "erased"
        assert not tables.inbox
        assert not tables.chats


async def test_memory_of_a_former_life_is_never_taken_for_the_new_one(tmp_path: Path, tables: DatabaseTables) -> None:
    """Nobody tells the first process anything, and the new life has come as far as the old one had."""
    one = ProcessStore(tables)
    async with processes(tmp_path, one, ProcessStore(tables)) as (a, b):
        await a.texts("tea")
        one.hears = False
        await erase(b)
        await b.texts("hello")
        assert (await one.chat(ADA)).revision == a.service.runner.active_chats.take(ADA).loaded.revision  # type: ignore[union-attr]  # it is loaded
        await b.service.store.let_go([ADA])
        one.hears = True
        one.asked.clear()
        b.service.store.tell(Notice("inbox", ADA))
        await until(lambda: "hold" in one.asked)
        assert (await a.texts("green"))[-1] != "The password?"


async def test_on_postgres_a_turn_in_flight_leaves_nothing_in_any_table(
    tmp_path: Path, postgres_server: Server
) -> None:
    url = postgres_server.database()
    async with on_postgres(tmp_path, url) as (a, b):
        waiting = await reach_outside_call(a, sender="zaphodine")
        receipt = await erase(b, "zaphodine")
        assert receipt["messages"] == 5
        assert receipt["log"] == "operator"
        a.fetcher.gate.set()
        assert (await waiting).json["code"] == "erased"
        a.clock.move(31)
        async with asyncio.timeout(PATIENCE):
            while await asyncio.to_thread(named, url, "zaphodine"):
                for client in (a, b):
                    client.clock.move(0.1)
        assert (await b.texts("tea", sender="zaphodine"))[-1] == "Which tea?"
        assert await asyncio.to_thread(named, url, "zaphodine")


async def test_on_postgres_a_command_beside_the_services_tells_them(tmp_path: Path, postgres_server: Server) -> None:
    url = postgres_server.database()
    async with on_postgres(tmp_path, url) as (a, _):
        await a.texts("tea")
        active_chats = a.service.runner.active_chats
        assert active_chats.take(ADA).loaded is not None
        beside = PostgresStore(url, is_beside=True)
        await beside.open()
        assert (await beside.erase(ADA, 64)).is_done
        beside.tell(Notice("erased", ADA))
        await beside.close()
        await until(lambda: active_chats.take(ADA).loaded is None)
        assert await a.texts("tea") == ["Hello!", "Which tea?"]


def named(url: str, word: str) -> list[str]:
    """Return the tables with a row that holds the word."""
    tables = [name for (name,) in query(url, "select tablename from pg_tables where schemaname = 'dialoom'")]
    return [name for name in tables if query(url, f"select 1 from dialoom.{name} t where t::text like $1", f"%{word}%")]


# -- the chat page


async def test_a_poll_of_the_erased_waits_and_is_sent_to_the_new_chat(client: Client) -> None:
    session = (await client.open()).json
    headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
    path = "/v1/bots/tea/channels/web/web/messages"
    await client.call("POST", path, {"id": "1", "text": "tea"}, headers)
    seen = (await client.call("GET", path, None, headers, {"after": 0})).json["next"]
    poll = in_background(client.call("GET", path, None, headers, {"after": seen, "wait": 20}))
    await until(client.service.hub.count)
    await client.service.erasure.erase("tea", session["user"]["id"])
    assert (await poll).json == {"messages": [], "next": seen, "typing": False}
    await client.call("POST", path, {"id": "2", "text": "tea"}, headers)
    over = await client.call("GET", path, None, headers, {"after": seen + "0"})
    assert (over.status, over.json["code"]) == (401, "session")
    again = (await client.open(resume=session["resume"])).json
    assert again["user"] == session["user"]
    assert [said["text"] for said in again["messages"]] == ["tea", "Hello!", "Which tea?"]


# -- deliveries


async def test_what_stands_in_line_for_its_host_is_not_posted(tmp_path: Path) -> None:
    flow = {
        "conversations": {
            "help": {
                "type": "support",
                "steps": [{"type": "command", "command": "stay-silent 1", "live-agent": "desk"}],
            }
        }
    }
    bot = BOT | {"live-agents": {"desk": "http://127.0.0.1:9/desk"}}
    fetcher = HeldFetcher()
    async with serving(tmp_path, flow, fetcher=fetcher, bot=bot, training={"entity-definitions": []}) as client:
        for number in range(21):
            await client.say("hello", sender=f"user {number}")
        outbox: Outbox = client.service.outbox
        await until(lambda: len(outbox.claims) == 21 and len(fetcher.requests) == 20)
        posted = {
            one["conversation"]["User"]
            for one in (msgspec.json.decode(request.body or b"") for request in fetcher.requests)
        }
        (last,) = {f"user {number}" for number in range(21)} - posted
        assert (await erase(client, last))["deliveries"] == 1
        fetcher.gate.set()
        await outbox.settled()
        assert len(fetcher.requests) == 20
        assert await outbox.counts() == []


async def test_another_process_hears_of_it_by_the_key_alone(tmp_path: Path, tables: DatabaseTables) -> None:
    heard: list[Notice] = []
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, _):
        two.listen(heard.append)
        await a.texts("tea")
        await erase(a)
        await until(lambda: Notice("erased", ADA) in heard)
