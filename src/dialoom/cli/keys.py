"""``dialoom keys add`` and ``dialoom keys rotate``: a new key for the vault, and everything sealed again with it."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from dialoom.auth.keys import KEY_BYTES, KEY_FILE, add_key, load_keys
from dialoom.auth.vault import Vault
from dialoom.cli.progress import Progress
from dialoom.cli.stores import add_place, open_beside, settings_of
from dialoom.errors import SettingError
from dialoom.service.records.key_rotation import KeyRotation, Rotated
from dialoom.service.settings import Settings


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("keys")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="make a key and put it in front of the others in the key file")
    rotate = actions.add_parser("rotate", help="seal everything again with the key that stands first")
    for action in (add, rotate):
        add_place(action)
    return parser


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args)
    return _add(settings) if args.action == "add" else asyncio.run(_rotate(settings))


def _add(settings: Settings) -> int:
    file = Path(settings.data) / KEY_FILE
    if settings.keys is not None:
        raise SettingError(
            f"The keys come from the setting keys (DIALOOM_KEYS), so that no key file is read. Make a key with "
            f"`openssl rand -base64 {KEY_BYTES}` and put it there, with a comma between it and the others."
        )
    add_key(Path(settings.data))
    (name, *_) = Vault.from_keys(load_keys(Path(settings.data), None)).names
    print(f"Key {name} is new and stands first in {file}. Restart the service, then: dialoom keys rotate")
    return 0


async def _rotate(settings: Settings) -> int:
    async with open_beside(settings) as service:
        vault = Vault.from_keys(load_keys(Path(settings.data), settings.keys))
        newest, *older = vault.names
        progress = Progress("looked at", "rows")
        done = await KeyRotation(service.store, vault, service.bots).rotate(progress.show)
        progress.clear()
    print(f"Sealed again with key {newest}: {done.resealed:,} values, in {done.rows:,} rows.")
    if done.closed:
        _tell_closed(done)
        return 1
    if older:
        source = f"the file {Path(settings.data) / KEY_FILE}" if settings.keys is None else "the setting keys"
        print(
            f"Nothing that is stored needs {', '.join(older)} any more. Addresses of files that were given out do for "
            f"a week, and browsers of anonymous visitors until they come again. Then take what stands behind the first "
            f"key out of {source}, and restart."
        )
    return 0


def _tell_closed(done: Rotated) -> None:
    print(
        f"Not sealed again: {sum(done.closed.values()):,}. Their key is missing, or they were damaged; they are left "
        f"as they are. Keep all keys, put the missing one behind them, and give this command again.",
        file=sys.stderr,
    )
    for (bot, kind), count in sorted(done.closed.items()):
        print(f'  {count:,} of "{kind}" of {f"bot {bot}" if bot else "the service"}', file=sys.stderr)
