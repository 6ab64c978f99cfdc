"""What Messenger's calls must prove, what its events and refusals mean, and that what is sent keeps its limits."""

from __future__ import annotations

import asyncio
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

from dialoom.channels._contract.channel import UNSET_FIELDS, Inbound, from_platform
from dialoom.channels.messenger.channel import CHANNEL
from dialoom.channels.messenger.events import Event, events_of
from dialoom.channels.messenger.render import messages_of
from dialoom.engine.events import Began, Located, Picked, Response, Said
from dialoom.errors import RequestError
from dialoom.http.chat.calls import ChannelCalls
from dialoom.http.server.limits.rates import Rates
from dialoom.messages import Profile
from dialoom.storage.store import ChatKey
from dialoom.testing.platforms.messenger_1.errors import GraphError
from dialoom.testing.platforms.messenger_1.graph_api import check_message
from dialoom.testing.platforms.messenger_1.message_shapes import SEND
from dialoom.testing.platforms.shapes import faults

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.http.support import Client

    from dialoom.service.chat.transcript import Spoken

SECRET, TOKEN = "secret-of-the-app", "said-when-the-webhook-is-set"
FB = {
    "id": "fb",
    "type": "messenger-1",
    "page-id": "page",
    "app-secret": SECRET,
    "page-token": "EAAB",
    "verify-token": TOKEN,
}
BOTS = BOT | {"channels": [*BOT["channels"], FB, {"id": "unset", "type": "messenger-1"}]}
CALLS, UNSET = "/v1/bots/tea/channels/fb/messenger-1", "/v1/bots/tea/channels/unset/messenger-1"
SAID = {"sender": {"id": "9"}, "timestamp": 1, "message": {"mid": "m1", "text": "tea"}}
BODY = json.dumps({"object": "page", "entry": [{"id": "page", "messaging": [SAID]}]}).encode()


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, bot=BOTS) as made:
        yield made


def signed(body: bytes, secret: str = SECRET, kind: str = "sha256") -> str:
    return f"{kind}={hmac.new(secret.encode(), body, kind).hexdigest()}"


FORGED: dict[str, str | None] = {
    "no signature": None,
    "an empty one": "",
    "the name of the hash alone": "sha256=",
    "no name of the hash": signed(BODY).removeprefix("sha256="),
    "the older hash": signed(BODY, kind="sha1"),
    "that of another body": signed(BODY + b" "),
    "another app's secret": signed(BODY, "secret-of-another"),
    "the page's token as the secret": signed(BODY, "EAAB"),
    "capitals": signed(BODY).upper(),
    "half of it": signed(BODY)[:40],
    "signs that are no hexadecimal": "sha256=" + "é" * 64,
}


@pytest.mark.parametrize("header", FORGED.values(), ids=FORGED)
async def test_a_forged_call_is_refused_and_leaves_nothing(client: Client, header: str | None) -> None:
    headers = {} if header is None else {"X-Hub-Signature-256": header}
    answer = await client.call("POST", CALLS, BODY, headers)
    assert (answer.status, answer.json["code"]) == (401, "bad-signature")
    assert (await client.history("conversations/_count")).json == {"count": 0}


async def test_the_signature_of_the_body_is_taken(client: Client) -> None:
    assert (await client.call("POST", CALLS, BODY, {"X-Hub-Signature-256": signed(BODY)})).status == 200


async def test_without_the_pages_token_messages_are_taken_and_nobody_is_asked_who_wrote_them(tmp_path: Path) -> None:
    keys = {key: value for key, value in FB.items() if key != "page-token"}
    async with serving(tmp_path, bot=BOT | {"channels": [*BOT["channels"], keys]}) as made:
        assert (await made.call("POST", CALLS, BODY, {"X-Hub-Signature-256": signed(BODY)})).status == 200
        assert (await made.history("conversations/_count")).json == {"count": 1}


class FullOnce(Rates):
    """Refuses one message, as where the queue of a chat is full at that moment."""

    is_full = True

    def user(self, key: ChatKey) -> None:
        if self.is_full:
            self.is_full = False
            raise RequestError("too-many-waiting", "Later.")


