"""``dialoom dead list|resend|drop BOT [ID...]``: deliveries to the outside that were given up."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec

from dialoom.cli.output import add_format, print_list
from dialoom.cli.stores import add_place, known_bot, open_beside, settings_of
from dialoom.errors import SettingError
from dialoom.service.outbox.outbox import DeadLetter, Outbox
from dialoom.service.settings import Settings


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("dead")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("list", help="list a bot's dead letters, the oldest first")
    show.add_argument("bot", metavar="BOT", help="the bot's id")
    add_format(show)
    add_place(show)
    for name, what in (("resend", "deliver them after all, with all attempts"), ("drop", "delete them")):
        action = actions.add_parser(name, help=what)
        action.add_argument("bot", metavar="BOT", help="the bot's id")
        action.add_argument("ids", nargs="*", metavar="ID", help="ids of dead letters, as `dead list` shows them")
        action.add_argument("--all", action="store_true", help="all of the bot, in place of ids")
        add_place(action)
    return parser


def run(args: argparse.Namespace) -> int:
    if args.action != "list" and bool(args.ids) == args.all:
        raise SettingError(f"Say which: dialoom dead {args.action} {args.bot} ID..., or --all.")
    return asyncio.run(_act(settings_of(args), args))


async def _act(settings: Settings, args: argparse.Namespace) -> int:
    async with open_beside(settings) as service:
        await known_bot(service, args.bot)
        match args.action:
            case "list":
                _print(args.bot, await service.outbox.dead(args.bot), args.format)
            case "resend":
                print(f"{await _change(service.outbox, args)} put back: a running service delivers what is due.")
            case _:
                print(f"{await _change(service.outbox, args)} dropped.")
    return 0


async def _change(outbox: Outbox, args: argparse.Namespace) -> int:
    change = outbox.resend if args.action == "resend" else outbox.drop
    count = await change(args.bot, None if args.all else args.ids)
    if not count and not args.all:
        raise SettingError(f'Bot "{args.bot}" has no such dead letter. See: dialoom dead list {args.bot}')
    return count


def _print(bot: str, letters: Sequence[DeadLetter], form: str) -> None:
    print_list(letters, form, line=_line, value=msgspec.to_builtins, empty=f'Bot "{bot}" has no dead letters.')


def _line(one: DeadLetter) -> str:
    return (
        f"{one.id}  {one.channel}  {one.receiver}  made {one.created_at}  given up {one.dead_at}\n"
        f"    {one.reason} ({one.attempts} {'attempt' if one.attempts == 1 else 'attempts'})"
    )
