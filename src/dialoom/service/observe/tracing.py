"""Makes the OpenTelemetry spans of one service: request, turn, understanding, data source, store, delivery.

Off, a span costs a look at a flag. No attribute holds a text, a name, a token or the query of an address. The API is
always there; what sends spans away is the extra ``traces``, set up by the standard ``OTEL_*`` variables.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from opentelemetry import context, trace
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from dialoom import __version__
from dialoom.errors import SettingError

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PROTOCOL = "http/protobuf"
FLUSH_SECONDS = 2.0
"""That the spans of the last moments have to go out when the service stops."""

_incoming = TraceContextTextMapPropagator()
_NO_SPAN: AbstractContextManager[Span] = contextlib.nullcontext(trace.INVALID_SPAN)


class Tracing:
    """Makes spans. ``tracer`` None: nothing is traced."""

    def __init__(self, tracer: Tracer | None = None, close: Callable[[], object] = lambda: None) -> None:
        self._tracer = tracer
        self._close = close

    @property
    def is_on(self) -> bool:
        return self._tracer is not None

    def span(
        self,
        name: str,
        attributes: Mapping[str, str | int] | None = None,
        kind: SpanKind = SpanKind.INTERNAL,
        parent: Context | None = None,
    ) -> AbstractContextManager[Span]:
        """Open a child of the current span, or of ``parent``."""
        if self._tracer is None:
            return _NO_SPAN
        # The message of an error may hold what a user said: ``failed`` says it in words of ours.
        return self._tracer.start_as_current_span(
            name, parent, kind, attributes, record_exception=False, set_status_on_exception=False
        )

    def is_within(self) -> bool:
        """Return whether a span is open here."""
        return self._tracer is not None and trace.get_current_span() is not trace.INVALID_SPAN

    def here(self) -> Context | None:
        """Return the current context, for work that another task will do."""
        return None if self._tracer is None else context.get_current()

    def request(self, headers: Mapping[bytes, bytes]) -> AbstractContextManager[Span]:
        """Open the span of a request in its caller's trace (W3C Trace Context); it is named once its route is known."""
        carrier = {
            name: headers[raw].decode("latin-1")
            for name, raw in (("traceparent", b"traceparent"), ("tracestate", b"tracestate"))
            if raw in headers
        }
        return self.span("request", None, SpanKind.SERVER, _incoming.extract(carrier, context.Context()))

    def close(self) -> None:
        """Send the last spans, for a short time at most: the collector may be down."""
        if self._tracer is None:
            return
        # The exporter waits on its own and cannot be told to stop: a daemon does not keep the process.
        last = threading.Thread(target=self._close, daemon=True)
        last.start()
        last.join(FLUSH_SECONDS)


def failed(span: Span, kind: str) -> None:
    """Mark a span as failed. ``kind``: a status, a kind of failure or the class of an error, never a message."""
    span.set_attribute("error.type", kind)
    span.set_status(Status(StatusCode.ERROR))


def read_tracing(environment: Mapping[str, str]) -> Tracing:
    """Set tracing up by the variables. Raises ``SettingError`` for values that cannot be used."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return Tracing()
    endpoint = next((name for name in ENDPOINTS if environment.get(name)), None)
    exporter = environment.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    if exporter == "none" or (endpoint is None and not exporter):
        return Tracing()
    if exporter not in {"", "otlp"}:
        raise SettingError(f'OTEL_TRACES_EXPORTER = "{exporter}" is not known here. Allowed are otlp and none.')
    for name in ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"):
        if environment.get(name, PROTOCOL) != PROTOCOL:
            raise SettingError(f'{name} = "{environment[name]}" is not known here. Traces go out as {PROTOCOL}.')
    return _exporting(endpoint or "OTEL_TRACES_EXPORTER")


def _exporting(variable: str) -> Tracing:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise SettingError(
            f"{variable} is set, but what sends traces is not installed. Run: pip install 'dialoom[traces]', or unset "
            f"the variable."
        ) from error
    ours = Resource({SERVICE_NAME: "dialoom", "service.version": __version__})
    try:
        provider = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    except ValueError as error:
        raise SettingError(f"The OTEL_* variables cannot be used: {error} Set another value, or unset it.") from error
    return tracing_of(provider)


def tracing_of(provider: Any) -> Tracing:
    """Return tracing with a provider of the SDK, which is never set as the global one."""
    return Tracing(provider.get_tracer("dialoom", __version__), provider.shutdown)
