"""``dialoom channel list|connect|check BOT [CHANNEL]``: what a bot's channels need on the side of their platforms."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dialoom.authoring.operate.channel_check import address, channel_findings
from dialoom.cli.output import add_format, print_list
from dialoom.cli.stores import add_place, known_bot, open_beside, settings_of
from dialoom.errors import SettingError
from dialoom.flow.channels import row_of
from dialoom.service.bots.preflight import reasons_for_no_calls

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from dialoom.channels._contract.channel import SetUp
    from dialoom.flow import Bot
    from dialoom.flow.channels import Channel
    from dialoom.service.service import Service
    from dialoom.service.settings import Settings

SIGNS = {"ok": "ok     ", "wrong": "wrong  ", "by-hand": "by hand"}


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("channel")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("list", help="list a bot's channels, each with the address where it is called")
    connect = actions.add_parser("connect", help="set the platform up to call a channel, and say what is left to do")
    check = actions.add_parser("check", help="ask the platforms whether tokens, rights and addresses are right")
    for action in (show, connect, check):
        action.add_argument("bot", metavar="BOT", help="the bot's id")
    connect.add_argument("channel", metavar="CHANNEL", help="the channel's id")
    check.add_argument("channel", metavar="CHANNEL", nargs="?", help="the channel's id; all by default")
    add_format(show)
    for action in (show, connect, check):
        add_place(action)
    return parser


def run(args: argparse.Namespace) -> int:
    return asyncio.run(_act(settings_of(args), args))


async def _act(settings: Settings, args: argparse.Namespace) -> int:
    async with open_beside(settings) as service:
        await known_bot(service, args.bot)
        await service.bots.load_active()
        deployed = service.bots.active(args.bot)
        assert deployed is not None  # the store knows the bot
        if args.action == "list":
            await _list(service, deployed.bot, args.format)
            return 0
        channels = _named(deployed.bot, args.channel)
        if args.action == "connect":
            _check_reachable(settings)
        found = [[*await channel_findings(service, deployed.bot, channel, args.action)] for channel in channels]
        for channel, lines in zip(channels, found, strict=True):
            print(f"{channel.id} ({row_of(channel).shown_as})")
            await asyncio.to_thread(show, lines)
        return 1 if any(line.state == "wrong" for lines in found for line in lines) else 0


def show(lines: Sequence[SetUp]) -> None:
    """Print what was found, and write the files that a person needs for it into the current folder."""
    for line in lines:
        print(f"  {SIGNS[line.state]}  {line.text}")
        if line.file is not None:
            name, content = line.file
            Path(name).write_bytes(content)
            print(f"  {'':7}  {name} was written into this folder.")


async def _list(service: Service, bot: Bot, form: str) -> None:
    rows = [
        {
            "id": channel.id,
            "type": channel.type,
            "platform": row_of(channel).shown_as,
            "address": address(service, bot, channel),
            "closed": await reasons_for_no_calls(channel, bot, service.bots, service.tokens),
        }
        for channel in bot.channels
    ]
    print_list(rows, form, line=_line, value=dict, empty=f'Bot "{bot.id}" has no channels. Add some to its bot.json.')
    if service.settings.base_url is None and any(row_of(channel).caller == "platform" for channel in bot.channels):
        print(_no_public_address(service.settings), file=sys.stdout if form == "text" else sys.stderr)


def _line(row: dict[str, Any]) -> str:
    lines = [f"{row['id']}  {row['platform']}  {row['address']}"]
    if row["closed"]:
        lines.append("  closed: as far as this command sees, it takes no calls.")
    return "\n".join((*lines, *(f"    {reason}" for reason in row["closed"])))


def _named(bot: Bot, id: str | None) -> Sequence[Channel]:
    """Return the channels that are meant: one, or all that a platform calls."""
    if id is None:
        return [channel for channel in bot.channels if row_of(channel).caller == "platform"]
    found = [channel for channel in bot.channels if channel.id == id]
    if not found:
        known = ", ".join(channel.id for channel in bot.channels)
        raise SettingError(f'Bot "{bot.id}" has no channel "{id}". It has: {known}.')
    return found


def _check_reachable(settings: Settings) -> None:
    """Refuse to tell a platform an address that it cannot call."""
    if settings.platforms_here:
        return  # a stand-in on this machine calls whatever address
    if urlsplit(settings.base_url or "").scheme != "https":
        raise SettingError(_no_public_address(settings))


def _no_public_address(settings: Settings) -> str:
    told = "is not set" if settings.base_url is None else f"is {settings.base_url}"
    return (
        f"DIALOOM_BASE_URL {told}. Platforms call public https addresses alone: set it to the one under which the "
        f"service is reached from outside, here as for the service itself."
    )
