"""A talk with a bot outside of any service, turn by turn: it can go back, and be kept as a conversation test."""

from __future__ import annotations

import secrets
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.authoring.as_test import SeenTurn, as_test, call_obstacles, expected, without_token
from dialoom.authoring.play import event_of, whole_turn
from dialoom.engine import begin

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from dialoom.authoring.scenarios import UserTurn
    from dialoom.engine import Flow, State, Turn
    from dialoom.engine.effects import Request
    from dialoom.engine.events import NoResponse, Response
    from dialoom.flow.channels import Channel


NO_LISTS: Mapping[str, Sequence[Any]] = MappingProxyType({})


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
        self._id = secrets.token_hex(8)
        self._heard = 0
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
        self._heard += 1
        # Services know a call by a key that is made of the id: neither another talk nor a turn taken back has the same.
        id = f"chat-{self._id}-{self._heard}"
        event = event_of(user, self._channel, {}, len(self.exchanges), self._now(), id)
        turn = await whole_turn(self._flow, before, event, call, is_traced=self._is_traced)
        self.exchanges.append(Exchange(user, turn, before, tuple(calls)))
        return turn

    def back(self) -> Exchange | None:
        """Takes the last exchange back; None when there is none. Calls to the outside stay made."""
        return self.exchanges.pop() if self.exchanges else None

    def as_test(self, title: str) -> dict[str, Any]:
        """Return a test file of one scenario that plays this talk, with the answers to its outside calls as mocks."""
        seen = [SeenTurn(_done(exchange.user), expected(exchange.turn)) for exchange in self.exchanges]
        return as_test(title, self._channel.id, self._began, seen, list(self._calls()), self._lists)

    def obstacles(self) -> list[str]:
        """Return a sentence for each reason why the test of this talk will not pass as it stands: what mocks cannot
        hold."""
        return call_obstacles(self._calls())

    def _calls(self) -> Iterator[tuple[Request, Response | NoResponse]]:
        return (call for exchange in self.exchanges for call in exchange.calls)


def _done(user: UserTurn) -> dict[str, Any]:
    done: dict[str, Any] = msgspec.to_builtins(user)
    return without_token(done)
