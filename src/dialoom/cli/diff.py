"""``dialoom diff BOT [A] [B]``: what differs between two versions of a bot, or between one and a folder.

Files are laid out alike before they are compared, so that what shows is what makes another version of the bot.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dialoom.cli.output import in_colour
from dialoom.cli.stores import add_place, known_bot, open_beside, settings_of
from dialoom.cli.versions import SHORT, active_of, before, chosen
from dialoom.errors import SettingError
from dialoom.flow import files_of
from dialoom.service.bots.differences import Side, lines
from dialoom.service.service import Service
from dialoom.service.settings import Settings
from dialoom.storage.store import VersionRow

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("diff", description=__doc__)
    parser.add_argument("bot", metavar="BOT", help="the bot's id")
    parser.add_argument("a", nargs="?", metavar="A", help="a version or a folder (default: the version before)")
    parser.add_argument("b", nargs="?", metavar="B", help="a version or a folder (default: the active version)")
    add_place(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the difference; return 0 when both are the same, 1 when they differ."""
    a, b = asyncio.run(_sides(settings_of(args), args.bot, args.a, args.b))
    found = list(lines(a, b))
    for line in found:
        print(in_colour(line, _COLOURS[line[0]]) if line[:1] in _COLOURS else line)
    if not found:
        print(f"{a.name} and {b.name} are the same.", file=sys.stderr)
    return 1 if found else 0


async def _sides(settings: Settings, bot: str, a: str | None, b: str | None) -> tuple[Side, Side]:
    async with open_beside(settings) as service:
        await known_bot(service, bot)
        rows = await service.store.versions(bot)
        active = await _of_version(service, active_of(rows))
        if a is None:
            other = before(rows) or next((row for row in rows if not row.is_active), None)
            if other is None:
                raise SettingError(f'Bot "{bot}" has one version only. Name a folder to compare it with.')
            return await _of_version(service, other), active
        first = await _side(service, rows, a)
        if b is not None:
            return first, await _side(service, rows, b)
        # A folder is what may come next, a version what was before.
        return (active, first) if _is_folder(rows, a) else (first, active)


def _is_folder(rows: Sequence[VersionRow], word: str) -> bool:
    """Return whether a folder is meant: what could be both is a version, unless ``./`` stands before it."""
    return Path(word).is_dir() and not any(row.version.startswith(word.lower()) for row in rows)


async def _side(service: Service, rows: Sequence[VersionRow], word: str) -> Side:
    if _is_folder(rows, word):
        return Side(Path(word).as_posix().rstrip("/"), await asyncio.to_thread(files_of, Path(word)))
    return await _of_version(service, chosen(rows, word))


async def _of_version(service: Service, row: VersionRow) -> Side:
    files = await service.bots.files(row.bot, row.version)
    if files is None:
        raise SettingError(f'The files of version {row.version[:SHORT]} of bot "{row.bot}" are gone. Choose another.')
    return Side(row.version[:SHORT], files)
