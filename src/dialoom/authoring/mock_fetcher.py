"""A fetcher for conversation tests: calls are answered from mocks (flow-language.md section 9).

A call without a mock gets no answer and is kept in ``missing``; failing the scenario on it is left to the runner.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from yarl import URL

from dialoom.data.fetcher import NO_SECRETS
from dialoom.data.identity import Identity
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response

ENVELOPE: Final = frozenset({"$status", "$headers", "$body"})
NO_MOCK: Final = "no-mock"
"""Kind of the failure of a call that no mock answers."""


class MockFetcher:
    """Answers calls from ``mocks``: URL -> {METHOD: body, or {"$status"?, "$headers"?, "$body"?}}."""

    def __init__(self, mocks: Mapping[str, Mapping[str, Any]]) -> None:
        self._mocks = {_plain(url): (url, {m.upper(): a for m, a in answers.items()}) for url, answers in mocks.items()}
        self.requests: list[Request] = []
        """Every call, in order."""
        self.missing: list[str] = []
        """Each call that no mock answers, with a hint."""

    async def fetch(
        self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS, identity: Identity | None = None
    ) -> Response | NoResponse:
        self.requests.append(request)
        _, answers = self._mocks.get(_plain(request.url), ("", {}))
        if request.method.upper() in answers:
            return mock_response(answers[request.method.upper()])
        call = f"{request.method} {request.url}.{self._hint(request)}"
        self.missing.append(call)
        return NoResponse(NO_MOCK, f"No mock for {call}")

    async def close(self) -> None:
        """Do nothing: no connection is open."""

    def _hint(self, request: Request) -> str:
        _, answers = self._mocks.get(_plain(request.url), ("", {}))
        if answers:
            return f" This address has a mock for {' and '.join(sorted(answers))} only."
        near = difflib.get_close_matches(request.url, [url for url, _ in self._mocks.values()], 1)
        if near:
            return f" Did you mean {near[0]}?"
        return ' Add it to "mocks" of the scenario or the file.'


def _plain(text: str) -> str:
    """Return one spelling of an address: a test's author need not know how a template percent-encodes."""
    try:
        url = URL(text)
        return f"{url.origin()}{url.raw_path}?{url.raw_query_string.replace('%20', '+')}"
    except ValueError:
        return text


def is_envelope(answer: Any) -> bool:
    """Return whether a mock says more of its answer than the body."""
    return isinstance(answer, dict) and bool(answer) and answer.keys() <= ENVELOPE


def mock_response(answer: Any) -> Response:
    """Return the response that a mock stands for."""
    status, headers, body = 200, {}, answer
    if is_envelope(answer):
        status = answer.get("$status", 200)
        headers = answer.get("$headers", {})
        body = answer.get("$body")
    lists = {name.lower(): _texts(value) for name, value in headers.items()}
    if body is None:
        # As of a real far end: 204 and "no body" are read as null.
        return Response(status=status, reason=_reason(status), headers=lists)
    if isinstance(body, str):
        lists.setdefault("content-type", ["text/plain; charset=utf-8"])
        content = body.encode("utf-8", "replace")
    else:
        lists.setdefault("content-type", ["application/json"])
        content = msgspec.json.encode(body)
    return Response(status=status, reason=_reason(status), headers=lists, body=content)


def _texts(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
