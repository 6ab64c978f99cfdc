"""Keeps active chats in memory, each with its queued events in order. Running an event belongs in ``turns.runner``,
taking a chat from the other processes in ``cluster.leases``.

``LEASES`` says what this process knows of a chat's lease (a store of one process gives every chat to it at once):

=========  ======================  ==============================  =====================
state      does the store's lease  what is known here              turns may run, calls
           name this process?                                      may go out
=========  ======================  ==============================  =====================
none       no                      nothing                         no
doubtful   perhaps                 nothing that can be relied on   no
held       yes, as far as known    memory, and all that waits      yes
=========  ======================  ==============================  =====================

Beside that, ``busy`` says that one task works on the chat; only that task changes the queue's head, ``current``, or the
lease to held, and ``current`` is set in ``busy`` alone. ``is_stale`` (events wait in the store that are not in the
queue) goes with any state: the task that is busy, or the next one, asks for the lease before it runs another event.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from dialoom.errors import RequestError
from dialoom.service.chat.chat_row import Loaded
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.login_values import Login
from dialoom.service.chat.turn_limit import TurnTooLongError
from dialoom.service.state_table import StateTable
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from opentelemetry.context import Context

MAX_CACHED_CHATS = 20_000
"""Idle chats kept in memory, about 4 kB each."""

MAX_LARGE_CHATS_BYTES = 16 * 1024 * 1024
"""Sealed memory of the large chats that are kept opened, which are up to ten times as much there. Beyond it the one
that was used longest ago is read from the store for its next turn."""


class Stored(NamedTuple):
    """Describes a stored turn for metrics and traces. ``outcome``: ``done``, or ``failed`` by the flow."""

    channel_type: str
    conversation: str
    outcome: str


class QueuedEvent:
    """Carries an event through its turn. ``durable`` is set with its inbox row or its turn, whichever is first."""

    __slots__ = (
        "answer",
        "durable",
        "inbound",
        "interrupted",
        "is_committing",
        "is_given_up",
        "is_repeat",
        "journal",
        "made",
        "number",
        "origin",
        "renewed",
        "request",
        "stored",
        "tries",
        "with_files",
    )

    def __init__(self, inbound: InboundEvent, number: int | None = None) -> None:
        loop = asyncio.get_running_loop()
        self.inbound = inbound
        self.number = number
        self.journal: dict[str, bytes] | None = {} if number is None else None
        """Results of outside calls by key; None until they are read (others may have made some of its calls)."""
        self.made: dict[str, bytes] = {}
        """Those of the calls that were made here, kept or not."""
        self.durable: asyncio.Future[None] = loop.create_future()
        self.answer: asyncio.Future[bytes] = loop.create_future()
        self.is_committing = False
        """True if its inbox row may be gone already."""
        self.is_given_up = False
        """Its caller waits no longer: what the bot says waits for the next event that takes what waits."""
        self.is_repeat = False
        """The store had seen its key: it has no turn of its own."""
        self.interrupted: TurnTooLongError | None = None
        """Where its turn was interrupted: it fails then, and is not run again."""
        self.tries = 0
        """How often its turn could not be stored."""
        self.origin: Context | None = None
        """The trace that it belongs to."""
        self.request = ""
        """The id of the request that brought it, for log lines."""
        self.stored: Stored | None = None
        """What came of its turn."""
        self.with_files: asyncio.Task[InboundEvent] | None = None
        """The event with its files, which are being fetched from where they lie."""
        self.renewed: Login | None = None
        """What came of a login's renewal in its turn, as far as that was run."""

    def set_durable(self) -> None:
        if not self.durable.done():
            self.durable.set_result(None)

    def has_run(self) -> bool:
        """Return whether its turn ran here, at least in part, and would be lost with this process."""
        return self.is_committing or bool(self.made)

    def refuse(self, error: BaseException) -> None:
        """Raise the error where the event or its answer is awaited."""
        if isinstance(error, asyncio.CancelledError):
            error = stopping()
        for future in (self.durable, self.answer):
            if not future.done():
                future.set_exception(error)
                future.exception()


LeaseState = Literal["none", "doubtful", "held"]
LeaseEvent = Literal["ask", "get", "doubt", "lose"]
"""The store is asked for the lease (or may have given it with an event's number); it gave it; a turn failed or was
overtaken, or another process spoke in the chat; another process has the lease, or may have."""
LEASES: Final = StateTable[LeaseState, LeaseEvent](
    "none",
    {
        "none": {"ask": "doubtful", "get": "held", "doubt": "none", "lose": "none"},
        "doubtful": {"ask": "doubtful", "get": "held", "doubt": "doubtful", "lose": "none"},
        "held": {"ask": "held", "get": "held", "doubt": "doubtful", "lose": "none"},
    },
)


