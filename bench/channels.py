"""What each channel costs beside ``rest``: CPU of an event that comes in and of a message that goes out; and how many
queued messages go out with the rates of a platform. ``python -m bench.channels [--queue MESSAGES]``.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import hmac
import json
import resource
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec
from tests.channels.platform_service import running_service
from tests.http.support import serving

from bench.machine import heading, median_of, table
from dialoom.channels import CHANNELS
from dialoom.channels._contract.channel import UNSET_FIELDS, from_platform
from dialoom.channels.teams.connector import Route, encode_route
from dialoom.data.fetcher import NO_SECRETS
from dialoom.engine.events import Response, Said
from dialoom.messages import BotMessage, Option, Profile
from dialoom.service.chat.transcript import Spoken
from dialoom.service.outbox.bot_channel import BotChannel
from dialoom.service.outbox.channel_posts import Post
from dialoom.storage.store import ChatKey
from dialoom.testing.clock import MovedClock
from dialoom.testing.platforms.messenger_3 import Telegram
from dialoom.testing.platforms.voice_assistant.certificates import Certificates
from dialoom.testing.platforms.workplace_chat import tokens

RUNS = 5
CALLS = 2000
TALKS = 200
CHATS = 500
T = TypeVar("T")
HELP = {"type": "support", "steps": [{"type": "message", "messages": ["Which tea?"]}]}
FLOW = {"conversations": {"help": HELP}}
TRAINING: dict[str, Any] = {"entity-definitions": []}
QUESTION = Spoken(
    "01a1fe42-c18f-7001-8eac-56bfbc5a17ce",
    BotMessage("**Which tea** would you like?", tuple(Option(f"Tea {n}", f"t{n}", f"1.{n}") for n in range(5))),
)


class Sample(NamedTuple):
    """One text of a user as the platform brings it."""

    channel: dict[str, Any]
    path: str
    body: Callable[[int], Any]
    """By a number that makes user and id new ones."""
    headers: Callable[[bytes], dict[str, str]]
    """By the body: they prove it."""


NOW = datetime.fromtimestamp(MovedClock().now() / 1000, UTC)
CERTIFICATES = Certificates(NOW)
SKILL = "amzn1.ask.skill.00000000-0000-4000-8000-000000000001"
APP = "00000000-0000-4000-8000-000000000005"
TEAMS_HOST = "https://smba.trafficmanager.net/emea/"


def _spoken(number: int) -> dict[str, Any]:
    application = {"applicationId": SKILL}
    user = {"userId": f"amzn1.ask.account.{number}"}
    return {
        "version": "1.0",
        "session": {"new": False, "sessionId": f"s{number}", "application": application, "user": user},
        "context": {
            "System": {"application": application, "user": user, "apiEndpoint": "https://api.eu.amazonalexa.com"}
        },
        "request": {
            "type": "IntentRequest",
            "requestId": f"amzn1.echo-api.request.{number}",
            "timestamp": NOW.isoformat(),
            "locale": "en-US",
            "intent": {"name": "CatchAllIntent", "slots": {"query": {"name": "query", "value": "tea"}}},
        },
    }


def _signed(body: bytes) -> dict[str, str]:
    return {"signaturecertchainurl": CERTIFICATES.address(), "signature-256": CERTIFICATES.signature(body)}


def _activity(number: int) -> dict[str, Any]:
    return {
        "type": "message",
        "id": f"{number}",
        "timestamp": NOW.isoformat(),
        "channelId": "msteams",
        "serviceUrl": TEAMS_HOST,
        "from": {"id": f"29:{number}", "name": "Ada Lovelace", "aadObjectId": f"ada-{number}"},
        "recipient": {"id": f"28:{APP}", "name": "Tea"},
        "conversation": {"id": f"a:{number}", "conversationType": "personal"},
        "channelData": {"tenant": {"id": "the-tenant"}},
        "text": "tea",
    }


def _with_token(_: bytes) -> dict[str, str]:
    """Return the header with a token as the Bot Framework makes it; one serves many calls."""
    times = {"nbf": int(NOW.timestamp()) - 300, "exp": int(NOW.timestamp()) + 3600}
    claims = {"iss": tokens.ISSUER, "aud": APP, "serviceurl": TEAMS_HOST, **times}
    return {"authorization": f"Bearer {tokens.sign(claims)}"}


def _hmac(secret: str, body: bytes) -> str:
    return hmac.digest(secret.encode(), body, "sha256").hex()


SAMPLES = {
    "rest": Sample(
        {"token": "rest-token-of-tea"},
        "rest/bench",
        lambda n: {"sender": {"id": f"{n}", "name": "Ada Lovelace"}, "message": {"id": f"m{n}", "text": "tea"}},
        lambda _: {"authorization": "Bearer rest-token-of-tea"},
    ),
    "messenger-3": Sample(
        {"bot-token": "123:of-the-bot", "bot-name": "tea_bot", "webhook-secret": "secret-of-the-webhook"},
        "messenger-3",
        lambda n: {
            "update_id": n,
            "message": {
                "message_id": n,
                "date": 1_790_000_000,
                "chat": {"id": n + 1, "type": "private", "first_name": "Ada"},
                "from": {"id": n + 1, "is_bot": False, "first_name": "Ada", "language_code": "en"},
                "text": "tea",
            },
        },
        lambda _: {"x-telegram-bot-api-secret-token": "secret-of-the-webhook"},
    ),
    "messenger-1": Sample(
        {"page-id": "104", "app-secret": "secret-of-the-app", "page-token": "a-page-token", "verify-token": "a-token"},
        "messenger-1",
        lambda n: {
            "object": "page",
            "entry": [
                {
                    "id": "104",
                    "time": 1_790_000_000_000,
                    "messaging": [
                        {
                            "sender": {"id": f"{n}"},
                            "recipient": {"id": "104"},
                            "timestamp": 1_790_000_000_000,
                            "message": {"mid": f"m{n}", "text": "tea"},
                        }
                    ],
                }
            ],
        },
        lambda body: {"x-hub-signature-256": f"sha256={_hmac('secret-of-the-app', body)}"},
    ),
    "messenger-2": Sample(
        {"auth-token": "the-token-of-the-account", "uri": "teahouse"},
        "messenger-2",
        lambda n: {
            "event": "message",
            "timestamp": 1_790_000_000_000,
            "message_token": n,
            "sender": {"id": f"user-{n}", "name": "Ada Lovelace", "language": "en", "api_version": 8},
            "message": {"type": "text", "text": "tea"},
        },
        lambda body: {"x-viber-content-signature": _hmac("the-token-of-the-account", body)},
    ),
    "voice-assistant": Sample({"skill-id": SKILL}, "voice-assistant", _spoken, _signed),
    "workplace-chat": Sample(
        {"app-id": APP, "app-password": "secret-of-the-app"}, "workplace-chat", _activity, _with_token
    ),
}
"""By type. A channel without one is left out, and the table says so."""


@functools.cache
def _keys() -> dict[str, bytes]:
    """Return what the Bot Framework answers, by the end of the path."""
    answers = {
        "openidconfiguration": {"jwks_uri": "https://login.botframework.com/v1/.well-known/keys"},
        "keys": tokens.published(),
        "token": {"access_token": "of-the-bot"},
    }
    return {name: msgspec.json.encode(answer) for name, answer in answers.items()}


class FarEnd:
    """Stands for all platforms: takes every call at once, and gives the keys that calls are checked with."""

    async def fetch(self, request: Any, *, secrets: Any = NO_SECRETS, identity: Any = None) -> Response:
        path = urlsplit(request.url).path
        if (chain := CERTIFICATES.served(path)) is not None:
            return Response(status=200, body=chain)
        if (last := path.rpartition("/")[2]) in _keys():
            return Response(status=200, body=_keys()[last])
        return Response(status=200, body=b'{"ok": true, "result": true, "status": 0, "status_message": "ok"}')

    async def close(self) -> None:
        """Do nothing: no connection is open."""


class Call(NamedTuple):
    """A call as an adapter reads it."""

    raw: bytes
    label: str
    headers: dict[str, str]
    may_be_unsigned: bool = False

    def check_rate(self) -> None:
        """Let every call in."""

    def header(self, name: str) -> str | None:
        return self.headers.get(name)

    def read(self, type: type[T]) -> T:
        return msgspec.json.decode(self.raw, type=type)

    def signed_user(self, token: str | None, pointer: str) -> None:
        return None


async def _microseconds(work: Callable[[int], Awaitable[object]]) -> float:
    began = time.process_time()
    for number in range(CALLS):
        await work(number)
    return (time.process_time() - began) / CALLS * 1e6


async def _adapter(type: str, bot_channel: BotChannel) -> dict[str, float]:
    channel, sample = CHANNELS[type], SAMPLES[type]
    bodies = [json.dumps(sample.body(n)).encode() for n in range(CALLS)]
    calls = [Call(body, "bench", sample.headers(body)) for body in bodies]

    async def inbound(number: int) -> None:
        await channel.verify(calls[number], bot_channel)
        await channel.parse(calls[number], bot_channel)

    route = encode_route(Route(TEAMS_HOST, "a:7", "29:7")) if type == "workplace-chat" else ""

    async def outbound(number: int) -> None:
        if type == "voice-assistant":
            channel.answer((QUESTION,), bot_channel, is_over=False)
        for body in channel.render((QUESTION,), bot_channel):
            if type != "rest":  # its messages go out in the answer
                await channel.request(Post("d1", "7", None, body, reply_to=route), bot_channel)

    return {"in": await _microseconds(inbound), "out": await _microseconds(outbound)}


async def _measure(type: str, folder: Path) -> dict[str, float]:
    """Return the figures of a channel, of one run."""
    sample = SAMPLES[type]
    bot = {
        "id": "tea",
        "access-token": "history-token-of-tea",
        "channels": [{"id": "c", "type": type} | sample.channel],
    }
    roots = folder / "roots.pem"
    roots.write_bytes(CERTIFICATES.roots_pem())
    settings: dict[str, Any] = {"rate_address": "off", "rate_token": "off", "voice_assistant_roots": str(roots)}
    bodies = [json.dumps(sample.body(number)).encode() for number in range(10_000, 10_000 + TALKS)]
    calls = [(body, sample.headers(body)) for body in bodies]
    async with serving(folder, FLOW, FarEnd(), bot=bot, training=TRAINING, **settings) as client:
        deployed = client.service.bots.active("tea")
        assert deployed is not None
        figures = await _adapter(type, client.service.bot_channels.of(deployed.bot, deployed.bot.channels[0]))
        path, began = f"/v1/bots/tea/channels/c/{sample.path}", time.process_time()
        for body, headers in calls:
            answer = await client.call("POST", path, body, headers)
            assert answer.status == 200, answer.body
        whole = (time.process_time() - began) / TALKS * 1000
    return figures | {"whole": whole}


def _rows() -> list[tuple[object, ...]]:
    found: dict[str, dict[str, float]] = {}
    for type in CHANNELS:
        if type not in SAMPLES:
            continue

        def measure(type: str = type) -> dict[str, float]:
            with tempfile.TemporaryDirectory() as folder:
                return asyncio.run(_measure(type, Path(folder)))

        found[type] = median_of(RUNS, measure)
    rest = found["rest"]
    return [
        (type, *(cell for name in ("in", "out", "whole") for cell in (own[name], own[name] / rest[name])))
        for type, own in found.items()
    ] + [(type, "no sample", *[""] * 5) for type in CHANNELS if type not in SAMPLES]


async def _queue(messages: int, folder: Path) -> tuple[object, ...]:
    """Queue messages of 500 chats for Telegram's stand-in, which refuses what comes too fast; return the figures."""
    sample = SAMPLES["messenger-3"]
    channel = {"id": "c", "type": "messenger-3"} | sample.channel
    async with Telegram("123:of-the-bot", "tea_bot", limits_rate=True) as telegram:
        users = [telegram.user(f"U{number}") for number in range(CHATS)]
        for user in users:
            telegram.keep(user.chat, user.profile, {"text": "hi"})
        async with running_service(folder, channel, FLOW, TRAINING, messenger_3_url=telegram.url) as running:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            for number in range(messages):
                user = users[number % CHATS]
                said = Said(**UNSET_FIELDS, profile=Profile(str(user.id), "c", "messenger-3"), text="tea")
                event = from_platform(said, f"q{number}")
                await running.service.runner.submit(ChatKey("tea", "c", event.user), event.inbound)
            queued, began, cpu = len(telegram.calls("sendMessage")), time.monotonic(), time.process_time()
            while sum(len(user.received) for user in users) < messages:  # noqa: ASYNC110  # the stand-in has no event for all
                await asyncio.sleep(0.5)
            seconds, cpu = time.monotonic() - began, time.process_time() - cpu
            after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        refused = sum(one.status == 429 for one in telegram.calls("sendMessage"))
        return messages, (messages - queued) / seconds, refused, cpu / seconds * 100, (after - before) / 1024


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.channels")
    parser.add_argument("--queue", type=int, default=0, help="also queue so many messages of 500 chats, 24 a second")
    queue = parser.parse_args(arguments or []).queue
    print(heading(f"A text of a user and five quick replies by channel, medians of {RUNS}"))
    columns = ("channel", "verify, parse µs", "× rest", "render, request µs", "× rest", "whole ms", "× rest")
    print(table(columns, _rows()))
    if queue:
        with tempfile.TemporaryDirectory() as folder:
            row = asyncio.run(_queue(queue, Path(folder)))
        print(heading("\nQueued messages of 500 chats to Telegram's stand-in, which refuses more than 30 in a second"))
        print(table(("messages", "a second", "429", "CPU %", "memory MB more"), [row]))


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
