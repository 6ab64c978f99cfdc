"""Stored data of an older release is taken over: its history is the same, and each of its chats goes on at its step."""

from __future__ import annotations

import asyncio
import json
import tarfile
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from tests.http.login_pages import SECRET, THANKS, Tab, state_of
from tests.postgres import run_script
from tests.upgrade import talks
from tests.upgrade.make import DUMP, HERE, KINDS, MADE, store_in
from tests.upgrade.talks import Calls, Page, say, service, texts

from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.http.support import Client
    from tests.postgres import Server

    from dialoom.storage.store import Store

TAKEN = talks.MOCKS | {
    talks.SECOND: {"GET": {"number": 2}},
    talks.LIST: {"GET": {"$status": 503}},
    talks.PERSON: {"POST": {"$status": 200}},
    talks.REFUSED: {"POST": {"$status": 200}},
    talks.CALLBACK: {"POST": {"$status": 200}},
}
"""What the servers around the bot answer now: they take deliveries, the second call has a result, the list has none."""


class Stored:
    """A copy of the stored data of a release, with what its chats had been told."""

    def __init__(self, folder: Path, database: str | None) -> None:
        self.folder = folder
        self.database = database
        self.made: dict[str, Any] = json.loads((folder / MADE).read_text("utf-8"))

    def store(self) -> Store:
        return store_in(self.folder / "data", self.database)


@pytest.fixture(params=KINDS)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stored]:
    kind: str = request.param
    with tarfile.open(HERE / f"{kind}.tar.gz") as packed:
        packed.extractall(tmp_path, filter="data")
    if kind == "sqlite":
        yield Stored(tmp_path, None)
        return
    server: Server = request.getfixturevalue("postgres_server")
    database = server.database()
    run_script(database, (tmp_path / DUMP).read_text("utf-8"))
    yield Stored(tmp_path, database)
    server.drop(database)


@pytest.fixture
async def client(stored: Stored) -> AsyncIterator[Client]:
    """The service of this release over the stored data, at the moment at which the other one ended."""
    calls, clock = Calls(TAKEN), MovedClock(stored.made["now"])
    async with service(stored.folder, stored.store(), calls, clock=clock) as client:
        yield client


@pytest.fixture
def made(stored: Stored) -> dict[str, Any]:
    return stored.made


async def posted(client: Client, text: str) -> None:
    """Wait until a message with this text was posted to the callback."""
    await until(lambda: any(text.encode() in (one.body or b"") for one in client.fetcher.to(talks.CALLBACK)), client)


async def until(claim: Any, client: Client) -> None:
    """Let time pass until a claim holds, and no more than some minutes."""
    for _ in range(600):
        if claim():
            return
        client.clock.move(0.5)
        await asyncio.sleep(0.005)
    raise AssertionError("did not come true")


def headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bot-Server-Access-Token {token}"}


async def test_each_record_of_the_history_is_the_same_byte_for_byte(client: Client, made: dict[str, Any]) -> None:
    for collection in ("conversations", "messages"):
        records = set((await talks.records(client, collection)).splitlines())
        assert [line for line in made[collection].splitlines() if line not in records] == []


async def test_an_index_of_the_operator_still_finds_imported_records(client: Client) -> None:
    (index,) = await client.service.store.indexes()
    assert (index.property, index.is_ready) == ("Ticket", True)
    (record,) = (await client.history("conversations", query={"Ticket": 4711})).json
    assert (record["_id"], record["Data"]["user"]["FirstName"]) == ("old-1", "Zoë")


async def test_a_user_who_was_erased_stays_erased(client: Client) -> None:
    assert (await client.history("conversations", query={"User": "mia"})).json == []


async def test_an_open_question_is_answered_on_the_version_that_asked_it(client: Client) -> None:
    for text in ("anything", "yes"):
        last = await texts(client, "pat", text)
    assert last == ["First order 7: Green."]


async def test_a_confirmation_is_answered_and_the_order_placed_once(client: Client) -> None:
    assert await texts(client, "dan", "yes") == ["Second order 7: Black."]
    assert len(client.fetcher.to(talks.ORDER)) == 1


async def test_a_goal_that_was_put_off_by_a_digression_goes_on(client: Client) -> None:
    assert await texts(client, "leo", "Mint") == ["The password?"]


async def test_quick_replies_go_on_at_their_page(client: Client, made: dict[str, Any]) -> None:
    assert made["replies"] == ["Fennel", "Green", "Mint", "Prev 5"]
    assert (await say(client, "ben", "Prev 5"))[-1]["quickReplies"] == [*talks.TEAS[:5], "Next 5"]


async def test_the_last_good_list_of_an_endpoint_that_is_down_is_known(client: Client) -> None:
    assert await texts(client, "cat", "large") == ["A Large one."]