class ActiveChat:
    """Holds a chat in memory. ``busy``: one task works on it."""

    __slots__ = ("busy", "current", "is_stale", "key", "lease", "loaded", "queue", "used_at")

    def __init__(self, key: ChatKey, lease: LeaseState) -> None:
        self.key = key
        self.lease = lease
        self.loaded: Loaded | None = None
        """As the store has it; None where it has to be read. Right only while the chat is held."""
        self.queue: deque[QueuedEvent] = deque()
        self.busy = False
        self.current: QueuedEvent | None = None
        self.is_stale = False
        """Events may wait in it that are not in ``queue`` yet."""
        self.used_at = 0
        """When its last event came, in milliseconds since 1970."""

    # -- lease

    @property
    def is_held(self) -> bool:
        """Return whether this process has the lease, as far as it knows, and all events that wait."""
        return self.lease == "held"

    @property
    def may_be_held(self) -> bool:
        """Return whether a shared store may name this process as the holder."""
        return self.lease != "none"

    def ask(self) -> None:
        """Note that the store is asked for the lease and for all that waits in the chat."""
        self.is_stale = False
        self.note_asked()

    def note_asked(self) -> None:
        """Note that the store may give the lease with what it was asked for."""
        self.lease = LEASES.after(self.lease, "ask")

    def hold(self, loaded: Loaded) -> None:
        """Note that the store gave the lease; what waits in the chat is in the queue."""
        self.lease = LEASES.after(self.lease, "get")
        self.loaded = loaded

    def doubt(self) -> None:
        """Forget what is known of the chat: the store is asked before anything is done in it."""
        self.lease = LEASES.after(self.lease, "doubt")
        self.loaded = None

    def lose(self) -> None:
        """Note that another process has the lease, or may have."""
        self.lease = LEASES.after(self.lease, "lose")
        self.loaded = None

    # -- events

    def events(self) -> tuple[QueuedEvent, ...]:
        """Return its events that are in memory, the one whose turn runs first."""
        return (*self.queue,) if self.current is None else (self.current, *self.queue)

    def has_accepted(self) -> bool:
        """Return whether an accepted event (one with a number) waits in it."""
        return any(queued.number is not None for queued in self.queue)

    def known_before(self, number: int) -> int:
        """Count the events in memory that certainly wait in the inbox before this number."""
        return sum(
            queued.number is not None and queued.number < number and not queued.is_committing
            for queued in self.events()
        )

    def is_in_turn(self) -> bool:
        """Return whether a turn runs here, or ran and is not stored yet."""
        is_running = self.current is not None and self.current.durable.done()
        return is_running or any(queued.has_run() for queued in self.queue)

    def refuse_all(self, error: BaseException) -> None:
        """Refuse all its events in memory; accepted ones stay in the inbox."""
        for queued in self.events():
            queued.refuse(error)
        self.queue.clear()


class ActiveChats:
    """Holds the chats in memory by key; drops the one that was idle longest when there are too many."""

    def __init__(self, *, is_shared: bool) -> None:
        self._active_chats: OrderedDict[ChatKey, ActiveChat] = OrderedDict()
        self._is_shared = is_shared
        self.left: set[ChatKey] = set()
        """Chats that went out of memory while a shared store had them down as this process's."""
        self._large: dict[ChatKey, int] = {}
        """Bytes of the sealed memory of large chats that had a turn, the latest last; some may be closed since."""

    def take(self, key: ChatKey) -> ActiveChat:
        chat = self._active_chats.get(key)
        if chat is None:
            chat = self._active_chats[key] = ActiveChat(key, LEASES.first if self._is_shared else "held")
            self.left.discard(key)
            while len(self._active_chats) > MAX_CACHED_CHATS and self._forget_idle(key):
                pass
        else:
            self._active_chats.move_to_end(key)
        return chat

    def keep_opened(self, chat: ActiveChat, size: int) -> None:
        """Note the bytes of a large chat after its turn, 0 of any other. Closes those used longest ago when the opened
        ones are too much together."""
        self._large.pop(chat.key, None)
        if not size:
            return
        self._large[chat.key] = size
        opened = [
            self._active_chats[key]
            for key in self._large
            if key in self._active_chats and self._active_chats[key].loaded is not None
        ]
        self._large = {one.key: self._large[one.key] for one in opened}
        left = sum(self._large.values())
        for one in opened:
            if left <= MAX_LARGE_CHATS_BYTES:
                break
            left -= self._large.pop(one.key)
            one.loaded = None

    def find(self, key: ChatKey) -> ActiveChat | None:
        return self._active_chats.get(key)

    def _forget_idle(self, but: ChatKey) -> bool:
        """Drop the chat that was idle longest from memory; return False when all are busy."""
        for key, chat in self._active_chats.items():
            if not chat.busy and not chat.queue and key != but:
                self.forget(chat)
                return True
        return False

    def forget(self, chat: ActiveChat) -> None:
        del self._active_chats[chat.key]
        if self._is_shared and chat.may_be_held:
            self.left.add(chat.key)

    def idle_since(self, before: int, now: int) -> list[ActiveChat]:
        """Return the idle chats whose last event came before a time, or in the future (a clock was put back)."""
        found = []
        for chat in self._active_chats.values():
            if before <= chat.used_at <= now:
                break  # they stand in the order of their use
            if not chat.busy and not chat.queue:
                found.append(chat)
        return found

    def is_busy(self, key: ChatKey) -> bool:
        chat = self._active_chats.get(key)
        return chat is not None and chat.busy

    def all(self) -> list[ActiveChat]:
        return list(self._active_chats.values())


def stopping() -> RequestError:
    detail = "The service is stopping. Send the same message (with the same id) again."
    return RequestError("stopping", detail, headers={"Retry-After": "5"})
