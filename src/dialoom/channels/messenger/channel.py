"""The channel: what a webhook brings and proves, what is sent, and what the platform's answers mean."""

from __future__ import annotations

import hashlib
import hmac
import logging
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

import msgspec

from dialoom.channels._contract.channel import Channel, Inbound, Reply, check_hmac, forged
from dialoom.channels._contract.lenient import converted
from dialoom.channels._contract.limits import check_path_id
from dialoom.channels.messenger import set_up
from dialoom.channels.messenger.errors import RETRIED, refusal_of, verdict_of
from dialoom.channels.messenger.events import Body, Event, events_of, profile_of
from dialoom.channels.messenger.render import messages_of
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse
from dialoom.errors import RequestError
from dialoom.messages import Profile
from dialoom.service.outbox.bot_channel import read_answer
from dialoom.service.outbox.delivery import judge
from dialoom.service.outbox.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.channels._contract.channel import InboundCall, SetUp
    from dialoom.engine.events import Response
    from dialoom.service.chat.transcript import Spoken
    from dialoom.service.outbox.bot_channel import BotChannel
    from dialoom.service.outbox.channel_posts import Post
    from dialoom.service.outbox.delivery import Verdict

log = logging.getLogger(__name__)

SIGNATURE: Final = "x-hub-signature-256"
SCHEME: Final = "sha256="
"""Begins the signature in that header (developers.facebook.com/docs/messenger-platform/webhooks)."""
ACTIONS: Final = ("mark_seen", "typing_on")
"""What is shown at once to a user who has written (.../send-messages/sender-actions)."""
OPEN_FIELDS: Final = "first_name,last_name,profile_pic"
ALL_FIELDS: Final = f"{OPEN_FIELDS},locale,timezone"
"""The last two are given to apps alone whose owner has asked for them (``pages_user_locale``, ``pages_user_timezone``).
"""


class Person(msgspec.Struct, frozen=True):
    """A user as the platform knows them. ``timezone``: hours before Greenwich."""

    first_name: str | None = None
    last_name: str | None = None
    profile_pic: str | None = None
    locale: str | None = None
    timezone: float | None = None


