"""The store's protocol: what the service asks of any database, and the rows that go in and out.

A store knows rows and transactions. It knows no flow, no engine, no key: what must be secret arrives sealed.
Every row and every query begins with the bot (design: tables can be distributed by it).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import msgspec

from dialoom.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.messages import ConversationRecord, MessageRecord
    from dialoom.query import Selection

Collection = Literal["conversations", "messages"]


class ChatKey(NamedTuple):
    """One user on one channel of one bot: the unit of order and of memory."""

    bot: str
    channel: str
    user: str


class Chat(msgspec.Struct, frozen=True):
    """What is kept of a chat between turns."""

    state: bytes
    """The engine's state, with what the runner keeps beside it; sealed."""
    revision: int
    """Grows by one with each committed turn; a commit names the one it was computed from."""
    position: int
    """Number of messages of this chat so far; the next message's position is one more."""


class Dedupe(msgspec.Struct, frozen=True):
    """The client's own key of an inbound event, and the hash of what came with it."""

    key: str
    body: bytes


class Inbound(msgspec.Struct, frozen=True):
    """An accepted event that no turn has done yet. ``event`` is sealed."""

    key: ChatKey
    number: int
    id: str
    event: bytes
    dedupe: Dedupe | None
    accepted_at: int


class Answered(msgspec.Struct, frozen=True):
    """What is known of an inbound key that was seen before. ``answer`` is None while its turn still runs."""

    body: bytes
    answer: bytes | None


class TimerRow(msgspec.Struct, frozen=True):
    """``due`` in milliseconds since 1970. A chat has at most one timer of a name."""

    key: ChatKey
    name: str
    due: int


class StoredMessage(msgspec.Struct, frozen=True):
    """A message with its place in the chat (over all its conversations)."""

    position: int
    record: MessageRecord
    client_id: str | None = None
    """The id that the client gave to its own message."""


