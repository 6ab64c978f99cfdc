"""The store's protocol: what the service asks of any database, and the rows that go in and out.

A store knows rows and transactions. It knows no flow, no engine, no key: what must be secret arrives sealed.
Every row and every query begins with the bot (design: tables can be distributed by it).

Where several processes work on one store, each holds the chats whose turns it runs (``hold``) and tells the others what
it has done (``tell``, ``listen``). A store of one process has all chats: ``is_shared`` is False, nothing is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol

from dialoom.query import Selection
from dialoom.storage.errors import (
    FilesGone,
    HistoryBusy,
    InboxFull,
    Overtaken,
    PageTooLarge,
    Refused,
    TextTooLong,
    TooSlow,
)
from dialoom.storage.rows import (
    Answered,
    Chat,
    ChatKey,
    Collection,
    Dedupe,
    Deployment,
    Erased,
    FileLimit,
    FileRow,
    Forgotten,
    Held,
    Inbound,
    IndexRow,
    ListRow,
    LoginRow,
    Notice,
    OutboxCount,
    Outgoing,
    ScheduledJob,
    StoredMessage,
    Stretch,
    StudioRow,
    TimerRow,
    TokenRow,
    TurnWrite,
    Version,
    VersionRow,
)
from dialoom.storage.sealed import SealedStore

MarkName = Literal["heartbeat", "clock-doubted", "pages-checked", "links-ended"]

HEARTBEAT: Final = "heartbeat"
"""When a process last noted that it runs."""
CLOCK_DOUBTED: Final = "clock-doubted"
"""When a clock was last found to have jumped: from then on nothing is erased by its age for a day."""
PAGES_CHECKED: Final = "pages-checked"
"""When all pages of the data file were last read and found right."""
LINKS_ENDED: Final = "links-ended"
"""Login links and picker addresses made before this time count no more."""


class MarkStore(Protocol):
    """All times in milliseconds since 1970."""

    async def marks(self) -> Mapping[str, int]: ...

    async def set_mark(self, name: MarkName, at: int | None) -> None:
        """Set the time of a mark; with None the mark holds no more."""


class OutboxStore(Protocol):
    """The outbox is filled by ``commit``. Deliveries of a chat and receiver go in the order of their turns, then by id,
    whatever clocks say. A shared store goes by a clock of its own: of ``now`` and another time only the distance
    counts.

    ``delivered``, ``postpone``, ``bury`` and ``give_back`` change nothing when the claim is not the one that was given:
    somebody else has taken or settled it meanwhile.
    """

    async def take_outgoing(self, now: int, until: int, limit: int) -> list[Outgoing]:
        """Claim and return deliveries that are due, of each chat and receiver the first that waits. Each comes to one
        caller, and again at ``until`` unless it is settled before; on SQLite already with the next start. What it costs
        is up to what it returns, not to what waits."""

    async def delivered(self, delivery: Outgoing, now: int) -> None:
        """Delete a delivery that has arrived: what it carries is carried, and the next is due."""

    async def postpone(self, delivery: Outgoing, now: int, due: int, reason: str) -> None:
        """Note that an attempt failed; the next is at ``due``, and those behind it wait."""

    async def give_back(self, deliveries: Sequence[Outgoing], now: int, due: int) -> None:
        """Give back deliveries that were taken and not begun: anybody may have them from ``due`` on."""

    async def bring_forward(self, now: int, ahead: int, limit: int) -> int:
        """Make deliveries due now that are due more than ``ahead`` milliseconds from now, where a clock that was put
        back has left them; up to a limit. Return how many."""

    async def bury(self, delivery: Outgoing, now: int, reason: str) -> None:
        """Give it up: it becomes a dead letter, and those behind it go on."""

    async def dead(self, bot: str, limit: int) -> list[Outgoing]:
        """Dead letters of a bot, the oldest first, without their bodies."""

    async def resend(self, bot: str, ids: Sequence[str] | None, now: int) -> int:
        """Put dead letters (None: all of the bot) back into the outbox, with all attempts; gives how many."""

    async def drop(self, bot: str, ids: Sequence[str] | None) -> int:
        """Delete dead letters (None: all of the bot); gives how many."""

    async def forget_dead(self, bot: str, before: int, limit: int) -> int:
        """Delete dead letters of a bot that were made before a time, up to a limit; gives how many."""

    async def outbox_counts(self) -> list[OutboxCount]:
        """Return the bots with deliveries that wait or are dead, and how many."""


class Store(SealedStore, OutboxStore, MarkStore, Protocol):
    """All methods may raise ``StoreError`` when the store is away, and ``Refused`` for rows that can never go in."""

    is_shared: bool
    """True if other processes may work on it at the same time."""

    async def open(self) -> None:
        """Make ready: migrate under a lock. ``StoreError`` says what is wrong with a damaged or newer database."""

    async def close(self) -> None: ...

    async def check(self) -> None:
        """Raises ``StoreError`` while it does not answer, cannot read (``CannotRead``), or takes nothing that is to be
        written (``CannotWrite``).
        Something is written only once a write has failed, so that who asks often costs a healthy store nothing."""

    async def sizes(self) -> dict[str, int]:
        """Return the bytes of the ``database`` and, where it has one of its own, of its ``log``."""

    # -- bots and versions
    async def publish(self, version: Version, instead_of: str | None = None) -> bool:
        """Keep this version (if new) and make it the active one of its bot; it is not withdrawn any more.
        ``instead_of``: the one that must be active until now ("": none may be); where it is not, nothing is done.
        Return whether it was done."""

    async def roll_back(self, bot: str, version: str, now: int, instead_of: str | None = None) -> bool:
        """Make a kept version the active one, and mark the one that was active until now as withdrawn.
        ``instead_of`` and what is returned: as in ``publish``."""

    async def active(self, bot: str) -> Version | None: ...

    async def version(self, bot: str, version: str) -> Version | None: ...

    async def versions(self, bot: str) -> list[VersionRow]:
        """Return all versions of a bot, the one that became active last first."""

    async def bots(self) -> list[str]: ...

    async def deployments(self) -> list[Deployment]:
        """Return what is to be served now, by bot."""

    async def keep_list(self, row: ListRow) -> None:
        """Keep this list in the place of the one before."""

    async def lists(self, bot: str) -> list[ListRow]:
        """Return the kept lists of a bot, by type."""

    # -- the turn
    async def chat(self, key: ChatKey) -> Chat | None: ...

    async def answered(self, key: ChatKey, dedupe: str) -> Answered | None: ...

    async def accept(
        self,
        key: ChatKey,
        id: str,
        event: bytes,
        dedupe: Dedupe | None,
        now: int,
        files: Sequence[str] = (),
        most: int | None = None,
    ) -> Inbound | Answered:
        """Write an inbox row durably; it takes the next number of its chat. ``Answered`` when the key was seen.

        Any process may accept for any chat. ``files``: those that the event names; they stay from here on.
        ``FilesGone`` when one of them is not there. ``most``: ``InboxFull`` when so many wait already (counted on a
        shared store only; a store of one process leaves it to its one runner).
        """

    async def hold(self, key: ChatKey) -> Held | None:
        """Have this chat from now on, until ``let_go`` or ``Notice("lost")``; None while another living process has it.
        A store of one process always gives it."""

    async def let_go(self, keys: Sequence[ChatKey]) -> None:
        """Let go of chats that this process had and has no turn of: any process may take them."""

    async def orphans(self) -> list[ChatKey]:
        """Return the chats with waiting events that no living process holds: what is to be taken up after a start or a
        kill."""

    def tell(self, notice: Notice) -> None:
        """Let the other processes know, soon, if they can be reached. Never waits or raises."""

    def listen(self, receiver: Callable[[Notice], None]) -> None:
        """Call ``receiver`` from here on, on the event loop, with what others tell. A store has one receiver."""

    async def journal(self, key: ChatKey, number: int, call: str, result: bytes) -> None:
        """Keep the result of an outside call of the turn of this inbox row; the first one that was stored stays.
        ``Overtaken`` (and nothing written) when the inbox row is done, or on a shared store when this process does not
        hold the chat."""

    async def journaled(self, key: ChatKey, number: int) -> dict[str, bytes]: ...

    async def commit(self, write: TurnWrite) -> Answered | None:
        """Write a turn in one transaction, durably. ``Answered`` (and nothing written) when the dedupe key was seen by
        another turn, or the inbox row is done; ``Overtaken`` when the revision is not the one that is stored (on a
        shared store also when this process does not hold the chat, or an earlier event waits in its inbox),
        ``FilesGone`` for its files."""

    # -- what clients read
    async def said(self, key: ChatKey, after: int, limit: int) -> list[StoredMessage]:
        """Return messages of the chat with a position greater than ``after``, in order."""

    async def last_said(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        """Return the last ``limit`` messages of the chat, in order."""

    async def record_of(self, key: ChatKey, id: str | None) -> str | None:
        """Return the conversation record of this id as JSON, if it is one of the chat; with None that of the chat's
        last message."""

    async def change_record(self, key: ChatKey, id: str, before: str, after: str, updated_at: str) -> bool:
        """Put ``after`` in the place of ``before``, the record of an ended conversation of the chat, durably. False,
        with nothing changed, when what is kept is not ``before`` any more. ``updated_at``: as ``after`` has it; nothing
        else that a condition finds by a column of its own may differ."""

    async def later(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        """Return messages of the bot that no answer has carried yet, in order."""

    async def carry(self, key: ChatKey, position: int) -> None:
        """Note that the client has got what waited up to this position."""

    async def find(self, collection: Collection, bot: str, selection: Selection) -> list[bytes]:
        """Return the records that match, each as its JSON text, in the order asked for."""

    async def stretch(self, collection: Collection, bot: str, selection: Selection, rows: int) -> Stretch:
        """Return the next part of a walk from ``selection.after`` on, in the order asked for: what matches among the
        next ``rows`` records that SQL cannot rule out, or fewer where they are long (``limits.WANTED_BYTES``). ``skip``
        and ``limit`` do not matter. Only for orders that SQL can give (``is_sql_order``): nothing is held between two
        calls."""

    async def count(self, collection: Collection, bot: str, selection: Selection) -> int: ...

    # -- one user
    async def channels_of(self, bot: str, user: str) -> list[str]:
        """Return the ids of the channels on which anything is kept of a user of this id, sorted."""

    async def files_of(self, key: ChatKey) -> list[FileRow]:
        """Return the files that a user sent and that are kept, oldest first."""

    async def erase(self, key: ChatKey, limit: int) -> Erased:
        """Delete what is kept of this user on this channel, some ``limit`` records a step; call until it is done. The
        last step is one transaction: memory, inbox, journal, answers, deliveries, timers, files and what is left of
        the records. A turn that runs meanwhile is overtaken (``commit`` raises) and finds a user it does not know."""

    async def scrub(self, *, whole: bool = False) -> bool:
        """See that deleted rows do not live on in the database's own log: on SQLite the WAL is truncated. False when
        that has to wait because somebody still reads from it; True where the log is the operator's (PostgreSQL).
        ``whole``: rewrite the data file too, for which all turns wait; it has no stray copy of anything then."""

    # -- records from elsewhere, and the operator's indexes
    async def import_records(
        self, collection: Collection, bot: str, documents: Sequence[dict[str, Any]], source: str, line: int
    ) -> int:
        """Write checked records as they are, whatever else they hold, and that ``source`` was read up to ``line``: one
        transaction. A record whose ``_id`` is there stays as it is. Gives how many were written. The messages have
        position 0: they belong to no live chat."""

    async def imported_lines(self, bot: str, source: str) -> int:
        """Return the line up to which a source was read; 0 for one that was not."""

    async def add_index(self, collection: Collection, property: str) -> None:
        """Index a property of all records, while turns go on. Once it is ready, conditions on it use it, here and in
        every process that hears of it. Does nothing when it is there; ends one that was broken off."""

    async def drop_index(self, collection: Collection, property: str) -> bool:
        """Drop an index; return whether there was one."""

    async def indexes(self) -> list[IndexRow]: ...

    # -- timers
    async def due(self, now: int, limit: int) -> list[TimerRow]:
        """Return timers that are due, oldest first; they stay until a commit cancels or restarts them. On a shared
        store those of chats that another living process has are left to it."""

    async def next_due(self) -> int | None: ...

    async def plan(self, job: ScheduledJob) -> None:
        """Set a job's time, unless it has one already."""

    async def take_jobs(self, now: int, until: int, limit: int) -> list[ScheduledJob]:
        """Claim and return jobs that are due, oldest first. Each comes to one caller, and again at ``until`` unless it
        is finished."""

    async def finish_job(self, bot: str, name: str, due: int | None) -> None:
        """Note that a job is done; ``due`` is its next time, None where it has none."""

    # -- tokens
    async def add_token(self, token: TokenRow) -> None: ...

    async def token(self, hash: bytes) -> TokenRow | None: ...

    async def tokens(self, bot: str) -> list[TokenRow]: ...

    async def revoke(self, bot: str, id: str, now: int) -> bool: ...

    # -- login links
    async def open_login(self, row: LoginRow) -> LoginRow:
        """Keep it, unless there is one of this link; gives the one that is kept. Login links go with the memory of
        their chat: of a chat that is not known (any more) none is kept, and ``change_login`` finds none."""

    async def login(self, key: ChatKey, link: str) -> LoginRow | None: ...

    async def change_login(self, before: LoginRow, after: LoginRow) -> bool:
        """Put ``after`` in the place of ``before`` (of the same link), durably. False, and nothing is changed, when
        what is kept is not ``before`` any more: of all who change it at once one succeeds. A rotation of keys may have
        sealed it again meanwhile; whoever finds nothing else changed tries again with that."""

    async def forget_logins(self, bot: str, before: int) -> int:
        """Delete those that expired before a time; gives how many."""

    # -- files
    async def keep_file(self, file: FileRow, content: bytes, limit: FileLimit) -> bool:
        """Keep a file; ``content`` is sealed. False (and nothing is kept) when it is more than may be kept."""

    async def file(self, bot: str, id: str) -> FileRow | None: ...

    async def content(self, bot: str, id: str) -> bytes | None: ...

    async def piece(self, file: FileRow, number: int) -> bytes | None:
        """Return a piece of a file's content, from 0 on, so that nobody has to hold all of it. None where there is none
        of that number, and once the file is not as it is given here: it was deleted, or sealed again."""

    # -- upkeep
    async def forget_unsent(self, bot: str, before: int) -> int:
        """Delete files older than ``before`` that no message has named; gives how many."""

    async def forget_conversations(
        self, bot: str, before: str, limit: int, after: tuple[str, str] | None = None
    ) -> Forgotten:
        """Delete old conversations: of up to ``limit`` that began before a time (ISO 8601, as in the records), the
        oldest first and on from ``after`` (``Forgotten.last`` of the step before), those that nothing came into since
        then and for whose chat no event and no delivery waits, with their messages and the files that none but these
        name; and of each user of whom none is left, memory, answers, dead letters and all files."""

    async def forget_chats(self, bot: str, before: int, limit: int) -> int:
        """Delete up to ``limit`` chats without a conversation, in which nothing was ever said and into which nothing
        came since a time: with their memory, answers, dead letters and files. While an event or a delivery of one waits
        it stays. Gives how many went: fewer than ``limit`` once no other can go now."""

    async def studio_row(self, bot: str, kind: str, id: str) -> StudioRow | None: ...

    async def studio_rows(self, bot: str, kind: str, before: str | None, limit: int) -> list[StudioRow]:
        """Return rows of a kind whose id is less than ``before``, the greatest id first."""

    async def put_studio_row(self, row: StudioRow, replaced: int | None) -> bool:
        """Put a row in the place of its revision ``replaced``; None: there is none yet. False where somebody else was
        faster, and nothing was put."""

    async def delete_studio_row(self, bot: str, kind: str, id: str) -> bool: ...

    async def forget_studio_rows(self, before: int) -> int:
        """Delete the rows of all bots that were over before this time."""

    async def forget_answers(self, bot: str, before: int) -> int:
        """Delete stored answers older than ``before``, and results of outside calls whose turn is done; gives how many
        answers."""


async def links_ended(store: MarkStore) -> int:
    """Login links and picker addresses made up to this time count no more; 0 where all do."""
    return (await store.marks()).get(LINKS_ENDED, 0)


__all__: Sequence[str] = (
    "Answered",
    "Chat",
    "ChatKey",
    "Collection",
    "Dedupe",
    "Deployment",
    "Erased",
    "FileLimit",
    "FileRow",
    "FilesGone",
    "Forgotten",
    "Held",
    "HistoryBusy",
    "Inbound",
    "InboxFull",
    "IndexRow",
    "ListRow",
    "LoginRow",
    "Notice",
    "OutboxCount",
    "Outgoing",
    "Overtaken",
    "PageTooLarge",
    "Refused",
    "ScheduledJob",
    "Store",
    "StoredMessage",
    "Stretch",
    "StudioRow",
    "TextTooLong",
    "TimerRow",
    "TokenRow",
    "TooSlow",
    "TurnWrite",
    "Version",
    "VersionRow",
)
