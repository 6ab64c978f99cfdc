"""A talk with a bot outside of any service, turn by turn: it can go back, and be kept as a conversation test."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.authoring.play import event_of, messages_of, whole_turn
from dialoom.engine import begin
from dialoom.engine.events import NoResponse, Response

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from dialoom.authoring.scenarios import UserTurn
    from dialoom.engine import Flow, State, Turn
    from dialoom.engine.effects import Request
    from dialoom.flow.channels import Channel


NO_LISTS: Mapping[str, Sequence[Any]] = MappingProxyType({})
_NOISE = frozenset(
    {"connection", "content-length", "content-type", "date", "keep-alive", "server", "transfer-encoding", "vary"}
)
"""Headers that say nothing to a flow, or that a mock has by itself."""


class Exchange(msgspec.Struct, frozen=True):
    """Holds what the user did, what the bot did about it, and the outside calls that it made."""

    user: UserTurn
    turn: Turn
    before: State
    calls: tuple[tuple[Request, Response | NoResponse], ...] = ()


class Talk:
    def __init__(
        self,
        flow: Flow,
        channel: Channel,
        calls: Callable[[], Callable[[Request], Awaitable[Response | NoResponse]]],
        now: Callable[[], int],
        lists: Mapping[str, Sequence[Any]] = NO_LISTS,
        *,
        is_traced: bool = False,
    ) -> None:
        """Begin a talk. ``calls`` returns what makes the outside calls of one turn, which share their time. ``now``:
        milliseconds since 1970. ``lists``: of the dynamic data that ``flow`` is filled with. ``is_traced``: each
        turn has its trace."""
        self._flow = flow
        self._channel = channel
        self._calls_of_turn = calls
        self._now = now
        self._began = now()
        self._lists = lists
        self._is_traced = is_traced
        self.exchanges: list[Exchange] = []

    @property
    def state(self) -> State:
        return self.exchanges[-1].turn.state if self.exchanges else begin()

    async def hear(self, user: UserTurn) -> Turn:
        calls: list[tuple[Request, Response | NoResponse]] = []
        make = self._calls_of_turn()

        async def call(request: Request) -> Response | NoResponse:
            answer = await make(request)
            calls.append((request, answer))
            return answer

        before = self.state
        event = event_of(user, self._channel, {}, len(self.exchanges), self._now())
        turn = await whole_turn(self._flow, before, event, call, is_traced=self._is_traced)
        self.exchanges.append(Exchange(user, turn, before, tuple(calls)))
        return turn

    def back(self) -> Exchange | None:
        """Takes the last exchange back; None when there is none. Calls to the outside stay made."""
        return self.exchanges.pop() if self.exchanges else None

    def as_test(self, title: str) -> dict[str, Any]:
        """Return a test file of one scenario that plays this talk, with the answers to its outside calls as mocks."""
        mocks: dict[str, dict[str, Any]] = {}
        for request, response in self._calls():
            if isinstance(response, Response):
                mocks.setdefault(request.url, {})[request.method] = _mock(response)
        began = datetime.fromtimestamp(self._began // 1000, UTC).isoformat().replace("+00:00", "Z")
        steps = [{"user": _done(exchange.user), "bot": [_expected(exchange.turn)]} for exchange in self.exchanges]
        scenario = {"it": title, "channel": self._channel.id, "now": began, "steps": steps}
        outside = {"mocks": mocks, "dynamic-data": {type: list(elements) for type, elements in self._lists.items()}}
        return {"name": title, **{key: value for key, value in outside.items() if value}, "scenarios": [scenario]}

    def obstacles(self) -> list[str]:
        """Return a sentence for each reason why the test of this talk will not pass as it stands: what mocks cannot
        hold."""
        found: dict[str, None] = {}
        answers: dict[str, Any] = {}
        for request, response in self._calls():
            call = f"{request.method} {request.url}"
            if isinstance(response, NoResponse):
                found[f"{call} got no answer, and a test has no mock for that."] = None
            elif answers.setdefault(call, _mock(response)) != _mock(response):
                found[f"{call} was answered in different ways, and a test has one mock for it: the last."] = None
        return list(found)

    def _calls(self) -> Iterator[tuple[Request, Response | NoResponse]]:
        return (call for exchange in self.exchanges for call in exchange.calls)


def _done(user: UserTurn) -> dict[str, Any]:
    """Return what the user did, without the token of a login: no mock reads it, and the file is for others to read."""
    done: dict[str, Any] = msgspec.to_builtins(user)
    if isinstance(user.login, dict):
        done["login"] = {**user.login, "access_token": "token"}
    return done


def _expected(turn: Turn) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in message.items() if key not in {"richQuickReplies", "template"}}
        for message in messages_of(turn)
    ]


def _mock(response: Response) -> Any:
    """Return the mock of an answer: its body alone where that is all, else with its status (and type, where it is no
    JSON)."""
    text = response.body.decode("utf-8", "replace")
    try:
        body: Any = json.loads(text) if text else None
    except ValueError:
        body = text
    headers = {name: values for name, values in response.headers.items() if name not in _NOISE}
    if response.status == 200 and not headers and body is not None and not isinstance(body, str):
        return body
    return {"$status": response.status, **({"$headers": headers} if headers else {}), "$body": body}
