"""The channel: what a callback brings and proves, what is sent, and what the platform's answers mean."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.channels._contract.channel import Channel, Inbound, SetUp, calls_address, check_hmac, referred, run_connect
from dialoom.channels.viber.events import Callback, profile_of, said_of
from dialoom.channels.viber.render import joined, messages_of
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse
from dialoom.errors import RemoteError
from dialoom.service.outbox.bot_channel import read_answer
from dialoom.service.outbox.delivery import Verdict, judge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.channels._contract.channel import InboundCall
    from dialoom.engine.events import Response
    from dialoom.service.chat.transcript import Spoken
    from dialoom.service.outbox.bot_channel import BotChannel
    from dialoom.service.outbox.channel_posts import Post

log = logging.getLogger(__name__)

SIGNATURE: Final = "x-viber-content-signature"
"""Proves callbacks: HMAC-SHA256 by the token, as the vendor's client checks it (npm viber-bot 1.0)."""
TOKEN: Final = "X-Viber-Auth-Token"  # noqa: S105  # the name of a header
"""Proves our calls (creators.viber.com/docs/bots-api/getting-started/authentication)."""
EVENT_TYPES: Final = ("failed", "subscribed", "unsubscribed", "conversation_started")
"""The events that are asked for (.../getting-started/web-hooks); ``message`` comes anyway."""
STARTED: Final = "conversation_started"

# Of creators.viber.com/docs/bots-api/errors.
BAD_TOKEN: Final = 2
GONE: Final = frozenset({5, 6})
"""The user is none of Viber, or has unsubscribed."""
TOO_MANY: Final = 12
WEBHOOK_NOT_SET: Final = 10
MAX_TOLD_CHARS: Final = 300
"""Of the platform's words in reasons and in the log."""


class Status(msgspec.Struct, frozen=True):
    """An answer of the API: the HTTP status is 200 also for a call that was refused."""

    status: int
    status_message: str = ""

    @property
    def words(self) -> str:
        return f"Viber: {self.status_message[:MAX_TOLD_CHARS]} (status {self.status})"


class ViberChannel(Channel):
    """The channel; one object serves all bots."""

    async def verify(self, call: InboundCall, bot_channel: BotChannel) -> None:
        check_hmac(call.header(SIGNATURE), bot_channel.secret("auth-token"), call.raw)

    async def parse(self, call: InboundCall, bot_channel: BotChannel) -> Inbound:
        callback = call.read(Callback)
        if callback.event == "message" and callback.sender.id:
            return Inbound(said_of(callback, profile_of(callback.sender, bot_channel)))
        if callback.event == STARTED and callback.user.id:
            begun = referred(callback.context, profile_of(callback.user, bot_channel), str(callback.message_token))
            if begun is None:
                return Inbound()
            # A user who is not subscribed can be told one thing alone: the answer to this call.
            inbound = msgspec.structs.replace(begun.inbound, is_answered=not callback.subscribed)
            return Inbound([begun._replace(inbound=inbound)])
        if callback.event == "failed":
            told = callback.desc[:MAX_TOLD_CHARS].encode("unicode_escape").decode()
            log.warning("a message of channel %s was not shown by its user's app: %s", bot_channel.channel.id, told)
        return Inbound()

    def render(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel) -> Sequence[bytes]:
        return [msgspec.json.encode(message) for one in spoken for message in messages_of(one, bot_channel.bot)]

    def answer(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel, *, is_over: bool) -> bytes:
        message = joined(spoken, bot_channel.bot)
        return b"" if message is None else msgspec.json.encode(message)

    def address(self, bot_channel: BotChannel) -> str | None:
        return bot_channel.settings.messenger_2_url

    async def request(self, post: Post, bot_channel: BotChannel) -> Request:
        return _call("send_message", {"receiver": post.user, **msgspec.json.decode(post.body)}, bot_channel)

    def judge(self, address: str, answer: Response | NoResponse, now: int) -> Verdict:
        verdict = judge(address, answer, now)
        if isinstance(answer, NoResponse) or verdict.what != "done":
            return verdict
        try:
            told = msgspec.json.decode(answer.body, type=Status)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return Verdict("again", "Viber's answer cannot be read, so that nobody knows whether it took the message.")
        if told.status == 0:
            return verdict
        if told.status in GONE:
            return Verdict("gone", told.words)
        if told.status == TOO_MANY:
            return Verdict("again", told.words)
        if told.status == BAD_TOKEN:
            return Verdict("never", f"Write the account's auth-token into bot.json, then resend it. {told.words}")
        if told.status == WEBHOOK_NOT_SET:
            return Verdict("never", f"Run: dialoom channel connect; then resend it. {told.words}")
        return Verdict("never", told.words)

    async def connect(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        fields = {"url": address, "event_types": EVENT_TYPES, "send_name": True, "send_photo": True}
        await _ask("set_webhook", fields, bot_channel)
        return [SetUp("ok", f"Viber calls {address} from now on."), *await self.check(bot_channel, address)]

    async def check(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        account = await _ask("get_account_info", {}, bot_channel)
        uri, webhook = str(account.get("uri", "")), str(account.get("webhook") or "")
        found = [SetUp("ok", f"The auth-token is that of {account.get('name', '')}.")]
        if bot_channel.channel.uri != uri:
            found.append(SetUp("wrong", f'Write "uri": "{uri}" into bot.json: links back into the chat need it.'))
        found.append(calls_address("Viber", webhook, address, bot_channel))
        if webhook != address:
            return found
        missing = [name for name in EVENT_TYPES if name not in (account.get("event_types") or ())]
        if missing:
            found.append(SetUp("wrong", f"Viber does not tell of {', '.join(missing)}. {run_connect(bot_channel)}"))
        return found


CHANNEL: Final = ViberChannel()


def _call(method: str, fields: Mapping[str, Any], bot_channel: BotChannel) -> Request:
    return Request(
        method="POST",
        url=f"{bot_channel.settings.messenger_2_url}/{method}",
        headers=((TOKEN, bot_channel.secret("auth-token")), ("Content-Type", "application/json")),
        body=msgspec.json.encode(fields),
        trusted_host=True,
    )


async def _ask(method: str, fields: Mapping[str, Any], bot_channel: BotChannel) -> dict[str, Any]:
    """Return the answer to a call. Raises ``RemoteError`` with the platform's words."""
    what, answer = f"Viber's {method}", await bot_channel.fetch(_call(method, fields, bot_channel))
    status = read_answer(what, answer, Status)
    if status.status != 0:
        hint = " Write the account's own token as auth-token." if status.status == BAD_TOKEN else ""
        raise RemoteError("status", f"{status.words} in answer to {method}.{hint}")
    return read_answer(what, answer, dict[str, Any])
