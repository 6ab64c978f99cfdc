"""Plays all conversation tests of a bot, or one of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from dialoom.authoring.play import Outcome, Player
from dialoom.authoring.scenarios import Scenario, Suite, suites_of

if TYPE_CHECKING:
    from dialoom.service.bots.bots import Deployed

Played = list[tuple[Suite, list[Outcome | None]]]
"""Per suite its scenarios in order; None for one that was left out."""


async def play_all(
    player: Player, suites: list[Suite], only: str | None = None, ended: threading.Event | None = None
) -> Played:
    """Play the scenarios; where one is focused (``fit``) only such, else all that are not left out (``xit``). ``only``:
    the scenarios of this title, whatever their mode. ``ended``: once it is set, no more are played."""
    is_focused = any(scenario.mode == "fit" for suite in suites for scenario in suite.scenarios)

    def is_run(scenario: Scenario) -> bool:
        if ended is not None and ended.is_set():
            return False
        if only is not None:
            return scenario.title == only
        return scenario.mode == "fit" if is_focused else scenario.mode != "xit"

    return [
        (suite, [await player.play(scenario) if is_run(scenario) else None for scenario in suite.scenarios])
        for suite in suites
    ]


class TestRuns:
    """Plays the tests among a bot's texts, in a thread and one run after the other: they use the processor alone. A run
    that is cancelled ends with the scenario that it is at, and the next begins after that."""

    __test__ = False

    def __init__(self) -> None:
        self._running = asyncio.Lock()

    async def run(
        self, deployed: Deployed, files: Mapping[str, str], only: str | None = None, *, goes_on: bool = False
    ) -> Played:
        """Raises ``FlowError`` with a sentence for each file that is wrong. ``goes_on``: plays a scenario to its end,
        also after a step that differs, as ``updated`` wants it."""

        ended = threading.Event()

        def play() -> Played:
            player = Player(deployed.bot, deployed.flow, goes_on=goes_on)
            return asyncio.run(play_all(player, suites_of(files), only, ended))

        async with self._running:
            playing = asyncio.ensure_future(asyncio.to_thread(play))
            try:
                return await asyncio.shield(playing)
            finally:
                ended.set()
                await asyncio.wait([playing])
