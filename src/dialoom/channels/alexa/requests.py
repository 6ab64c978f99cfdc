"""Requests of a custom skill as events
(developer.amazon.com/en-US/docs/alexa/custom-skills/request-and-response-json-reference.html)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from dialoom.channels._contract.channel import UNSET_FIELDS, ChatEvent
from dialoom.channels.alexa.goals import ANSWER, CATCH_ALL, goal_intents, said_for
from dialoom.engine.events import Began, ContextGiven, Said
from dialoom.languages import channel_texts, system_texts
from dialoom.messages import Profile
from dialoom.service.chat.inbound import InboundEvent
from dialoom.storage.store import Dedupe

if TYPE_CHECKING:
    from dialoom.engine.events import Event
    from dialoom.flow import Bot
    from dialoom.service.outbox.bot_channel import BotChannel

ENDING: Final = frozenset({"AMAZON.StopIntent", "AMAZON.CancelIntent", "AMAZON.NavigateHomeIntent"})
"""Intents that close the skill at once, whatever is asked."""
MAX_PARTS: Final = 1_000_000
"""Parts of what is said at once: far above what all its messages can have."""
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Application(msgspec.Struct, frozen=True, rename="camel"):
    application_id: str


class Person(msgspec.Struct, frozen=True, rename="camel"):
    """The user's account with the skill."""

    user_id: str = ""
    access_token: str | None = None


class Attributes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an answer has given the session to keep."""

    first: str = ""
    """Id of the first message of which the user has not heard all; empty where nothing is left."""
    last: str = ""
    part: Annotated[int, msgspec.Meta(ge=0, le=MAX_PARTS)] = 0
    """The part of these messages that comes next."""
    over: bool = False
    """The session ends once all of them are heard."""
    waits: bool = False
    """The user was told that the bot still works on it."""


class Session(msgspec.Struct, frozen=True):
    application: Application
    user: Person = Person()
    attributes: Any = None


class System(msgspec.Struct, frozen=True, rename="camel"):
    application: Application | None = None
    user: Person = Person()
    api_endpoint: str = ""
    api_access_token: str = ""


class Context(msgspec.Struct, frozen=True):
    system: System = msgspec.field(name="System", default=System())


class Slot(msgspec.Struct, frozen=True):
    value: str | None = None


class Intent(msgspec.Struct, frozen=True):
    name: str
    slots: dict[str, Slot] | None = None


class Fault(msgspec.Struct, frozen=True):
    type: str = ""
    message: str = ""


class SkillRequest(msgspec.Struct, frozen=True, rename="camel"):
    """What the user did."""

    type: str
    request_id: str
    timestamp: datetime
    locale: str | None = None
    intent: Intent | None = None
    reason: str | None = None
    error: Fault | None = None


class Envelope(msgspec.Struct, frozen=True):
    """The body of a call. A request outside a session has no ``session``."""

    request: SkillRequest
    session: Session | None = None
    context: Context = Context()

    @property
    def application_ids(self) -> set[str]:
        """Return the skill that the request is for, in the two places that name it."""
        named = [self.session.application] if self.session is not None else []
        system = self.context.system.application
        return {one.application_id for one in (*named, *([system] if system is not None else []))}

    @property
    def user(self) -> Person:
        system = self.context.system.user
        return self.session.user if self.session is not None and self.session.user.user_id else system

    @property
    def account_token(self) -> str:
        """Return the access token of the linked account; empty without one."""
        session = self.session.user.access_token if self.session is not None else None
        return session or self.context.system.user.access_token or ""

    @property
    def attributes(self) -> Attributes:
        """Return what the session keeps; nothing where another version of the skill wrote it."""
        try:
            return msgspec.convert(self.session and self.session.attributes, Attributes)
        except msgspec.ValidationError:
            return Attributes()


def wants_more(envelope: Envelope, language: str) -> bool:
    """Return whether the user asks for what an earlier answer left over."""
    intent = envelope.request.intent
    if intent is None or not envelope.attributes.first:
        return False
    if intent.name in ("AMAZON.NextIntent", "AMAZON.YesIntent"):
        return True
    return " ".join(_slots_text(intent).lower().split()) in channel_texts(language).more


def event_of(envelope: Envelope, bot_channel: BotChannel) -> ChatEvent | None:
    """Return the event of a request; None for one that tells the bot nothing."""
    request, user = envelope.request, envelope.user
    profile = Profile(
        id=user.user_id, channel=bot_channel.channel.id, provider=bot_channel.channel.type, locale=request.locale
    )
    event = _event(envelope, {**UNSET_FIELDS, "profile": profile}, bot_channel.bot)
    if event is None or not user.user_id:
        return None
    inbound = InboundEvent(event=event, dedupe=Dedupe(request.request_id, b""), is_answered=True, takes_waiting=True)
    return ChatEvent(user.user_id, inbound, envelope.account_token)


def _event(envelope: Envelope, common: dict[str, Any], bot: Bot) -> Event | None:
    request = envelope.request
    intent = request.intent
    if request.type == "LaunchRequest" or (intent is not None and intent.name == "AMAZON.RepeatIntent"):
        return Began(**common, is_said_again=True)
    if request.type != "IntentRequest" or intent is None:
        return None
    is_free = intent.name in (CATCH_ALL, ANSWER, "AMAZON.FallbackIntent", "AMAZON.YesIntent", "AMAZON.NextIntent")
    if envelope.attributes.waits and is_free:
        # The user asks for what the bot was working on, in whatever words.
        return ContextGiven(**common)
    return Said(**common, text=_text(intent, bot))


def _text(intent: Intent, bot: Bot) -> str:
    """Return what a user types who means an intent, in the bot's language."""
    texts, commands = system_texts(bot.file.language), bot.commands
    match intent.name:
        case "AMAZON.YesIntent":
            return texts.yes
        case "AMAZON.NoIntent":
            return texts.no
        case "AMAZON.NextIntent":
            return (commands.next_page or texts.next_page)[0]
        case "AMAZON.PreviousIntent":
            return (commands.previous_page or texts.previous_page)[0]
        case "AMAZON.StartOverIntent":
            return (commands.restart or texts.restart)[0]
        case "AMAZON.HelpIntent":
            return said_for(bot, "help")
    slots = _slots_text(intent)
    goal = goal_intents(bot).get(intent.name)
    if goal is not None:
        return f"{said_for(bot, goal)} {slots}".strip()
    # An intent that a developer has added by hand means what its name says, with what its slots hold.
    if slots or intent.name in (CATCH_ALL, ANSWER) or intent.name.startswith("AMAZON."):
        return slots
    return _HUMP.sub(" ", intent.name.removesuffix("Intent")).replace("_", " ").lower()


def _slots_text(intent: Intent) -> str:
    return " ".join(slot.value for slot in (intent.slots or {}).values() if slot.value)