class MessengerChannel(Channel):
    """The channel; one object serves all bots."""

    def challenge(self, query: Mapping[str, str], bot_channel: BotChannel) -> Reply | None:
        given, token = query.get("hub.verify_token", ""), bot_channel.secret("verify-token")
        if query.get("hub.mode") != "subscribe" or not hmac.compare_digest(given.encode(), token.encode()):
            raise forged("The parameter hub.verify_token is missing, or is not this channel's verify-token.")
        return Reply(query.get("hub.challenge", "").encode(), "text/plain")

    async def verify(self, call: InboundCall, bot_channel: BotChannel) -> None:
        given = call.header(SIGNATURE) or ""
        is_known = given.startswith(SCHEME)
        check_hmac(given.removeprefix(SCHEME) if is_known else None, bot_channel.secret("app-secret"), call.raw)

    async def parse(self, call: InboundCall, bot_channel: BotChannel) -> Inbound:
        body = call.read(Body)
        found = [
            one
            for event in _events(body, bot_channel)
            for one in events_of(event, profile_of(event.sender.id, bot_channel))
        ]
        users = dict.fromkeys(event.user for event in found)
        signals = [Signal(user, _encode({"sender_action": action})) for user in users for action in ACTIONS]
        return Inbound(found, signals=signals)

    def render(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel) -> Sequence[bytes]:
        return [_encode({"message": message}) for one in spoken for message in messages_of(one, bot_channel.language)]

    def address(self, bot_channel: BotChannel) -> str | None:
        return bot_channel.settings.messenger_1_url

    async def request(self, post: Post, bot_channel: BotChannel) -> Request:
        return _send(post.user, post.body, bot_channel)

    def judge(self, address: str, answer: Response | NoResponse, now: int) -> Verdict:
        verdict = judge(address, answer, now)
        if isinstance(answer, NoResponse) or verdict.what == "done":
            return verdict
        return verdict_of(refusal_of(answer.body), verdict)

    async def signal(self, signal: Signal, bot_channel: BotChannel) -> Request:
        return _send(signal.user, signal.body, bot_channel)

    async def profile(self, user: str, bot_channel: BotChannel) -> Profile | None:
        answer = await bot_channel.fetch(graph("GET", quote(user, safe=""), bot_channel, fields=ALL_FIELDS))
        if not isinstance(answer, NoResponse) and answer.status >= 400 and refusal_of(answer.body).code not in RETRIED:
            answer = await bot_channel.fetch(graph("GET", quote(user, safe=""), bot_channel, fields=OPEN_FIELDS))
            if not isinstance(answer, NoResponse) and 400 <= answer.status < 500:
                refusal = refusal_of(answer.body)
                if refusal.code not in RETRIED:
                    # As for an app that was not reviewed: kept like an answer, so that not each message asks again.
                    log.info("channel %s may not know who a user is: %s", bot_channel.channel.id, refusal.words)
                    return None
        person = read_answer("Messenger's user profile", answer, Person)
        return msgspec.structs.replace(
            profile_of(user, bot_channel),
            first_name=person.first_name,
            last_name=person.last_name,
            avatar=person.profile_pic,
            locale=person.locale.replace("_", "-") if person.locale else None,
            timezone=_zone(person.timezone),
        )

    async def connect(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        return await set_up.connect(bot_channel, address, graph)

    async def check(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        return await set_up.check(bot_channel, address, graph)


CHANNEL: Final = MessengerChannel()


def _events(body: Body, bot_channel: BotChannel) -> list[Event]:
    """Return the events of the channel's page; one that cannot be read is in the way of no other."""
    found = []
    for entry in body.entry if body.object == "page" else ():
        if bot_channel.channel.page_id is not None and entry.id != bot_channel.channel.page_id:
            log.warning(
                "channel %s is called for the page %s, and is that of another", bot_channel.channel.id, entry.id[:64]
            )
            continue
        for raw in entry.messaging:
            try:
                event = converted(raw, Event)
                if event.sender.id:
                    check_path_id(event.sender.id, "/sender/id")
            except (msgspec.ValidationError, RequestError) as error:
                log.warning("an event of channel %s cannot be read and is left out: %s", bot_channel.channel.id, error)
                continue
            if event.sender.id and event.sender.id != entry.id:
                found.append(event)
    return found


def graph(
    method: str,
    path: str,
    bot_channel: BotChannel,
    body: Mapping[str, Any] | None = None,
    *,
    app: str = "",
    **query: str,
) -> Request:
    """Return a call of the Graph API. ``app``: the id of the app, for a call in its own name, not the page's. The proof
    shows that whoever has the token has the app's secret too: apps can demand it
    (developers.facebook.com/docs/graph-api/guides/secure-requests)."""
    token = f"{app}|{bot_channel.secret('app-secret')}" if app else bot_channel.secret("page-token")
    proof = hmac.digest(bot_channel.secret("app-secret").encode(), token.encode(), hashlib.sha256).hex()
    content = None if body is None else _encode(body)
    return Request(
        method=method,
        url=f"{bot_channel.settings.messenger_1_url}/{path}?{urlencode({**query, 'appsecret_proof': proof}, safe=',')}",
        headers=(("Authorization", f"Bearer {token}"), ("Content-Type", "application/json")),
        body=content,
        trusted_host=True,
    )


def _send(user: str, body: bytes, bot_channel: BotChannel) -> Request:
    """Return the call that shows something to a user. All that a bot says answers a message of the last 24 hours."""
    fields = msgspec.json.decode(body)
    kind = {"messaging_type": "RESPONSE"} if "message" in fields else {}
    return graph("POST", "me/messages", bot_channel, {"recipient": {"id": user}, **kind, **fields})


def _encode(fields: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(fields)


def _zone(hours: float | None) -> str | None:
    """Return the zone with a fixed offset, whose name counts hours behind Greenwich; None for what is no whole hour."""
    if hours is None or hours != int(hours) or not -12 <= hours <= 14:
        return None
    return f"Etc/GMT{-int(hours):+d}" if hours else "Etc/GMT"
