"""*Did you mean* on every channel that is read: what is offered is shown, and the open question's own options below it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.channels.test_golden import TYPES, channel_of, stand_ins, strings
from tests.engine.talking import goal, keywords, q, quick, say, support, trait
from tests.http.support import serving

from dialoom.channels import CHANNELS
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages.plain import plain_title
from dialoom.service.chat.transcript import Spoken, said_again
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Client

SELECT = {"type": "single-select", "title": "Countries", "data": ["Bulgaria", "Germany"]}
NAMES = ["Block a card that was lost", "Unblock a card that was found again, wherever that was"]
FLOW = {
    "conversations": {
        "help": support(say("Say card.")),
        "block": support(say("Blocked."), name=NAMES[0]),
        "unblock": support(say("Unblocked."), name=NAMES[1]),
        "nothing": goal(say("Done.")),
        "replies": goal(q("amount", "Number", "How much?", display=quick(*map(str, range(100, 108))))),
        "select": goal(q("country", "Country", "Where?", display=SELECT)),
    },
    "settings": {"understanding": {"ask": 0.1, "threshold": 1}},
}
WISHES = trait(
    block=["block my card", "I lost my card", "freeze the card please"],
    unblock=["unblock my card", "I found my card", "lift the block on the card"],
    nothing=["nothing open"],
    replies=["pay some money"],
    select=["travel abroad"],
)
TRAINING = {"entity-definitions": [WISHES, keywords("Country", Bulgaria=[], Germany=[])]}
OPENED = {"nothing": "nothing open", "replies": "pay some money", "select": "travel abroad"}


class Asked(NamedTuple):
    client: Client
    spoken: dict[str, Spoken]
    """By what is open."""


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return asyncio.run(_ask(tmp_path_factory.mktemp("offered")))


async def _ask(folder: Path) -> Asked:
    platforms = stand_ins()
    channels = [
        {"id": "rest", "type": "rest", "token": "rest-token-of-tea"},
        *(channel_of(type, platforms.get(type)) for type in CHANNELS if type != "rest"),
    ]
    bot = {"id": "tea", "access-token": "history-token-of-tea", "channels": channels}
    async with serving(folder, FLOW, bot=bot, training=TRAINING) as client:
        spoken = {}
        for name, said in OPENED.items():
            for text in (said, "my card and the block"):
                assert (await client.say(text, sender=name)).status == 200
            key = ChatKey("tea", "rest", name)
            [stored] = await client.service.store.last_said(key, 1)
            spoken[name] = said_again(client.service.vault, key, stored)
        return Asked(client, spoken)


@pytest.mark.parametrize("type", [type for type in TYPES if not CHANNEL_ROWS[type].is_spoken])
@pytest.mark.parametrize("name", OPENED)
def test_every_channel_shows_what_is_offered_and_the_options_of_the_open_question(
    asked: Asked, type: str, name: str
) -> None:
    service = asked.client.service
    deployed = service.bots.active("tea")
    assert deployed is not None
    channel = deployed.channel(type)
    assert channel is not None
    spoken = service.addresses.put_in(ChatKey("tea", type, "7"), asked.spoken[name])
    replies, dialog = spoken.message.replies, spoken.message.dialog
    assert [reply.title for reply in replies[:3]] in ([*NAMES, "Neither"], [*NAMES[::-1], "Neither"])
    assert (len(replies), dialog is not None) == {"nothing": (3, False), "replies": (9, False), "select": (3, True)}[
        name
    ]
    rendered = CHANNELS[type].render((spoken,), service.bot_channels.of(deployed.bot, channel))
    shown = [text for body in rendered for text in strings(json.loads(body))]
    for option in replies:
        assert any(option.key in text or plain_title(option.title)[:5] in text for text in shown), option.title
    if dialog is not None:
        ways = ("Countries", "Germany", *filter(None, (spoken.picker,)))
        assert any(way in text for way in ways for text in shown)
