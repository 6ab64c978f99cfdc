"""The channel: what a request proves and brings, and how the bot's messages become its answer."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from dialoom.channels._contract.channel import Channel, Continuation, Inbound, Reply, SetUp
from dialoom.channels.alexa import proof, requests, speech
from dialoom.channels.alexa.requests import Attributes, Envelope
from dialoom.engine.effects import Request
from dialoom.errors import SettingError
from dialoom.languages import channel_texts
from dialoom.service.outbox.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.channels._contract.channel import ChatEvent, InboundCall
    from dialoom.service.chat.transcript import Spoken
    from dialoom.service.outbox.bot_channel import BotChannel
    from dialoom.service.outbox.channel_posts import Post
    from dialoom.service.settings import Settings

log = logging.getLogger(__name__)

API_HOSTS: Final = ".amazonalexa.com"
"""Where progressive responses go (send-the-user-a-progressive-response.html: the ``apiEndpoint`` of the request)."""
SKILL_ID: Final = re.compile(r"amzn1\.ask\.skill\.[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
EXAMPLE_SKILL_ID: Final = "amzn1.ask.skill.00000000-0000-4000-8000-000000000001"
MAX_LOGGED_CHARS: Final = 200


class AlexaChannel(Channel):
    """The channel; one object serves all bots."""

    async def verify(self, call: InboundCall, bot_channel: BotChannel) -> None:
        skill = bot_channel.channel.skill_id
        if skill is None:
            raise SettingError(f'Channel "{bot_channel.channel.id}" of bot.json has no skill-id. Write it there.')
        is_unsigned = call.header("signature-256") is None and call.header("signaturecertchainurl") is None
        if not (is_unsigned and call.may_be_unsigned):
            await proof.check_signature(call, bot_channel)
        envelope = call.read(Envelope)
        if envelope.application_ids != {skill}:
            raise proof.unproven("The request is for another skill than the skill-id of this channel.")
        proof.check_timestamp(envelope.request.timestamp, bot_channel)

    async def parse(self, call: InboundCall, bot_channel: BotChannel) -> Inbound:
        envelope = call.read(Envelope)
        request, attributes = envelope.request, envelope.attributes
        if request.type == "SessionEndedRequest":
            _log_fault(envelope, bot_channel)
            return Inbound(reply=Reply(speech.silent()))
        if request.intent is not None and request.intent.name in requests.ENDING:
            return Inbound(reply=Reply(speech.closing()))
        if requests.wants_more(envelope, bot_channel.language):
            heard = msgspec.json.encode(attributes)
            return Inbound(continuation=Continuation(envelope.user.user_id, attributes.first, attributes.last, heard))
        event = requests.event_of(envelope, bot_channel)
        if event is None:
            return Inbound(reply=Reply(speech.silent()))
        return Inbound([event], Reply(speech.closing()), waiting_signals=_progress(envelope, bot_channel))

    def answer(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel, *, is_over: bool) -> bytes:
        return speech.answer_of(spoken, bot_channel, is_over=is_over)

    def go_on(self, continuation: Continuation, spoken: tuple[Spoken, ...], bot_channel: BotChannel) -> bytes:
        return speech.later_part(spoken, msgspec.json.decode(continuation.at, type=Attributes), bot_channel)

    def late(self, event: ChatEvent, bot_channel: BotChannel) -> bytes:
        return speech.working(bot_channel)

    def render(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel) -> Sequence[bytes]:
        """Return nothing: a skill speaks only when it is asked."""
        return ()

    def address(self, bot_channel: BotChannel) -> str | None:
        return None

    async def request(self, post: Post, bot_channel: BotChannel) -> Request:
        raise SettingError("A skill speaks only when it is asked: nothing is posted to Alexa.")

    async def signal(self, signal: Signal, bot_channel: BotChannel) -> Request:
        progress = msgspec.json.decode(signal.body, type=_Progress)
        return Request(
            method="POST",
            url=f"{progress.api_endpoint}/v1/directives",
            headers=(
                ("Content-Type", "application/json"),
                ("Authorization", f"Bearer {progress.token}"),
            ),
            body=msgspec.json.encode(
                {
                    "header": {"requestId": progress.request_id},
                    "directive": {
                        "type": "VoicePlayer.Speak",
                        "speech": speech.ssml(channel_texts(bot_channel.language).one_moment),
                    },
                }
            ),
            trusted_host=True,
        )

    async def connect(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        return await self.check(bot_channel, address)

    async def check(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        """Return what a person does in the developer console, which no call reaches without Amazon's own tools."""
        found = _named(bot_channel)
        if urlsplit(address).scheme != "https" and not bot_channel.settings.platforms_here:
            text = f"Alexa calls https addresses only, and this is {address}. Set DIALOOM_BASE_URL."
            found.append(SetUp("wrong", text))
        steps = [
            f"Build, Endpoint: HTTPS, {address}, and the kind of certificate that this host has.",
            "Build, JSON Editor: for each language the file of `dialoom voice-model BOT_FOLDER --output models`.",
        ]
        if bot_channel.bot.flow.settings.authentication is not None:
            steps.append("Build, Account Linking: the provider of settings.authentication, grant type Auth Code.")
        return [*found, *(SetUp("by-hand", f"Alexa developer console, {step}") for step in steps)]