async def test_what_is_behind_a_message_that_comes_again_waits_for_it(client: Client) -> None:
    service = client.service
    deployed = service.bots.active("tea")
    assert deployed is not None
    (channel,) = (one for one in deployed.bot.channels if one.id == "fb")
    calls = ChannelCalls(service, FullOnce(service.settings, service.metrics))
    place = service.bot_channels.of(deployed.bot, channel)
    events = [from_platform(Said(**UNSET_FIELDS, profile=PERSON, text=text), text) for text in ("tea", "Mint")]
    with pytest.raises(RequestError):
        await calls.submit(CHANNEL, Inbound(events), place)
    assert await service.store.chat(ChatKey("tea", "fb", "9")) is None


ASKED = {"hub.mode": "subscribe", "hub.verify_token": TOKEN, "hub.challenge": "1158201444"}


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 200),
        ({"hub.verify_token": "another"}, 401),
        ({"hub.verify_token": ""}, 401),
        ({"hub.verify_token": "é"}, 401),
        ({"hub.mode": "unsubscribe"}, 401),
    ],
)
async def test_the_webhook_proves_itself_by_the_verify_token(
    client: Client, changed: dict[str, str], status: int
) -> None:
    answer = await client.call("GET", CALLS, query=ASKED | changed)
    assert answer.status == status
    assert (answer.body == b"1158201444") == (status == 200)


async def test_other_addresses_make_no_such_proof(client: Client) -> None:
    assert (await client.call("GET", CALLS.replace("/fb/", "/web/"), query=ASKED)).status == 404
    assert (await client.call("GET", UNSET, query=ASKED)).status == 404
    assert (await client.call("POST", UNSET, BODY, {"X-Hub-Signature-256": signed(BODY, "")})).status == 404


PERSON = Profile(id="9")


def read(**content: Any) -> list[Any]:
    """Return the events of one messaging event, without what all have."""
    event = msgspec.convert({"sender": {"id": "9"}, "timestamp": 7, **content}, Event)
    return [one.inbound.event for one in events_of(event, PERSON)]


def meant(event: Any) -> tuple[Any, ...]:
    if isinstance(event, Said):
        return ("said", event.text)
    if isinstance(event, Picked):
        return ("picked", event.key)
    if isinstance(event, Located):
        return ("located", event.latitude, event.longitude)
    assert isinstance(event, Began)
    return ("began", event.context.get("referral"))


def attached(kind: str, **payload: Any) -> dict[str, Any]:
    return {"mid": "m", "attachments": [{"type": kind, "payload": payload}]}


LIKE = 369239263222822
SENT: list[tuple[dict[str, Any], tuple[Any, ...] | None]] = [
    ({"message": {"mid": "m", "text": "tea"}}, ("said", "tea")),
    ({"message": {"mid": "m", "text": "Mint", "quick_reply": {"payload": "3.1"}}}, ("picked", "3.1")),
    (
        {"message": {"mid": "m", "text": "Opening…", "quick_reply": {"payload": "=Opening hours"}}},
        ("said", "Opening hours"),
    ),
    ({"message": {"mid": "m", "text": "tea", "is_echo": True}}, None),
    ({"message": attached("location", coordinates={"lat": 52.5, "long": 13})}, ("located", 52.5, 13)),
    ({"message": attached("image", url="https://a.example/l.png", sticker_id=LIKE)}, ("said", "👍")),
    ({"message": attached("sticker", sticker_id=LIKE)}, ("said", "👍")),
    ({"message": attached("sticker", sticker_id="12", url="https://a.example/s.png")}, ("said", "")),
    ({"message": attached("sticker")}, ("said", "")),
    ({"message": {"mid": "m", "attachments": [{"type": "fallback"}]}}, ("said", "")),
    ({"message": attached("fallback", url="https://a.example/page")}, ("said", "https://a.example/page")),
    ({"message": attached("reel", url="https://a.example/reel")}, ("said", "https://a.example/reel")),
    ({"postback": {"mid": "m", "title": "Take", "payload": "3.1"}}, ("picked", "3.1")),
    ({"postback": {"title": "Opening hours", "payload": "MENU_7"}}, ("said", "Opening hours")),
    ({"postback": {"title": "Get Started", "payload": "dialoom:get-started"}}, ("began", None)),
    (
        {"postback": {"title": "Go", "payload": "dialoom:get-started", "referral": {"ref": "poster"}}},
        ("began", "poster"),
    ),
    ({"referral": {"ref": "poster", "source": "SHORTLINK"}}, ("began", "poster")),
    ({"referral": {"source": "ADS"}}, ("began", None)),
    ({"referral": {"ref": "login"}}, None),
    ({"message_edit": {"mid": "m", "text": "Mint", "num_edit": 2}}, ("said", "Mint")),
    ({"reaction": {"mid": "m", "emoji": "❤"}}, None),
    ({"read": {"watermark": 1}}, None),
    ({"delivery": {"mids": ["m"]}}, None),
    ({"optin": {"ref": "x"}}, None),
    ({"account_linking": {"status": "unlinked"}}, None),
]


