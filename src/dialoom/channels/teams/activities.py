"""Activities of the Bot Framework as events of a chat: learn.microsoft.com/azure/bot-service/rest-api/
bot-framework-rest-connector-api-reference#activity-object, as Microsoft Teams fills them in.

Calls that an activity needs (files, logins) are left to ``channel`` and ``sign_on``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.channels._contract import limits
from dialoom.channels._contract.adaptive_cards import read_submit
from dialoom.channels._contract.channel import UNSET_FIELDS, from_platform
from dialoom.channels._contract.files import with_files
from dialoom.channels.teams.connector import Route, encode_route
from dialoom.engine.events import Began, Said
from dialoom.errors import RequestError
from dialoom.messages import Profile

if TYPE_CHECKING:
    from dialoom.channels._contract.channel import ChatEvent
    from dialoom.service.outbox.bot_channel import BotChannel

FILE_TYPE: Final = "application/vnd.microsoft.teams.file.download.info"
"""Of a file in a chat with one person (learn.microsoft.com/microsoftteams/platform/bots/how-to/bots-filesv4)."""
GROUPS: Final = frozenset({"groupChat", "channel"})
_MENTION_TAG = re.compile(r"</?at(?:\s[^<>]*)?>")
"""A tag by itself, so that a text of many that are never closed is read once."""


class Account(msgspec.Struct, frozen=True):
    """A person, or the bot."""

    id: str = ""
    name: str | None = None
    aad_object_id: str | None = msgspec.field(name="aadObjectId", default=None)


class Conversation(msgspec.Struct, frozen=True, rename="camel"):
    id: str = ""
    conversation_type: str | None = None
    is_group: bool | None = None
    tenant_id: str | None = None


class FileAttachment(msgspec.Struct, frozen=True, rename="camel"):
    """Something that came with a message. Teams adds the text once more as ``text/html``."""

    content_type: str | None = None
    content_url: str | None = None
    content: Any = None
    name: str | None = None

    @property
    def address(self) -> str | None:
        """Return where the file is; None for what is no file."""
        if self.content_type == FILE_TYPE:
            url = self.content.get("downloadUrl") if isinstance(self.content, dict) else None
            return url if isinstance(url, str) else None
        is_card = (self.content_type or "").startswith(("application/vnd.microsoft", "text/html"))
        return None if is_card else self.content_url


class Activity(msgspec.Struct, frozen=True, rename="camel"):
    """One activity. Kinds and fields that are not here are no part of a chat."""

    type: str
    service_url: str
    conversation: Conversation
    channel_id: str = ""
    id: str | None = None
    timestamp: str | None = None
    from_: Account | None = msgspec.field(name="from", default=None)
    recipient: Account | None = None
    text: str | None = None
    value: Any = None
    name: str | None = None
    action: str | None = None
    locale: str | None = None
    local_timezone: str | None = None
    entities: tuple[dict[str, Any], ...] | None = None
    attachments: tuple[FileAttachment, ...] | None = None
    members_added: tuple[Account, ...] | None = None
    channel_data: Any = None

    @property
    def tenant(self) -> str | None:
        """Return the tenant that the activity comes from."""
        named = self.channel_data.get("tenant") if isinstance(self.channel_data, dict) else None
        id = named.get("id") if isinstance(named, dict) else None
        return self.conversation.tenant_id or (id if isinstance(id, str) else None)

    @property
    def is_group(self) -> bool:
        return self.conversation.conversation_type in GROUPS or bool(self.conversation.is_group)

    @property
    def event_type(self) -> str:
        """Return what Teams says that was done to a message: ``editMessage``, ``undeleteMessage`` ..."""
        found = self.channel_data.get("eventType") if isinstance(self.channel_data, dict) else None
        return found if isinstance(found, str) else ""

    def is_bot(self, id: Any, app_id: str) -> bool:
        """Return whether an account's id is the bot's."""
        return bool(id) and id in (self.recipient.id if self.recipient else None, app_id, f"28:{app_id}")

    def mentions_bot(self, app_id: str) -> bool:
        return any(self.is_bot(_mentioned(one), app_id) for one in self.entities or ())


def check_addresses(activity: Activity) -> None:
    """Check what the addresses of the bot's answers are made of. Raises ``RequestError`` 400."""
    limits.check_path_id(activity.conversation.id, "/conversation/id")
    limits.check_length(activity.service_url, "/serviceUrl", limits.MAX_URL_CHARS)
    if set(activity.service_url) & set("?#\\") or not activity.service_url.isprintable():
        raise RequestError("bad-url", "A serviceUrl has no query and no fragment.", pointer="/serviceUrl")
    if activity.type in ("message", "messageUpdate"):
        limits.check_id(activity.id or "", "/id")
        limits.check_id(activity.from_.id if activity.from_ is not None else "", "/from/id")
    for account, pointer in ((activity.from_, "/from"), (activity.recipient, "/recipient")):
        limits.check_length(None if account is None else account.id, f"{pointer}/id")