async def test_a_picker_page_of_then_takes_its_answer(client: Client, made: dict[str, Any]) -> None:
    path = urlsplit(made["picker"]).path
    answer = await client.call("POST", path, {"option": {"value": "2026-12-01"}})
    assert answer.status == 200, answer.body
    await posted(client, "On 2026.12.01.")


async def test_a_login_link_that_nobody_opened_yet_leads_to_a_login(client: Client, made: dict[str, Any]) -> None:
    tab = Tab(client)
    assert (await tab.get(made["prompted"])).status == 303
    assert (await tab.back(state_of(made["prompted"]))).status == 200
    await posted(client, SECRET)


async def test_a_login_that_was_with_the_provider_comes_back(client: Client, made: dict[str, Any]) -> None:
    assert (await Tab(client).back(state_of(made["begun"]))).status == 200
    await posted(client, THANKS)


async def test_a_login_that_waits_for_its_code_takes_it(client: Client, made: dict[str, Any]) -> None:
    page = Page(client, made["coded"])
    await page.send("2", text=made["code"])
    assert [one["text"] for one in await page.read()][-2:] == [THANKS, SECRET]


async def test_a_login_of_then_is_still_a_login(client: Client) -> None:
    assert await texts(client, "hal", "again") == ["Yours again."]


async def test_a_session_of_the_chat_page_goes_on_with_its_messages_and_files(
    client: Client, made: dict[str, Any]
) -> None:
    page = Page(client, made["page"])
    shown = await page.read()
    files = [message["files"][0]["url"] for message in shown if "files" in message]
    assert _without_addresses(shown) == _without_addresses(made["shown"])
    assert [await talks.fetch(client, url) for url in (*files, made["files"][0]["url"])] == [talks.PNG] * 2
    await page.send("3", text="the garden")
    assert (await page.read())[-1]["text"] == "leaf.png of the garden."
    again = await client.open(resume=made["page"]["resume"])
    assert again.json["user"] == made["page"]["user"]


async def test_a_file_that_no_message_had_named_can_be_sent(client: Client, made: dict[str, Any]) -> None:
    page = Page(client, made["page"])
    await page.send("3", files=[made["files"][1]["id"]])
    (url,) = [m["files"][0]["url"] for m in await page.read() if m.get("clientId") == "3"]
    assert await talks.fetch(client, url) == b"later"


async def test_a_token_still_opens_the_history_and_a_revoked_one_does_not(client: Client, made: dict[str, Any]) -> None:
    for token, status in ((made["tokens"]["read"], 200), (made["tokens"]["revoked"], 401)):
        assert (await client.call("GET", "/v1/bots/tea/conversations", None, headers(token))).status == status


async def test_deliveries_that_waited_are_made(client: Client) -> None:
    await posted(client, SECRET)
    await until(lambda: client.fetcher.to(talks.PERSON), client)
    (post,) = client.fetcher.to(talks.PERSON)
    assert json.loads(post.body or b"")["conversation"]["User"] == "jan"


async def test_a_dead_letter_can_be_resent(client: Client, made: dict[str, Any]) -> None:
    (letter,) = await client.service.outbox.dead("tea")
    assert letter.id == made["dead"]
    assert await client.service.outbox.resend("tea", [letter.id]) == 1
    await until(lambda: client.fetcher.to(talks.REFUSED), client)


async def test_a_turn_that_the_end_cut_off_is_run_again_without_the_call_that_had_its_result(client: Client) -> None:
    again = await client.say("calls", sender="oz", id="calls")
    for _ in range(600):
        if again.status != 409:  # the service may be at it by itself
            break
        await asyncio.sleep(0.01)
        again = await client.say("calls", sender="oz", id="calls")
    assert again.status == 200, again.body
    assert [one["text"] for one in again.json] == ["Hello!", "1 and 2."]
    assert (len(client.fetcher.to(talks.FIRST)), len(client.fetcher.to(talks.SECOND))) == (0, 1)


async def test_a_message_that_was_answered_gets_the_same_answer_again(client: Client, made: dict[str, Any]) -> None:
    assert (await client.say("help", sender="amy", id="again")).body.decode() == made["answered"]


async def test_the_bot_stays_silent_until_the_time_of_then_and_speaks_after_it(client: Client) -> None:
    assert await texts(client, "jan", "hello?") == []
    client.clock.move(60 * talks.SILENT_MINUTES)
    assert (await texts(client, "jan", "help"))[0] == "Say tea."


async def test_a_session_times_out_at_its_time(client: Client) -> None:
    client.clock.move(60 * talks.SESSION_MINUTES)
    for _ in range(400):
        (record,) = (await client.history("conversations", query={"User": "dan"})).json
        if record["Status"] != "active":
            break
        client.clock.move(0.1)
        await asyncio.sleep(0.005)
    assert record["Status"] == "abandoned"


def _without_addresses(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each reading signs the addresses of files again."""
    return [{name: value for name, value in message.items() if name != "files"} for message in messages]
