"""``dialoom backup FILE``: a consistent copy of the database, checked, while services run."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dialoom.auth.keys import KEY_FILE
from dialoom.cli.progress import Progress
from dialoom.cli.stores import add_place, data_file, settings_of
from dialoom.service.settings import Settings


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("backup", description=__doc__)
    parser.add_argument("file", metavar="FILE", type=Path, help="a new file; one that exists is left as it is")
    add_place(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args)
    with _stopped_in_order():
        if settings.database_url is None:
            _copy(data_file(settings), args.file)
        else:
            _dump(settings.database_url, args.file)
    print(_not_in_it(settings))
    return 0


def _copy(source: Path, to: Path) -> None:
    from dialoom.storage.maintenance.sqlite_backup import back_up

    progress = Progress("copied", "MB")
    try:
        made = back_up(source, to, lambda done, share: progress.show(done // 1_000_000, share))
    finally:
        progress.clear()
    print(
        f"{to}: {made.size / 1e6:,.1f} MB, copied in {made.seconds:,.1f} s. It was opened and its pages are right: "
        f"{made.bots:,} bots, {made.conversations:,} conversations, {made.messages:,} messages."
    )


def _dump(url: str, to: Path) -> None:
    from dialoom.storage.maintenance.postgres_dump import dump

    progress = Progress("written", "MB")
    try:
        made = dump(url, to, lambda done: progress.show(done // 1_000_000))
    finally:
        progress.clear()
    print(f"{to}: {made.size / 1e6:,.1f} MB, written in {made.seconds:,.1f} s and read whole by pg_restore.")


def _not_in_it(settings: Settings) -> str:
    place = "the setting keys (DIALOOM_KEYS)" if settings.keys is not None else str(Path(settings.data) / KEY_FILE)
    return (
        f"Not in it: the keys, without which it is of no use ({place}), and the settings (environment, dialoom.toml). "
        f"Keep a copy of the keys apart from it."
    )


@contextmanager
def _stopped_in_order() -> Iterator[None]:
    """Delete what is half written also where the system ends the command."""

    def end(number: int, _frame: object) -> None:
        sys.exit(128 + number)

    numbers = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    before = [signal.signal(number, end) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
