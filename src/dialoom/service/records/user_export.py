"""Exports all that is stored of one user on one channel as lines of JSON, one after the other.

Each line is an object with one name that says what it holds: ``conversation``, ``message``, ``memory`` or ``file``.
"""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, Final

import msgspec

from dialoom.auth.vault import Vault
from dialoom.query import Selection
from dialoom.query.tree import And, Not, Predicate
from dialoom.service.bots.bots import Bots
from dialoom.service.bots.masking import Masking
from dialoom.service.chat import chat_row
from dialoom.service.chat.attachments import Attachments
from dialoom.service.clock import iso
from dialoom.service.records.erasure import user_of
from dialoom.service.records.record_stream import walk
from dialoom.storage.store import ChatKey, Collection, FileRow, Store

MAX_PAGE_RECORDS: Final = 200
"""Records that are in memory at a time; a message may take some kilobytes."""


class _Id(msgspec.Struct, frozen=True):
    id: str = msgspec.field(name="_id")


class _File(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    name: str
    mime_type: str
    size: int
    created_at: str
    content: str
    """Base64; the last property, since it comes in pieces."""


_encode = msgspec.json.Encoder().encode
_id = msgspec.json.Decoder(_Id)


class UserExport:
    """Exports users of all bots."""

    def __init__(self, store: Store, bots: Bots, vault: Vault, files: Attachments) -> None:
        self._store = store
        self._bots = bots
        self._vault = vault
        self._files = files

    async def lines(self, bot: str, user: str, channel: str | None = None) -> AsyncGenerator[bytes, None]:
        """Yield some whole lines at a time, or a part of a file's. Raises ``RequestError`` as ``user_of`` does, before
        the first."""
        key = await user_of(self._store, bot, user, channel)
        async for ids, piece in self._records("conversations", key.bot, _of_user(key)):
            yield piece
            async for _, others in self._records("messages", key.bot, _of_others(key, ids)):
                yield others
        async for _, piece in self._records("messages", key.bot, _of_user(key)):
            yield piece
        memory = await self._memory(key)
        if memory is not None:
            yield _line("memory", _encode(memory))
        for row in await self._store.files_of(key):
            async with aclosing(self._file(row)) as parts:
                async for part in parts:
                    yield part

    async def _records(
        self, collection: Collection, bot: str, where: And
    ) -> AsyncIterator[tuple[tuple[str, ...], bytes]]:
        """Yield the ids and the lines of some records at a time."""
        name = collection.removesuffix("s")
        async for found in walk(self._store, collection, bot, Selection(where), MAX_PAGE_RECORDS):
            if found:
                ids = tuple(_id.decode(record).id for record in found)
                yield ids, b"".join([_line(name, record) for record in found])

    async def _memory(self, key: ChatKey) -> dict[str, Any] | None:
        """Return the chat's memory, masked as records are, but with long values whole."""
        chat = await self._store.chat(key)
        if chat is None:
            return None
        kept = chat_row.open_chat(self._vault, key, chat).kept
        masking = await self._masking(key.bot, kept.version)
        return {"entities": masking.value(kept.state.entities), "context": masking.value(kept.state.context)}

    async def _masking(self, bot: str, version: str) -> Masking:
        deployed = self._bots.active(bot)
        if version and (deployed is None or deployed.version != version):
            # Memory is of the version that the open conversation began with.
            deployed = await self._bots.pinned(bot, version) or deployed
        return Masking() if deployed is None else deployed.masking

    async def _file(self, row: FileRow) -> AsyncGenerator[bytes, None]:
        """Yield the line of a file in parts: whole, it would take a third more memory than the file until it is
        read."""
        found = await self._files.find(row.key.bot, row.key.channel, row.id)
        if found is None:
            return  # deleted since the list was made
        file = _File(row.id, found.about.name, found.about.mime_type, row.size, iso(row.created_at), "")
        before, after = _line("file", _encode(file)).rsplit(b'""', 1)
        yield before + b'"'
        rest = b""
        async with aclosing(self._files.pieces(found)) as pieces:
            async for piece in pieces:
                # Three bytes are four letters; what is left over goes with the next piece.
                rest += piece
                whole = len(rest) - len(rest) % 3
                text, rest = base64.b64encode(rest[:whole]), rest[whole:]
                yield text
        yield base64.b64encode(rest) + b'"' + after


def _line(name: str, text: bytes) -> bytes:
    return b'{"%b":%b}\n' % (name.encode(), text)


def _of_user(key: ChatKey) -> And:
    return And((Predicate(("User",), "$eq", key.user), Predicate(("Channel",), "$eq", key.channel)))


def _of_others(key: ChatKey, conversations: tuple[str, ...]) -> And:
    """Return the query for messages of the user's conversations that name another user, as imported records may: with
    the conversation they are erased."""
    return And((Predicate(("Conversation",), "$in", conversations), Not(_of_user(key))))
