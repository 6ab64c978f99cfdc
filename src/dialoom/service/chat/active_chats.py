"""The chats that are in memory now, each with its events in their order. What is done with an event is the runner's,
which chats are this process's own is ``leases.py``'s.

A chat has a tenure, which says what the store has down of it and what may be done here:

=========  =====================  ==============================  =====================
tenure     store's lease is ours  what is known here              turns may run, calls
                                                                  may go out
=========  =====================  ==============================  =====================
NONE       no                     nothing                         no
DOUBTFUL   perhaps                nothing that can be relied on   no
HELD       yes, as far as known   memory, and all that waits      yes
=========  =====================  ==============================  =====================

``seek`` (the store is asked for it) and ``may_have`` (the store may have given it): NONE to DOUBTFUL. ``hold`` (the
store gave it): to HELD. ``doubt`` (a turn failed or was overtaken, another process spoke in it): HELD to DOUBTFUL.
``lose`` (another process has it, or may have): to NONE. On a store of one process a chat begins as HELD and is never
NONE: there a doubt means that it has to be read anew.

Beside that, ``busy`` says that one task works on it, and only that one changes the queue's head, ``current``, or the
tenure to HELD; ``current`` is set in ``busy`` alone. ``is_stale`` (events wait in the store that are not in the queue)
goes with any of them: whoever is busy, or becomes so, seeks the chat before its next event.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from dialoom.errors import RequestError

if TYPE_CHECKING:
    from opentelemetry.context import Context

    from dialoom.service.chat.chat_row import Loaded
    from dialoom.service.chat.inbound import InboundEvent
    from dialoom.service.chat.turn_limit import TurnTooLongError
    from dialoom.service.login.login_values import Login
    from dialoom.storage.store import ChatKey

MAX_CACHED_CHATS = 20_000
"""Idle chats kept in memory, about 4 kB each."""

MAX_LARGE_CHATS_BYTES = 16 * 1024 * 1024
"""Sealed memory of the large chats that are kept opened, which are up to ten times as much there. Beyond it the one
that was used longest ago is read from the store for its next turn."""


class Stored(NamedTuple):
    """A turn that was stored, for those who watch. ``outcome``: ``done``, or ``failed`` when the flow met a failure."""

    channel_type: str
    conversation: str
    outcome: str


class Job:
    """An event on its way through its turn. ``durable`` comes with its inbox row or its turn, whichever is first."""

    __slots__ = (
        "answer",
        "arrival",
        "durable",
        "interrupted",
        "is_committing",
        "is_repeat",
        "journal",
        "made",
        "number",
        "origin",
        "renewed",
        "stored",
        "tries",
    )

    def __init__(self, arrival: InboundEvent, number: int | None = None) -> None:
        loop = asyncio.get_running_loop()
        self.arrival = arrival
        self.number = number
        self.journal: dict[str, bytes] | None = {} if number is None else None
        """Results of outside calls by key; None until they are read (others may have made some of its calls)."""
        self.made: dict[str, bytes] = {}
        """Those of the calls that were made here, kept or not."""
        self.durable: asyncio.Future[None] = loop.create_future()
        self.answer: asyncio.Future[bytes] = loop.create_future()
        self.is_committing = False
        """Whether its inbox row may be gone already."""
        self.is_repeat = False
        """The store had seen its key: it has no turn of its own."""
        self.interrupted: TurnTooLongError | None = None
        """Where its turn was interrupted: it fails then, and is not run again."""
        self.tries = 0
        """How often its turn could not be stored."""
        self.origin: Context | None = None
        """The trace that it belongs to."""
        self.stored: Stored | None = None
        """What came of its turn."""
        self.renewed: Login | None = None
        """What came of a login's renewal in its turn, as far as that was run."""

    def set_durable(self) -> None:
        if not self.durable.done():
            self.durable.set_result(None)

    def has_run(self) -> bool:
        """Whether its turn ran here, at least in part, and would be lost with this process."""
        return self.is_committing or bool(self.made)

    def refuse(self, error: BaseException) -> None:
        """Tell whoever waits, if anybody does."""
        if isinstance(error, asyncio.CancelledError):
            error = stopping()
        for future in (self.durable, self.answer):
            if not future.done():
                future.set_exception(error)
                future.exception()


class LeaseState(Enum):
    NONE = auto()
    DOUBTFUL = auto()
    HELD = auto()


