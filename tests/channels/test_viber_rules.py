"""What Viber's callbacks must prove, what they and the answers mean, and that what is sent keeps its limits."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.channels.drawn_messages import spoken
from tests.http.support import BOT, serving

from dialoom.channels.viber.channel import CHANNEL
from dialoom.channels.viber.events import Callback, said_of
from dialoom.channels.viber.render import joined, messages_of
from dialoom.engine.events import Attached, Located, Picked, Response, Said
from dialoom.flow import Bot
from dialoom.flow.model import BotFile, FlowFile, TrainingFile
from dialoom.messages import Profile
from dialoom.testing.platforms.messenger_2.message_shapes import (
    MAX_MESSAGE_BYTES,
    MESSAGE,
    button_faults,
    needed_level,
    with_action_types,
)
from dialoom.testing.platforms.shapes import faults

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.http.support import Client

    from dialoom.service.chat.transcript import Spoken

TOKEN = "445da6az-token-of-the-account"
BOTS = BOT | {
    "channels": [
        *BOT["channels"],
        {"id": "vb", "type": "messenger-2", "auth-token": TOKEN},
        {"id": "unset", "type": "messenger-2"},
    ]
}
CALLS, UNSET = "/v1/bots/tea/channels/vb/messenger-2", "/v1/bots/tea/channels/unset/messenger-2"
USER = {"id": "01234567890A=", "name": "Ada"}
SAID = {"event": "message", "message_token": 1, "sender": USER, "message": {"type": "text", "text": "tea"}}
BODY = json.dumps(SAID).encode()


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, bot=BOTS) as made:
        yield made


def signed(body: bytes, secret: str = TOKEN, kind: Any = hashlib.sha256) -> str:
    return hmac.new(secret.encode(), body, kind).hexdigest()


FORGED: dict[str, str | None] = {
    "no signature": None,
    "an empty one": "",
    "a shorter hash": signed(BODY, kind=hashlib.sha1),
    "that of another body": signed(BODY + b" "),
    "another account's token": signed(BODY, "token-of-another"),
    "the token itself": TOKEN,
    "half of it": signed(BODY)[:32],
    "signs that are no hexadecimal": "é" * 64,
}


@pytest.mark.parametrize("header", FORGED.values(), ids=FORGED)
async def test_a_forged_callback_is_refused_and_leaves_nothing(client: Client, header: str | None) -> None:
    headers = {} if header is None else {"X-Viber-Content-Signature": header}
    answer = await client.call("POST", CALLS, BODY, headers)
    assert (answer.status, answer.json["code"]) == (401, "bad-signature")
    assert (await client.history("conversations/_count")).json == {"count": 0}


async def test_the_signature_of_the_body_is_taken_and_a_channel_without_a_token_takes_none(client: Client) -> None:
    assert (await client.call("POST", CALLS, BODY, {"X-Viber-Content-Signature": signed(BODY)})).status == 200
    assert (await client.call("POST", UNSET, BODY, {"X-Viber-Content-Signature": signed(BODY, "")})).status == 404


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (b"{", 0),
        (b"[7]", 0),
        (json.dumps(SAID | {"sender": {"id": 7}}).encode(), 0),
        (json.dumps(SAID | {"context": 7, "silent": "no"}).encode(), 1),
        (json.dumps(SAID | {"message": {"type": "text", "text": "tea", "contact": [], "location": {}}}).encode(), 1),
    ],
)
async def test_a_field_of_a_wrong_type_is_left_out_and_what_cannot_be_read_is_not_asked_for_again(
    client: Client, body: bytes, count: int
) -> None:
    assert (await client.call("POST", CALLS, body, {"X-Viber-Content-Signature": signed(body)})).status == 200
    assert (await client.history("conversations/_count")).json == {"count": count}


async def test_a_get_is_not_allowed(client: Client) -> None:
    answer = await client.call("GET", CALLS, query={"hub.mode": "subscribe", "hub.challenge": "7"})
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


def read(message: dict[str, Any], silent: bool = False) -> list[tuple[Any, ...]]:
    """Return what a message says."""
    callback = msgspec.convert({**SAID, "message": message, "silent": silent}, Callback)
    found: list[tuple[Any, ...]] = []
    for one in said_of(callback, Profile(id="a")):
        event = one.inbound.event
        if isinstance(event, Said):
            found.append(("said", event.text))
        elif isinstance(event, Picked):
            found.append(("picked", event.key))
        elif isinstance(event, Attached):
            found.append(("files", [file.address for file in one.inbound.remote_files], event.text))
        else:
            assert isinstance(event, Located)
            found.append(("located", event.latitude, event.longitude))
    return found


SENT: list[tuple[dict[str, Any], list[tuple[Any, ...]]]] = [
    ({"type": "text", "text": "tea"}, [("said", "tea")]),
    ({"type": "text", "text": "3.1"}, [("said", "3.1")]),
    ({"type": "text", "text": "dialoom:3.1", "tracking_data": "x"}, [("picked", "3.1")]),
    ({"type": "location", "location": {"lat": 52.5, "lon": 13}}, [("located", 52.5, 13)]),
    ({"type": "contact", "contact": {"name": "Ben", "phone_number": "+491"}}, [("said", "+491")]),
    ({"type": "url", "media": "https://a.example"}, [("said", "https://a.example")]),
    ({"type": "sticker", "sticker_id": 46105}, [("said", "")]),
    (
        {"type": "picture", "media": "https://a.example/l.png", "text": "my leaf"},
        [("files", ["https://a.example/l.png"], "my leaf")],
    ),
    ({"type": "video", "media": "https://a.example/l.mp4"}, [("files", ["https://a.example/l.mp4"], "")]),
    ({"type": "picture", "media": "file:///etc/passwd"}, [("said", "")]),
    ({"type": "rich_media"}, [("said", "")]),
]


@pytest.mark.parametrize(("message", "expected"), SENT)
def test_what_a_user_sends_is_an_event(message: dict[str, Any], expected: list[tuple[Any, ...]]) -> None:
    assert read(message) == expected


def test_a_silent_message_is_a_tap_or_the_address_that_a_button_opened() -> None:
    assert read({"type": "text", "text": "dialoom:3.1"}, silent=True) == [("picked", "3.1")]
    assert read({"type": "text", "text": "https://bots.example/start"}, silent=True) == []


@pytest.mark.parametrize("event", ["delivered", "seen", "failed", "subscribed", "unsubscribed", "webhook", "new-one"])
async def test_other_callbacks_are_taken_and_say_nothing(client: Client, event: str) -> None:
    body = json.dumps({"event": event, "message_token": 5, "user_id": "a", "user": USER, "desc": "why"}).encode()
    answer = await client.call("POST", CALLS, body, {"X-Viber-Content-Signature": signed(body)})
    assert (answer.status, answer.body) == (200, b"")
    assert (await client.history("conversations/_count")).json == {"count": 0}


@pytest.mark.parametrize(
    ("status", "what"),
    [(0, "done"), (12, "again"), (5, "gone"), (6, "gone"), (2, "never"), (3, "never"), (10, "never"), (13, "never")],
)
def test_an_answer_means_what_its_status_says(status: int, what: str) -> None:
    body = json.dumps({"status": status, "status_message": "words of the platform"}).encode()
    verdict = CHANNEL.judge("https://v.example", Response(200, body=body), 0)
    assert verdict.what == what
    assert ("words of the platform" in verdict.reason) == (status != 0)


@pytest.mark.parametrize(
    ("status", "body", "what"), [(200, b'{"sta', "again"), (502, b"", "again"), (404, b"", "never")]
)
def test_what_is_no_answer_of_the_api_comes_again_or_counts_by_its_status(status: int, body: bytes, what: str) -> None:
    assert CHANNEL.judge("https://v.example", Response(status, body=body), 0).what == what


BOT_OF_A_LONG_NAME = Bot(
    BotFile(id="tea", name="The tea house of many kinds by the river", avatar="https://p.example/a.png"),
    FlowFile(conversations={}),
    TrainingFile(),
    "",
)
_drawing = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def refused(message: dict[str, Any]) -> list[Any]:
    """Return what the platform finds wrong with a message."""
    whole = with_action_types(message)
    found: list[Any] = [*faults(whole, MESSAGE), *button_faults(whole)]
    level, part = needed_level(whole)
    if level > message.get("min_api_version", 1):
        found.append(part)
    if len(msgspec.json.encode({"receiver": "0123456789Abcdefghij==", **message})) > MAX_MESSAGE_BYTES:
        found.append("too large")
    return found


@_drawing
@given(spoken())
def test_whatever_is_said_keeps_the_platform_s_limits(said: Spoken) -> None:
    messages = messages_of(said, BOT_OF_A_LONG_NAME)
    assert [refused(message) for message in messages] == [[]] * len(messages)
    assert all(message["text"].strip() for message in messages)


@_drawing
@given(st.lists(spoken(), max_size=4))
def test_whatever_a_welcome_joins_keeps_the_platform_s_limits(said: list[Spoken]) -> None:
    message = joined(said, BOT_OF_A_LONG_NAME)
    assert message is None or (refused(message) == [] and message["text"].strip())


@pytest.fixture(scope="module")
def calling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A service for all examples, and how its webhook answers a body."""
    with asyncio.Runner() as runner, ExitStack() as stack:
        opened = serving(tmp_path_factory.mktemp("drawn"), bot=BOTS, rate_user="off", rate_address="off")
        client = runner.run(opened.__aenter__())
        stack.callback(lambda: runner.run(opened.__aexit__(None, None, None)))

        def call(body: bytes) -> int:
            return runner.run(client.call("POST", CALLS, body, {"X-Viber-Content-Signature": signed(body)})).status

        yield call


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
people = st.fixed_dictionaries({"id": st.text(max_size=300)}, optional={"name": st.text() | anything})
contents = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "location", "contact", "sticker", "url", "video", "x"])},
    optional={"text": st.text(), "location": anything, "contact": anything, "media": st.text()},
)
callbacks = st.fixed_dictionaries(
    {"event": st.sampled_from(["message", "conversation_started", "failed", "seen", "subscribed"]) | anything},
    optional={
        "message_token": st.integers(0, 9) | anything,
        "sender": people | anything,
        "user": people,
        "message": contents | anything,
        "context": st.text(),
        "silent": st.booleans(),
        "subscribed": st.booleans(),
    },
)
bodies = st.binary(max_size=40) | anything.map(json.dumps).map(str.encode) | callbacks.map(json.dumps).map(str.encode)


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=bodies)
def test_no_body_is_a_fault_of_the_service(calling: Any, body: bytes) -> None:
    assert calling(body) < 500
