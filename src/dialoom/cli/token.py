"""``dialoom token create|list|revoke BOT``: server access tokens and the tokens of channels."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from dialoom.cli.output import add_format, print_list
from dialoom.cli.stores import add_place, known_bot, open_beside, settings_of
from dialoom.errors import SettingError
from dialoom.service.clock import iso
from dialoom.service.service import Service
from dialoom.service.settings import Settings
from dialoom.storage.store import TokenRow

SCOPES = ("read", "erase")


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("token")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = actions.add_parser("create", help="make a token and show it")
    create.add_argument("--channel", help="a token of this channel, in place of a server access token")
    create.add_argument("--scope", action="append", choices=SCOPES, help="what it may do (default: read)")
    create.add_argument("--name", default="", help="a word to recognise it by")
    show = actions.add_parser("list", help="list the bot's tokens")
    show.add_argument("--show", action="store_true", help="show the tokens themselves")
    add_format(show)
    revoke = actions.add_parser("revoke", help="end a token")
    for action in (create, show, revoke):
        action.add_argument("bot", metavar="BOT", help="the bot's id")
        add_place(action)
    revoke.add_argument("id", metavar="ID", help="the token's id, as `token list` shows it")
    return parser


def run(args: argparse.Namespace) -> int:
    return asyncio.run(_act(settings_of(args), args))


async def _act(settings: Settings, args: argparse.Namespace) -> int:
    async with open_beside(settings) as service:
        await known_bot(service, args.bot)
        match args.action:
            case "create":
                return await _create(service, args)
            case "list":
                return await _list(service, args)
            case _:
                return await _revoke(service, args)


async def _create(service: Service, args: argparse.Namespace) -> int:
    await service.bots.load_active()
    deployed = service.bots.active(args.bot)
    if args.channel is not None and (deployed is None or deployed.channel(args.channel) is None):
        known = ", ".join(channel.id for channel in deployed.bot.channels) if deployed is not None else "none"
        raise SettingError(f'Bot "{args.bot}" has no channel "{args.channel}". It has: {known}.')
    kind = "server" if args.channel is None else "channel"
    scopes = tuple(args.scope or ("read",))
    token = await service.tokens.create(args.bot, kind=kind, channel=args.channel, scopes=scopes, name=args.name)
    print(f"{token.row.id}  {token.text}")
    return 0


async def _list(service: Service, args: argparse.Namespace) -> int:
    def value(row: TokenRow) -> dict[str, Any]:
        shown = {"token": service.tokens.reveal(row)} if args.show and row.revoked_at is None else {}
        return {
            "id": row.id,
            "kind": row.kind,
            "channel": row.channel,
            "scopes": list(row.scopes) if row.kind == "server" else [],
            "state": "live" if row.revoked_at is None else "revoked",
            "createdAt": iso(row.created_at),
            "name": row.name,
            **shown,
        }

    def line(row: TokenRow) -> str:
        found = value(row)
        what = "server" if row.kind == "server" else f"channel {row.channel}"
        parts = (row.id, what, ",".join(found["scopes"]) or "-", found["state"], found["createdAt"], row.name or "-")
        return "  ".join((*parts, *((found["token"],) if found.get("token") else ())))

    empty = f'Bot "{args.bot}" has no tokens. Make one: dialoom token create {args.bot}'
    print_list(await service.tokens.list(args.bot), args.format, line=line, value=value, empty=empty)
    return 0


async def _revoke(service: Service, args: argparse.Namespace) -> int:
    if not await service.tokens.revoke(args.bot, args.id):
        raise SettingError(f'Bot "{args.bot}" has no live token "{args.id}". See: dialoom token list {args.bot}')
    print(f"{args.id} is revoked.")
    return 0