def route_of(activity: Activity, user: Account) -> Route:
    bot = activity.recipient.id if activity.recipient is not None else ""
    return Route(activity.service_url, activity.conversation.id, user.id, bot, activity.is_group)


def profile_of(activity: Activity, user: Account, bot_channel: BotChannel) -> Profile:
    """Return the user. Memory is kept by the person's id in the directory, the same in every conversation."""
    first, last = limits.names((user.name or "")[: limits.MAX_ID_CHARS], "/from/name")
    return Profile(
        id=user.aad_object_id or user.id,
        channel=bot_channel.channel.id,
        provider=bot_channel.channel.type,
        first_name=first,
        last_name=last,
        locale=activity.locale or _client_info(activity, "locale"),
        timezone=_client_info(activity, "timezone") or activity.local_timezone,
    )


def user_of(activity: Activity, app_id: str) -> Account | None:
    """Return whose activity it is; None where it is nobody's. A test client that adds a user to a chat may say so only
    among the members."""
    if activity.from_ is not None and activity.from_.id and not activity.is_bot(activity.from_.id, app_id):
        return activity.from_
    added = [one for one in activity.members_added or () if one.id and not activity.is_bot(one.id, app_id)]
    return added[0] if len(added) == 1 else None


def is_arrival(activity: Activity, user: Account, app_id: str) -> bool:
    """Return whether the bot has come to the chat, or the user to the bot: both begin the chat. That somebody else has
    come to a group is said to people."""
    if activity.type == "installationUpdate":
        return (activity.action or "").startswith("add")
    added = [one.id for one in activity.members_added or ()]
    return any(activity.is_bot(id, app_id) for id in added) or (user.id in added and not activity.is_group)


def files_of(activity: Activity) -> list[tuple[str, str]]:
    """Return name and address of the files of a message."""
    found = [(one.name or "", one.address) for one in activity.attachments or ()]
    return [(name, address) for name, address in found if address]


def event_id(activity: Activity) -> str:
    """Return the id by which a repetition is known. An edited message keeps the id of the first."""
    return activity.id or "" if activity.type != "messageUpdate" else f"{activity.id} {activity.timestamp}"


def began(activity: Activity, profile: Profile, route: Route) -> ChatEvent:
    return from_platform(Began(**UNSET_FIELDS, profile=profile), event_id(activity), encode_route(route))


def message_event(activity: Activity, profile: Profile, route: Route, app_id: str) -> ChatEvent:
    """Return the event of a message: its files and its text, or what a card submits, else its text."""
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": profile}
    if files := files_of(activity):
        return with_files(common, event_id(activity), files, words_of(activity, app_id), encode_route(route))
    event = read_submit(activity.value, common) or Said(**common, text=words_of(activity, app_id))
    return from_platform(event, event_id(activity), encode_route(route))


def words_of(activity: Activity, app_id: str) -> str:
    """Return the text without the mention of the bot; other people keep their names."""
    text = activity.text or ""
    for one in activity.entities or ():
        said = one.get("text")
        if isinstance(said, str) and said and activity.is_bot(_mentioned(one), app_id):
            text = text.replace(said, " ")
    return _MENTION_TAG.sub("", text).replace("&nbsp;", " ").replace("\xa0", " ").strip()


def _mentioned(entity: dict[str, Any]) -> Any:
    mentioned = entity.get("mentioned") if entity.get("type") == "mention" else None
    return mentioned.get("id") if isinstance(mentioned, dict) else None


def _client_info(activity: Activity, name: str) -> str | None:
    for one in activity.entities or ():
        if one.get("type") == "clientInfo" and isinstance(one.get(name), str):
            return str(one[name])
    return None
