"""Which properties an operator may add an index for, what it is called, and how a collection's table tells of it.

How an index is made and kept is each store's own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from dialoom.errors import SettingError
from dialoom.query import Table
from dialoom.query.tree import MAX_PARTS, parts_of
from dialoom.storage.collections import TABLES
from dialoom.storage.rows import Collection

MAX_PROPERTY_CHARS: Final = 500
"""Characters of a property's name: it stands many times in the SQL of its index."""
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")

INDEXED: Final[Mapping[Collection, frozenset[str]]] = {
    collection: frozenset(("_id", "Bot", *(name for name, column in table.columns.items() if column.index)))
    for collection, table in TABLES.items()
}
"""Those that have one from the start (history-api.md, Predicates); the first two by the key of every record."""


def check_property(collection: Collection, property: str) -> None:
    """Raises ``SettingError`` for one that cannot have an index, or has one."""
    parts = parts_of(property)
    if len(property) > MAX_PROPERTY_CHARS:
        reason = f"The property's name has {len(property)} characters; at most {MAX_PROPERTY_CHARS} can be indexed."
    elif _UNSTORABLE.search(property):
        reason = "The property's name holds NUL or half a surrogate pair, which no record does; leave it out."
    elif "" in parts:
        reason = f'"{property}" is no property name: a part of it is empty. Write it as in a query: Data.entities.city'
    elif any(part.startswith("$") for part in parts):
        reason = f'"{property}" is no property name: no part of it may begin with "$".'
    elif len(parts) > MAX_PARTS:
        reason = f"The property's name has {len(parts)} parts; at most {MAX_PARTS}."
    elif property in INDEXED[collection]:
        reason = f"{property} of {collection} has an index already: every store makes it. There is nothing to add."
    else:
        return
    raise SettingError(reason)


def index_name(collection: Collection, property: str) -> str:
    """Return the name that stands for an index in SQL: made of nothing that the operator wrote."""
    return f"property_{hashlib.sha256(f'{collection} {property}'.encode()).hexdigest()[:16]}"


def indexed_table(collection: Collection, bot: str, properties: Iterable[str]) -> Table:
    """Return the collection's table as it is asked for a bot, with these indexes."""
    names = {parts_of(property): index_name(collection, property) for property in properties}
    return msgspec.structs.replace(TABLES[collection], bot=bot, indexes=names)
