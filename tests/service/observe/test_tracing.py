"""Spans as a collector would get them, from whole talks over the HTTP face."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.http.support import MOCKS, serving

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.errors import SettingError
from dialoom.service.observe.tracing import Tracing, read_tracing, tracing_of

if TYPE_CHECKING:
    from pathlib import Path

    from opentelemetry.sdk.trace import ReadableSpan
    from tests.http.support import Client

REST = "POST /v1/bots/{bot_id}/channels/{channel_id}/rest/{name}"
MARKED = ("MarkedPassword", "MarkedName", "marked-user", "rest-token-of-tea", "/tea", "marked-query")


class Spans:
    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        provider = TracerProvider(shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.tracing = tracing_of(provider)

    def all(self) -> list[ReadableSpan]:
        return list(self._exporter.get_finished_spans())

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.all() if span.name == name]

    def parent(self, span: ReadableSpan) -> str | None:
        """Return the name of its parent."""
        if span.parent is None:
            return None
        return next((one.name for one in self.all() if _id(one) == span.parent.span_id), "elsewhere")

    def clear(self) -> None:
        self._exporter.clear()

    def text(self) -> str:
        return "\n".join(span.to_json() for span in self.all())


def _id(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.span_id


async def _order(client: Client, **named: Any) -> None:
    """Talk until a data source is called."""
    for text in ("tea", "Green", "MarkedPassword"):
        answer = await client.say(text, sender="marked-user")
        assert answer.status == 200, answer.body


async def test_a_request_holds_its_turn_and_the_turn_what_it_did(tmp_path: Path) -> None:
    spans = Spans()
    async with serving(tmp_path, tracing=spans.tracing) as client:
        assert (await client.say("I would like tea, the black one")).status == 200
        (request,) = spans.named(REST)
        (turn,) = spans.named("turn")
        assert request.parent is None
        assert request.kind.name == "SERVER"
        assert dict(request.attributes or {}) == {
            "http.request.method": "POST",
            "http.route": REST.removeprefix("POST "),
            "http.response.status_code": 200,
        }
        assert spans.parent(turn) == REST
        assert {spans.parent(one) for one in spans.named("understanding")} == {"turn"}
        assert [spans.parent(one) for one in spans.named("store commit")] == ["turn"]
        (record,) = (await client.history("conversations")).json
        told = dict(turn.attributes or {})
        assert told["dialoom.conversation"] == record["_id"]
        assert told["dialoom.channel.type"] == "rest"
        assert told["dialoom.bot"] == "tea"
        assert told["dialoom.outcome"] == "done"
        assert told["dialoom.turn"]


async def test_a_data_source_is_in_its_turn_also_when_that_waits_for_it(tmp_path: Path) -> None:
    class Slow(MockFetcher):
        async def fetch(self, request: Any, **named: Any) -> Any:
            await asyncio.sleep(0.01)
            return await super().fetch(request, **named)

    spans = Spans()
    async with serving(tmp_path, tracing=spans.tracing, fetcher=Slow(MOCKS)) as client:
        await _order(client)
        (call,) = spans.named("data source")
        assert call.kind.name == "CLIENT"
        assert dict(call.attributes or {}) == {
            "http.request.method": "POST",
            "server.address": "127.0.0.1",
            "http.response.status_code": 200,
        }
        turn = next(one for one in spans.all() if call.parent is not None and _id(one) == call.parent.span_id)
        assert turn.name == "turn"
        assert spans.parent(turn) == REST
        assert "accept" in {one.name for one in spans.all()}
        traces = {one.context.trace_id for one in (call, turn) if one.context is not None}
        assert len(traces) == 1


async def test_two_requests_of_one_chat_each_have_their_own_turn(tmp_path: Path) -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    class Held(MockFetcher):
        async def fetch(self, request: Any, **named: Any) -> Any:
            began.set()
            await go_on.wait()
            return await super().fetch(request, **named)

    spans = Spans()
    async with serving(tmp_path, tracing=spans.tracing, fetcher=Held(MOCKS)) as client:
        for text in ("tea", "Green"):
            await client.say(text)
        spans.clear()
        first = asyncio.ensure_future(client.say("secret"))
        await began.wait()
        second = asyncio.ensure_future(client.say("help"))
        await asyncio.sleep(0.01)
        go_on.set()
        await asyncio.gather(first, second)
        requests = {_id(one) for one in spans.named(REST)}
        parents = [one.parent.span_id for one in spans.named("turn") if one.parent is not None]
        assert len(requests) == 2
        assert sorted(parents) == sorted(requests)


async def test_a_callers_trace_goes_on(tmp_path: Path) -> None:
    spans = Spans()
    trace = "0af7651916cd43dd8448eb211c80319c"
    async with serving(tmp_path, tracing=spans.tracing) as client:
        await client.call("GET", "/readyz", None, {"traceparent": f"00-{trace}-b7ad6b7169203331-01"})
        (request,) = spans.named("GET /readyz")
        assert request.context is not None
        assert f"{request.context.trace_id:032x}" == trace
        await client.call("GET", "/readyz", None, {"traceparent": "nonsense"})
        assert spans.named("GET /readyz")[1].parent is None


async def test_nothing_of_users_stands_in_any_span(tmp_path: Path) -> None:
    spans = Spans()
    async with serving(tmp_path, tracing=spans.tracing) as client:
        await _order(client)
        await client.history("conversations", query={"User": "marked-query"})
        await client.call("GET", "/v1/marked-query/nothing")
        await client.call("POST", "/v1/bots/tea/channels/rest/rest/MarkedName", {"sender": {"id": "marked-user"}})
        text = spans.text()
        assert "turn" in text
        for word in MARKED:
            assert word not in text.replace("/tea/", "/"), word


async def test_a_span_of_a_data_source_names_only_a_host_that_stands_in_the_flow(tmp_path: Path) -> None:
    from dialoom.engine.effects import Request
    from dialoom.service.observe.instrumented import InstrumentedFetcher
    from dialoom.service.observe.metrics import Metrics

    spans = Spans()
    metrics = Metrics()
    fetcher = InstrumentedFetcher(MockFetcher({}), "data source", metrics.data_sources, metrics, spans.tracing)
    await fetcher.fetch(Request(method="GET", url="https://markedname.example/?q=1"))
    (span,) = spans.named("data source")
    assert dict(span.attributes or {}) == {"http.request.method": "GET", "error.type": "no-mock"}


async def test_loops_that_look_for_work_make_no_trace(tmp_path: Path) -> None:
    spans = Spans()
    async with serving(tmp_path, tracing=spans.tracing) as client:
        spans.clear()
        await client.service.timers.fire()
        assert spans.all() == []


async def test_off_it_makes_no_span_and_takes_no_context(tmp_path: Path) -> None:
    tracing = Tracing()
    assert not tracing.is_on
    assert tracing.here() is None
    with tracing.span("turn", {"a": "b"}) as span:
        assert not span.is_recording()


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": ""},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "true"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_EXPORTER": "none"},
        {"OTEL_SERVICE_NAME": "bots"},
    ],
)
def test_it_is_off_unless_the_variables_say_where_spans_go(environment: dict[str, str]) -> None:
    assert not read_tracing(environment).is_on


def test_it_is_on_when_an_endpoint_is_set() -> None:
    tracing = read_tracing({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
    assert tracing.is_on
    tracing.close()


@pytest.mark.parametrize(
    ("environment", "part"),
    [
        ({"OTEL_TRACES_EXPORTER": "zipkin"}, "otlp and none"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "http/protobuf"),
    ],
)
def test_what_cannot_be_done_is_said_with_what_can(environment: dict[str, str], part: str) -> None:
    with pytest.raises(SettingError, match=part):
        read_tracing(environment)


def test_values_that_the_sdk_refuses_stop_the_start_with_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "-1")
    with pytest.raises(SettingError, match=r"OTEL_\* variables cannot be used: max_queue_size must be a positive"):
        read_tracing({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    # As Python itself marks a module that is not there.
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(SettingError, match=r"OTEL_EXPORTER_OTLP_ENDPOINT is set.*pip install 'dialoom\[traces\]'"):
        read_tracing({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"})


def test_a_service_that_traces_sends_its_spans_to_the_collector(tmp_path: Path) -> None:
    from tests.live import Service
    from tests.service.collector import collector

    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.json").write_text(json.dumps({"id": "echo"}))
    steps = [{"type": "message", "messages": ["Hello"]}]
    flow = {"conversations": {"help": {"type": "support", "steps": steps}}}
    (tmp_path / "bot" / "flow.json").write_text(json.dumps(flow))
    with collector() as (url, received):
        environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_SERVICE_NAME": "bots-of-the-test"}
        service = Service([tmp_path / "bot"], tmp_path / "data", environment=environment)
        assert service.say("echo", "marked-user", "MarkedPassword").status == 200
        assert service.stop() == 0
    sent = b"".join(received)
    assert b"bots-of-the-test" in sent
    assert b"turn" in sent
    assert b"MarkedPassword" not in sent
    assert b"marked-user" not in sent
