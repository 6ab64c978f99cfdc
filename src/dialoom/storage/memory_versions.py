"""Published versions of the twin in memory: which one is active, since when, and which one is rolled back from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom.storage import refusals
from dialoom.storage.store import Deployment, VersionRow

if TYPE_CHECKING:
    from dialoom.storage.memory_tables import Tables
    from dialoom.storage.store import Version


def publish(tables: Tables, version: Version) -> None:
    new = VersionRow(version.bot, version.version, version.created_at, version.created_at, None, is_active=False)
    tables.versions.setdefault((version.bot, version.version), (version, new))
    _activate(tables, version.bot, version.version, version.created_at)


def roll_back(tables: Tables, bot: str, version: str, now: int) -> None:
    if (bot, version) not in tables.versions:
        raise refusals.no_version(bot, version)
    before = tables.active[bot]
    if before != version:
        kept, row = tables.versions[bot, before]
        tables.versions[bot, before] = (kept, msgspec.structs.replace(row, withdrawn_at=now))
    _activate(tables, bot, version, now)


def _activate(tables: Tables, bot: str, version: str, now: int) -> None:
    """One that is active already did not become so again."""
    if tables.active.get(bot) == version:
        return
    tables.active[bot] = version
    kept, row = tables.versions[bot, version]
    row = msgspec.structs.replace(row, activated_at=now, withdrawn_at=None)
    tables.versions[bot, version] = (kept, row)


def rows(tables: Tables, bot: str) -> list[VersionRow]:
    active = tables.active.get(bot)
    found = [
        msgspec.structs.replace(row, is_active=row.version == active)
        for _, row in tables.versions.values()
        if row.bot == bot
    ]
    return sorted(found, key=lambda row: (not row.is_active, -row.activated_at, row.version))


def deployments(tables: Tables) -> list[Deployment]:
    newest: dict[str, int] = {}
    for row in tables.lists.values():
        newest[row.bot] = max(row.fetched_at, newest.get(row.bot, 0))
    return [Deployment(bot, active, newest.get(bot, 0)) for bot, active in sorted(tables.active.items())]
