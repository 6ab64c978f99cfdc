"""Answers the outside calls of one turn of a try-out: for real, by the author's mocks, or by an answer that is kept.

What writes goes out only where an author has asked for it: by a new turn with real calls, or by a decision on this very
call. All else that is played (a replay, an edit, an undo) takes recorded answers, and stops at a write without one.
"""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from dialoom.authoring.mock_fetcher import NO_MOCK, MockFetcher, is_envelope, mock_response
from dialoom.authoring.try_outs.kept import UNKNOWN, Asks, Calls, KeptCall, Mocks
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import RequestError

if TYPE_CHECKING:
    from dialoom.engine.effects import Request

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
READS: Final = frozenset({"GET", "HEAD"})
"""Methods of calls that change nothing at the far end (RFC 9110 section 9.2.1); every other one is a write."""
_NOT_MADE: Final = NoResponse("not-made", "The try-out stops here: nobody has allowed this call.")


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Says what becomes of a write that a play has stopped at: it is sent, once, or ``answer`` stands for what it would
    have brought, written as a mock of a conversation test is."""

    call: str
    """Digest of the call that the decision is about."""
    answer: Any | UnsetType = UNSET


class CallsOfTurn:
    """Makes the calls. A write goes out in a new turn of ``real``, or where ``decisions`` has its digest; at any other
    one without a recorded answer the turn stops: ``stopped_at`` has it.

    ``earlier`` are the answers that a replay uses again, each once, the last one for all that follow. ``send`` makes a
    call for real. ``recordings`` gets what came of calls, and ``remember`` stores it: of a write before it is made and
    as soon as it is answered, so that nothing that breaks off behind it makes it a second time. ``turn``: the serial of
    the turn. A failure that is recorded is no answer for another turn than the one that got it.
    """

    def __init__(
        self,
        calls: Calls,
        mocks: Mocks,
        recordings: dict[str, KeptCall],
        send: Callable[[Request], Awaitable[Response | NoResponse]],
        remember: Callable[[KeptCall], Awaitable[None]],
        decisions: dict[str, Decision],
        earlier: Iterable[KeptCall] = (),
        *,
        turn: int = 0,
        is_replay: bool = False,
    ) -> None:
        self._calls = calls
        self._turn = turn
        self._mocks = MockFetcher(mocks)
        self._recordings = recordings
        self._send = send
        self._remember = remember
        self._decisions = decisions
        self._may_write = calls == "real" and not is_replay
        self._earlier: defaultdict[str, list[KeptCall]] = defaultdict(list)
        for call in earlier:
            if call.failure is None or call.failure.kind != NO_MOCK:
                self._earlier[call.key].append(call)
        self.made: list[KeptCall] = []
        self.stopped_at: Request | None = None

    def asks(self, show: Callable[[Request], tuple[str, str]]) -> Asks | None:
        """Return the write that the turn stopped at, if it did. ``show`` returns the address and the body of a call,
        masked."""
        if self.stopped_at is None:
            return None
        call = kept_call(self.stopped_at, "real", UNKNOWN)
        tried = _tried(self._recordings.get(call.key))
        return Asks(call.digest, call.method, *show(self.stopped_at), tried)

    async def make(self, request: Request) -> Response | NoResponse:
        if self.stopped_at is not None:
            return _NOT_MADE
        began = time.perf_counter()
        source, answer = await self._answered(request)
        if self.stopped_at is None:
            self.made.append(kept_call(request, source, answer, began))
        return answer

    async def _answered(self, request: Request) -> tuple[Calls, Response | NoResponse]:
        if self._calls == "mocked":
            return "mocked", await self._mocks.fetch(request)
        call = kept_call(request, "real", UNKNOWN)
        if earlier := self._earlier[call.key]:
            return "recorded", (earlier.pop(0) if len(earlier) > 1 else earlier[0]).answer
        known = self._recordings.get(call.key)
        if not self._may_write and known is not None and self._is_answer(known):
            return "recorded", known.answer
        if request.method in READS:
            return "real", await self._read(request)
        decision = self._decisions.pop(call.digest, None)
        if decision is not None and decision.answer is not UNSET:
            given = msgspec.structs.replace(
                call,
                source="mocked",
                failure=None,
                response=mock_response(decision.answer),
                turn=self._turn,
                # What came of it at the far end is as unknown as before.
                idempotency_key="" if known is None or known.is_settled else known.idempotency_key,
            )
            self._recordings[call.key] = given
            return "mocked", given.answer
        if decision is None and not self._may_write:
            self.stopped_at = request
            return "real", _NOT_MADE
        return "real", await self._write(request, call)

    def _is_answer(self, known: KeptCall) -> bool:
        """Return whether what came of a call is taken for the same call of this turn."""
        return known.response is not None and (not known.has_failed or known.turn == self._turn)

    async def _read(self, request: Request) -> Response | NoResponse:
        began = time.perf_counter()
        answer = await self._send(request)
        call = kept_call(request, "real", answer, began)
        if self._calls == "recorded" and call.response is not None:
            self._recordings[call.key] = msgspec.structs.replace(call, turn=self._turn)
        return answer

    async def _write(self, request: Request, call: KeptCall) -> Response | NoResponse:
        """Make a write that is known as one that may have been made, whatever happens from here on. As long as the far
        end has not said what it did, it is sent again under the key that it was first sent with, so that a far end that
        honours keys does it once."""
        if request.idempotency_key is not None:
            known = self._recordings.get(call.key)
            first_key = "" if known is None or known.is_settled else known.idempotency_key
            # Of the turn and the step: after an edit the same two may send something else.
            key = first_key or f"{request.idempotency_key}:{call.digest[:16]}"
            request = msgspec.structs.replace(request, idempotency_key=key)
        sent = {"turn": self._turn, "idempotency_key": request.idempotency_key or ""}
        await self._remember(msgspec.structs.replace(call, **sent))
        began = time.perf_counter()
        answer = await self._send(request)
        await self._remember(msgspec.structs.replace(kept_call(request, "real", answer, began), **sent))
        return answer


def kept_call(request: Request, source: Calls, answer: Response | NoResponse, began: float | None = None) -> KeptCall:
    """Return a call with its answer. ``began``: when it was made, by ``time.perf_counter``."""
    return KeptCall(
        method=request.method,
        url=request.url,
        body="" if request.body is None else hashlib.sha256(request.body).hexdigest(),
        source=source,
        milliseconds=0 if began is None else round((time.perf_counter() - began) * 1000),
        response=answer if isinstance(answer, Response) else None,
        failure=answer if isinstance(answer, NoResponse) else None,
    )


def _tried(known: KeptCall | None) -> str:
    """Return why nobody knows what came of a write; "" for one that was not made, or that the author answered."""
    if known is None or known.source != "real":
        return ""
    if known.failure is not None:
        return known.failure.detail
    return "" if known.response is None else f"It was answered with status {known.response.status}."


def check_decision(decision: Decision) -> None:
    """Raise ``RequestError`` for an answer that no far end could give."""
    if fault := _fault_of(decision.answer):
        raise RequestError("bad-body", fault, pointer="/decision/answer")


def check_mocks(mocks: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise ``RequestError`` for a mock that is none."""
    for url, answers in mocks.items():
        if not url.lower().startswith(("http://", "https://")):
            raise _bad(url, "", "A mock stands under the address of its call, which begins with http:// or https://.")
        for method, answer in answers.items():
            if method.upper() not in METHODS:
                raise _bad(url, method, f'"{method[:40]}" is no method. Known are {", ".join(sorted(METHODS))}.')
            if fault := _fault_of(answer):
                raise _bad(url, method, fault)


def _fault_of(answer: Any) -> str:
    """Return what is wrong with an answer that names its status or headers; "" where nothing is."""
    if not is_envelope(answer):
        return ""
    status, headers = answer.get("$status", 200), answer.get("$headers", {})
    if type(status) is not int or not 100 <= status <= 599:
        return "$status is a whole number from 100 to 599."
    values = headers.values() if isinstance(headers, dict) else [None]
    if not all(isinstance(one, str) for value in values for one in (value if isinstance(value, list) else [value])):
        return "$headers is an object whose values are texts or lists of texts."
    return ""


def _bad(url: str, method: str, detail: str) -> RequestError:
    place = [part.replace("~", "~0").replace("/", "~1") for part in (url[:200], method[:40]) if part]
    return RequestError("bad-body", f"{url[:200]}: {detail}", pointer="/".join(["/mocks", *place]))
