"""The fetcher of conversation tests: mocks answer, and what they do not answer is kept."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response

SLOTS = "http://clinic.example/slots"


async def answer(mock: Any, method: str = "GET") -> Response:
    result = await MockFetcher({SLOTS: {method: mock}}).fetch(Request(method=method, url=SLOTS))
    assert isinstance(result, Response)
    return result


@pytest.mark.parametrize(
    ("mock", "body"), [([1, 2], b"[1,2]"), ({"a": 1}, b'{"a":1}'), (False, b"false"), ("text", b"text"), ({}, b"{}")]
)
async def test_a_bare_mock_is_the_body_of_a_200(mock: Any, body: bytes) -> None:
    got = await answer(mock)
    assert (got.status, got.reason, got.body) == (200, "OK", body)


async def test_a_mock_with_status_headers_and_body_is_the_whole_answer() -> None:
    got = await answer({"$status": 409, "$headers": {"X-Tag": "a", "X-List": ["b", "c"]}, "$body": {"why": "taken"}})
    assert (got.status, got.reason, got.body) == (409, "Conflict", b'{"why":"taken"}')
    assert (got.headers["x-tag"], got.headers["x-list"]) == (["a"], ["b", "c"])


async def test_a_status_alone_has_no_body() -> None:
    assert (await answer({"$status": 204})).body == b""


async def test_a_json_body_says_that_it_is_json_unless_the_mock_says_otherwise() -> None:
    assert (await answer([1])).headers["content-type"] == ["application/json"]
    assert (await answer({"$headers": {"Content-Type": "text/x"}, "$body": [1]})).headers["content-type"] == ["text/x"]


async def test_methods_of_one_address_have_answers_of_their_own() -> None:
    fetcher = MockFetcher({SLOTS: {"get": [1], "POST": [2]}})
    got = await fetcher.fetch(Request(method="POST", url=SLOTS))
    assert isinstance(got, Response)
    assert got.body == b"[2]"


@pytest.mark.parametrize("url", [SLOTS + "?q=a%20b", SLOTS + "?q=a b", "HTTP://clinic.example:80/slots?q=a%20b#x"])
async def test_an_address_is_found_however_it_is_encoded(url: str) -> None:
    fetcher = MockFetcher({SLOTS + "?q=a%20b": {"GET": []}})
    assert isinstance(await fetcher.fetch(Request(method="GET", url=url)), Response)


async def test_a_call_without_a_mock_gets_no_answer_and_is_kept() -> None:
    fetcher = MockFetcher({})
    result = await fetcher.fetch(Request(method="GET", url=SLOTS))
    assert isinstance(result, NoResponse)
    assert result.kind == "no-mock"
    assert fetcher.missing == [f'GET {SLOTS}. Add it to "mocks" of the scenario or the file.']
    assert [request.url for request in fetcher.requests] == [SLOTS]


async def test_a_missing_method_and_a_near_miss_are_named() -> None:
    fetcher = MockFetcher({SLOTS: {"GET": []}})
    await fetcher.fetch(Request(method="POST", url=SLOTS))
    await fetcher.fetch(Request(method="GET", url=SLOTS + "/"))
    assert "has a mock for GET only" in fetcher.missing[0]
    assert f"Did you mean {SLOTS}?" in fetcher.missing[1]
