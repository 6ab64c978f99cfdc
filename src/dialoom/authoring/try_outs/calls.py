"""Answers the outside calls of one turn of a try-out: for real, by the author's mocks, or by an answer that is kept."""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dialoom.authoring.mock_fetcher import ENVELOPE, MockFetcher
from dialoom.authoring.try_outs.kept import Calls, KeptCall, Mocks
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import RequestError

if TYPE_CHECKING:
    from dialoom.engine.effects import Request

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class CallsOfTurn:
    """Makes the calls. ``real`` makes one for real; ``earlier`` are the answers that a replay uses again, each once,
    the last one for all that follow. ``recordings`` gets the first answers of ``recorded`` calls."""

    def __init__(
        self,
        calls: Calls,
        mocks: Mocks,
        recordings: dict[str, KeptCall],
        real: Callable[[Request], Awaitable[Response | NoResponse]],
        earlier: Iterable[KeptCall] = (),
    ) -> None:
        self._calls = calls
        self._mocks = MockFetcher(mocks)
        self._recordings = recordings
        self._real = real
        self._earlier: defaultdict[str, list[KeptCall]] = defaultdict(list)
        for call in earlier:
            self._earlier[call.key].append(call)
        self.made: list[KeptCall] = []

    async def make(self, request: Request) -> Response | NoResponse:
        began = time.perf_counter()
        source, answer = await self._answered(request)
        call = _kept(request, source, answer, round((time.perf_counter() - began) * 1000))
        self.made.append(call)
        if self._calls == "recorded" and source == "real" and call.response is not None:
            self._recordings[call.key] = call
        return answer

    async def _answered(self, request: Request) -> tuple[Calls, Response | NoResponse]:
        if self._calls == "mocked":
            return "mocked", await self._mocks.fetch(request)
        key = _kept(request, "real", NoResponse("", ""), 0).key
        earlier = self._earlier[key]
        if earlier:
            return "recorded", (earlier.pop(0) if len(earlier) > 1 else earlier[0]).answer
        if self._calls == "recorded" and (known := self._recordings.get(key)) is not None:
            return "recorded", known.answer
        return "real", await self._real(request)


def _kept(request: Request, source: Calls, answer: Response | NoResponse, milliseconds: int) -> KeptCall:
    return KeptCall(
        method=request.method,
        url=request.url,
        body="" if request.body is None else hashlib.sha256(request.body).hexdigest(),
        source=source,
        milliseconds=milliseconds,
        response=answer if isinstance(answer, Response) else None,
        failure=answer if isinstance(answer, NoResponse) else None,
    )


def check_mocks(mocks: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise ``RequestError`` for a mock that is none."""
    for url, answers in mocks.items():
        if not url.lower().startswith(("http://", "https://")):
            raise _bad(url, "", "A mock stands under the address of its call, which begins with http:// or https://.")
        for method, answer in answers.items():
            if method.upper() not in METHODS:
                raise _bad(url, method, f'"{method[:40]}" is no method. Known are {", ".join(sorted(METHODS))}.')
            if isinstance(answer, dict) and answer and answer.keys() <= ENVELOPE:
                _check_envelope(url, method, answer)


def _check_envelope(url: str, method: str, answer: dict[str, Any]) -> None:
    status, headers = answer.get("$status", 200), answer.get("$headers", {})
    if type(status) is not int or not 100 <= status <= 599:
        raise _bad(url, method, "$status is a whole number from 100 to 599.")
    values = headers.values() if isinstance(headers, dict) else [None]
    if not all(isinstance(one, str) for value in values for one in (value if isinstance(value, list) else [value])):
        raise _bad(url, method, "$headers is an object whose values are texts or lists of texts.")


def _bad(url: str, method: str, detail: str) -> RequestError:
    place = [part.replace("~", "~0").replace("/", "~1") for part in (url[:200], method[:40]) if part]
    return RequestError("bad-body", f"{url[:200]}: {detail}", pointer="/".join(["/mocks", *place]))
