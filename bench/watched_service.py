"""The service with a watch over its event loop: ``python -m bench.watched_service FILE run ...``.

FILE gets a line for each stretch in which the loop came to nothing else: the moment of its end (seconds since 1970),
its milliseconds by the clock, and those of CPU that the loop's own thread used in it. With ``BENCH_STACKS``
set, the file ``FILE.stacks`` says what the thread was doing in the longer ones.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import TextIO

from dialoom.cli import main as cli
from dialoom.cli import run

EVERY_SECONDS = 0.001
NOTED_MS = 3.0
STACK_AFTER_SECONDS = 0.012


class _Watch:
    def __init__(self, loop: asyncio.AbstractEventLoop, file: Path) -> None:
        self._loop = loop
        self._out: TextIO = file.open("w", buffering=1)
        self._wall, self._cpu = time.perf_counter(), time.thread_time()
        loop.call_later(EVERY_SECONDS, self._look)
        if os.environ.get("BENCH_STACKS"):
            stacks = file.with_name(f"{file.name}.stacks").open("w", buffering=1)
            threading.Thread(target=self._note_stacks, args=(threading.get_ident(), stacks), daemon=True).start()

    def _look(self) -> None:
        wall, cpu = time.perf_counter(), time.thread_time()
        taken = (wall - self._wall - EVERY_SECONDS) * 1000
        if taken > NOTED_MS:
            self._out.write(f"{time.time():.6f} {taken:.2f} {(cpu - self._cpu) * 1000:.2f}\n")
        self._wall, self._cpu = time.perf_counter(), time.thread_time()
        self._loop.call_later(EVERY_SECONDS, self._look)

    def _note_stacks(self, thread: int, out: TextIO) -> None:
        while True:
            time.sleep(STACK_AFTER_SECONDS / 2)
            if time.perf_counter() - self._wall > STACK_AFTER_SECONDS:
                frame = sys._current_frames().get(thread)
                out.write(f"== {time.time():.3f}\n" + "".join(traceback.format_stack(frame)[-9:]))


def main() -> None:
    file, *words = sys.argv[1:]
    make = run._loop  # the one place where the service makes its loop

    def watched() -> asyncio.AbstractEventLoop:
        loop = make()
        _Watch(loop, Path(file))
        return loop

    run._loop = watched
    sys.exit(cli(words))


if __name__ == "__main__":
    main()
