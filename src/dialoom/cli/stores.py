"""The store and the parts on it, for commands that work beside running services: no lock, no turns, no new key."""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import os
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from dialoom.auth.keys import KEY_FILE
from dialoom.errors import SettingError
from dialoom.service.access.key_check import check_keys
from dialoom.service.service import DATABASE, Service, build_service, build_store
from dialoom.service.settings import Settings, read_settings

OF_THE_SERVICE = "Give the service's settings: dialoom --env-file FILE, with the file that its unit or container has."


def database_of(settings: Settings) -> str:
    """Return which database is meant, without what is secret of its address."""
    if settings.database_url is None:
        return str(Path(settings.data) / DATABASE)
    parts = urlsplit(settings.database_url)
    return f"the PostgreSQL database {parts.hostname or 'of a local socket'}{parts.path}"


def add_place(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say which service is meant; ``settings_of`` reads them."""
    parser.add_argument("--data", help="folder of the database and the key file (default ./data)")
    parser.add_argument("--database", metavar="URL", help="PostgreSQL in place of SQLite in the data folder")


def data_file(settings: Settings) -> Path:
    """Return the SQLite file of a service. Raises ``SettingError`` where there is none."""
    file = Path(settings.data) / DATABASE
    if not file.is_file():
        raise SettingError(
            f"There is no data folder of a service at {file.parent}, and DIALOOM_DATABASE_URL, which names a "
            f"PostgreSQL, is not set here. {OF_THE_SERVICE} Or name its folder with --data, its PostgreSQL with "
            f"--database."
        )
    return file


def settings_of(args: argparse.Namespace) -> Settings:
    given = {"data": args.data, "database_url": args.database}
    return read_settings(given, os.environ, Path("dialoom.toml"))


@contextlib.asynccontextmanager
async def open_beside(settings: Settings) -> AsyncIterator[Service]:
    """Open the parts of a service on its store, which running services may be using. Raises ``SettingError`` where
    there is none, ``VaultError`` with the wrong keys."""
    service = await asyncio.to_thread(_build, settings)
    await service.store.open()
    try:
        await check_keys(service.store, service.tokens)
        yield service
    finally:
        await service.bots.stop()
        await service.bot_channels.close()
        await service.store.close()


@contextlib.asynccontextmanager
async def without_store(settings: Settings) -> AsyncIterator[Service]:
    """Make the parts of a service that need no store, for calls to other servers: none is opened, and no key is read or
    made."""
    unkept = msgspec.structs.replace(settings, keys=base64.b64encode(secrets.token_bytes(32)).decode())
    store = build_store(unkept, is_beside=True)
    service = await asyncio.to_thread(lambda: build_service(unkept, {}, store=store, keeps_models=False))
    try:
        yield service
    finally:
        await service.bot_channels.close()


def _build(settings: Settings) -> Service:
    data = Path(settings.data)
    if settings.database_url is None:
        data_file(settings)
    if settings.keys is None and not (data / KEY_FILE).is_file():
        raise SettingError(
            f"There are no keys for {database_of(settings)}: DIALOOM_KEYS is not set here, and there is no key file "
            f"{data / KEY_FILE}. Set DIALOOM_KEYS to the value that the services have, or name their data folder with "
            f"--data. {OF_THE_SERVICE}"
        )
    # On a machine without the services' data folder, none is made for the models.
    return build_service(settings, {}, store=build_store(settings, is_beside=True), keeps_models=data.is_dir())


async def known_bot(service: Service, bot: str) -> None:
    """Raises ``SettingError`` naming the bots that there are."""
    bots = await service.store.bots()
    if bot not in bots:
        known = f"There is: {', '.join(bots)}." if bots else "There is none yet: publish one with dialoom publish."
        raise SettingError(f'There is no bot "{bot}" in {database_of(service.settings)}. {known}')
