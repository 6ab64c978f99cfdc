"""Files of users in the twin in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dialoom.storage import refusals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.storage.memory_tables import Tables
    from dialoom.storage.store import ChatKey, FileLimit, FileRow


MAX_PIECE_BYTES: Final = 512 * 1024
"""As in the databases."""


def keep(tables: Tables, file: FileRow, content: bytes, limit: FileLimit) -> bool:
    recent = [row for row, _ in tables.files.values() if row.created_at > limit.since]
    own = [row.size for row in recent if row.key == file.key]
    kind = _is_anonymous(file.key.user)
    channel = [row.size for row in recent if row.key[:2] == file.key[:2] and _is_anonymous(row.key.user) == kind]
    if sum(own) + file.size > limit.size or len(own) >= limit.count:
        return False
    if sum(channel) + file.size > limit.channel_size or len(channel) >= limit.channel_count:
        return False
    tables.files[file.key.bot, file.id] = (file, content)
    tables.unsent.add((file.key.bot, file.id))
    return True


def _is_anonymous(user: str) -> bool:
    return len(user) == 36 and user.startswith("web_")


def piece(tables: Tables, file: FileRow, number: int) -> bytes | None:
    known = tables.files.get((file.key.bot, file.id))
    if known is None or known[0] != file:
        return None
    return known[1][number * MAX_PIECE_BYTES : (number + 1) * MAX_PIECE_BYTES] or None


def send(tables: Tables, key: ChatKey, ids: Sequence[str]) -> None:
    """A message names them: from here on they stay."""
    for id in ids:
        known = tables.files.get((key.bot, id))
        if known is None or known[0].key != key:
            raise refusals.files_gone(key.bot)
    tables.unsent.difference_update((key.bot, id) for id in ids)


def forget_unsent(tables: Tables, bot: str, before: int) -> int:
    old = [name for name in tables.unsent if name[0] == bot and tables.files[name][0].created_at < before]
    for name in old:
        del tables.files[name]
        tables.unsent.remove(name)
    return len(old)
