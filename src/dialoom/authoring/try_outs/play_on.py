"""Plays the turns of a try-out that wait, up to a write that nobody has allowed, and stores how far it came."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from dialoom.authoring.try_outs import options
from dialoom.authoring.try_outs.calls import CallsOfTurn, Decision
from dialoom.authoring.try_outs.kept import KeptCall, KeptTryOut, KeptTurn, Waiting
from dialoom.authoring.try_outs.play_turn import Act, TurnPlayer, masked_user
from dialoom.authoring.try_outs.try_out_rows import CHANGED, Found, TryOutRows
from dialoom.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from dialoom.authoring.try_outs.tried_bots import Tried
    from dialoom.engine.effects import Request
    from dialoom.engine.events import NoResponse, Response
    from dialoom.flow.channels import Channel
    from dialoom.service.bots.masking import Masking
    from dialoom.service.bots.outbound_calls import OutboundCalls


class PlayOn:
    """Plays one try-out. ``found`` is its row: it is written before a write is made, so that of two plays at once, on
    whichever processes, one makes it."""

    def __init__(
        self,
        rows: TryOutRows,
        player: TurnPlayer,
        calls: OutboundCalls,
        found: Found,
        tried: Tried,
        channel: Channel,
        decision: Decision | None = None,
    ) -> None:
        self._rows = rows
        self._player = player
        self._calls = calls
        self._found = found
        self._tried = tried
        self._channel = channel
        self._decisions = {} if decision is None else {decision.call: decision}
        self._kept = found.kept
        self._recordings: dict[str, KeptCall] = {}

    async def play(self, kept: KeptTryOut, *, is_replay: bool) -> Found:
        """Play what waits in ``kept``, which is to take the place of what is stored. Raises ``RequestError``: 409 where
        somebody else was faster, 422 where it is too large."""
        self._kept = msgspec.structs.replace(kept, asks=None)
        self._recordings = dict(kept.recordings)
        while self._kept.waiting and self._kept.asks is None:
            await self._play_first(is_replay=is_replay)
            await asyncio.sleep(0)  # hundreds of turns must not keep those of users waiting
        return await self._rows.replace(self._tried.deployed.bot.id, self._found, self._current())

    async def _play_first(self, *, is_replay: bool) -> None:
        kept, first = self._kept, self._kept.waiting[0]
        calls = CallsOfTurn(
            kept.calls, kept.mocks, self._recordings, self._send(), self._remember, self._decisions, first.calls,
            turn=first.serial, is_replay=is_replay,
        )  # fmt: skip
        act = Act(len(kept.turns), first.serial, first.at, first.user, first.picked)
        deployed = self._tried.deployed
        turn, asks = await self._player.play(
            self._found.id, deployed, self._channel, kept.context, kept.turns, act, calls
        )
        if asks is not None:
            shown = masked_user(first.user, turn.messages, deployed.masking)
            waiting = (msgspec.structs.replace(first, shown=shown), *kept.waiting[1:])
            self._kept = msgspec.structs.replace(kept, waiting=waiting, asks=asks)
            return
        self._kept = kept = msgspec.structs.replace(kept, turns=(*kept.turns, turn), waiting=kept.waiting[1:])
        before = first.messages
        if before is not None and kept.differs_at is None and options.seen(turn.messages) != options.seen(before):
            self._kept = msgspec.structs.replace(kept, differs_at=act.index, before=before)

    def _current(self) -> KeptTryOut:
        return msgspec.structs.replace(self._kept, recordings=dict(self._recordings))

    async def _remember(self, call: KeptCall) -> None:
        """Store a write with what came of it. Raises ``RequestError`` 409 where somebody else was faster: a write that
        is about to be made is none then, and the answer of one that was made is kept in what they have made of the
        try-out."""
        self._recordings[call.key] = call
        bot = self._tried.deployed.bot.id
        try:
            self._found = await self._rows.replace(bot, self._found, self._current())
        except RequestError as refusal:
            if refusal.code == CHANGED and call.is_answered:
                await self._rows.add_recording(bot, self._found.id, call)
            raise

    def _send(self) -> Callable[[Request], Awaitable[Response | NoResponse]]:
        """Return what makes the real calls of one turn, which share their time."""
        deadline: list[float] = []

        async def send(request: Request) -> Response | NoResponse:
            if not deadline:
                deadline.append(self._calls.deadline())
            return await self._calls.call(self._tried.deployed.bot, request, deadline[0])

        return send


def play_again(turn: KeptTurn, masking: Masking) -> Waiting:
    """Return a turn as it is to be played again: at its moment, with its answers."""
    return Waiting(
        at=turn.at,
        serial=turn.serial,
        user=turn.user,
        shown=masked_user(turn.user, turn.messages, masking),
        calls=turn.calls,
        picked=turn.picked,
        messages=turn.messages,
    )
