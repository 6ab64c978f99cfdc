"""The condition that a database is in, as it is told without changing anything: for ``dialoom doctor``."""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec

from dialoom.storage.rows import TokenRow, Version


class Waiting(msgspec.Struct, frozen=True):
    """A bot's outbox. ``since``: when the oldest delivery that waits was made, in milliseconds since 1970."""

    bot: str
    waiting: int
    dead: int
    since: int | None


LATE = 300_000
"""Milliseconds after which an event that waits for its turn is late: calls of one turn share a minute by default."""


class Late(msgspec.Struct, frozen=True):
    """Chats of a bot with an event that is late. ``since``: when the oldest was accepted (milliseconds since 1970)."""

    bot: str
    chats: int
    since: int


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """Kind and release, as ``PostgreSQL 18.1``."""
    where: str
    """For people; without a password."""
    step: int
    """Of the tables; 0 when there are none yet."""
    known: int
    """The step that this release brings them to."""
    is_too_new: bool = False
    """True if a newer release made them so that this one cannot work with them."""
    seconds: float
    """Of one question and its answer."""
    risks: tuple[str, ...] = ()
    """Settings with which what was written can be lost."""
    ahead: float | None = None
    """Seconds that its clock is ahead of this machine's; None where it has none of its own."""
    connections: tuple[int, int] | None = None
    """Those in use, and those that may be; None where there is no limit."""
    newest: int = 0
    """The latest time that stands in it, in milliseconds since 1970."""
    tokens: tuple[TokenRow, ...] = ()
    versions: tuple[Version, ...] = ()
    """The active ones."""
    outbox: tuple[Waiting, ...] = ()
    late: tuple[Late, ...] = ()
    marks: Mapping[str, int] = msgspec.field(default_factory=dict)


def late_before() -> int:
    """Return the time, in milliseconds since 1970, before which accepted events that still wait are late."""
    return time.time_ns() // 1_000_000 - LATE
