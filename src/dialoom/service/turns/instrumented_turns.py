"""Measures turns: their duration and outcome, their spans, and the ids in the log lines that they write."""

from __future__ import annotations

from contextlib import AbstractContextManager
from contextvars import Token
from time import perf_counter
from types import TracebackType

from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN, Span

from dialoom.service.chat.active_chats import ActiveChat, QueuedEvent
from dialoom.service.observe import logs
from dialoom.service.observe.metrics import Metrics
from dialoom.service.observe.tracing import Tracing, failed


class InstrumentedTurns:
    def __init__(self, metrics: Metrics, tracing: Tracing) -> None:
        self.metrics = metrics
        self.tracing = tracing

    def origin(self) -> Context | None:
        """Return the trace context of an event: its turn may run in a task that serves other events as well."""
        return self.tracing.here()

    def repeated(self, bot: str) -> None:
        self.metrics.repeats.add(bot)

    def turn(self, chat: ActiveChat, queued: QueuedEvent) -> InstrumentedTurn:
        return InstrumentedTurn(self, chat, queued)


class InstrumentedTurn:
    """Measures the turn of one event. Only a stored turn is counted: the event may go into the inbox instead."""

    __slots__ = ("_began", "_chat", "_ids", "_opened", "_queued", "_span", "_turns")

    def __init__(self, turns: InstrumentedTurns, chat: ActiveChat, queued: QueuedEvent) -> None:
        self._turns = turns
        self._chat = chat
        self._queued = queued
        self._span: Span = INVALID_SPAN
        self._opened: AbstractContextManager[Span] | None = None

    def __enter__(self) -> None:
        self._ids: Token[logs.Ids | None] = logs.enter(self._read_ids)
        tracing = self._turns.tracing
        if tracing.is_on:
            self._opened = tracing.span("turn", {"dialoom.bot": self._chat.key.bot}, parent=self._queued.origin)
            self._span = self._opened.__enter__()
        self._began = perf_counter()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stored = self._queued.stored
        if stored is not None:
            seconds = perf_counter() - self._began
            self._turns.metrics.turns.note(seconds, self._chat.key.bot, stored.channel_type, stored.outcome)
        if self._opened is not None:
            self._close_span(error)
            self._opened.__exit__(kind, error, trace)
        logs.leave(self._ids)

    def _close_span(self, error: BaseException | None) -> None:
        stored = self._queued.stored
        self._span.set_attribute("dialoom.turn", self._queued.inbound.event.id)
        if stored is not None:
            named = {
                "dialoom.channel.type": stored.channel_type,
                "dialoom.conversation": stored.conversation,
                "dialoom.outcome": stored.outcome,
            }
            self._span.set_attributes(named)
        elif error is not None:
            failed(self._span, type(error).__name__)
        else:
            # Its turn is another one, or was had before.
            self._span.update_name("accept")

    def _read_ids(self) -> dict[str, str]:
        """Return the ids for a log line; the conversation is known only once the chat is loaded."""
        loaded, stored = self._chat.loaded, self._queued.stored
        ids = {"bot": self._chat.key.bot, "turn": self._queued.inbound.event.id, "request": self._queued.request}
        if stored is not None:
            ids["conversation"] = stored.conversation
        elif loaded is not None and loaded.kept.record is not None:
            ids["conversation"] = loaded.kept.record.id
        return ids
