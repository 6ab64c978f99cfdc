"""``dialoom publish BOT_FOLDER...``: makes folders the active versions of their bots, beside running services."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dialoom.cli.bots import variables_of
from dialoom.cli.check import finder
from dialoom.cli.output import confirmed
from dialoom.cli.stores import add_place, open_beside, settings_of
from dialoom.errors import SettingError
from dialoom.flow import Bot, check_folder, files_of, read_files
from dialoom.flow.variables import Variables
from dialoom.service.bots.preflight import lacking, lacking_of, short_tokens
from dialoom.service.records.retention import find_shortening
from dialoom.service.service import Service
from dialoom.service.settings import Settings


class _Ready(NamedTuple):
    folder: Path
    files: dict[str, str]
    bot: Bot


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("publish", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="BOT_FOLDER")
    parser.add_argument("--anyway", action="store_true", help="in spite of errors that a bot can be loaded with")
    parser.add_argument("--yes", action="store_true", help="do not ask, though conversations will be erased")
    add_place(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Publish folders; return 0 when all are active, 1 when one is wrong: nothing was published then."""
    settings = settings_of(args)
    variables = variables_of(settings, args.folders)
    ready = [_checked(folder, variables, is_strict=not args.anyway) for folder in args.folders]
    if None in ready:
        print("Nothing was published.", file=sys.stderr)
        return 1
    return asyncio.run(_publish(settings, [one for one in ready if one is not None], is_sure=args.yes))


def _checked(folder: Path, variables: Variables, *, is_strict: bool) -> _Ready | None:
    """Return the files to publish; None when they are wrong, which is printed."""
    if not folder.is_dir():
        raise SettingError(f"{folder} is no folder of a bot. Name the folder that bot.json stands in.")
    errors = [one for one in check_folder(folder, variables=variables, finder=finder) if one.severity == "error"]
    for error in errors:
        print(f"{folder.as_posix()}/{error} [{error.rule}]", file=sys.stderr)
    if any(error.prevents_loading for error in errors):
        return None
    if errors and is_strict:
        print(f"{folder} could be loaded all the same: --anyway publishes it as it is.", file=sys.stderr)
        return None
    files = files_of(folder)
    return _Ready(folder, files, read_files(files, variables=variables))


async def _publish(settings: Settings, ready: Sequence[_Ready], *, is_sure: bool) -> int:
    taken: dict[str, Path] = {}
    for folder, _, bot in ready:
        if bot.id in taken:
            raise SettingError(
                f'{taken[bot.id]} and {folder} are both bots with the id "{bot.id}". Publish one of them.'
            )
        taken[bot.id] = folder
    async with open_beside(settings) as service:
        service.bots.know([*await service.store.bots(), *taken])
        for one in ready:
            refused = service.bots.closed(one.bot) or short_tokens(one.bot, service.bots)
            if refused := refused or await service.bots.taken_by(one.bot):
                raise SettingError("\n".join(refused))
        if await _erases(service, ready) and not is_sure and not confirmed("Publish?", ""):
            print("Nothing was published.", file=sys.stderr)
            return 1
        for one in ready:
            _warn(service, one.bot)
            print(await _published(service, one), flush=True)
            if await service.edited_folders.edited_in(one.folder) == one.bot.id:
                await service.edited_folders.settle(one.bot.id, one.folder)
    return 0


async def _erases(service: Service, ready: Sequence[_Ready]) -> bool:
    """Return whether conversations will be erased because of what is published; say how many and when."""
    erases = False
    for folder, _, bot in ready:
        days = bot.file.retention_days
        shortening = await find_shortening(service.store, service.bots, service.clock, bot.id, days)
        if shortening is not None:
            print(f"{folder}: {shortening}", file=sys.stderr)
            erases = True
    return erases


def _warn(service: Service, bot: Bot) -> None:
    """Warn of variables that are not set here; they may be set where the services run, so that it is no mistake."""
    if missing := lacking(bot, service.bots):
        text = "It is published all the same; a service where this is so does not serve the new version."
        print("\n".join((*missing, text)), file=sys.stderr)
    if missing := [line for channel in bot.channels for line in lacking_of(channel, bot, service.bots)]:
        text = "It is published all the same; a service where this is so keeps these channels closed."
        print("\n".join((*missing, text)), file=sys.stderr)


async def _published(service: Service, one: _Ready) -> str:
    """Publish one bot; return the line that is printed of it."""
    bot, version = one.bot, one.bot.version[:12]
    rows = await service.store.versions(bot.id)
    if any(row.is_active and row.version == bot.version for row in rows):
        return f'Bot "{bot.name}" (id {bot.id}): version {version} is active already.'
    # Trains the model too, into the data folder: a service on it finds it there.
    await service.bots.publish_files(one.files, takes_back=True)
    text = f'Bot "{bot.name}" (id {bot.id}): version {version} is active. Running services take it within seconds.'
    if not rows:
        text += f"\nIts tokens are made by the service; they are shown by: dialoom token list {bot.id} --show"
    return text
