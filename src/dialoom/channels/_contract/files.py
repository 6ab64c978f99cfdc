"""Keeps the files that users send to a platform, so that nobody needs the platform's own addresses of them, which may
hold a secret or end soon."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import msgspec

from dialoom.channels._contract.channel import UNSET_FIELDS, ChatEvent, from_platform
from dialoom.engine.events import Attached, Attachment, NoResponse, Said
from dialoom.errors import RequestError
from dialoom.service.outbox.delivery import RETRIED_FAILURES, RETRIED_STATUSES
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from dialoom.engine.effects import Request
    from dialoom.messages import Profile
    from dialoom.service.outbox.bot_channel import BotChannel


log = logging.getLogger(__name__)


async def received(
    place: BotChannel, profile: Profile, id: str, named: list[tuple[str, Request]], reply_to: str = ""
) -> ChatEvent:
    """Return the event of a message with files, each given by its name and the call that fetches it; ``id`` and
    ``reply_to`` as for ``from_platform``. A message of whose files none can be had is one without words, which the bot
    says that it did not understand.

    Raises ``RequestError`` 503 where the platform does not give a file now: it sends the message again.
    """
    key = ChatKey(place.bot.id, place.channel.id, profile.id)
    files: list[Attachment] = []
    kept: list[str] = []
    for name, request in named:
        content = await had(place, request)
        if not content:
            continue
        try:
            stored = await place.bot_channels.files.keep(key, name, content)
        except RequestError as error:
            # Sent again it would be too much again, and the platform would hold back what the user says meanwhile.
            log.info("a file to channel %s is not kept: %s", place.channel.id, error.code)
            continue
        kept.append(stored.id)
        files += await place.bot_channels.files.named(key, [stored.id])
    if not files:
        return from_platform(Said(**UNSET_FIELDS, profile=profile, text=""), id, reply_to)
    event = from_platform(Attached(**UNSET_FIELDS, profile=profile, files=tuple(files)), id, reply_to)
    return event._replace(inbound=msgspec.structs.replace(event.inbound, files=tuple(kept)))


async def had(place: BotChannel, request: Request) -> bytes | None:
    """Return what the platform answers to a call for a file; None where it does not give it. Raises ``RequestError``
    503 where it does not answer now."""
    answer = await place.fetch(request)
    is_down = (
        answer.kind in RETRIED_FAILURES
        if isinstance(answer, NoResponse)
        else answer.status in RETRIED_STATUSES or answer.status >= 500
    )
    if is_down:
        text = "The platform does not give the file of this message now. Send it again later."
        raise RequestError("overloaded", text)
    return answer.body if not isinstance(answer, NoResponse) and 200 <= answer.status <= 299 else None
