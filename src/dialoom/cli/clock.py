"""``dialoom clock confirm``: says that this machine's clock is right, so that erasure by age does not wait any more."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from dialoom.cli.stores import add_place, open_beside, settings_of
from dialoom.service.clock import iso
from dialoom.service.records import clock_guard
from dialoom.service.settings import Settings


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("clock", description=__doc__)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    confirm = actions.add_parser("confirm", help="the clock is right: what is old enough may be erased again")
    add_place(confirm)
    return parser


def run(args: argparse.Namespace) -> int:
    return asyncio.run(_confirm(settings_of(args)))


async def _confirm(settings: Settings) -> int:
    async with open_beside(settings) as service:
        now = service.clock.now()
        was_doubted = await clock_guard.confirm(service.store, service.clock)
    print(f"This machine's clock says {iso(now)}, and that counts as right.")
    if was_doubted:
        print("What is old enough is erased again, within the next hour while a service runs.")
    else:
        print("It was not doubted: nothing waited for this.")
    return 0
