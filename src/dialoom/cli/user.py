"""``dialoom user export|erase|logout BOT USER``: what is kept of one person, its end, that of their login."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from typing import Any

import msgspec

from dialoom.authoring.drafts.drafts import Drafts
from dialoom.authoring.erase_user import erase_user
from dialoom.cli.output import confirmed, written
from dialoom.cli.stores import add_place, known_bot, open_beside, settings_of
from dialoom.service.service import Service
from dialoom.service.settings import Settings


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("user")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    export = actions.add_parser("export", help="write all of it as lines of JSON")
    export.add_argument("--output", metavar="FILE", help="a new file for it (default: standard output)")
    erase = actions.add_parser("erase", help="delete all of it, for good, and print the receipt")
    erase.add_argument("--vacuum", action="store_true", help="rewrite the SQLite file as well; turns wait meanwhile")
    erase.add_argument("--yes", action="store_true", help="do not ask")
    logout = actions.add_parser("logout", help="forget their login, and take it back where the provider offers that")
    for action in (export, erase, logout):
        action.add_argument("bot", metavar="BOT", help="the bot's id")
        action.add_argument("user", metavar="USER", help="the user's id on its channel")
        action.add_argument("--channel", help="the channel's id, where users of this id are known on several")
        add_place(action)
    return parser


def run(args: argparse.Namespace) -> int:
    if args.action == "erase" and not args.yes and not _confirmed(args):
        print("Nothing was erased.", file=sys.stderr)
        return 1
    return asyncio.run(_act(settings_of(args), args))


def _confirmed(args: argparse.Namespace) -> bool:
    where = "" if args.channel is None else f' on channel "{args.channel}"'
    return confirmed(f'Erase everything of user "{args.user}" of bot "{args.bot}"{where}?')


async def _act(settings: Settings, args: argparse.Namespace) -> int:
    async with open_beside(settings) as service:
        await known_bot(service, args.bot)
        if args.action == "erase":
            await service.bots.load_active()  # its files are looked through for what the user said
            receipt = await erase_user(service, Drafts(service), args.bot, args.user, args.channel, whole=args.vacuum)
            print(msgspec.json.format(msgspec.json.encode(receipt)).decode())
        elif args.action == "logout":
            if not service.store.is_shared:
                await service.bots.load_active()  # the turn is run here
            is_done = await service.log_outs.log_out(args.bot, args.user, args.channel)
            print("Logged out." if is_done else "Accepted: it is done as soon as a service with this bot runs.")
        else:
            await service.bots.load_active()
            await _export(service, args)
    return 0


async def _export(service: Service, args: argparse.Namespace) -> None:
    lines = service.export.lines(args.bot, args.user, args.channel)
    async with contextlib.aclosing(lines):
        first = await anext(lines, b"")  # who is not known gets no empty file
        with written(args.output, is_new=True) as write:
            write(first)
            async for piece in lines:
                write(piece)
