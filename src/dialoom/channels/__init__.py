"""Holds one folder a channel, which knows no other channel; what a type can do stands in its row (``flow.channels``).

``_contract`` holds what they share. How calls come in is ``http.chat``'s, how messages go out ``service.outbox``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from dialoom.channels._contract.channel import Channel
from dialoom.flow.channels import CHANNEL_ROWS

CHANNELS: Final[Mapping[str, Channel]] = {
    row.type: import_module(f"{__name__}.{row.folder}").CHANNEL for row in CHANNEL_ROWS.values() if row.is_posted_to
}
"""By type every channel that is called and sends; of the others (our own chat page, Direct Line) users read from the
store what is said."""
