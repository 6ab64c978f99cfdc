"""Records as history-api.md describes them, also where values of memory could slip in."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import msgspec
from tests.http.support import BASE, BOT, FLOW, Client, serving, write_bot
from tests.service.process_stores import until

from dialoom.auth.vault import Vault
from dialoom.data.egress import Egress
from dialoom.data.fetcher import HttpFetcher
from dialoom.messages import BotMessage, Dialog, MessageRecord, Option
from dialoom.service.bots.masking import Masking
from dialoom.service.chat.transcript import Spoken, said_again
from dialoom.storage.store import ChatKey, StoredMessage

if TYPE_CHECKING:
    from pathlib import Path

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"


async def turn_done(client: Client, session: dict[str, Any]) -> None:
    """Wait for the turn of the opening event: a session is answered once the event is durable."""
    key = ChatKey("tea", "web", session["user"]["id"])
    await until(lambda: not client.service.runner.is_typing(key))


async def test_the_error_of_a_failed_call_holds_no_value_of_memory(tmp_path: Path) -> None:
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["tea"]["steps"][2]["data-source"] = {"endpoint": "http://127.0.0.1:1/tea/{{password}}"}
    fetcher = HttpFetcher(Egress(allow_private=True, allowed_hosts=frozenset(), own_addresses=frozenset()))
    async with serving(tmp_path, flow, fetcher) as client:
        for text in ("tea", "green", "hunter2"):
            await client.texts(text)
        (failed,) = (await client.history("messages", query={"Error": {"$ne": None}})).json
        assert failed["Error"].startswith("tea/2: ")
        assert "127.0.0.1" in failed["Error"]
        assert b"hunter2" not in (await client.history("messages")).body


async def test_a_jwt_in_the_profile_is_masked(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        headers = {"Authorization": "Bearer rest-token-of-tea"}
        body = {"sender": {"id": "ada", "name": f"Ada {JWT}"}, "message": {"text": "tea"}}
        await client.call("POST", f"/v1/bots/tea/channels/rest/rest/{JWT}", body, headers)
        (record,) = (await client.history("conversations")).json
        assert (record["Data"]["user"]["LastName"], record["Data"]["channel"]["Name"]) == ("***", "***")


async def test_a_record_that_another_release_wrote_is_masked_anew(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        await client.say("tea", context={"apiKey": "hunter2"})
        live = client.service.runner.active_chats.find(ChatKey("tea", "rest", "ada"))
        assert live is not None
        assert live.loaded is not None
        kept = live.loaded.kept
        assert kept.record is not None
        data = msgspec.structs.replace(kept.record.data, context={"apiKey": "hunter2"})
        kept = msgspec.structs.replace(kept, release="0.0.0", record=msgspec.structs.replace(kept.record, data=data))
        live.loaded = msgspec.structs.replace(live.loaded, kept=kept)
        await client.say("green")
        (record,) = (await client.history("conversations")).json
        assert record["Data"]["context"] == {"apiKey": "***"}


async def test_a_new_record_takes_the_new_version_and_a_running_one_ends_on_its_own(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        await client.texts("tea", sender="runs")
        await client.texts("tea", sender="restarts")
        flow = copy.deepcopy(FLOW)
        flow["conversations"]["welcome"]["steps"][0]["messages"] = ["Hello from the new version!"]
        flow["conversations"]["help"]["steps"][0]["messages"] = ["Say tea to the new version."]
        flow["conversations"]["tea"]["steps"][1]["messages"] = ["The new password?"]
        new = await client.service.publish(write_bot(tmp_path / "tea", BOT, flow))
        assert await client.texts("green", sender="runs") == ["The password?"]
        assert await client.texts("restart", sender="restarts") == ["Say tea to the new version."]
        await client.texts("tea", sender="restarts")
        versions = [record["FlowVersion"] for record in (await client.history("conversations")).json]
        assert versions[0] == versions[1] != versions[2] == new.version


async def test_a_cleared_web_chat_begins_on_the_new_version(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        session = (await client.open()).json
        flow = copy.deepcopy(FLOW)
        flow["conversations"]["welcome"]["steps"][0]["messages"] = ["Hello from the new version!"]
        new = await client.service.publish(write_bot(tmp_path / "tea", BOT, flow))
        await client.open(resume=session["resume"], clear=True)
        await turn_done(client, session)
        old, fresh = (await client.history("conversations")).json
        assert old["EndedAt"] is not None
        assert fresh["FlowVersion"] == new.version
        headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
        messages = (await client.call("GET", "/v1/bots/tea/channels/web/web/messages", None, headers)).json["messages"]
        assert messages[-1]["text"] == "Hello from the new version!"


async def test_a_returning_user_is_welcomed_in_a_new_session(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        session = (await client.open()).json
        assert "resume" not in (await client.open(resume=session["resume"])).json
        client.clock.move(1441 * 60)
        again = (await client.open(resume=session["resume"])).json
        await turn_done(client, session)  # a timer that came due with it may have its turn first
        assert [message["text"] for message in again["messages"]] == ["Hello!"]
        headers = {"Authorization": f"Bearer {again['token']}", "Origin": BASE}
        messages = (await client.call("GET", "/v1/bots/tea/channels/web/web/messages", None, headers)).json["messages"]
        # The first greeting is older than a day: upkeep may have forgotten it already.
        assert [message["text"] for message in messages] in (["Hello!"], ["Hello!", "Hello!"])
        records = (await client.history("conversations")).json
        assert [record["Status"] for record in records] == ["closed", "active"]


async def test_the_users_message_is_as_old_as_its_arrival(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        await client.texts("tea")
        (record,) = (await client.history("conversations")).json
        first, *_ = (await client.history("messages")).json
        assert record["StartedAt"] == first["CreatedAt"] <= record["UpdatedAt"]


def test_a_message_of_the_bot_is_read_again_as_it_was_said_and_a_masked_one_at_least_as_its_text() -> None:
    said = BotMessage(
        "Which?", dialog=Dialog("single-select", "Open", "Submit", (Option("Green", {"value": 1}, "4.0"),), key="4")
    )
    payload = msgspec.to_builtins(said)
    payload.pop("text")
    assert _said_again(_stored("Which?", payload)) == Spoken("m1", said)
    assert _said_again(_stored(None, None)) == Spoken("m1", BotMessage())
    masked = Masking("options").value(payload)
    assert _said_again(_stored("Which?", masked)) == Spoken("m1", BotMessage("Which?"))


def _said_again(stored: StoredMessage) -> Spoken:
    return said_again(Vault.from_keys([b"k" * 32]), ChatKey("b", "c", "u"), stored)


def _stored(text: str | None, payload: Any) -> StoredMessage:
    record = MessageRecord(
        id="m1", bot="b", conversation="c", user="u", channel="rest", from_="bot", type="template", text=text,
        payload=payload, created_at="2026-11-20T08:15:30.250Z", sequence=1,
    )  # fmt: skip
    return StoredMessage(1, record)


async def test_a_masked_value_that_the_bot_says_is_masked_in_its_text_too(tmp_path: Path) -> None:
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["tea"]["steps"][2] = {"type": "message", "messages": ["I have noted {{password}}."]}
    async with serving(tmp_path, flow) as client:
        said = [text for words in ("tea", "green", "hunter2") for text in await client.texts(words)]
        assert "I have noted hunter2." in said
        assert b"hunter2" not in (await client.history("messages")).body
        assert b"I have noted ***." in (await client.history("messages")).body
