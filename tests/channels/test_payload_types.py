"""Payloads of the golden table, against types of the platforms that others wrote."""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
import pytest
from tests.channels.test_golden import CASES, MORE, Table, table
from tests.platform_types.check import Payload, answered, faults, sent

from dialoom.channels import CHANNELS
from dialoom.channels._contract.adaptive_cards import sign_in
from dialoom.channels._contract.channel import UNSET_FIELDS, ShowMore, from_platform
from dialoom.channels.alexa import speech
from dialoom.channels.alexa.interaction_model import model_of
from dialoom.channels.alexa.requests import Attributes
from dialoom.channels.teams import connector, sign_on
from dialoom.channels.teams.activities import Activity
from dialoom.channels.teams.render import as_oauth_card
from dialoom.engine.events import Picked
from dialoom.messages import Profile
from dialoom.service.outbox.channel_posts import Post
from dialoom.service.outbox.signals import Signal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from dialoom.engine.effects import Request
    from dialoom.service.chat.transcript import Spoken
    from dialoom.service.outbox.bot_channel import BotChannel

__all__ = ["table"]  # the fixture
ROUTE = connector.Route("https://smba.trafficmanager.net/emea", "19:meeting", "29:ada", "28:bot")
TYPES = [type for type in CHANNELS if type != "rest"]


async def golden(table: Table, type: str) -> list[Payload]:
    """Return all calls and answers of the table's messages on a channel."""
    place = table.place(type)
    found = []
    for case in CASES:
        spoken = table.said(case, type, "7")
        named = [one async for one in calls(type, spoken, place)] + [*answers(type, spoken, place)]
        found += [Payload(name, value, f"{type} {case.name}") for name, value in named]
    return found


async def calls(type: str, spoken: Spoken, bot_channel: BotChannel) -> AsyncIterator[tuple[str, Any]]:
    channel = CHANNELS[type]
    for body in channel.render((spoken,), bot_channel):
        post = Post("1", "7", None, body, reply_to=connector.encode_route(ROUTE))
        for one in typed(type, await channel.request(post, bot_channel)):
            yield one
    dialog = spoken.message.dialog
    event = from_platform(Picked(**UNSET_FIELDS, profile=Profile("7", type, type), key="1"), "1")
    for at in MORE[type](dialog) if dialog is not None and dialog.options and type in MORE else ():
        for message in ("5", "5:photo"):
            for signal in (
                channel.show_more(ShowMore(event, dialog.key, at, message), spoken, bot_channel) if at else ()
            ):
                for one in typed(type, await channel.signal(signal, bot_channel)):
                    yield one


def typed(type: str, request: Request) -> Iterator[tuple[str, Any]]:
    return sent(type, request.method, urlsplit(request.url).path, json.loads(request.body or b"null"))


def answers(type: str, spoken: Spoken, bot_channel: BotChannel) -> Iterator[tuple[str, Any]]:
    """Yield what answers a call; of speech all that follows with "more"."""
    if type not in ("voice-assistant", "messenger-2"):
        return
    answer = json.loads(CHANNELS[type].answer((spoken,), bot_channel, is_over=False))
    yield from answered(type, 200, answer)
    while type == "voice-assistant" and (kept := answer["sessionAttributes"]):
        answer = json.loads(speech.later_part((spoken,), msgspec.convert(kept, Attributes), bot_channel))
        yield from answered(type, 200, answer)


@pytest.fixture(scope="module")
def payloads(table: Table) -> dict[str, list[Payload]]:
    return {type: asyncio.run(golden(table, type)) for type in CHANNELS if type != "rest"}


def test_types_of_others_take_every_message_of_the_golden_table(
    payloads: dict[str, list[Payload]], tmp_path: Path
) -> None:
    assert all(len(found) >= len(CASES) for found in payloads.values())
    assert faults(itertools.chain(*payloads.values()), tmp_path) == []


async def test_types_of_others_take_the_model_of_a_skill_and_its_progressive_response(
    table: Table, tmp_path: Path
) -> None:
    place = table.place("voice-assistant")
    progress = Signal("ada", b'{"api_endpoint":"https://api.amazonalexa.com","token":"t","request_id":"r"}')
    posted = await CHANNELS["voice-assistant"].signal(progress, place)
    named = [Payload("AlexaModel", model_of(place.bot), "model")]
    named += [Payload(type, value, "progress") for type, value in typed("voice-assistant", posted)]
    assert len(named) == 2
    assert faults(named, tmp_path) == []


async def test_types_of_others_take_the_card_of_single_sign_on_and_the_refusal_of_a_token(
    table: Table, tmp_path: Path
) -> None:
    resource = {
        "signInLink": "https://token.botframework.com/api/oauth/signin?signin=1",
        "tokenExchangeResource": {"id": "1", "uri": "api://botid-1"},
        "tokenPostResource": {"sasUrl": "https://token.botframework.com/1"},
    }
    card = as_oauth_card({"attachments": [sign_in("Sign in", "Go", "https://a.example", "signin")]}, "sso", resource)
    posted = card | {"type": "message", "recipient": {"id": "29:ada"}, "conversation": {"id": "19:meeting"}}
    token = {"id": "1", "connectionName": "sso", "token": "t"}
    where = {"serviceUrl": ROUTE.service, "conversation": {"id": ROUTE.conversation}}
    invoke = msgspec.convert({"type": "invoke", "name": sign_on.EXCHANGE, "value": token, **where}, Activity)
    refused = await sign_on.invoked(invoke, Profile("ada"), ROUTE, table.place("workplace-chat"))
    named = [Payload("TeamsActivity", posted, "card")]
    answer = answered("workplace-chat", refused.reply.status, json.loads(refused.reply.body))
    named += [Payload(type, value, "refusal") for type, value in answer]
    assert len(named) == 2
    assert faults(named, tmp_path) == []


OPEN = ("AlexaAnswer sessionAttributes ", " data ", "TeamsButtonData value ")
"""Below these stand the bot's own words, of any form. What the data of a button says to Teams is a payload of its own."""


def test_a_field_with_another_name_is_refused_wherever_it_stands(
    payloads: dict[str, list[Payload]], tmp_path: Path
) -> None:
    planted: dict[str, Payload] = {}
    for payload in itertools.chain(*payloads.values()):
        for path in fields(payload.value):
            name = f"{payload.type} {' '.join('[]' if isinstance(key, int) else key for key in path)}"
            if name not in planted:
                planted[name] = Payload(payload.type, misspelt(payload.value, path), name)
    refused = {fault.partition(":")[0] for fault in faults(planted.values(), tmp_path)}
    assert [name for name in planted if name not in refused and not any(place in name for place in OPEN)] == []
    assert len(refused) > 100


def fields(value: Any) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of each field of a JSON value."""
    named = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, inner in named:
        if isinstance(key, str):
            yield (key,)
        yield from ((key, *path) for path in fields(inner))


def misspelt(value: Any, path: tuple[str | int, ...]) -> Any:
    """Return the value with one field misspelt."""
    key, *rest = path
    if rest:
        changed = copy.copy(value)
        changed[key] = misspelt(value[key], tuple(rest))
        return changed
    return {f"{name}x" if name == key else name: one for name, one in value.items()}