@pytest.mark.parametrize(("content", "expected"), SENT)
def test_what_a_user_does_is_an_event(content: dict[str, Any], expected: tuple[Any, ...] | None) -> None:
    assert [meant(one) for one in read(**content)] == ([] if expected is None else [expected])


def test_a_reference_that_comes_with_a_message_stands_in_memory() -> None:
    (event,) = read(message={"mid": "m", "text": "tea", "referral": {"ref": "poster"}})
    assert event.context == {"referral": "poster"}


REFUSALS = [
    (613, None, "again"),
    (4, None, "again"),
    (32, None, "again"),
    (2, None, "again"),
    (1200, None, "again"),
    (1, 99, "never"),
    (10, 2018278, "never"),
    (10, None, "never"),
    (190, None, "never"),
    (100, None, "never"),
    (551, 1545041, "gone"),
    (200, 1545041, "gone"),
    (200, None, "never"),
    (100, 2018001, "gone"),
]


@pytest.mark.parametrize(("code", "subcode", "what"), REFUSALS)
def test_a_refusal_means_what_its_code_says(code: int, subcode: int | None, what: str) -> None:
    error = {"message": "Words of the platform: EAAB" + "x" * 60, "code": code, "error_subcode": subcode or 0}
    verdict = CHANNEL.judge("https://g.example", Response(400, body=json.dumps({"error": error}).encode()), 0)
    assert verdict.what == what
    assert "Words of the platform: ***" in verdict.reason


@pytest.mark.parametrize(
    ("status", "body", "what"),
    [(200, b"", "done"), (500, b"<html>", "again"), (400, b"{}", "never"), (400, b"\xff", "never")],
)
def test_answers_that_are_none_of_the_graph_api_count_by_their_status(status: int, body: bytes, what: str) -> None:
    assert CHANNEL.judge("https://g.example", Response(status, body=body), 0).what == what


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(spoken())
def test_whatever_is_said_keeps_the_platform_s_limits(said: Spoken) -> None:
    for message in messages_of(said, "en"):
        sent = {"recipient": {"id": "9"}, "messaging_type": "RESPONSE", "message": message}
        assert list(faults(sent, SEND)) == []
        try:
            check_message(message)
        except GraphError as error:
            raise AssertionError(error.message) from error


@pytest.fixture(scope="module")
def calling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A service for all examples, and how its webhook answers a body."""
    with asyncio.Runner() as runner, ExitStack() as stack:
        opened = serving(tmp_path_factory.mktemp("drawn"), bot=BOTS, rate_user="off", rate_address="off")
        client = runner.run(opened.__aenter__())
        stack.callback(lambda: runner.run(opened.__aexit__(None, None, None)))

        def call(body: bytes) -> int:
            return runner.run(client.call("POST", CALLS, body, {"X-Hub-Signature-256": signed(body)})).status

        yield call


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
parts = st.fixed_dictionaries(
    {},
    optional={
        "sender": st.fixed_dictionaries({"id": st.text(max_size=3)}) | anything,
        "timestamp": anything,
        "message": anything
        | st.fixed_dictionaries(
            {"mid": st.text(max_size=300)},
            optional={"text": st.text(), "quick_reply": anything, "attachments": anything, "is_echo": st.booleans()},
        ),
        "postback": anything | st.fixed_dictionaries({"payload": st.text()}, optional={"title": st.text()}),
        "referral": anything | st.fixed_dictionaries({"ref": st.text()}),
        "message_edit": anything | st.fixed_dictionaries({"text": st.text(), "num_edit": st.integers(0, 9)}),
    },
)
bodies = st.one_of(
    st.binary(max_size=40),
    anything.map(json.dumps).map(str.encode),
    st.lists(parts | anything, max_size=4).map(
        lambda events: json.dumps({"object": "page", "entry": [{"id": "page", "messaging": events}]}).encode()
    ),
)


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=bodies)
def test_no_body_is_a_fault_of_the_service(calling: Any, body: bytes) -> None:
    assert calling(body) < 500
