"""``dialoom studio link|sign-out``: ways into the studio of a running service, for whoever works on its machine."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
from typing import Any

from dialoom.cli.stores import add_place, open_beside
from dialoom.service.access.studio_sign_in import ADMINISTRATOR, ROLES, Role
from dialoom.service.settings import Settings, read_settings


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("studio")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    link = actions.add_parser("link", help="make a link that signs in once, within 15 minutes")
    link.add_argument("--role", choices=ROLES, default=ADMINISTRATOR, help="what the person may (default: %(default)s)")
    link.add_argument("--name", default="", help="of the person, as the studio shows what they did")
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
    return asyncio.run(_link(settings, args.role, args.name) if args.action == "link" else _sign_out(settings))


async def _link(settings: Settings, role: Role, name: str) -> int:
    async with open_beside(settings) as service:
        address = await service.studio.link(role, name)
    print("Open this in your browser. It signs in once, within 15 minutes.")
    print(address)
    return 0


async def _sign_out(settings: Settings) -> int:
    async with open_beside(settings) as service:
        ended = await service.studio.sign_all_out()
    print(f"{ended} {'session or link' if ended == 1 else 'sessions and links'} ended. Nobody is signed in any more.")
    return 0
