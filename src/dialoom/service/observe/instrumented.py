"""Wraps store, recogniser and fetcher: each operation is measured and, where traces are on, a span.

What they do is theirs; they know nothing of being observed, so the engine stays pure.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from opentelemetry.trace import SpanKind

from dialoom.data.fetcher import NO_SECRETS, Fetcher
from dialoom.data.identity import Identity
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import StoreError
from dialoom.service.observe.instruments import Durations
from dialoom.service.observe.metrics import Metrics
from dialoom.service.observe.store_outage import StoreOutage
from dialoom.service.observe.tracing import Tracing, failed
from dialoom.storage.store import Store
from dialoom.understanding import Candidate, Recogniser

if TYPE_CHECKING:
    Operation = Callable[..., Awaitable[Any]]

OPERATIONS = (
    "chat", "answered", "accept", "hold", "let_go", "orphans", "journal", "journaled", "commit",
    "said", "last_said", "later", "carry", "find", "stretch", "count", "erase",
    "due", "take_jobs", "take_outgoing", "delivered", "postpone", "bury",
    "token", "active", "version", "deployments", "lists", "publish", "keep_list", "keep_file", "file", "content",
    "piece", "open_login", "login", "change_login",
    "marks", "set_mark", "check",
    "forget_unsent", "forget_conversations", "forget_chats", "forget_answers", "forget_logins",
)  # fmt: skip
"""Those that users, their turns and the loops wait for."""


class _Observed:
    """Measures a store. Its operations stand in the object itself, so that a call costs no look-up."""

    def __init__(self, store: Store, metrics: Metrics, tracing: Tracing) -> None:
        self._store = store
        outage = StoreOutage()
        for name in OPERATIONS:
            measured = _measured(getattr(store, name), name, metrics, outage)
            setattr(self, name, _traced(measured, name, tracing) if tracing.is_on else measured)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def observed_store(store: Store, metrics: Metrics, tracing: Tracing) -> Store:
    return cast("Store", _Observed(store, metrics, tracing))


def _measured(operation: Operation, name: str, metrics: Metrics, outage: StoreOutage) -> Operation:
    note, errors = metrics.store.note, metrics.store_errors

    async def call(*args: Any, **named: Any) -> Any:
        began = perf_counter()
        try:
            done = await operation(*args, **named)
        except StoreError as error:
            errors.add(name)
            outage.note(name, error)
            raise
        finally:
            note(perf_counter() - began, name)
        if outage.is_on:
            outage.succeeded(name)
        return done

    return call


def _traced(operation: Operation, name: str, tracing: Tracing) -> Operation:
    title, attributes = f"store {name}", {"db.operation.name": name}

    async def call(*args: Any, **named: Any) -> Any:
        if not tracing.is_within():
            # A loop that looks for work each second: no trace of anybody's.
            return await operation(*args, **named)
        with tracing.span(title, attributes, SpanKind.CLIENT) as span:
            try:
                return await operation(*args, **named)
            except StoreError as error:
                failed(span, type(error).__name__)
                raise

    return call


class InstrumentedFetcher:
    """Measures the calls of a fetcher, for data sources, deliveries or providers (``what``)."""

    def __init__(self, fetcher: Fetcher, what: str, durations: Durations, metrics: Metrics, tracing: Tracing) -> None:
        self._fetcher = fetcher
        self._what = what
        self._durations = durations
        self._metrics = metrics
        self._tracing = tracing

    async def fetch(
        self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS, identity: Identity | None = None
    ) -> Response | NoResponse:
        if not self._tracing.is_on:
            return await self._measured(request, secrets, identity)
        with self._tracing.span(self._what, _of_call(request), SpanKind.CLIENT) as span:
            answer = await self._measured(request, secrets, identity)
            if isinstance(answer, Response):
                span.set_attribute("http.response.status_code", answer.status)
            else:
                failed(span, answer.kind)
            return answer

    async def _measured(
        self, request: Request, secrets: Mapping[str, str], identity: Identity | None
    ) -> Response | NoResponse:
        began = perf_counter()
        answer = await self._fetcher.fetch(request, secrets=secrets, identity=identity)
        outcome = f"{answer.status // 100}xx" if isinstance(answer, Response) else answer.kind
        self._durations.note(perf_counter() - began, outcome)
        if outcome == "egress":
            self._metrics.egress_refusals.add()
        return answer

    async def close(self) -> None:
        await self._fetcher.close()


def _of_call(request: Request) -> dict[str, str | int]:
    """Return the attributes of a call; with the host only where no memory, which may hold a user's words, is in it."""
    host = urlsplit(request.url).hostname if request.trusted_host else None
    method = {"http.request.method": request.method}
    return {**method, "server.address": host} if host is not None else {**method}


class InstrumentedRecogniser(Recogniser):
    """Measures a recogniser, whose state it shares."""

    def __init__(self, other: Recogniser, metrics: Metrics, tracing: Tracing) -> None:
        # Not made again: nothing is trained twice.
        vars(self).update(vars(other))
        self._metrics = metrics
        self._tracing = tracing

    def recognise(self, text: str, types: Iterable[str], now: datetime) -> dict[str, list[Candidate]]:
        began = perf_counter()
        if self._tracing.is_on:
            with self._tracing.span("understanding"):
                found = super().recognise(text, types, now)
        else:
            found = super().recognise(text, types, now)
        self._metrics.understanding.note(perf_counter() - began)
        return found
