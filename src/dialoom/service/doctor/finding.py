"""Defines what a check found, and limits the time of a check."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from typing import Final, Literal, TypeVar

import msgspec

from dialoom.errors import DialoomError

T = TypeVar("T")

MAX_CHECK_SECONDS: Final = 15.0
"""Longer than any single wait inside a look, so that this bound is met only when something hangs for good."""
CONNECT_SECONDS: Final = 5.0


class Finding(msgspec.Struct, frozen=True):
    """Holds one line of the report. ``text`` says what is the matter and, unless all is well, what to do. ``by-hand``:
    what only a person can look at, on the pages of a platform."""

    level: Literal["ok", "by-hand", "warn", "fail"]
    check: str
    text: str


async def within(check: str, look: Awaitable[list[Finding]], seconds: float = MAX_CHECK_SECONDS) -> list[Finding]:
    """Return the lines of a check, or one line that says why there are none."""
    try:
        async with asyncio.timeout(seconds):
            return await look
    except TimeoutError:
        return [Finding("fail", check, f"This did not come to an end within {seconds:g} s. See what hangs there.")]
    except (DialoomError, OSError) as error:
        return [Finding("fail", check, str(error))]


async def aside(call: Callable[[], T]) -> T:
    """Run something that may block, in a thread that nobody waits for: those of the event loop are waited for at the
    end of the program, and a name server or a network disk that hangs would hold that up."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # it is None only where T is

    def work() -> None:
        try:
            result, error = call(), None
        except BaseException as raised:  # noqa: BLE001  # it is raised again where it is waited for
            result, error = None, raised
        with contextlib.suppress(RuntimeError):  # the program has ended its loop meanwhile: nobody waits
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=work, name="doctor", daemon=True).start()
    return await done
