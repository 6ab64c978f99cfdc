"""The Bot API on loopback: ``/bot<token>/<method>``, strict in what it takes, and the updates that it sends.

Sources: the errors of the Bot API server (github.com/tdlib/telegram-bot-api, Client.cpp), core.telegram.org/bots/api.
The server passes over parameters that it does not know; here they are refused, for they are mistakes.
"""

from __future__ import annotations

import itertools
import json
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import parse_qsl

from dialoom.testing.platforms.messenger_3 import reply_markup, screen
from dialoom.testing.platforms.messenger_3.entities import parse
from dialoom.testing.platforms.messenger_3.errors import BotApiError
from dialoom.testing.platforms.messenger_3.people import TelegramGroup, TelegramUser
from dialoom.testing.platforms.shapes import count, is_address
from dialoom.testing.platforms.stand_in import Answer, Call, StandIn

MAX_TEXT_CHARS = 4096
"""After entities. Counted in UTF-16 units like the offsets of entities, the stricter reading of "characters"."""
MAX_CAPTION_CHARS = 1024
MAX_CALLBACK_ANSWER_CHARS = 200
MAX_FILE_BYTES = 20 * 2**20
"""A bot may fetch a file of this size."""
CALLBACK_SECONDS = 60.0
"""A callback can be answered for about so long."""
MAX_DOWNLOAD_BYTES = 20_000_000
"""Of a file that a bot can have (core.telegram.org/bots/api#getfile: 20 MB)."""
MESSAGES_PER_SECOND = 30
CHAT_BURST = 6
"""Messages that may come at once in a chat, where one a second is the rule. The platform allows "short bursts" and says
no number (telegra.ph/Hitting-limits-bot-FAQ, of its bot support); this one is the stand-in's."""
WEBHOOK_PORTS = (443, 80, 88, 8443)
NOT_BY_DEFAULT = frozenset(("chat_member", "message_reaction", "message_reaction_count"))

BOT_TOKEN = "110201543:stand-in-token-of-the-bot-000000000"  # noqa: S105  # this stand-in's own, no secret

_CHAT_ACTIONS = (
    "typing upload_photo record_video upload_video record_voice upload_voice upload_document choose_sticker "
    "find_location record_video_note upload_video_note"
)
_SENDING = (
    "business_connection_id chat_id message_thread_id direct_messages_topic_id disable_notification protect_content "
    "allow_paid_broadcast message_effect_id suggested_post_parameters reply_parameters reply_markup "
)
_EDITING = "business_connection_id chat_id message_id inline_message_id reply_markup "
_TEXT = "text parse_mode entities link_preview_options disable_web_page_preview "
_CAPTION = "caption parse_mode caption_entities show_caption_above_media "
PARAMETERS: Mapping[str, frozenset[str]] = {
    method: frozenset(names.split())
    for method, names in {
        "getme": "",
        "setwebhook": "url certificate ip_address max_connections allowed_updates drop_pending_updates secret_token",
        "getwebhookinfo": "",
        "getfile": "file_id",
        "deletewebhook": "drop_pending_updates",
        "sendmessage": _SENDING + _TEXT,
        "sendphoto": _SENDING + _CAPTION + "photo has_spoiler",
        "sendchataction": "business_connection_id chat_id message_thread_id action",
        "answercallbackquery": "callback_query_id text show_alert url cache_time",
        "editmessagetext": _EDITING + _TEXT,
        "editmessagecaption": _EDITING + _CAPTION,
        "editmessagemedia": _EDITING + "media",
        "editmessagereplymarkup": _EDITING,
        "deletemessage": "chat_id message_id",
    }.items()
}
"""Of each method, by its name in lower case: the server does not look at case either."""


