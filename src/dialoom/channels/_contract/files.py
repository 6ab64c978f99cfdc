"""Makes the event of a platform's message with files. They are fetched later, by the call that ``Sender.download``
makes of each address."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dialoom.channels._contract.channel import ChatEvent, from_platform
from dialoom.channels._contract.limits import MAX_REMOTE_FILES
from dialoom.engine.events import Attached
from dialoom.service.chat.inbound import RemoteFile

log = logging.getLogger(__name__)


def with_files(
    common: Mapping[str, Any], id: str, named: Sequence[tuple[str, str]], text: str = "", reply_to: str = ""
) -> ChatEvent:
    """Return the one event of a message with files and the words beside them. ``common``: what all its events have;
    ``named``: name and address of each file; ``id`` and ``reply_to`` as for ``from_platform``."""
    if len(named) > MAX_REMOTE_FILES:
        log.warning("of %s files of one message %s are left out", len(named), len(named) - MAX_REMOTE_FILES)
    event = from_platform(Attached(**common, files=(), text=text.strip()), id, reply_to)
    files = tuple(RemoteFile(name, address) for name, address in named[:MAX_REMOTE_FILES])
    return event._replace(inbound=msgspec.structs.replace(event.inbound, remote_files=files))