class ActiveChat:
    """A chat in memory. ``busy``: one task works on it."""

    __slots__ = ("busy", "current", "is_stale", "key", "loaded", "queue", "tenure", "used_at")

    def __init__(self, key: ChatKey, tenure: LeaseState) -> None:
        self.key = key
        self.tenure = tenure
        self.loaded: Loaded | None = None
        """As the store has it; None where it has to be read. Right only while the chat is held."""
        self.queue: deque[Job] = deque()
        self.busy = False
        self.current: Job | None = None
        self.is_stale = False
        """Events may wait in it that are not in ``queue`` yet."""
        self.used_at = 0
        """When its last event came, in milliseconds since 1970."""

    # -- tenure

    @property
    def is_held(self) -> bool:
        """Whether this process has the chat, as far as it knows, and all that waits in it."""
        return self.tenure is LeaseState.HELD

    @property
    def may_be_ours(self) -> bool:
        """Whether a shared store may have it down as this process's."""
        return self.tenure is not LeaseState.NONE

    def seek(self) -> None:
        """The store is asked for it, and for all that waits in it. One that is held stays so meanwhile."""
        self.is_stale = False
        self.may_have()

    def may_have(self) -> None:
        if self.tenure is LeaseState.NONE:
            self.tenure = LeaseState.DOUBTFUL

    def hold(self, loaded: Loaded) -> None:
        """What waits in it is in the queue."""
        self.tenure = LeaseState.HELD
        self.loaded = loaded

    def doubt(self) -> None:
        """What is known of it may be old: the store is asked before anything is done in it."""
        self.loaded = None
        if self.tenure is LeaseState.HELD:
            self.tenure = LeaseState.DOUBTFUL

    def lose(self) -> None:
        self.loaded = None
        self.tenure = LeaseState.NONE

    # -- events

    def jobs(self) -> tuple[Job, ...]:
        """Those of its events that are known here, the one in its turn first."""
        return (*self.queue,) if self.current is None else (self.current, *self.queue)

    def has_accepted(self) -> bool:
        """Whether an event waits in it that has its number."""
        return any(job.number is not None for job in self.queue)

    def known_before(self, number: int) -> int:
        """How many events of this process certainly wait in the inbox before this number."""
        return sum(job.number is not None and job.number < number and not job.is_committing for job in self.jobs())

    def is_in_turn(self) -> bool:
        """Whether a turn runs here, or ran and is not stored yet."""
        is_running = self.current is not None and self.current.durable.done()
        return is_running or any(job.has_run() for job in self.queue)

    def refuse_all(self, error: BaseException) -> None:
        """Whoever waits is told. What was accepted stays in the inbox."""
        for job in self.jobs():
            job.refuse(error)
        self.queue.clear()


class ActiveChats:
    """By key; the one that was idle longest goes first when there are too many."""

    def __init__(self, *, is_shared: bool) -> None:
        self._lives: OrderedDict[ChatKey, ActiveChat] = OrderedDict()
        self._is_shared = is_shared
        self.left: set[ChatKey] = set()
        """Chats that went out of memory while a shared store had them down as this process's."""
        self._large: dict[ChatKey, int] = {}
        """Bytes of the sealed memory of large chats that had a turn, the latest last; some may be closed since."""

    def take(self, key: ChatKey) -> ActiveChat:
        live = self._lives.get(key)
        if live is None:
            live = self._lives[key] = ActiveChat(key, LeaseState.NONE if self._is_shared else LeaseState.HELD)
            self.left.discard(key)
            while len(self._lives) > MAX_CACHED_CHATS and self._forget_idle(key):
                pass
        else:
            self._lives.move_to_end(key)
        return live

    def keep_opened(self, live: ActiveChat, size: int) -> None:
        """Note the bytes of a large chat after its turn, 0 of any other. Closes those used longest ago when the opened
        ones are too much together."""
        self._large.pop(live.key, None)
        if not size:
            return
        self._large[live.key] = size
        opened = [self._lives[key] for key in self._large if key in self._lives and self._lives[key].loaded is not None]
        self._large = {one.key: self._large[one.key] for one in opened}
        left = sum(self._large.values())
        for one in opened:
            if left <= MAX_LARGE_CHATS_BYTES:
                break
            left -= self._large.pop(one.key)
            one.loaded = None

    def find(self, key: ChatKey) -> ActiveChat | None:
        return self._lives.get(key)

    def _forget_idle(self, but: ChatKey) -> bool:
        """Take the chat that was idle longest out of memory; False when none is."""
        for key, live in self._lives.items():
            if not live.busy and not live.queue and key != but:
                self.forget(live)
                return True
        return False

    def forget(self, live: ActiveChat) -> None:
        del self._lives[live.key]
        if self._is_shared and live.may_be_ours:
            self.left.add(live.key)

    def idle_since(self, before: int, now: int) -> list[ActiveChat]:
        """Chats whose last event came before a time. One from the future is old too: a clock has jumped back."""
        found = []
        for live in self._lives.values():
            if before <= live.used_at <= now:
                break  # they stand in the order of their use
            if not live.busy and not live.queue:
                found.append(live)
        return found

    def is_busy(self, key: ChatKey) -> bool:
        live = self._lives.get(key)
        return live is not None and live.busy

    def all(self) -> list[ActiveChat]:
        return list(self._lives.values())


def stopping() -> RequestError:
    detail = "The service is stopping. Send the same message (with the same id) again."
    return RequestError(503, "stopping", detail, headers={"Retry-After": "5"})
