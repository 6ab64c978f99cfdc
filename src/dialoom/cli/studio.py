"""``dialoom studio link|sign-out``: ways into the studio of a running service, for whoever works on its machine."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
from typing import Any

from dialoom.cli.stores import OF_THE_SERVICE, add_place, known_bot, open_beside
from dialoom.service.access.studio_sign_in import ADMINISTRATOR, ROLES, Role
from dialoom.service.settings import Settings, read_settings


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("studio")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    link = actions.add_parser("link", help="make a link that signs in once, within 15 minutes")
    link.add_argument("--role", choices=ROLES, default=ADMINISTRATOR, help="what the person may (default: %(default)s)")
    link.add_argument("--name", default="", help="of the person, as the studio shows what they did")
    link.add_argument("--bots", metavar="BOT,BOT", help="ids of the bots that the role is for (default: all)")
    add_place(link)
    link.add_argument("--host", help="address that the service listens on, where no base_url is set")
    link.add_argument("--port", help="port that the service listens on, where no base_url is set (default 8080)")
    add_place(actions.add_parser("sign-out", help="end all sessions, and all links that were not used yet"))
    return parser


def run(args: argparse.Namespace) -> int:
    given = {"data": args.data, "database_url": args.database}
    if args.action == "link":
        given |= {"host": args.host, "port": args.port}
    settings = read_settings(given, os.environ, Path("dialoom.toml"))
    if args.action != "link":
        return asyncio.run(_sign_out(settings))
    bots = None if args.bots is None else [bot.strip() for bot in args.bots.split(",")]
    return asyncio.run(_link(settings, args.role, args.name, bots))


async def _link(settings: Settings, role: Role, name: str, bots: list[str] | None) -> int:
    async with open_beside(settings) as service:
        for bot in bots or ():
            await known_bot(service, bot)
        address = await service.studio.link(role, name, bots)
    print(_source_of(settings))
    print("Open this in your browser. It signs in once, within 15 minutes.")
    print(address)
    return 0


def _source_of(settings: Settings) -> str:
    """Return where the address of the link comes from: only its service takes it."""
    if settings.base_url is None:
        return (
            f"DIALOOM_BASE_URL is not set here, so the service is taken to be at {settings.address(settings.port)}. "
            f"Is it elsewhere? {OF_THE_SERVICE}"
        )
    if "DIALOOM_BASE_URL" in os.environ:
        return f"The service is at {settings.base_url}, by DIALOOM_BASE_URL."
    return f"The service is at {settings.base_url}, by base-url in dialoom.toml."


async def _sign_out(settings: Settings) -> int:
    async with open_beside(settings) as service:
        ended = await service.studio.sign_all_out()
    print(f"{ended} {'session or link' if ended == 1 else 'sessions and links'} ended. Nobody is signed in any more.")
    return 0
