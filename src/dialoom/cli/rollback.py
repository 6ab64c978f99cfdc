"""``dialoom rollback BOT [VERSION]``: makes an earlier version active again, beside running services."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import Any

from dialoom.cli.output import confirmed
from dialoom.cli.stores import add_place, known_bot, open_beside, settings_of
from dialoom.cli.versions import SHORT, active_of, before, chosen
from dialoom.errors import SettingError
from dialoom.service.records.retention import find_shortening
from dialoom.service.settings import Settings


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("rollback", description=__doc__)
    parser.add_argument("bot", metavar="BOT", help="the bot's id")
    parser.add_argument(
        "version", nargs="?", metavar="VERSION", help="as `dialoom versions` shows it (default: the one before)"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask, though conversations will be erased")
    add_place(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    return asyncio.run(_roll_back(settings_of(args), args.bot, args.version, is_sure=args.yes))


async def _roll_back(settings: Settings, bot: str, version: str | None, *, is_sure: bool) -> int:
    async with open_beside(settings) as service:
        await known_bot(service, bot)
        rows = await service.store.versions(bot)
        active, to = active_of(rows), before(rows) if version is None else chosen(rows, version)
        if to is None:
            raise SettingError(
                f'Bot "{bot}" has no version from before that was not rolled back from. Name the one that you mean; '
                f"see: dialoom versions {bot}"
            )
        if to.is_active:
            print(f'Bot "{bot}": version {to.version[:SHORT]} is active already.')
            return 0
        # One that this release cannot use must not become active; its model is trained here, before a service needs it.
        usable = await service.bots.usable(bot, to.version)
        if usable is None:
            raise SettingError(f'The files of version {to.version[:SHORT]} of bot "{bot}" are gone. Choose another.')
        days = usable.bot.file.retention_days
        shortening = await find_shortening(service.store, service.bots, service.clock, bot, days)
        if shortening is not None:
            print(f"Version {to.version[:SHORT]}: {shortening}", file=sys.stderr)
            if not is_sure and not confirmed("Make it active?", ""):
                print("Nothing was changed.", file=sys.stderr)
                return 1
        await service.store.roll_back(bot, to.version, service.clock.now())
    print(
        f'Bot "{bot}": version {to.version[:SHORT]} is active in place of {active.version[:SHORT]}. Running services '
        f"take it within seconds.\nA folder that holds {active.version[:SHORT]} stays out until its files change; "
        f"`dialoom publish` with it takes it back as it is."
    )
    return 0