class Telegram(StandIn):
    """One bot of the platform, with the people who write to it."""

    platform: ClassVar[str] = "messenger-3"

    def __init__(
        self,
        bot_token: str = BOT_TOKEN,
        bot_name: str = "stand_in_bot",
        *,
        clock: Callable[[], float] = time.time,
        limits_rate: bool = False,
    ) -> None:
        super().__init__(clock=clock)
        self.bot_token = bot_token
        self.bot_name = bot_name
        self.limits_rate = limits_rate
        """Answer 429 to more than 30 messages in a second, or to more than 1 a second after a burst in a chat."""
        self.webhook: dict[str, Any] = {"url": ""}
        self.users: dict[int, TelegramUser] = {}
        self.groups: dict[int, TelegramGroup] = {}
        self.callbacks: dict[str, float] = {}
        """Taps that the bot has not answered yet, with their times."""
        self.callback_answers: dict[str, dict[str, Any]] = {}
        self.chat_actions: list[tuple[int, str]] = []
        self.undelivered: list[dict[str, Any]] = []
        """Updates that the webhook did not take; ``redeliver`` sends them again."""
        self.files: dict[str, bytes] = {}
        """Files that people sent, by their id."""
        self._messages: dict[int, dict[int, dict[str, Any]]] = {}
        self._ids = itertools.count(1001)
        self._updates = itertools.count(500_000_001)
        self._sent: deque[float] = deque()
        self._paid_at: dict[int, float] = {}
        """By chat when the messages that it was sent are paid off, at one a second."""
        self._methods: Mapping[str, Callable[[dict[str, Any]], Awaitable[Any]]] = {
            "getme": self._get_me,
            "setwebhook": self._set_webhook,
            "deletewebhook": self._delete_webhook,
            "getwebhookinfo": self._get_webhook_info,
            "getfile": self._get_file,
            "sendmessage": self._send_message,
            "sendphoto": self._send_photo,
            "sendchataction": self._send_chat_action,
            "answercallbackquery": self._answer_callback_query,
            "editmessagetext": self._edit_text,
            "editmessagecaption": self._edit_caption,
            "editmessagemedia": self._edit_media,
            "editmessagereplymarkup": self._edit_reply_markup,
            "deletemessage": self._delete_message,
        }

    # What the user's side of a test calls.

    def user(self, first_name: str = "Ada", id: int | None = None, **profile: str) -> TelegramUser:
        """Add a person; ``profile`` may have ``last_name``, ``username``, ``language_code``."""
        made = TelegramUser(self, id or 7_000_000 + len(self.users), first_name, **profile)
        self.users[made.id] = made
        return made

    def group(self, title: str = "Friends") -> TelegramGroup:
        """Add a group that the bot is in."""
        made = TelegramGroup(self, -1_001_000_000_000 - len(self.groups), title)
        self.groups[made.chat["id"]] = made
        return made

    def upload(self, content: bytes) -> dict[str, Any]:
        """Keep a file that a person sends; return the fields by which updates name it."""
        id = f"AgACAgIAAxkBAAI{next(self._ids)}"
        self.files[id] = content
        return {"file_id": id, "file_unique_id": id[-16:], "file_size": len(content)}

    def now(self) -> int:
        """Return the time as messages carry it."""
        return int(self.clock())

    def messages_of(self, chat: int) -> list[dict[str, Any]]:
        """Return the messages of a chat, in order and in their present state."""
        return list(self._messages.get(chat, {}).values())

    def message(self, chat: int, message_id: int) -> dict[str, Any]:
        """Return one message."""
        return self._messages[chat][message_id]

    def keep(self, chat: dict[str, Any], sender: dict[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
        """Add a message to a chat and return it."""
        message = {"message_id": next(self._ids), "from": sender, "chat": chat, "date": self.now(), **content}
        self._messages.setdefault(chat["id"], {})[message["message_id"]] = message
        return message

    async def deliver(self, kind: str, content: Mapping[str, Any]) -> Answer:
        """Call the webhook with an update. What it does not take is kept for ``redeliver``."""
        update = {"update_id": next(self._updates), kind: dict(content)}
        allowed = self.webhook.get("allowed_updates")
        if kind not in allowed if allowed else kind in NOT_BY_DEFAULT:
            return Answer(b"the bot did not ask for such updates", 0)
        return await self._post(update)

    async def redeliver(self) -> None:
        """Send the updates again that the webhook did not take, in order, as the platform does."""
        waiting, self.undelivered = self.undelivered, []
        for update in waiting:
            await self._post(update)

    async def call_back(self, sender: dict[str, Any], message: dict[str, Any], data: str) -> Answer:
        """Send the tap of an inline button, which the bot has to answer."""
        id = str(4_382_000_000_000_000_000 + next(self._ids))
        self.callbacks[id] = self.clock()
        query = {"id": id, "from": sender, "message": message, "chat_instance": f"-{message['chat']['id']}"}
        return await self.deliver("callback_query", {**query, "data": data})

    async def member_changed(self, user: TelegramUser, before: str, after: str) -> Answer:
        """Tell the bot that a person has stopped it or lets it write again."""
        bot = self._bot()
        change = {"chat": user.chat, "from": user.profile, "date": self.now()}
        states = {"old_chat_member": {"user": bot, "status": before}, "new_chat_member": {"user": bot, "status": after}}
        return await self.deliver("my_chat_member", {**change, **states})

    def screen(self) -> dict[str, Any]:
        """Return what the first person sees."""
        return screen.of(self)

    async def act(self, action: Mapping[str, Any]) -> str | None:
        """Do what was done on the sandbox page."""
        await screen.act(self, action)
        return None

    async def _post(self, update: dict[str, Any]) -> Answer:
        if not self.webhook["url"]:
            self.undelivered.append(update)
            return Answer(b"no webhook is set", 0)
        headers = (
            {"X-Telegram-Bot-Api-Secret-Token": self.webhook["secret_token"]} if "secret_token" in self.webhook else {}
        )
        answer = await self.send(self.webhook["url"], json.dumps(update).encode(), headers)
        if not 200 <= answer.status < 300:
            self.undelivered.append(update)
        return answer

    def _bot(self) -> dict[str, Any]:
        id = int(self.bot_token.partition(":")[0])
        return {"id": id, "is_bot": True, "first_name": "Stand-in", "username": self.bot_name}

    # What the service calls.

    async def answer(self, call: Call) -> Answer:
        """Carry out a call of the service, or say what is wrong with it."""
        download = re.fullmatch(r"/file/bot(\d+:[^/]+)/files/([\w-]+)", call.path)
        if download is not None:
            return self._file(download[1], download[2])
        found = re.fullmatch(r"/bot(\d+:[^/]+)/(\w+)", call.path)
        if found is None:
            return _failed(BotApiError("Not Found", 404))
        if found[1] != self.bot_token:
            return _failed(BotApiError("Unauthorized", 401))
        method = found[2].lower()
        if method not in self._methods:
            return _failed(BotApiError("Not Found", 404))
        try:
            given = _parameters(call)
            unknown = given.keys() - PARAMETERS[method]
            if unknown:
                raise BotApiError(f"the stand-in refuses unknown parameters: {', '.join(sorted(unknown))}")
            return Answer({"ok": True, "result": await self._methods[method](given)})
        except BotApiError as error:
            return _failed(error)

    async def _get_me(self, _: dict[str, Any]) -> Any:
        abilities = dict.fromkeys(("can_join_groups", "supports_inline_queries", "has_main_web_app"), False)
        return {**self._bot(), **abilities, "can_read_all_group_messages": False, "can_connect_to_business": False}

    async def _set_webhook(self, given: dict[str, Any]) -> Any:
        url = given.get("url", "")
        if not url:
            self.webhook = {"url": ""}
            return True
        if not is_address(url):
            raise BotApiError("bad webhook: An HTTPS URL must be provided for webhook")
        port = re.fullmatch(r"https://[^/]+:(\d+)(/.*)?", url)
        if port is not None and int(port[1]) not in WEBHOOK_PORTS:
            raise BotApiError("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
        secret = given.get("secret_token", "")
        if len(secret) > 256:
            raise BotApiError("secret token is too long")
        if not re.fullmatch(r"[A-Za-z0-9_-]*", secret):
            raise BotApiError("secret token contains unallowed characters")
        most = given.get("max_connections", 40)
        if not isinstance(most, int) or not 1 <= most <= 100:
            raise BotApiError("max_connections must be between 1 and 100")
        self.webhook = {"url": url, "max_connections": most, "allowed_updates": _list(given.get("allowed_updates"))}
        if secret:
            self.webhook["secret_token"] = secret
        if given.get("drop_pending_updates"):
            self.undelivered.clear()
        return True

    async def _delete_webhook(self, given: dict[str, Any]) -> Any:
        self.webhook = {"url": ""}
        if given.get("drop_pending_updates"):
            self.undelivered.clear()
        return True

    async def _get_webhook_info(self, _: dict[str, Any]) -> Any:
        shown = {name: value for name, value in self.webhook.items() if name != "secret_token" and value is not None}
        return {**shown, "has_custom_certificate": False, "pending_update_count": len(self.undelivered)}

    async def _get_file(self, given: dict[str, Any]) -> Any:
        id = _string(given, "file_id")
        if not id:
            raise BotApiError("file_id not specified")
        if id not in self.files:
            raise BotApiError("wrong file_id or the file is temporarily unavailable")
        if len(self.files[id]) > MAX_DOWNLOAD_BYTES:
            raise BotApiError("file is too big")
        return {
            "file_id": id,
            "file_unique_id": id[-16:],
            "file_size": len(self.files[id]),
            "file_path": f"files/{id}",
        }

    def _file(self, token: str, id: str) -> Answer:
        """Return a file by the path that ``getFile`` gave."""
        if token != self.bot_token or id not in self.files or len(self.files[id]) > MAX_DOWNLOAD_BYTES:
            return _failed(BotApiError("Not Found", 404))
        return Answer(self.files[id], headers={"Content-Type": "application/octet-stream"})

    async def _send_message(self, given: dict[str, Any]) -> Any:
        chat = self._chat(given)
        return self._say(chat, given, _text_of(given))

    async def _send_photo(self, given: dict[str, Any]) -> Any:
        chat = self._chat(given)
        return self._say(chat, given, _photo(given.get("photo")) | _caption_of(given))

    async def _send_chat_action(self, given: dict[str, Any]) -> Any:
        chat = self._chat(given)
        if given.get("action") not in _CHAT_ACTIONS.split():
            raise BotApiError("wrong parameter action in request")
        self.chat_actions.append((chat["id"], given["action"]))
        return True

    async def _answer_callback_query(self, given: dict[str, Any]) -> Any:
        id = str(given.get("callback_query_id", ""))
        asked = self.callbacks.get(id)
        if asked is None or self.clock() - asked > CALLBACK_SECONDS:
            raise BotApiError("query is too old and response timeout expired or query ID is invalid")
        if count(_string(given, "text"), "utf-16 units") > MAX_CALLBACK_ANSWER_CHARS:
            raise BotApiError("MESSAGE_TOO_LONG")
        if given.get("url") and not given["url"].startswith(
            (f"https://t.me/{self.bot_name}?", f"t.me/{self.bot_name}?")
        ):
            raise BotApiError("URL_INVALID")
        del self.callbacks[id]
        self.callback_answers[id] = given
        return True

    async def _edit_text(self, given: dict[str, Any]) -> Any:
        message = self._own(given)
        if "text" not in message:
            raise BotApiError("there is no text in the message to edit")
        return self._change(message, given, _text_of(given))

    async def _edit_caption(self, given: dict[str, Any]) -> Any:
        message = self._own(given)
        if "photo" not in message:
            raise BotApiError("there is no caption in the message to edit")
        return self._change(message, given, {"photo": message["photo"], **_caption_of(given)})

    async def _edit_media(self, given: dict[str, Any]) -> Any:
        message = self._own(given)
        media = given.get("media")
        if isinstance(media, str):
            media = json.loads(media)
        if not isinstance(media, dict) or media.get("type") != "photo":
            raise BotApiError("can't parse InputMedia: the stand-in takes photos only")
        unknown = media.keys() - {"type", "media", "has_spoiler", *_CAPTION.split()}
        if unknown:
            raise BotApiError(
                f"can't parse InputMedia: the stand-in refuses unknown fields: {', '.join(sorted(unknown))}"
            )
        return self._change(message, given, _photo(media.get("media")) | _caption_of(media))

    async def _edit_reply_markup(self, given: dict[str, Any]) -> Any:
        message = self._own(given)
        kept = {name: message[name] for name in _CONTENT if name in message}
        return self._change(message, given, kept)

    async def _delete_message(self, given: dict[str, Any]) -> Any:
        chat = self._chat(given)
        if self._messages.get(chat["id"], {}).pop(_number(given, "message_id"), None) is None:
            raise BotApiError("message to delete not found")
        return True

    def _chat(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the chat that a call names. Raises ``BotApiError`` where the bot may not write."""
        if given.get("chat_id") in (None, ""):
            raise BotApiError("chat_id is empty")
        id = _number(given, "chat_id")
        if id in self.groups:
            return self.groups[id].chat
        user = self.users.get(id)
        if user is None:
            raise BotApiError("chat not found")
        if user.blocked:
            raise BotApiError("bot was blocked by the user", 403)
        if not self._messages.get(id):
            raise BotApiError("bot can't initiate conversation with a user", 403)
        return user.chat

    def _say(self, chat: dict[str, Any], given: Mapping[str, Any], content: dict[str, Any]) -> dict[str, Any]:
        markup = reply_markup.read(given.get("reply_markup"), private=chat["type"] == "private")
        if self.limits_rate:
            self._count_towards_rate()
            self._count_towards_rate_of(chat["id"])
        user = self.users.get(chat["id"])
        if markup is not None and "inline_keyboard" in markup:
            content["reply_markup"] = markup
        elif markup is not None and user is not None:
            user.keyboard = markup if "keyboard" in markup else None
        return self.keep(chat, self._bot(), content)

    def _own(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the message that is to be edited."""
        if "inline_message_id" in given:
            raise BotApiError("MESSAGE_ID_INVALID")
        chat = self._chat(given)
        message = self._messages.get(chat["id"], {}).get(_number(given, "message_id"))
        if message is None:
            raise BotApiError("message to edit not found")
        if not message["from"]["is_bot"]:
            raise BotApiError("message can't be edited")
        return message

    def _change(self, message: dict[str, Any], given: Mapping[str, Any], content: dict[str, Any]) -> dict[str, Any]:
        """Replace a message's content and its inline keyboard, which goes away where none is given."""
        private = message["chat"]["type"] == "private"
        markup = reply_markup.read(given.get("reply_markup"), private=private, inline_only=True)
        if markup is not None:
            content["reply_markup"] = markup
        before = {name: message[name] for name in (*_CONTENT, "reply_markup") if name in message}
        if content == before:
            raise BotApiError(
                "message is not modified: specified new message content and reply markup are exactly the same as a "
                "current content and reply markup of the message"
            )
        for name in before:
            del message[name]
        message |= content | {"edit_date": self.now()}
        return message

    def _count_towards_rate(self) -> None:
        now = self.clock()
        while self._sent and now - self._sent[0] >= 1.0:
            self._sent.popleft()
        if len(self._sent) >= MESSAGES_PER_SECOND:
            raise BotApiError("Too Many Requests: retry after 1", 429, retry_after=1)
        self._sent.append(now)

    def _count_towards_rate_of(self, chat: int) -> None:
        now = self.clock()
        paid_at = max(self._paid_at.get(chat, now), now)
        if paid_at - now > CHAT_BURST - 1:
            raise BotApiError("Too Many Requests: retry after 1", 429, retry_after=1)
        self._paid_at[chat] = paid_at + 1.0


_CONTENT = ("text", "entities", "photo", "caption", "caption_entities")


def _failed(error: BotApiError) -> Answer:
    body: dict[str, Any] = {"ok": False, "error_code": error.status, "description": error.description}
    headers = {}
    if error.retry_after is not None:
        body["parameters"] = {"retry_after": error.retry_after}
        headers["Retry-After"] = str(error.retry_after)
    return Answer(body, error.status, headers)


def _parameters(call: Call) -> dict[str, Any]:
    """Return the parameters of a call, from its query and its body."""
    if call.headers.get("content-type", "").startswith("application/json"):
        body = call.json()
        if call.body and not isinstance(body, dict):
            raise BotApiError("can't parse JSON object")
        return {**call.query, **(body or {})}
    return {**call.query, **dict(parse_qsl(call.body.decode("utf-8", "replace"), keep_blank_values=True))}


def _string(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise BotApiError(f'field "{name}" must be of type String')
    return value


def _number(given: Mapping[str, Any], name: str) -> int:
    value = given.get(name)
    if value is None:
        raise BotApiError("message identifier is not specified" if name == "message_id" else f"{name} is empty")
    try:
        return int(value)
    except (TypeError, ValueError) as error:
        raise BotApiError(f"{name} must be a number") from error


def _list(given: Any) -> Any:
    return json.loads(given) if isinstance(given, str) and given else given


def _text_of(given: Mapping[str, Any]) -> dict[str, Any]:
    raw = _string(given, "text")
    if not raw:
        raise BotApiError("message text is empty")
    text, entities = parse(raw, given.get("parse_mode"))
    if not text.strip():
        raise BotApiError("text must be non-empty")
    if count(text, "utf-16 units") > MAX_TEXT_CHARS:
        raise BotApiError("message is too long")
    entities = entities or _list(given.get("entities")) or []
    return {"text": text, **({"entities": entities} if entities else {})}


def _caption_of(given: Mapping[str, Any]) -> dict[str, Any]:
    text, entities = parse(_string(given, "caption"), given.get("parse_mode"))
    if count(text, "utf-16 units") > MAX_CAPTION_CHARS:
        raise BotApiError("message caption is too long")
    found = {"caption": text} if text else {}
    return {**found, **({"caption_entities": entities} if entities else {})}


def _photo(photo: Any) -> dict[str, Any]:
    """Return a photo given by its address or by the id of a file that the platform has."""
    if not isinstance(photo, str) or not photo:
        raise BotApiError("there is no photo in the request")
    if "://" in photo:
        if not is_address(photo, ("http", "https")):
            raise BotApiError("wrong HTTP URL specified")
        if re.search(r"\.svg($|[?#])", photo):
            # The platform looks at the content: it takes JPEG, PNG and WebP, never SVG.
            raise BotApiError("wrong type of the web page content")
    elif not re.fullmatch(r"[A-Za-z0-9_-]{10,}", photo):
        raise BotApiError("wrong remote file identifier specified: Wrong string length")
    return {"photo": [{"file_id": photo, "file_unique_id": photo[-16:], "width": 640, "height": 427}]}
