"""What commands print: lists in words or JSON, colours where a person reads, files that get their names when they are
complete; and the question before what cannot be undone."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from dialoom.errors import SettingError

T = TypeVar("T")

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    Write: TypeAlias = Callable[[bytes], object]

_COLOURS = {"red": "31", "green": "32", "yellow": "33", "cyan": "36", "dim": "2"}


def add_format(parser: argparse.ArgumentParser) -> None:
    """Declare the option that says how a list is printed; ``print_list`` reads it."""
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text by default")


def print_list(
    rows: Sequence[T], form: str, *, line: Callable[[T], str], value: Callable[[T], Any], empty: str
) -> None:
    """Print a list: ``line`` is a row in words, ``value`` what it is in JSON. ``empty`` is said where there is none, to
    standard error, so that a pipe gets nothing."""
    if form == "json":
        print(json.dumps([value(row) for row in rows], ensure_ascii=False, indent=2))
        return
    for row in rows:
        print(line(row))
    if not rows:
        print(empty, file=sys.stderr)


def in_colour(text: str, colour: str) -> str:
    """Return the text in a colour where a person reads standard output: not in a pipe, and not with ``NO_COLOR``
    (no-color.org)."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\033[{_COLOURS[colour]}m{text}\033[0m"


@contextmanager
def written(name: str | None, *, is_new: bool = False) -> Iterator[Write]:
    """Open a file for its owner alone, for it holds what people said, and yield what writes a piece to it. None:
    standard output; ``is_new``: a file that exists stays. Raises ``SettingError``, for faults of the file only."""
    if name is None:
        yield sys.stdout.buffer.write
        sys.stdout.buffer.flush()
        return
    from dialoom.storage.maintenance.new_file import as_setting_error, new_file  # few commands need it

    to = Path(name)
    # Without a buffer there is nothing to write, and to fail, when it is closed; pieces are large.
    with new_file(to, replaces=not is_new) as part, part.open("wb", buffering=0) as file:

        def write(piece: bytes) -> None:
            with as_setting_error(to):
                rest = memoryview(piece)
                while rest:
                    rest = rest[file.write(rest) :]

        yield write


def confirmed(question: str, note: str = "There is no way back.") -> bool:
    """Ask the person at the terminal before something that is grave; return whether the answer is yes. Raises
    ``SettingError`` where there is no terminal."""
    if not sys.stdin.isatty():
        raise SettingError("There is nobody to ask: say --yes to do it without being asked.")
    print(f"{question} {note}", file=sys.stderr)
    return input("Type yes: ").strip().lower() == "yes"
