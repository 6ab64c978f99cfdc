"""A turn of a try-out that goes wrong: it answers as the service does, and the log has no value of it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.auth.vault import Vault
from dialoom.authoring.play import channel_of
from dialoom.authoring.scenarios import UserTurn
from dialoom.authoring.try_outs.calls import CallsOfTurn
from dialoom.authoring.try_outs.play_turn import Act, TurnPlayer
from dialoom.engine.events import NoResponse
from dialoom.engine.running_turn import Interrupted
from dialoom.flow import read_files
from dialoom.service.bots.bots import deploy
from dialoom.service.chat.turn_limit import TurnLimit

if TYPE_CHECKING:
    import pytest

    from dialoom.authoring.try_outs.kept import KeptCall, KeptTurn
    from dialoom.engine.effects import Request

FILES = {
    "bot.json": '{"id": "tea"}',
    "flow.json": json.dumps(
        {"conversations": {"welcome": {"type": "support", "steps": [{"type": "message", "messages": ["Hello!"]}]}}}
    ),
}


class Broken:
    """Understands nothing, and fails in another way than the engine promises."""

    def __init__(self, fault: BaseException) -> None:
        self._fault = fault

    def __getattr__(self, name: str) -> Any:
        raise self._fault


async def play(fault: BaseException) -> KeptTurn:
    deployed = await asyncio.to_thread(lambda: deploy(read_files(FILES)))
    broken = msgspec.structs.replace(deployed.flow, recogniser=Broken(fault))
    deployed = msgspec.structs.replace(deployed, flow=broken)

    async def no_answer(_: Request) -> NoResponse:
        return NoResponse("refused", "Nobody is there.")

    player = TurnPlayer(Vault.from_keys([bytes(range(32))]), TurnLimit())
    act = Act(0, 1, 1_800_000_000_000, UserTurn(text="sesame"))

    async def remember(_: KeptCall) -> None:
        """Nothing is kept of this try-out."""

    calls = CallsOfTurn("real", {}, {}, no_answer, remember, {})
    turn, asks = await player.play("t1", deployed, channel_of(deployed.bot, "web"), {}, (), act, calls)
    assert asks is None
    return turn


async def test_a_fault_of_ours_says_the_general_failure_and_logs_no_value(caplog: pytest.LogCaptureFixture) -> None:
    turn = await play(ValueError("cannot read sesame"))
    assert turn.messages[-1]["from"] == "bot"
    assert turn.trace[0] | {"kind": "visited", "outcome": "failed", "reason": "internal error"} == turn.trace[0]
    assert "ValueError" in caplog.text
    assert "sesame" not in caplog.text


async def test_a_turn_that_takes_too_long_fails_at_its_step(caplog: pytest.LogCaptureFixture) -> None:
    turn = await play(Interrupted())
    assert turn.trace[0]["outcome"] == "failed"
    assert "processor time" in turn.trace[0]["reason"]
    assert "sesame" not in caplog.text
