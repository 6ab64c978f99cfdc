"""``/metrics``: what it says, and to whom."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.http.support import serving
from tests.stores import TemporaryStore

from dialoom.errors import StoreError
from dialoom.service.observe.metrics import Metrics
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from tests.http.support import Client

DOCS = Path(__file__).parents[3] / "docs" / "look-up" / "service.md"


async def _samples(client: Client, **headers: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    answer = await client.call("GET", "/metrics", None, headers)
    assert answer.status == 200, answer.body
    families = text_string_to_metric_families(answer.body.decode())
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def _value(samples: Any, name: str, **labels: str) -> float:
    return float(samples[name, frozenset(labels.items())])


async def test_requests_are_counted_by_route_and_status(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        await client.say("tea")
        await client.say("Green")
        await client.say("tea", token="wrong")
        await client.history("conversations")
        await client.call("GET", "/v1/bots/tea/nothing/here")
        await client.call("BREW", "/healthz")
        found = await _samples(client)
        rest = "/v1/bots/{bot_id}/channels/{channel_id}/rest/{name}"
        name = "dialoom_request_seconds_count"
        assert _value(found, name, method="POST", route=rest, status="200") == 2
        assert _value(found, name, method="POST", route=rest, status="401") == 1
        history = "/v1/bots/{bot_id}/conversations"
        assert _value(found, name, method="GET", route=history, status="200") == 1
        assert _value(found, name, method="GET", route="other", status="404") == 1
        assert any(("method", "other") in labels for _, labels in found)


async def test_turns_understanding_and_the_store_are_counted(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        for text in ("tea", "Green", "secret"):
            await client.say(text)
        await client.say("help", id="1")
        await client.say("help", id="1")
        found = await _samples(client)
        assert _value(found, "dialoom_turn_seconds_count", bot="tea", channel_type="rest", outcome="done") == 4
        assert (
            _value(found, "dialoom_turn_seconds_bucket", bot="tea", channel_type="rest", outcome="done", le="+Inf") == 4
        )
        assert _value(found, "dialoom_understanding_seconds_count") >= 2
        assert _value(found, "dialoom_data_source_seconds_count", outcome="2xx") == 1
        assert _value(found, "dialoom_store_seconds_count", operation="commit") >= 4
        assert _value(found, "dialoom_repeated_messages_total", bot="tea") == 1
        assert _value(found, "dialoom_chats", state="kept") == 1
        assert _value(found, "dialoom_inbox_waiting") == 0
        assert _value(found, "dialoom_store_up") == 1


async def test_a_failed_data_source_makes_a_failed_turn(tmp_path: Path) -> None:
    mocks: dict[str, Any] = {"http://127.0.0.1:9/tea": {"POST": {"$status": 500}}}
    from dialoom.authoring.mock_fetcher import MockFetcher

    async with serving(tmp_path, fetcher=MockFetcher(mocks)) as client:
        for text in ("tea", "Green", "secret"):
            await client.say(text)
        found = await _samples(client)
        outcomes = {
            dict(labels)["outcome"]: value
            for (name, labels), value in found.items()
            if name == "dialoom_data_source_seconds_count"
        }
        assert sum(outcomes.values()) == 1


async def test_nothing_of_users_stands_in_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        for text in ("tea", "Green", "hunter2-password"):
            await client.say(text, sender="ada-4711")
        text = (await client.call("GET", "/metrics")).body.decode()
        for word in ("ada-4711", "hunter2", "Ada Lovelace", "rest-token-of-tea", "127.0.0.1"):
            assert word not in text


async def test_open_streams_are_counted_while_they_are_open(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        key = ChatKey("tea", "web", "ada")
        listener = client.service.hub.listen(key)
        assert _value(await _samples(client), "dialoom_event_streams") == 1
        client.service.hub.leave(key, listener)
        assert _value(await _samples(client), "dialoom_event_streams") == 0


async def test_two_services_of_one_process_count_for_themselves(tmp_path: Path) -> None:
    async with serving(tmp_path / "a") as one, serving(tmp_path / "b") as two:
        await one.say("help")
        assert any(name == "dialoom_turn_seconds_count" for name, _ in await _samples(one))
        assert not any(name == "dialoom_turn_seconds_count" for name, _ in await _samples(two))
        assert _value(await _samples(two), "process_start_time_seconds") > 0


class _Away(TemporaryStore):
    is_away = False
    hangs = False

    async def outbox_counts(self) -> Any:
        if self.hangs:
            await asyncio.Event().wait()
        if self.is_away:
            raise StoreError("away")
        return await super().outbox_counts()


async def test_a_store_that_is_away_is_said_to_be(tmp_path: Path) -> None:
    store = _Away()
    async with serving(tmp_path, store=store) as client:
        store.is_away = True
        found = await _samples(client)
        assert _value(found, "dialoom_store_up") == 0
        assert not any(name == "dialoom_timers_late_seconds" for name, _ in found)


async def test_it_is_never_kept_by_a_cache(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        answer = await client.call("GET", "/metrics")
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-type"].startswith("text/plain")
        assert (await client.call("POST", "/metrics")).status == 405


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Proto"])
async def test_on_loopback_it_is_open_but_not_through_a_proxy(tmp_path: Path, header: str) -> None:
    async with serving(tmp_path) as client:
        assert (await client.call("GET", "/metrics")).status == 200
        assert (await client.call("GET", "/metrics", None, {header: "127.0.0.1"})).status == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "LOCALHOST:8080", "127.9.9.9", "[::1]:8080", "[::1]"])
async def test_on_loopback_it_is_open_under_the_names_of_loopback(tmp_path: Path, host: str) -> None:
    async with serving(tmp_path) as client:
        assert (await client.call("GET", "/metrics", None, {"Host": host})).status == 200


FOREIGN = [
    "evil.example",
    "evil.example:8080",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "10.0.0.1",
    "",
    "[",
    "@",
]


@pytest.mark.parametrize("host", FOREIGN)
async def test_on_loopback_a_page_of_another_name_reads_nothing_without_the_token(tmp_path: Path, host: str) -> None:
    async with serving(tmp_path / "closed") as client:
        answer = await client.call("GET", "/metrics", None, {"Host": host})
        assert (answer.status, answer.json["code"]) == (403, "metrics-closed")
    async with serving(tmp_path / "open", metrics_token="let-me-in") as client:
        assert (await client.call("GET", "/metrics", None, {"Host": host})).status == 401
        given = {"Host": host, "Authorization": "Bearer let-me-in"}
        assert (await client.call("GET", "/metrics", None, given)).status == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1"])
async def test_a_service_that_others_reach_takes_the_token_also_from_this_machine(tmp_path: Path, host: str) -> None:
    named = {"host": host, "base_url": "https://bots.example.org"}
    async with serving(tmp_path / "closed", **named) as client:
        assert (await client.call("GET", "/metrics")).status == 403
    async with serving(tmp_path / "open", **named, metrics_token="let-me-in") as client:
        assert (await client.call("GET", "/metrics")).status == 401
        assert (await client.call("GET", "/metrics", None, {"Authorization": "Bearer wrong"})).status == 401
        assert (await client.call("GET", "/metrics", None, {"Authorization": "Bearer let-me-in"})).status == 200


def test_every_metric_stands_in_the_docs() -> None:
    text = DOCS.read_text("utf-8")
    for instrument in Metrics().instruments():
        assert f"| `{instrument.name}`" in text, instrument.name
        for label in instrument.labels:
            assert f"`{label}`" in text, label
