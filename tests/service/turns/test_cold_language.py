"""A message that comes before what its language needs is loaded waits for that, and is understood like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.http.support import BOT, FLOW, serving

if TYPE_CHECKING:
    from pathlib import Path

COLD = "fi"
"""A language that no other test of this file loads before."""
QUESTION = {"type": "question", "entity": "when", "entity-type": "Datetime", "messages": ["When?"]}
TALK = {"type": "goal", "display-name": "your tea", "steps": [QUESTION, {"type": "message", "messages": ["Fine."]}]}


async def test_loading_a_language_takes_nothing_of_a_turns_time(tmp_path: Path) -> None:
    flow = {"conversations": FLOW["conversations"] | {"tea": TALK}}
    async with serving(tmp_path, flow=flow, bot=BOT | {"language": COLD}) as client:
        client.service.turn_limit.seconds = 0.02
        assert await client.texts("I want tea, huomenna klo 15:00") == ["Hello!", "Fine."]
