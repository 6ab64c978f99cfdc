"""Stores the last good list of each dynamic entity type, sealed. Getting new ones is for ``dynamic_data``."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import msgspec
from msgspec import UNSET

from dialoom.auth.vault import Vault
from dialoom.errors import VaultError
from dialoom.flow.model import Bot, KeywordsType
from dialoom.flow.parts import DataSource
from dialoom.storage.store import ListRow, Store

log = logging.getLogger(__name__)


class EntityList(msgspec.Struct, frozen=True):
    """Holds a list as it was read: ``elements`` is JSON; every version makes values of it by its templates."""

    source: bytes
    elements: bytes
    fetched_at: int


class EntityLists:
    def __init__(self, store: Store, vault: Vault) -> None:
        self._store = store
        self._vault = vault

    async def of(self, bot: str) -> dict[str, EntityList]:
        """Return the stored lists of a bot by entity type. One that cannot be opened counts as never read."""
        found = {}
        for row in await self._store.lists(bot):
            try:
                elements = self._vault.open(row.elements, list_row_name(bot, row.type))
            except VaultError:
                log.exception('the kept list of "%s" of bot %s is not used', row.type, bot)
                continue
            found[row.type] = EntityList(row.source, elements, row.fetched_at)
        return found

    def fitting(self, bot: Bot, lists: Mapping[str, EntityList]) -> dict[str, EntityList]:
        """Return the lists that come from the sources of this version: another source may be another tenant's."""
        own = {type: self.fingerprints(source) for type, source in sources(bot).items()}
        return {type: one for type, one in lists.items() if one.source in own.get(type, ())}

    def fingerprint(self, source: DataSource) -> bytes:
        """Return a keyed hash of a list's source, credentials included. It is keyed since an author may have written a
        secret into a header; a secret from a variable counts by the variable's name."""
        return self._vault.hash_token(_told(source))

    def fingerprints(self, source: DataSource) -> tuple[bytes, ...]:
        """Return the source's hash by every key, the newest first: older lists have older ones."""
        return self._vault.token_hashes(_told(source))

    async def keep(self, bot: str, type: str, listed: EntityList) -> None:
        """Store a list. Its time is made later than that of every other list of the bot: by the newest time processes
        see that there is something new, whatever the clocks of their machines say."""
        newest = max((row.fetched_at for row in await self._store.lists(bot)), default=0)
        sealed = self._vault.seal(listed.elements, list_row_name(bot, type))
        await self._store.keep_list(ListRow(bot, type, listed.source, sealed, max(listed.fetched_at, newest + 1)))


def _told(source: DataSource) -> str:
    payload = None if source.payload is UNSET else source.payload
    headers = sorted(((name.lower(), value) for name, value in source.headers.items()), key=str)
    call = (source.method, source.endpoint, payload, headers, source.authentication_method)
    picked = (source.response, source.selector)
    return f"list source\0{msgspec.json.encode((call, picked)).decode()}"


def sources(bot: Bot) -> dict[str, DataSource]:
    """Return the data source of each dynamic entity type of a bot."""
    types = bot.training.entity_definitions
    return {
        one.name: one.dynamic_data.data_source
        for one in types
        if isinstance(one, KeywordsType) and one.dynamic_data is not None
    }


def list_row_name(bot: str, type: str) -> str:
    return f"list\0{bot}\0{type}"
