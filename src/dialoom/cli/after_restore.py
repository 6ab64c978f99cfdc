"""``dialoom after-restore``: ends the tokens, studio sessions and links that a backup may have brought back."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from typing import Any

from dialoom.cli.output import confirmed
from dialoom.cli.stores import add_place, open_beside, settings_of
from dialoom.service.records.after_restore import Ended, end_restored_access
from dialoom.service.settings import Settings
from dialoom.storage.store import TokenRow

QUESTION = (
    "Revoke all server access tokens and rest tokens (but those in bot.json), end all studio sessions, and all login "
    "and picker links?"
)


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("after-restore", description=__doc__)
    parser.add_argument("--yes", action="store_true", help="do not ask")
    add_place(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    if not args.yes and not confirmed(QUESTION):
        print("Nothing was ended.", file=sys.stderr)
        return 1
    _print(asyncio.run(_end(settings_of(args))))
    return 0


async def _end(settings: Settings) -> Ended:
    async with open_beside(settings) as service:
        await service.bots.load_active()
        return await end_restored_access(service.store, service.bots, service.tokens, service.studio, service.clock)


def _print(ended: Ended) -> None:
    _print_tokens("Revoked", ended.revoked)
    _print_tokens("Made (see them with dialoom token list BOT --show)", ended.made)
    _print_tokens("Still live, since they are public (dialoom token revoke BOT ID ends one)", ended.kept)
    print(f"Studio sessions and links ended: {ended.studio}.")
    print(f"Login links and picker addresses made until now are over; {ended.logins} had been opened.")
    print("Tokens in bot.json and sessions of chats stay. Publish the newest version of each bot again.")


def _print_tokens(what: str, rows: Sequence[TokenRow]) -> None:
    print(f"{what}: {len(rows)}.")
    for row in rows:
        owner = "server" if row.channel is None else f"channel {row.channel}"
        print("  ".join(("", row.bot, row.id, owner, ",".join(row.scopes), row.name or "-")))