CHANNEL: Final = AlexaChannel()


def _named(bot_channel: BotChannel) -> list[SetUp]:
    """Return what can be said of the skill-id."""
    skill_id = bot_channel.channel.skill_id
    if skill_id is None:
        return [SetUp("wrong", f'Channel "{bot_channel.channel.id}" has no skill-id: write it into bot.json.')]
    if SKILL_ID.fullmatch(skill_id) is None:
        text = (
            f'"{skill_id}" is no id of a skill: one looks like {EXAMPLE_SKILL_ID}. In the Alexa developer console it '
            f'stands in the list of skills, under "Copy Skill ID". Write it into bot.json as skill-id.'
        )
        return [SetUp("wrong", text)]
    return [
        SetUp("ok", f"The skill-id {skill_id} has the right form. Requests for this skill alone are taken."),
        SetUp(
            "by-hand",
            'Alexa developer console, list of skills: compare "Copy Skill ID" with the skill-id. Whether there is such '
            "a skill cannot be asked from here.",
        ),
    ]


class _Progress(msgspec.Struct, frozen=True):
    """Holds what a progressive response needs of its request."""

    api_endpoint: str
    token: str
    request_id: str


def _progress(envelope: Envelope, bot_channel: BotChannel) -> list[Signal]:
    """Return the signal that says that the bot is at work; none where the request's address is not Amazon's."""
    system = envelope.context.system
    if not system.api_access_token or not is_of_amazon(system.api_endpoint, bot_channel.settings):
        return []
    progress = _Progress(system.api_endpoint.rstrip("/"), system.api_access_token, envelope.request.request_id)
    return [Signal(envelope.user.user_id, msgspec.json.encode(progress))]


def is_of_amazon(endpoint: str, settings: Settings) -> bool:
    """Return whether a token may go to this address: a host of Amazon's, or the stand-in of this machine."""
    try:
        parts = urlsplit(endpoint)
        host, is_default = (parts.hostname or "").lower(), parts.port in (None, 443)
    except ValueError:
        return False
    if parts.netloc in settings.platforms_here:
        return parts.scheme == "http"
    is_plain = not (parts.username or parts.query or parts.fragment or parts.path.strip("/"))
    return parts.scheme == "https" and is_default and is_plain and host.endswith(API_HOSTS)


def _log_fault(envelope: Envelope, bot_channel: BotChannel) -> None:
    """Tell the operator what Alexa found wrong with an answer."""
    fault = envelope.request.error
    if fault is not None:
        told = f"{fault.type} {fault.message}"[:MAX_LOGGED_CHARS].encode("unicode_escape").decode()
        log.warning(
            "Alexa ended a session of channel %s of bot %s: %s", bot_channel.channel.id, bot_channel.bot.id, told
        )
