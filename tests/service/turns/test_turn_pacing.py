"""Turns that become ready together are spread over passes of the event loop."""

from __future__ import annotations

import asyncio

from dialoom.service.turns.turn_pacing import MAX_BACKLOG_SECONDS, PASS_SECONDS, TurnPacing


class Order:
    """Keeps what ran, in order: turns of so many seconds, and a request that needs a few passes."""

    def __init__(self) -> None:
        self.pacing = TurnPacing()
        self.ran: list[str] = []

    async def turn(self, name: str, seconds: float) -> None:
        await self.pacing.wait()
        self.ran.append(name)
        self.pacing.add(seconds)

    async def request(self) -> None:
        for _ in range(3):
            await asyncio.sleep(0)
        self.ran.append("request")


async def test_a_request_is_answered_between_long_turns_that_became_ready_together() -> None:
    order = Order()
    await asyncio.gather(*(order.turn(f"turn {number}", 0.1) for number in range(60)), order.request())
    assert order.ran.index("request") <= 2
    assert [name for name in order.ran if name != "request"] == [f"turn {number}" for number in range(60)]


async def test_short_turns_run_in_one_pass() -> None:
    order = Order()
    await asyncio.gather(*(order.turn(f"turn {number}", PASS_SECONDS / 40) for number in range(32)), order.request())
    assert order.ran[-1] == "request"


async def test_a_turn_that_is_given_up_while_it_waits_holds_nobody_up() -> None:
    order = Order()
    turns = [asyncio.create_task(order.turn(f"turn {number}", 0.1)) for number in range(4)]
    await asyncio.sleep(0)
    turns[1].cancel()
    await asyncio.gather(*turns, return_exceptions=True)
    assert order.ran == ["turn 0", "turn 2", "turn 3"]


async def test_messages_are_put_off_while_the_turns_that_wait_would_take_too_long() -> None:
    order = Order()
    turns = [asyncio.create_task(order.turn(f"turn {number}", 0.1)) for number in range(300)]
    await asyncio.sleep(0)
    assert order.pacing.is_behind()
    await asyncio.gather(*turns)
    assert not order.pacing.is_behind()
    assert MAX_BACKLOG_SECONDS < 300 * 0.1
