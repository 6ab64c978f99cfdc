"""``dialoom database compact``: gives the room of what was deleted back to the disk."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dialoom.cli.stores import add_place, data_file, settings_of

if TYPE_CHECKING:
    from dialoom.storage.maintenance.sqlite_compact import Room

OF_POSTGRES = (
    "Room inside of the tables is used again by what comes. To have all of it back from the disk: pg_repack beside "
    "traffic, or VACUUM FULL of the large tables while no service runs."
)


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("database")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    compact = actions.add_parser("compact", help="give the room of what was deleted back to the disk")
    compact.add_argument("--anyway", action="store_true", help="also while a service runs on SQLite: its turns wait")
    add_place(compact)
    return parser


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args)
    if settings.database_url is None:
        _compact(data_file(settings), is_anyway=args.anyway)
    else:
        asyncio.run(_vacuum(settings.database_url))
    return 0


def _compact(path: Path, *, is_anyway: bool) -> None:
    from dialoom.storage.maintenance.sqlite_compact import compact

    after = compact(path, is_anyway=is_anyway, tell=lambda before: _tell(path, before))
    print(f"Done: {path} has {_mb(after.size)} now.")


def _tell(path: Path, before: Room) -> None:
    print(f"Writing {path} anew: at least {_mb(before.free)} of {_mb(before.size)} can be given back.", flush=True)


async def _vacuum(url: str) -> None:
    from dialoom.storage.maintenance.postgres_vacuum import vacuum

    done = await vacuum(url, lambda table: print(f"Vacuuming {table}. Turns go on meanwhile.", flush=True))
    print(f"Done: the tables had {_mb(done.before)}, and have {_mb(done.after)} now. {OF_POSTGRES}")


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
