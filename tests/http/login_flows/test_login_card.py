"""What the chat page learns of a login: the prompt's card with its link, and the message with which it is done with."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.http.chat.test_web import browser
from tests.http.support import BASE, FLOW, serving

from dialoom.engine.events import LoggedIn
from dialoom.engine.memory import MAX_DEPTH
from dialoom.messages import Profile
from dialoom.service.chat.inbound import InboundEvent
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Client

LOGIN: dict[str, Any] = {
    "entity": "login",
    "messages": ["Please sign in."],
    "acknowledgements": ["Thank you."],
    "display": {"type": "login", "template": {"title": "Sign in"}},
    "oidc": {"issuer": "https://id.example", "client-id": "tea", "client-secret": "secret-of-tea"},
}


def _flow() -> dict[str, Any]:
    flow = copy.deepcopy(FLOW)
    flow["settings"] = {"authentication": LOGIN}
    flow["conversations"]["tea"]["steps"] = [{"type": "message", "protected": True, "messages": ["Your tea."]}]
    return flow


async def land(client: Client, user: str, value: dict[str, Any]) -> None:
    profile = Profile(id=user, channel="web", provider="web")
    event = LoggedIn(id="", now=0, seed=0, profile=profile, value=value)
    ticket = await client.service.runner.submit(ChatKey("tea", "web", user), InboundEvent(event=event))
    await ticket.answer


async def test_the_first_message_after_a_login_and_no_other_shows_it(tmp_path: Path) -> None:
    async with serving(tmp_path, _flow()) as client:
        mine = await browser(client)
        await mine.send(text="tea")
        before = await mine.read()
        dialog = before[-1]["dialog"]
        assert (dialog["type"], dialog["title"]) == ("login", "Sign in")
        assert dialog["url"].startswith(f"{BASE}/v1/account-linking/start?state=")
        assert dialog["key"]
        assert dialog["key"] not in dialog["url"]
        await land(client, mine.session["user"]["id"], {"access_token": "opaque"})
        after = await mine.read(before[-1]["position"])
        assert [(message["text"], message.get("loggedIn")) for message in after] == [
            ("Thank you.", True),
            ("Your tea.", None),
        ]
        assert not any("loggedIn" in message for message in before)


async def test_a_login_that_memory_refuses_leaves_the_card_as_it_was(tmp_path: Path) -> None:
    too_deep: dict[str, Any] = {}
    for _ in range(MAX_DEPTH):
        too_deep = {"more": too_deep}
    async with serving(tmp_path, _flow()) as client:
        mine = await browser(client)
        await mine.send(text="tea")
        user = mine.session["user"]["id"]
        # One that has run out stays in memory, and is no login either.
        for earlier in (None, {"access_token": "old", "expires_at": 1}):
            if earlier is not None:
                await land(client, user, earlier)
            before = await mine.read()
            await land(client, user, {"access_token": "opaque", "more": too_deep})
            after = await mine.read(before[-1]["position"])
            assert after
            assert not any("loggedIn" in message for message in after)
