"""``dialoom doctor [BOT_FOLDER...]``: looks at all that a service needs, and says what to do. Changes nothing."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from dialoom.authoring.operate.channel_check import ask_platform
from dialoom.channels._contract.channel import SetUp
from dialoom.cli.output import add_format, in_colour
from dialoom.cli.stores import add_place, settings_of, without_store
from dialoom.errors import SettingError
from dialoom.flow import Bot
from dialoom.flow.channels import Channel
from dialoom.service.doctor.examination import Examination
from dialoom.service.doctor.finding import Finding
from dialoom.service.settings import Settings

_COLOURS = {"ok": "green", "by-hand": "cyan", "warn": "yellow", "fail": "red"}
LEVELS = tuple(_COLOURS)


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("doctor", description=__doc__)
    parser.add_argument(
        "folders", nargs="*", type=Path, metavar="BOT_FOLDER", help="bots to look at besides the stored"
    )
    add_format(parser)
    add_place(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the report; return 0 when nothing fails (there may be warnings), else 1."""
    is_text = args.format == "text"
    try:
        settings = settings_of(args)
    except SettingError as error:
        lines = [Finding("fail", "settings", str(error))]
        if is_text:
            _print(lines[0])
    else:
        lines = asyncio.run(_examine(settings, args.folders, is_text=is_text))
    counts = {level: sum(line.level == level for line in lines) for level in LEVELS}
    if is_text:
        print(", ".join(f"{count} {_shown(level)}" for level, count in counts.items() if count or level != "by-hand"))
    else:
        print(json.dumps({"lines": msgspec.to_builtins(lines), **counts}, ensure_ascii=False, indent=2))
    return 1 if counts["fail"] else 0


async def _examine(settings: Settings, folders: Sequence[Path], *, is_text: bool) -> list[Finding]:
    lines = []
    async for line in Examination(settings, folders, partial(_check, settings)).lines():
        lines.append(line)
        if is_text:
            _print(line)
    return lines


async def _check(settings: Settings, bot: Bot, channel: Channel) -> Sequence[SetUp]:
    """Return what a channel's platform says of it."""
    async with without_store(settings) as service:
        service.bots.know([bot.id])
        return await ask_platform(service, bot, channel, "check")


def _print(line: Finding) -> None:
    print(f"{in_colour(f'{_shown(line.level):7}', _COLOURS[line.level])}  {line.check}: {line.text}", flush=True)


def _shown(level: str) -> str:
    return level.replace("-", " ")
