"""The threads that read of SQLite, beside clients that do not wait for their answers."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import apsw

from dialoom.storage.sqlite.reader import Readers

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_question_that_nobody_waits_for_any_more_is_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "data.db"
    apsw.Connection(str(path)).close()
    asked: list[int] = []
    going_on = threading.Event()

    def first(*_: Any) -> int:
        going_on.wait(30)
        return 1

    def another(number: int) -> Any:
        def ask(*_: Any) -> int:
            asked.append(number)
            return number

        return ask

    readers = Readers(path, 1, "test")
    readers.open()
    try:
        busy = asyncio.ensure_future(readers.ask(first, 60))
        gone = [asyncio.ensure_future(readers.ask(another(number), 60)) for number in range(5)]
        await asyncio.sleep(0)
        for one in gone:
            one.cancel()
        await asyncio.wait(gone)
        last = asyncio.ensure_future(readers.ask(another(9), 60))
        await asyncio.sleep(0)
        going_on.set()
        assert (await busy, await last) == (1, 9)
        assert asked == [9]
    finally:
        going_on.set()
        await readers.close()
