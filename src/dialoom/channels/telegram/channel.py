"""The channel: what a webhook brings and proves, what is sent, and what the platform's answers mean."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.channels._contract.channel import Channel, Inbound, SetUp, ShowMore, calls_address, forged
from dialoom.channels._contract.fit import plain_dialog, plain_options
from dialoom.channels.telegram.render import calls_of, card, opened
from dialoom.channels.telegram.updates import PHOTO, Update, event_of, profile_of, tap_of
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse
from dialoom.errors import RemoteError
from dialoom.service.outbox.bot_channel import given, read_answer, read_refusal
from dialoom.service.outbox.delivery import MAX_PAUSE_SECONDS, Verdict, judge
from dialoom.service.outbox.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.channels._contract.channel import InboundCall
    from dialoom.engine.events import Response
    from dialoom.service.chat.transcript import Spoken
    from dialoom.service.outbox.bot_channel import BotChannel
    from dialoom.service.outbox.channel_posts import Post

SECRET: Final = "x-telegram-bot-api-secret-token"  # noqa: S105  # the name of a header
"""What every update brings that the platform sends (core.telegram.org/bots/api#setwebhook)."""
BAD_REQUEST: Final = 400
NO_SUCH_BOT: Final = frozenset({401, 404})
BLOCKED: Final = 403
"""The bot was blocked, or the user is gone (tdlib/telegram-bot-api, Client.cpp)."""
NO_PICTURE: Final = (
    "failed to get HTTP URL content",
    "wrong type of the web page content",
    "wrong file identifier",
    "PHOTO_",
    "IMAGE_",
)
"""Words of the platform for a picture that it cannot fetch or show (tdlib/telegram-bot-api, Client.cpp)."""
ANSWER: Final = "answerCallbackQuery"


class Refusal(msgspec.Struct, frozen=True):
    """The answer to a call that was not done (core.telegram.org/bots/api#making-requests)."""

    description: str = ""
    parameters: dict[str, Any] = {}


class Result(msgspec.Struct, frozen=True):
    """The answer to a call that was done."""

    result: Any = None


class FilePath(msgspec.Struct, frozen=True):
    file_path: str = ""


class FileResult(msgspec.Struct, frozen=True):
    """The answer to ``getFile``."""

    result: FilePath = FilePath()


class TelegramChannel(Channel):
    """The channel; one object serves all bots."""

    async def verify(self, call: InboundCall, bot_channel: BotChannel) -> None:
        given, secret = call.header(SECRET) or "", bot_channel.secret("webhook-secret")
        if not hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode()):
            raise forged(f"The header {SECRET} is missing, or is not this channel's webhook-secret.")

    async def parse(self, call: InboundCall, bot_channel: BotChannel) -> Inbound:
        update = call.read(Update)
        id = str(update.update_id)
        if (tap := update.callback_query) is not None:
            signals = [_signal(str(tap.from_.id), ANSWER, {"callback_query_id": tap.id})]
            if tap.message is None or tap.message.chat.type != "private":
                return Inbound(signals=signals)
            found = tap_of(tap, id, profile_of(tap.from_, bot_channel))
            if isinstance(found, ShowMore):
                return Inbound(signals=signals, show_more=[found])
            return Inbound([found], signals=signals)
        message = update.message or update.edited_message
        # In a group the bot says nothing: what stands there is said to people, and a chat's memory is one person's.
        if message is None or message.from_ is None or message.chat.type != "private":
            return Inbound()
        event = event_of(message, id, profile_of(message.from_, bot_channel))
        if event is None:
            return Inbound()
        return Inbound([event], signals=[_signal(event.user, "sendChatAction", {"action": "typing"})])

    def render(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel) -> Sequence[bytes]:
        return [msgspec.json.encode(call) for one in spoken for call in calls_of(one, bot_channel.language)]

    def address(self, bot_channel: BotChannel) -> str | None:
        return bot_channel.settings.messenger_3_url

    async def request(self, post: Post, bot_channel: BotChannel) -> Request:
        call = msgspec.json.decode(post.body)
        is_without_picture = call["instead"] is not None and _is_of_picture(post.refusal)
        return _request(call["instead"] if is_without_picture else call, post.user, bot_channel)

    def judge(self, address: str, answer: Response | NoResponse, now: int) -> Verdict:
        if isinstance(answer, NoResponse) or 200 <= answer.status <= 299:
            return judge(address, answer, now)
        told = read_refusal(answer.body, Refusal)
        if answer.status == BLOCKED:
            return Verdict("gone", f"Telegram: {told.description}")
        verdict = judge(address, answer, now)
        if _is_of_picture(told.description) and verdict.what == "never":
            return Verdict("again", f"Telegram: {told.description}")  # without the picture
        seconds = told.parameters.get("retry_after")
        pause = min(float(seconds), MAX_PAUSE_SECONDS) if isinstance(seconds, int | float) else verdict.pause
        return Verdict(verdict.what, f"{verdict.reason} Telegram: {told.description}"[:500], pause)

    async def download(self, address: str, bot_channel: BotChannel) -> Request | None:
        """Return the call that fetches a file by its id. None for one above 20 MB, among others
        (core.telegram.org/bots/api#getfile)."""
        answer = given(
            "Telegram's getFile", await bot_channel.fetch(_method("getFile", {"file_id": address}, bot_channel))
        )
        path = "" if answer is None else read_answer("Telegram's getFile", answer, FileResult).result.file_path
        base, token = bot_channel.settings.messenger_3_url, bot_channel.secret("bot-token")
        return Request(method="GET", url=f"{base}/file/bot{token}/{path}", trusted_host=True) if path else None

    def show_more(self, tap: ShowMore, spoken: Spoken, bot_channel: BotChannel) -> Sequence[Signal]:
        dialog = spoken.message.dialog
        # Clients of their own make may send any data, also that of a card of a question that has none.
        if dialog is None or not dialog.options or not tap.message:
            return ()
        number, is_photo = tap.message.removesuffix(PHOTO), tap.message.endswith(PHOTO)
        dialog, replies = plain_dialog(dialog), plain_options(spoken.message.replies)
        user, where = tap.event.user, {"message_id": int(number)}
        if not tap.what.isdecimal():
            return [_signal(user, "editMessageReplyMarkup", {**where, "reply_markup": opened(dialog, replies)})]
        call = card(dialog, min(int(tap.what[:6]), len(dialog.options) - 1), replies)
        if not is_photo or "photo" not in call.fields:
            return [_signal(user, "editMessageText", {**where, **(call.instead or call).fields})]
        shown = call.fields
        media = {"type": "photo", "media": shown["photo"], "caption": shown["caption"], "parse_mode": "HTML"}
        fields = {**where, "media": media, "reply_markup": shown["reply_markup"]}
        return [_signal(user, "editMessageMedia", fields)]

    async def signal(self, signal: Signal, bot_channel: BotChannel) -> Request:
        return _request(msgspec.json.decode(signal.body), signal.user, bot_channel)

    async def connect(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        fields = {
            "url": address,
            "secret_token": bot_channel.secret("webhook-secret"),
            "allowed_updates": ["message", "edited_message", "callback_query"],
        }
        await _ask("setWebhook", fields, bot_channel)
        return [SetUp("ok", f"Telegram calls {address} from now on."), *await self.check(bot_channel, address)]

    async def check(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        name = (await _ask("getMe", {}, bot_channel)).get("username", "")
        found = [SetUp("ok", f"The bot-token is that of @{name}.")]
        if (
            bot_channel.channel.bot_name is None
            or bot_channel.channel.bot_name.removeprefix("@").lower() != name.lower()
        ):
            found.append(SetUp("wrong", f'Write "bot-name": "{name}" into bot.json: links back into the chat need it.'))
        hook = await _ask("getWebhookInfo", {}, bot_channel)
        called = calls_address("Telegram", hook.get("url") or "", address, bot_channel)
        if called.state == "ok" and hook.get("last_error_message"):
            called = SetUp("wrong", f"The last call to {address} failed: {hook['last_error_message']}")
        return [*found, called]


CHANNEL: Final = TelegramChannel()


async def _ask(method: str, fields: dict[str, Any], bot_channel: BotChannel) -> dict[str, Any]:
    """Return the result of a method; of one that has none an empty object. Raises ``RemoteError``."""
    request = _method(method, fields, bot_channel)
    answer = await bot_channel.fetch(request)
    if not isinstance(answer, NoResponse) and answer.status >= BAD_REQUEST:
        # A token of a wrong form is part of an address that Telegram does not know.
        hint = " Write the token that @BotFather gave as bot-token." if answer.status in NO_SUCH_BOT else ""
        told = read_refusal(answer.body, Refusal).description.rstrip(".")
        raise RemoteError("status", f"Telegram refused {method}: {told}.{hint}")
    result = read_answer(f"Telegram's {method}", answer, Result).result
    return result if isinstance(result, dict) else {}


def _method(method: str, fields: dict[str, Any], bot_channel: BotChannel) -> Request:
    """Return a call of a method. The token stands in the path, as the platform wants it; no message of ours shows the
    path of an address."""
    return Request(
        method="POST",
        url=f"{bot_channel.settings.messenger_3_url}/bot{bot_channel.secret('bot-token')}/{method}",
        headers=(("Content-Type", "application/json"),),
        body=msgspec.json.encode(fields),
        trusted_host=True,
    )


def _request(call: dict[str, Any], user: str, bot_channel: BotChannel) -> Request:
    """Return the call that shows something to a user."""
    is_of_chat = call["method"] != ANSWER
    return _method(
        call["method"], {"chat_id": int(user), **call["fields"]} if is_of_chat else call["fields"], bot_channel
    )


def _signal(user: str, method: str, fields: dict[str, Any]) -> Signal:
    return Signal(user, msgspec.json.encode({"method": method, "fields": fields}))


def _is_of_picture(told: str) -> bool:
    """Return whether the platform refused a message for its picture."""
    return any(words in told for words in NO_PICTURE)
