"""Which files the text of a message names: what is in no message any more need not be kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PLACE = "/files/"
"""Stands in the text of every message that names a file."""
_NAMED = re.compile(PLACE + r"([^/?#\s\"\\]+)\?")


def named_files(texts: Iterable[str]) -> list[str]:
    """Ids in the addresses of files. An address of somebody else's gives an id that is no file of the user."""
    return list(dict.fromkeys(id for text in texts for id in _NAMED.findall(text)))
