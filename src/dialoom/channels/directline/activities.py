"""Reads the activities that a client sends as events, and writes stored messages as the activities that it reads.

Who may send them, and how they are handed out, is left to ``http.chat.directline``. The form is that of the Bot
Framework's activity schema (https://github.com/microsoft/botframework-sdk/blob/main/specs/botframework-activity).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from dialoom.channels._contract import adaptive_cards, limits
from dialoom.channels._contract.channel import UNSET_FIELDS
from dialoom.channels._contract.fit import Part, fit
from dialoom.engine.events import Attached, Attachment, Event, Said
from dialoom.errors import RequestError
from dialoom.flow import channels as flow
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages import MessageRecord, Option, Profile
from dialoom.messages.plain import plain_title
from dialoom.service.chat.transcript import Spoken
from dialoom.storage.store import StoredMessage

ROW: Final = CHANNEL_ROWS["directline"]
MESSAGE: Final = "message"
MAX_CLIENT_ID_CHARS: Final = 100
"""Characters of ``clientActivityID``; those of Web Chat have some twenty."""


class Account(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who an activity comes from, as its client says; the id is never believed."""

    id: str | None = None
    name: str | None = None


class FileLink(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """A file that lies at an address. An upload names its files without one."""

    content_url: str | None = None
    content_type: str | None = None
    name: str | None = None


class Activity(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """What a client sends. Clients send more fields than these; what says nothing to a bot is left unread."""

    type: str
    from_: Account | None = msgspec.field(name="from", default=None)
    text: str | None = None
    value: Any = None
    attachments: tuple[FileLink, ...] | None = None
    locale: str | None = None
    local_timezone: str | None = None
    channel_data: Any = None

    @property
    def client_id(self) -> str | None:
        """The client's own id of the activity, which is echoed with it. Raises ``RequestError`` 400."""
        data = self.channel_data
        id = data.get("clientActivityID") if isinstance(data, dict) else None
        if id is None or id == "":
            return None
        if not isinstance(id, str) or len(id) > MAX_CLIENT_ID_CHARS:
            detail = f"clientActivityID is a text of at most {MAX_CLIENT_ID_CHARS} characters."
            raise RequestError("bad-id", detail, pointer="/channelData/clientActivityID")
        return id


def profile(
    user: str, name: str | None, channel: flow.Channel, locale: str | None = None, timezone: str | None = None
) -> Profile:
    """Return the profile of a user. Raises ``RequestError`` 400 for what is too long."""
    limits.check_length(locale, "/locale")
    limits.check_length(timezone, "/localTimezone")
    first, last = limits.names(name, "/from/name")
    return Profile(
        id=user,
        channel=channel.id,
        provider=channel.type,
        first_name=first,
        last_name=last,
        locale=locale,
        timezone=timezone,
    )


def events(activity: Activity, profile: Profile, files: tuple[Attachment, ...] = ()) -> list[Event]:
    """Return what an activity says: one event, or files before the choice of a card that came with them. Nothing for an
    activity that is no message, such as ``typing``. ``files``: those that were uploaded with it. Raises
    ``RequestError`` 400 for a message that says nothing."""
    if activity.type != MESSAGE:
        return []
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": profile}
    files = files or (_linked(activity.attachments) if activity.attachments else ())
    chosen = None if activity.value is None else adaptive_cards.read_submit(activity.value, common)
    if chosen is not None:
        _check_chosen(chosen)
        return [*([Attached(**common, files=files)] if files else []), chosen]
    # A button of another card may bring its text as its value alone.
    text = activity.text or (activity.value if isinstance(activity.value, str) else "")
    limits.check_text(text, "/text")
    if files:
        return [Attached(**common, files=files, text=text.strip())]
    if not text.strip():
        raise RequestError("bad-message", "A message has a text, attachments, or the value of a button of this bot.")
    return [Said(**common, text=text)]


def _check_chosen(event: Event) -> None:
    """Check the size of what a button brought. Raises ``RequestError`` 400."""
    if isinstance(event, Said):
        limits.check_text(event.text, "/value")
        return
    keys = getattr(event, "keys", ())
    if keys:
        limits.check_keys(keys, "/value")
    limits.check_length(getattr(event, "key", None), "/value", limits.MAX_KEY_CHARS)
    limits.check_length(getattr(event, "value", None), "/value")
    limits.check_length(getattr(event, "ask", None), "/value")


def _linked(links: Sequence[FileLink]) -> tuple[Attachment, ...]:
    limits.check_files(len(links), "/attachments")
    files = []
    for index, link in enumerate(links):
        pointer = f"/attachments/{index}"
        if link.content_url is None:
            raise RequestError("bad-url", "An attachment here has an address; upload files.", pointer=pointer)
        limits.check_url(link.content_url, f"{pointer}/contentUrl")
        limits.check_length(link.name, f"{pointer}/name")
        limits.check_length(link.content_type, f"{pointer}/contentType")
        files.append(Attachment(url=link.content_url, mime_type=link.content_type, name=link.name))
    return tuple(files)


class ActivityWriter(NamedTuple):
    """Writes the messages of one conversation as activities."""

    conversation: str
    user: str
    bot: str
    bot_name: str
    language: str
    """The bot's."""

    def bot_activities(self, stored: StoredMessage, spoken: Spoken) -> list[dict[str, Any]]:
        """Return the activities of a message of the bot. ``spoken``: the same with the addresses that it needs."""
        parts = fit(spoken, ROW, self.language)
        made = []
        for number, part in enumerate(parts):
            id = stored.record.id if number == len(parts) - 1 else f"{stored.record.id}-{number}"
            made.append(self._activity(stored.record, id, is_bot=True) | self._part(part, spoken))
        return made

    def user_activity(
        self, stored: StoredMessage, file: Callable[[str], str], titles: Mapping[str, str]
    ) -> dict[str, Any]:
        """Return the activity of a message of the user. ``file``: signs the address of a file again. ``titles``: of the
        options that it may have chosen, by their keys."""
        record = stored.record
        activity = self._activity(record, stored.client_id or record.id, is_bot=False)
        activity["text"] = _said_by_user(record, titles)
        if stored.client_id is not None:
            activity["channelData"] = {"clientActivityID": stored.client_id}
        if record.type == "file" and isinstance(record.payload, list):
            activity["attachments"] = [_file(one, file) for one in record.payload]
        return activity

    def typing_activity(self) -> dict[str, Any]:
        """Return the activity that says that the bot is typing."""
        return {
            "type": "typing",
            "channelId": "directline",
            "from": {"id": self.bot, "name": self.bot_name, "role": "bot"},
            "conversation": {"id": self.conversation},
        }

    def _activity(self, record: MessageRecord, id: str, *, is_bot: bool) -> dict[str, Any]:
        bot, user = {"id": self.bot, "name": self.bot_name, "role": "bot"}, {"id": self.user, "role": "user"}
        return {
            "type": MESSAGE,
            "id": id,
            "timestamp": record.created_at,
            "channelId": "directline",
            "from": bot if is_bot else user,
            "recipient": user if is_bot else bot,
            "conversation": {"id": self.conversation},
        }

    @staticmethod
    def _part(part: Part, spoken: Spoken) -> dict[str, Any]:
        made: dict[str, Any] = {"text": part.text, "textFormat": "markdown"}
        if part.buttons:
            made["suggestedActions"] = {"actions": [_button(option) for option in part.buttons]}
        cards: list[dict[str, Any]] = []
        if part.dialog is not None:
            cards = [adaptive_cards.attachment(card) for card in adaptive_cards.dialog_cards(part.dialog)]
        elif part.link is not None:
            dialog = spoken.message.dialog
            if dialog is not None and dialog.type == "login":
                # Web Chat asks Direct Line for words to add to the address of a "signin" button.
                cards = [adaptive_cards.sign_in("", part.link.title, part.link.url, "openUrl")]
            else:
                cards = [adaptive_cards.attachment(adaptive_cards.link_card(part.link.title, part.link.url))]
        if cards:
            made |= {"attachments": cards, "attachmentLayout": "carousel" if len(cards) > 1 else "list"}
        return made


def titles(messages: Sequence[Spoken]) -> dict[str, str]:
    """Return the titles of the options that messages of the bot offer, by their keys."""
    found = {}
    for spoken in messages:
        dialog = spoken.message.dialog
        for option in (*spoken.message.replies, *(dialog.options if dialog is not None else ())):
            if option.key:
                found[option.key] = plain_title(option.title)
    return found


def chosen_keys(record: MessageRecord) -> list[str]:
    """Return the keys of the options that a message of the user chose."""
    payload = record.payload
    keys = payload.get("keys") if record.type == "option" and isinstance(payload, dict) else None
    return [key for key in keys if isinstance(key, str)] if isinstance(keys, list) else []


def activity_set(activities: Sequence[dict[str, Any]], watermark: int) -> bytes:
    """Return activities as a client reads them, with the position that they lead to."""
    return msgspec.json.encode({"activities": activities, "watermark": str(watermark)})


def _button(option: Option) -> dict[str, Any]:
    button = {
        "type": "messageBack",
        "title": option.title,
        "text": option.title,
        "displayText": option.title,
        "value": adaptive_cards.brings(option),
    }
    return button | ({"image": option.image} if option.image else {})


def _said_by_user(record: MessageRecord, titles: Mapping[str, str]) -> str:
    """Return what a message of the user reads: of a choice the titles."""
    if record.text is not None:
        return record.text
    keys = chosen_keys(record)
    if keys:
        return ", ".join(titles.get(key, key) for key in keys)
    payload = record.payload
    if record.type == "option":
        value = payload.get("value") if isinstance(payload, dict) else payload
        return value if isinstance(value, str) else ""
    if record.type == "location" and isinstance(payload, dict):
        return f"{payload.get('latitude')}, {payload.get('longitude')}"
    return ""


def _file(file: dict[str, Any], sign: Callable[[str], str]) -> dict[str, Any]:
    url, content_type = sign(str(file["url"])), file.get("mimeType") or "application/octet-stream"
    made = {"contentType": content_type, "contentUrl": url} | ({"name": file["name"]} if file.get("name") else {})
    # Web Chat shows a user's picture where it has a small one.
    return made | ({"thumbnailUrl": url} if content_type.startswith("image/") else {})
