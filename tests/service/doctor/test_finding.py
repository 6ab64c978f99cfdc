"""A look that hangs or breaks becomes a line, and holds nothing up."""

from __future__ import annotations

import asyncio
import threading

import pytest

from dialoom.errors import StoreError
from dialoom.service.doctor.finding import Finding, aside, within


async def test_a_look_that_hangs_is_given_up_with_a_line() -> None:
    async def hangs() -> list[Finding]:
        await asyncio.Event().wait()
        return []

    (line,) = await within("names", hangs(), 0.01)
    assert (line.level, line.check) == ("fail", "names")
    assert "did not come to an end within 0.01 s" in line.text


async def test_a_look_that_is_refused_says_why() -> None:
    async def refuses() -> list[Finding]:
        raise StoreError("The database is away. Start it.")

    assert await within("database", refuses()) == [Finding("fail", "database", "The database is away. Start it.")]


async def test_what_blocks_runs_aside_and_its_error_comes_back() -> None:
    assert await aside(lambda: threading.current_thread() is threading.main_thread()) is False

    def breaks() -> None:
        raise OSError("broken")

    with pytest.raises(OSError, match="broken"):
        await aside(breaks)


def test_a_program_ends_while_something_aside_still_hangs() -> None:
    held = threading.Event()

    async def give_up() -> list[Finding]:
        async def look() -> list[Finding]:
            await aside(held.wait)
            return []

        return await within("names", look(), 0.01)

    try:
        assert asyncio.run(give_up())[0].level == "fail"
    finally:
        held.set()
