"""Holds the metrics of one service and their names, served by ``http.admin.metrics``.

Labels are routes, methods, statuses, bots and words of ours: never a user, a token, an address or a text.
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from dialoom import __version__
from dialoom.errors import StoreError
from dialoom.service.clock import Clock
from dialoom.service.observe.instruments import Counts, Durations, Level
from dialoom.service.observe.loop_lag import LoopLag
from dialoom.service.observe.page_watch import PageWatch
from dialoom.storage.store import OutboxCount, Store

if TYPE_CHECKING:
    from dialoom.service.observe.exposition import Exposition

SCRAPE_SECONDS = 2.0
"""That the store has for what is read from it while a scrape waits."""


class ChatCounts(NamedTuple):
    """Counts the chats in the memory of this process, and the events that wait for their turn."""

    kept: int
    held: int
    """With a lease of this process."""
    busy: int
    waiting: int
    failing: dict[str, int]
    """By bot, the events that cannot be run here."""


class Health(NamedTuple):
    """Functions and parts of the service whose state becomes gauges at each scrape."""

    is_clock_doubted: Callable[[], bool]
    count_processes: Callable[[], int]
    count_unserved: Callable[[], int]
    page_watch: PageWatch | None


class Metrics:
    """Holds the instruments of one service; two services can run in one process."""

    def __init__(self) -> None:
        self.requests = Durations("request_seconds", "Requests, until the answer begins.", "method", "route", "status")
        self.turns = Durations(
            "turn_seconds", "Turns, with their outside calls, until they are stored.", "bot", "channel_type", "outcome"
        )
        self.interrupted = Counts("interrupted_turns", "Turns that took too long and were stopped.", "bot")
        self.understanding = Durations("understanding_seconds", "Reading what a user's text holds.")
        self.data_sources = Durations("data_source_seconds", "Calls of data sources, all their tries.", "outcome")
        self.store = Durations("store_seconds", "Operations of the store.", "operation")
        self.store_errors = Counts("store_errors", "Operations of the store that failed.", "operation")
        self.deliveries = Durations("delivery_seconds", "Attempts of the outbox to deliver.", "outcome")
        self.settled = Counts(
            "deliveries", "Attempts of the outbox, by channel and what came of them.", "bot", "channel", "outcome"
        )
        self.training = Durations("training_seconds", "Training what understands the users of a bot.")
        self.providers = Durations("provider_seconds", "Calls of login providers.", "outcome")
        self.repeats = Counts("repeated_messages", "Messages whose id was seen before.", "bot")
        self.rate_refusals = Counts("rate_refusals", "Requests refused by a rate.", "kind")
        self.forged_calls = Counts("forged_calls", "Calls that no platform made, refused.", "channel_type")
        self.logins = Counts("logins", "Logins and login links, by what came of them.", "outcome")
        self.revocations = Counts(
            "tokens_taken_back",
            "Tokens of logins that came into no chat, by whether their provider took them back.",
            "bot",
            "outcome",
        )
        self.egress_refusals = Counts("egress_refusals", "Calls that the egress guard refused.")
        self.inbox = Level("inbox_waiting", "Accepted events in this process that wait for their turn.")
        self.failing_events = Level(
            "stuck_events", "Accepted events that this process could not run, and tries again.", "bot"
        )
        self.chats = Level("chats", "Chats in the memory of this process, and those whose turn runs.", "state")
        self.streams = Level("event_streams", "Event streams and long polls that are open.")
        self.outbox = Level("outbox_waiting", "Deliveries that wait, in the whole store.", "bot")
        self.dead = Level("dead_letters", "Deliveries that were given up, in the whole store.", "bot")
        self.timers_late = Level("timers_late_seconds", "By how much the timer that was due first is late.")
        self.store_bytes = Level("store_bytes", "Size of the database and, of SQLite, of its log.", "part")
        self.processes = Level("processes", "Processes that work on the database.")
        self.loop_lag_seconds = Level(
            "loop_lag_seconds", "Most by which the event loop was late since the last scrape."
        )
        self.unserved_bots = Level("unserved_bots", "Bots whose active version this process cannot serve.")
        self.store_up = Level("store_up", "Whether the store answered this scrape.")
        self.clock_doubted = Level("clock_doubted", "Whether erasure by age waits, since a clock is doubted.")
        self.store_damaged = Level("store_damaged", "Whether the last check of the database found a damaged page.")
        self._count_chats: Callable[[], ChatCounts] | None = None
        self._count_streams: Callable[[], int] | None = None
        self._health: Health | None = None
        self.loop_lag = LoopLag()
        self._build = Level("build_info", "Which release this is.", "version", "python")
        self._build.set({(__version__, platform.python_version()): 1})
        self._exposition: Exposition | None = None

    def instruments(self) -> list[Counts | Durations | Level]:
        return [one for one in vars(self).values() if isinstance(one, Counts | Durations | Level)]

    def read_chats(self, count_chats: Callable[[], ChatCounts], count_streams: Callable[[], int]) -> None:
        """Call these at each scrape: gauges that are read need no counting up and down in between."""
        self._count_chats, self._count_streams = count_chats, count_streams

    def read_health(self, health: Health) -> None:
        """Read these at each scrape."""
        self._health = health

    async def scrape(self, store: Store, clock: Clock) -> tuple[str, bytes]:
        """Return content type and text in the format of Prometheus."""
        if self._count_chats is not None:
            counts = self._count_chats()
            self.chats.set({("kept",): counts.kept, ("held",): counts.held, ("busy",): counts.busy})
            self.inbox.set({(): counts.waiting})
            self.failing_events.set({(bot,): count for bot, count in counts.failing.items()})
        if self._count_streams is not None:
            self.streams.set({(): self._count_streams()})
        if self._health is not None:
            self.clock_doubted.set({(): float(self._health.is_clock_doubted())})
            self.processes.set({(): self._health.count_processes()})
            self.unserved_bots.set({(): self._health.count_unserved()})
            if self._health.page_watch is not None:
                self.store_damaged.set({(): float(bool(self._health.page_watch.damage))})
        self.loop_lag_seconds.set({(): self.loop_lag.take()})
        await self._ask(store, clock)
        return await asyncio.to_thread(self._written)

    def _written(self) -> tuple[str, bytes]:
        from dialoom.service.observe.exposition import CONTENT_TYPE, Exposition

        if self._exposition is None:
            self._exposition = Exposition(self.instruments())
        return CONTENT_TYPE, self._exposition.text()

    async def _ask(self, store: Store, clock: Clock) -> None:
        """Read what only the store knows. Where it does not answer, old values are dropped and ``store_up`` is 0."""
        try:
            async with asyncio.timeout(SCRAPE_SECONDS):
                counts, due = await store.outbox_counts(), await store.next_due()
                # Zeros as well: of a series that begins with its first dead letter no growth can be told.
                counts = [*(OutboxCount(bot, 0, 0) for bot in await store.bots()), *counts]
                sizes = await store.sizes()
        except (StoreError, TimeoutError):
            counts, due, sizes, is_up = [], None, {}, False
        else:
            is_up = True
        self.store_up.set({(): float(is_up)})
        self.store_bytes.set({(part,): size for part, size in sizes.items()})
        self.outbox.set({(one.bot,): one.waiting for one in counts})
        self.dead.set({(one.bot,): one.dead for one in counts})
        late = 0.0 if due is None else max(0.0, (clock.now() - due) / 1000)
        self.timers_late.set({(): late} if is_up else {})