class TurnWrite(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one turn changes: one transaction."""

    key: ChatKey
    number: int | None
    """The inbox row that this turn does and deletes, with its journal; None when it was never written."""
    dedupe: Dedupe | None
    answer: bytes | None
    """The stored answer for ``dedupe`` (sealed), kept 24 hours."""
    state: bytes
    revision: int
    """Of the chat as it was loaded; 0 for a new chat."""
    position: int
    records: tuple[ConversationRecord, ...] = ()
    messages: tuple[StoredMessage, ...] = ()
    timers: tuple[TimerRow, ...] = ()
    cancelled: tuple[str, ...] = ()
    """Names of timers of this chat to delete."""
    is_later: bool = False
    """No answer carries what the bot says in this turn: it waits until it is fetched."""
    carried: int = 0
    """What waited up to this position is carried by this turn's answer."""
    files: tuple[str, ...] = ()
    """The files that a message of this turn names, where no inbox row has kept them for it: they stay."""
    now: int = 0


class TokenRow(msgspec.Struct, frozen=True, kw_only=True):
    bot: str
    id: str
    kind: Literal["server", "channel"]
    hash: bytes
    """Keyed hash of the token (the token itself is never stored in clear)."""
    sealed: bytes | None = None
    channel: str | None = None
    scopes: tuple[str, ...] = ("read",)
    name: str = ""
    created_at: int = 0
    revoked_at: int | None = None


class Version(msgspec.Struct, frozen=True):
    """A published version of a bot; ``files`` is the content of its files as JSON ``{"name": "text"}``."""

    bot: str
    version: str
    files: bytes
    created_at: int


class ListRow(msgspec.Struct, frozen=True):
    """The last good list of an entity type that an endpoint fills."""

    bot: str
    type: str
    source: bytes
    """Hash of the data source that it came from."""
    elements: bytes
    """JSON, sealed."""
    fetched_at: int


class FileRow(msgspec.Struct, frozen=True):
    """A file that a user sent, without its content."""

    key: ChatKey
    id: str
    about: bytes
    """What it is called and what it is; sealed."""
    size: int
    created_at: int


class FileLimit(msgspec.Struct, frozen=True):
    """What may have been kept since a time: so many bytes in so many files, of one user and of all of a channel."""

    since: int
    size: int
    count: int
    channel_size: int
    channel_count: int


class FilesGone(StoreError):
    """A message names a file that is not of its user, or was deleted; nothing was written."""


class Store(Protocol):
    """All methods may raise ``StoreError`` when the store is away."""

    async def open(self) -> None:
        """Make ready: migrate under a lock. ``StoreError`` says what is wrong with a damaged or newer database."""

    async def close(self) -> None: ...

    # -- bots and versions
    async def publish(self, version: Version) -> None:
        """Keep this version (if new) and make it the active one of its bot."""

    async def active(self, bot: str) -> Version | None: ...

    async def version(self, bot: str, version: str) -> Version | None: ...

    async def bots(self) -> list[str]: ...

    async def keep_list(self, row: ListRow) -> None:
        """Keep this list in the place of the one before."""

    async def lists(self, bot: str) -> list[ListRow]:
        """The kept lists of a bot, by type."""

    # -- the turn
    async def chat(self, key: ChatKey) -> Chat | None: ...

    async def answered(self, key: ChatKey, dedupe: str) -> Answered | None: ...

    async def accept(
        self, key: ChatKey, id: str, event: bytes, dedupe: Dedupe | None, now: int, files: Sequence[str] = ()
    ) -> Inbound | Answered:
        """Write an inbox row durably; it takes the next number of its chat. ``Answered`` when the key was seen.

        ``files``: those that the event names; they stay from here on. ``FilesGone`` when one of them is not there.
        """

    async def waiting(self) -> list[Inbound]:
        """All inbox rows, each chat's in order: what a start has to take up again."""

    async def journal(self, key: ChatKey, number: int, call: str, result: bytes) -> None:
        """Keep the result of an outside call of the turn of this inbox row."""

    async def journaled(self, key: ChatKey, number: int) -> dict[str, bytes]: ...

    async def commit(self, write: TurnWrite) -> Answered | None:
        """Write a turn in one transaction, durably. ``Answered`` (and nothing written) when the dedupe key was seen by
        another turn; ``StoreError`` when the revision is not the one that is stored, ``FilesGone`` for its files."""

    # -- what clients read
    async def said(self, key: ChatKey, after: int, limit: int) -> list[StoredMessage]:
        """Messages of the chat with a position greater than ``after``, in order."""

    async def last_said(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        """The last ``limit`` messages of the chat, in order."""

    async def later(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        """Messages of the bot that no answer has carried yet, in order."""

    async def carry(self, key: ChatKey, position: int) -> None:
        """The client has got what waited up to this position."""

    async def find(self, collection: Collection, bot: str, selection: Selection) -> list[bytes]:
        """The records that match, each as its JSON text, in the order asked for."""

    async def count(self, collection: Collection, bot: str, selection: Selection) -> int: ...

    # -- timers
    async def due(self, now: int, limit: int) -> list[TimerRow]:
        """Timers that are due, oldest first; they stay until a commit cancels or restarts them."""

    async def next_due(self) -> int | None: ...

    # -- tokens
    async def add_token(self, token: TokenRow) -> None: ...

    async def token(self, hash: bytes) -> TokenRow | None: ...

    async def tokens(self, bot: str) -> list[TokenRow]: ...

    async def revoke(self, bot: str, id: str, now: int) -> bool: ...

    # -- files
    async def keep_file(self, file: FileRow, content: bytes, limit: FileLimit) -> bool:
        """Keep a file; ``content`` is sealed. False (and nothing is kept) when it is more than may be kept."""

    async def file(self, bot: str, id: str) -> FileRow | None: ...

    async def content(self, bot: str, id: str) -> bytes | None: ...

    # -- upkeep
    async def forget_unsent(self, before: int) -> int:
        """Delete files older than ``before`` that no message has named; gives how many."""

    async def forget_answers(self, before: int) -> int:
        """Delete stored answers older than ``before``; gives how many."""


__all__: Sequence[str] = (
    "Answered",
    "Chat",
    "ChatKey",
    "Collection",
    "Dedupe",
    "FileLimit",
    "FileRow",
    "FilesGone",
    "Inbound",
    "ListRow",
    "Store",
    "StoredMessage",
    "TimerRow",
    "TokenRow",
    "TurnWrite",
    "Version",
)
