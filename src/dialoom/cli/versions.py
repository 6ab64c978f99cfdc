"""``dialoom versions BOT``: the published versions of a bot, the one that became active last first."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from typing import Any

from dialoom.cli.output import add_format, print_list
from dialoom.cli.stores import add_place, known_bot, open_beside, settings_of
from dialoom.errors import SettingError
from dialoom.service.clock import iso
from dialoom.service.settings import Settings
from dialoom.storage.store import VersionRow

SHORT = 12
"""Characters of a version that are shown; the same 48 bits in two versions of a bot are not to be expected."""


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("versions", description=__doc__)
    parser.add_argument("bot", metavar="BOT", help="the bot's id")
    add_format(parser)
    add_place(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    rows = asyncio.run(_rows(settings_of(args), args.bot))
    print_list(rows, args.format, line=_line, value=_as_json, empty=f'Bot "{args.bot}" has no version.')
    return 0


async def _rows(settings: Settings, bot: str) -> list[VersionRow]:
    async with open_beside(settings) as service:
        await known_bot(service, bot)
        return await service.store.versions(bot)


def _line(row: VersionRow) -> str:
    state = "active" if row.is_active else "-"
    since = f"last made active {iso(row.activated_at)}"
    if row.withdrawn_at is not None and not row.is_active:
        state, since = "withdrawn", f"rolled back from {iso(row.withdrawn_at)}"
    return f"{row.version[:SHORT]}  {state:9}  published {iso(row.created_at)}  {since}"


def _as_json(row: VersionRow) -> dict[str, Any]:
    withdrawn = None if row.is_active else row.withdrawn_at
    return {
        "version": row.version,
        "active": row.is_active,
        "publishedAt": iso(row.created_at),
        "activatedAt": iso(row.activated_at),
        "withdrawnAt": None if withdrawn is None else iso(withdrawn),
    }


def chosen(rows: Sequence[VersionRow], prefix: str) -> VersionRow:
    """Return the version whose hash begins like this. Raises ``SettingError`` when none or several do."""
    found = [row for row in rows if row.version.startswith(prefix.lower())]
    if len(found) == 1:
        return found[0]
    bot = rows[0].bot
    if not found:
        raise SettingError(f'Bot "{bot}" has no version that begins with "{prefix}". See: dialoom versions {bot}')
    names = ", ".join(row.version[:SHORT] for row in found[:5])
    raise SettingError(f'{len(found)} versions of bot "{bot}" begin with "{prefix}" ({names} ...). Write more of it.')


def active_of(rows: Sequence[VersionRow]) -> VersionRow:
    return next(row for row in rows if row.is_active)


def before(rows: Sequence[VersionRow]) -> VersionRow | None:
    """Return the version that was active before the active one; one that was rolled back does not count."""
    return next((row for row in rows if not row.is_active and row.withdrawn_at is None), None)
