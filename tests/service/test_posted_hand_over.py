"""A hand-over to a live agent that has an address: what is posted there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.data.far_ends import Call, far_end
from tests.http.support import BOT, serving
from tests.service.outbox.test_hand_over import handing_over
from tests.service.outbox_process import ReceivingServer

from dialoom.data import Egress, HttpFetcher

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Client


class Office(ReceivingServer):
    def __init__(self) -> None:
        super().__init__()
        self.authorization: list[str | None] = []

    async def __call__(self, call: Call) -> None:
        self.authorization.append(call.headers.get("authorization"))
        await super().__call__(call)


async def hand_over(client: Client) -> None:
    for text in ("tea", "a refund"):
        await client.texts(text)


async def test_a_hand_over_is_posted_with_the_conversation_as_the_history_shows_it(tmp_path: Path) -> None:
    office = Office()
    async with far_end(office) as there:
        bot = BOT | {"live-agents": {"desk": f"{there.url}/in"}}
        async with serving(tmp_path, handing_over(), HttpFetcher(Egress(allow_private=True)), bot=bot) as client:
            await client.texts("hello")
            await hand_over(client)
            await office.has(1)
            (body,) = office.bodies
            assert (body["type"], body["agent"], body["step"]) == ("hand-over", "desk", "tea/2")
            assert body["id"] == office.keys[0]
            (record,) = (await client.history("conversations", query={"Status": "handed-over"})).json
            assert body["conversation"] == record
            assert body["at"] == record["UpdatedAt"]
            messages: list[dict[str, Any]] = (await client.history("messages", sort={"Sequence": 1})).json
            assert body["messages"] == [one for one in messages if one["Conversation"] == record["_id"]]
            assert body["messages"][-1]["Text"] == "Someone will be with you."
            assert office.authorization == [None]


async def test_at_most_fifty_messages_go_along_and_they_are_the_last(tmp_path: Path) -> None:
    office = Office()
    async with far_end(office) as there:
        bot = BOT | {"live-agents": {"desk": there.url}}
        async with serving(tmp_path, handing_over(), HttpFetcher(Egress(allow_private=True)), bot=bot) as client:
            await client.texts("tea")
            for _ in range(30):
                await client.texts("help")
            await client.texts("a refund")
            await office.has(1)
            sequence = [one["Sequence"] for one in office.bodies[0]["messages"]]
            assert len(sequence) == 50
            assert sequence == list(range(sequence[0], sequence[0] + 50))
            assert office.bodies[0]["messages"][-1]["Text"] == "Someone will be with you."


async def test_a_credential_whose_prefix_the_address_begins_with_goes_along(tmp_path: Path) -> None:
    office = Office()
    async with far_end(office) as there:
        bot = BOT | {
            "live-agents": {"desk": f"{there.url}/in"},
            "credentials": {"desk": {"type": "bearer", "token": "of-the-desk", "url-prefix": there.url}},
        }
        async with serving(tmp_path, handing_over(), HttpFetcher(Egress(allow_private=True)), bot=bot) as client:
            await hand_over(client)
            await office.has(1)
            assert office.authorization == ["Bearer of-the-desk"]


async def test_an_agent_without_an_address_is_posted_nowhere(tmp_path: Path) -> None:
    async with serving(tmp_path, handing_over()) as client:
        await hand_over(client)
        assert await client.service.outbox.counts() == []
