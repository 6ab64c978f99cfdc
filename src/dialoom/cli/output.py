"""Writes a command's output to a file that gets its name when it is complete, or to standard output; asks for a yes."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from dialoom.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Write: TypeAlias = Callable[[bytes], object]


@contextmanager
def written(name: str | None, *, is_new: bool = False) -> Iterator[Write]:
    """Open a file for its owner alone, for it holds what people said, and yield what writes a piece to it. None:
    standard output; ``is_new``: a file that exists stays. Raises ``SettingError``, for faults of the file only."""
    if name is None:
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    if is_new and os.path.lexists(name):
        raise SettingError(f"{name} cannot be made: File exists. Name a new file in a folder that there is.")
    part = Path(f"{name}.part")
    with ExitStack() as stack:
        with _told(name):
            # The mode is of a file that is made: one that was left there may have another.
            part.unlink(missing_ok=True)
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        stack.callback(part.unlink, missing_ok=True)
        # Without a buffer there is nothing to write, and to fail, when it is closed; pieces are large.
        file = stack.enter_context(open(descriptor, "wb", buffering=0))

        def write(piece: bytes) -> None:
            with _told(name):
                rest = memoryview(piece)
                while rest:
                    rest = rest[file.write(rest) :]

        yield write
        with _told(name):
            os.fsync(file.fileno())
            part.replace(name)


@contextmanager
def _told(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = f"{name} cannot be written: {error.strerror}."
        raise SettingError(f"{reason} Name another file, in a folder that there is.") from error


def confirmed(question: str) -> bool:
    """Ask the person at the terminal before something that cannot be undone; return whether the answer is yes. Raises
    ``SettingError`` where there is no terminal."""
    if not sys.stdin.isatty():
        raise SettingError("There is nobody to ask: say --yes to do it without being asked.")
    print(f"{question} There is no way back.", file=sys.stderr)
    return input("Type yes: ").strip().lower() == "yes"
