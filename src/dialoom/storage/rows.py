"""The rows that go into a store and come out of it; and the one place that knows which property of a record lies in
which column.

A record's JSON is made once, here; the database keeps that text and answers with it unparsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from dialoom.messages import ConversationRecord, MessageRecord
from dialoom.query import Place

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
    ahead: int = 0
    """How many events of its chat waited before it when it was accepted (on a shared store; else 0)."""


class Held(msgspec.Struct, frozen=True):
    """A chat that this process has from now on, with what waits in it, in its order."""

    chat: Chat | None
    waiting: tuple[Inbound, ...]


class Notice(msgspec.Struct, frozen=True):
    """What processes on one store tell each other: ids only, at best once; who misses one finds out by looking.

    ``erased``: all that was kept of the chat is gone; forget it. ``inbox``: an event came into the inbox of the chat.
    ``said``: a turn of the chat was stored. ``typing``, ``quiet``: a turn of it began to wait, ended. ``lost``: this
    process was out of touch for so long that others may have taken its chats (its own store tells it; no key).
    """

    kind: Literal["inbox", "said", "typing", "quiet", "lost", "erased"]
    key: ChatKey | None = None


class Answered(msgspec.Struct, frozen=True):
    """What is known of an inbound key that was seen before. ``answer`` is None while its turn still runs."""

    body: bytes
    answer: bytes | None


class TimerRow(msgspec.Struct, frozen=True):
    """``due`` in milliseconds since 1970. A chat has at most one timer of a name."""

    key: ChatKey
    name: str
    due: int


class ScheduledJob(NamedTuple):
    """Work of a bot that has a time, such as retention. ``due`` in milliseconds since 1970."""

    bot: str
    name: str
    due: int


class Outgoing(msgspec.Struct, frozen=True, kw_only=True):
    """A delivery to the outside that waits for its turn. Those of one chat to one receiver keep their order."""

    key: ChatKey
    id: str
    """A UUIDv7; those of one turn sort by it. Also the stable key of the delivery."""
    receiver: str
    body: bytes
    """What it takes to post it; sealed."""
    carries: int = 0
    """Once delivered, what the chat's user was to be told later is carried up to this position."""
    created_at: int
    due: int
    """Not before this time, milliseconds since 1970; one behind others is due when it becomes the first. Of one that
    was taken: until when its claim holds. With ``attempts`` it tells a claim from every later one of the delivery."""
    attempts: int = 0
    dead_at: int | None = None
    """When it was given up; it is a dead letter from then on."""
    reason: str | None = None
    """What its last attempt met. Never holds a secret or a text of a user."""


class OutboxCount(NamedTuple):
    """Of a bot: deliveries that wait, and dead letters."""

    bot: str
    waiting: int
    dead: int


class StoredMessage(msgspec.Struct, frozen=True):
    """A message with its place in the chat (over all its conversations)."""

    position: int
    record: MessageRecord
    client_id: str | None = None
    """The id that the client gave to its own message."""
    whole: bytes | None = None
    """What the user of the chat is shown in place of what ``record`` masks; sealed."""


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
    outbox: tuple[Outgoing, ...] = ()
    studio_row: StudioRow | None = None
    """The chat's row in a list of the studio; it takes the place of the one before. With an empty body that one is
    deleted."""
    now: int = 0


class TokenRow(msgspec.Struct, frozen=True, kw_only=True):
    bot: str
    id: str
    kind: Literal["server", "channel", "studio-link", "studio-session"]
    """Those of the studio belong to no bot."""
    hash: bytes
    """Keyed hash of the token (the token itself is never stored in clear)."""
    sealed: bytes | None = None
    channel: str | None = None
    scopes: tuple[str, ...] = ("read",)
    name: str = ""
    created_at: int = 0
    revoked_at: int | None = None


class LoginRow(msgspec.Struct, frozen=True):
    """A login link whose page was opened: where the browser and the chat meet. At most one of a link."""

    key: ChatKey
    link: str
    about: bytes
    """What the login is about; sealed. No two sealed values are alike, so that it also tells two changes apart."""
    expires_at: int
    """Milliseconds since 1970."""
    is_taken: bool = False
    """Its one use has begun."""


class Version(msgspec.Struct, frozen=True):
    """A published version of a bot; ``files`` is the content of its files as JSON ``{"name": "text"}``."""

    bot: str
    version: str
    files: bytes
    created_at: int


class VersionRow(msgspec.Struct, frozen=True):
    """A published version without its files. ``withdrawn_at``: since when it is rolled back from."""

    bot: str
    version: str
    created_at: int
    activated_at: int
    """When it last became the active one."""
    withdrawn_at: int | None
    is_active: bool


class Deployment(NamedTuple):
    """What a process has to serve of a bot: its active version, and when its newest dynamic list came (0: never)."""

    bot: str
    active: str
    lists_at: int


class ListRow(msgspec.Struct, frozen=True):
    """The last good list of an entity type that an endpoint fills."""

    bot: str
    type: str
    source: bytes
    """Hash of the data source that it came from."""
    elements: bytes
    """JSON, sealed."""
    fetched_at: int


class StudioRow(msgspec.Struct, frozen=True):
    """Something that the studio keeps."""

    bot: str
    kind: str
    id: str
    revision: int
    """Counts the changes, from 1."""
    body: bytes
    """JSON, sealed."""
    created_at: int
    updated_at: int
    expires_at: int | None
    """None for what stays."""


class FileRow(msgspec.Struct, frozen=True):
    """A file that a user sent, without its content."""

    key: ChatKey
    id: str
    about: bytes
    """What it is called and what it is; sealed."""
    size: int
    created_at: int


class FileLimit(msgspec.Struct, frozen=True):
    """What may have been kept since a time: so many bytes in so many files, of one user, and of all users of a channel
    who are anonymous, or who are not."""

    since: int
    size: int
    count: int
    channel_size: int
    channel_count: int


class Forgotten(NamedTuple):
    """What a step of forgetting old conversations did."""

    conversations: int
    """How many went."""
    last: tuple[str, str] | None
    """Begin and id of the last one that was looked at; None when no more are left to look at."""


class Stretch(NamedTuple):
    """A piece of a walk over records."""

    records: list[bytes]
    """Those that match, each as its JSON text; perhaps none, and the walk goes on all the same."""
    after: Place | None
    """Where it goes on; None at its end."""


class Erased(NamedTuple):
    """What a step of erasing a user did."""

    conversations: int
    messages: int
    files: int
    deliveries: int
    """Those that waited, and dead letters."""
    had_memory: bool
    is_done: bool
    """True if nothing is left."""


class IndexRow(NamedTuple):
    """An index of the operator's own, over all bots."""

    collection: Collection
    property: str
    is_ready: bool


Row = tuple[Any, ...]

MAX_PIECE_BYTES = 512 * 1024
"""Bytes of a file's content that one statement writes."""

_encoder = msgspec.json.Encoder()
_message = msgspec.json.Decoder(MessageRecord)
_named = re.compile(r"/files/([^/?#\s\"\\]+)\?")


class TurnRows(msgspec.Struct, frozen=True, gc=False):
    """A ``TurnWrite`` as the statements take it."""

    key: ChatKey
    number: int | None
    dedupe: Dedupe | None
    answer: bytes
    now: int
    chat: Row
    """Last, of one in which nothing was said yet, the time."""
    is_new: bool
    wake: int | None
    """The least due time that the turn sets."""
    conversations: tuple[Row, ...]
    is_plain: bool
    """No record ended, failed or changed hands: nothing that an index knows but the number of messages."""
    messages: tuple[Row, ...]
    files: tuple[str, ...]
    carried: Row | None
    """Up to where earlier messages were carried; None when the turn's answer carries none."""
    outbox: tuple[Row, ...]
    studio_row: StudioRow | None
    lines: tuple[Row, ...]
    """The chat and each receiver of those, with the time of the first."""


def turn_rows(write: TurnWrite) -> TurnRows:
    key = write.key
    return TurnRows(
        key=key,
        number=write.number,
        dedupe=write.dedupe,
        answer=write.answer or b"",
        now=write.now,
        chat=(
            *key,
            write.state,
            write.revision + 1,
            write.position,
            timers_patch(write.timers, write.cancelled),
            None if write.position else write.now,
        ),
        is_new=write.revision == 0,
        wake=min((timer.due for timer in write.timers), default=None),
        conversations=tuple([conversation_row(record) for record in write.records]),
        is_plain=all(record.status == "active" and not record.errors for record in write.records),
        messages=tuple([message_row(message, is_later=write.is_later) for message in write.messages]),
        files=write.files,
        carried=(*key, write.carried) if write.carried else None,
        outbox=tuple([outgoing_values(delivery, write.revision + 1) for delivery in write.outbox]),
        studio_row=write.studio_row,
        lines=_lines(write.outbox),
    )


def timers_patch(timers: Sequence[TimerRow], cancelled: Sequence[str]) -> str | None:
    """JSON merge patch (RFC 7396) of the chat's timers: a cancelled one is null. None: they stay as they are."""
    if not timers and not cancelled:
        return None
    patch: dict[str, int | None] = dict.fromkeys(cancelled)
    patch |= {timer.name: timer.due for timer in timers}
    return _encoder.encode(patch).decode()


def conversation_row(record: ConversationRecord) -> Row:
    document = _encoder.encode(record).decode()
    data, counts = record.data, record.messages
    return (
        record.bot,
        record.id,
        record.user,
        record.channel,
        record.status,
        record.started_at,
        record.updated_at,
        record.ended_at,
        record.goal,
        record.errors,
        counts.user,
        counts.bot,
        data.channel.provider_name,
        data.user.first_name,
        data.user.last_name,
        document,
        document,  # for the JSONB copy
    )


def message_row(message: StoredMessage, *, is_later: bool = False) -> Row:
    record = message.record
    document = _encoder.encode(record).decode()
    return (
        record.bot,
        record.id,
        record.conversation,
        record.user,
        record.channel,
        record.from_,
        record.type,
        record.created_at,
        record.sequence,
        message.position,
        message.client_id,
        1 if is_later and record.from_ == "bot" else None,
        message.whole,
        document,
        document,  # for the JSONB copy
    )


def stored_message(row: Row) -> StoredMessage:
    position, document, client_id, whole = row
    return StoredMessage(position, _message.decode(document), client_id, whole)


def file_values(file: FileRow, limit: FileLimit) -> Row:
    limits = (limit.size, limit.count, limit.since, limit.channel_size, limit.channel_count)
    return (*file.key, file.id, file.about, file.size, file.created_at, *limits)


def pieces_of(content: bytes) -> list[bytes]:
    """Return a file's content in the pieces in which it is stored."""
    return [content[start : start + MAX_PIECE_BYTES] for start in range(0, len(content), MAX_PIECE_BYTES)]


def inbound(row: Row) -> Inbound:
    bot, channel, user, number, id, event, dedupe, body, accepted_at = row
    seen = None if dedupe is None else Dedupe(dedupe, body)
    return Inbound(ChatKey(bot, channel, user), number, id, event, seen, accepted_at)


def outgoing(row: Row, claimed: int | None = None) -> Outgoing:
    """Return the delivery of a row. ``claimed``: until when it is, in the place of its time."""
    bot, channel, user, receiver, id, body, carries, created_at, due, attempts, dead_at, reason = row
    return Outgoing(
        key=ChatKey(bot, channel, user),
        id=id,
        receiver=receiver,
        body=body,
        carries=carries,
        created_at=created_at,
        due=due if claimed is None else claimed,
        attempts=attempts,
        dead_at=dead_at,
        reason=reason,
    )


def dead_letter(row: Row) -> Outgoing:
    """Return a delivery from a row without its body."""
    return outgoing((*row[:5], b"", *row[5:]))


def outgoing_values(delivery: Outgoing, revision: int) -> Row:
    """Return the columns of a delivery. ``revision``: of the chat, by the turn that writes it."""
    return (
        *delivery_place(delivery),
        delivery.body,
        delivery.carries,
        delivery.created_at,
        delivery.attempts,
        delivery.dead_at,
        delivery.reason,
        revision,
    )


def _lines(deliveries: Sequence[Outgoing]) -> tuple[Row, ...]:
    first: dict[str, Outgoing] = {}
    for delivery in sorted(deliveries, key=lambda one: one.id):
        first.setdefault(delivery.receiver, delivery)
    return tuple([(*one.key, one.receiver, one.due) for one in first.values()])


def delivery_place(delivery: Outgoing) -> Row:
    return (*delivery.key, delivery.receiver, delivery.id)


def delivery_claim(delivery: Outgoing) -> Row:
    """Return the place of a delivery, and what changes when somebody else takes or settles it."""
    return (*delivery_place(delivery), delivery.due, delivery.attempts)


def version_row(row: Row) -> VersionRow:
    bot, version, created_at, activated_at, withdrawn_at, is_active = row
    return VersionRow(bot, version, created_at, activated_at, withdrawn_at, bool(is_active))


def token_row(row: Row) -> TokenRow:
    """Return the token of a row, whose columns come in the order of the fields."""
    columns = dict(zip(TokenRow.__struct_fields__, row, strict=True))
    return TokenRow(**columns | {"scopes": tuple(columns["scopes"].split())})


def token_values(token: TokenRow) -> Row:
    return tuple((msgspec.structs.asdict(token) | {"scopes": " ".join(token.scopes)}).values())


def login_place(row: LoginRow) -> Row:
    return (*row.key, row.link)


def login_state(row: LoginRow) -> Row:
    """Return all that changes of it."""
    return (row.about, row.expires_at, row.is_taken)


def login_row(key: ChatKey, link: str, found: Row) -> LoginRow:
    about, expires_at, taken = found
    return LoginRow(key, link, about, expires_at, bool(taken))


def named_files(texts: Iterable[str]) -> list[str]:
    """Return the ids in the addresses of files that texts of messages name: what is in no message any more need not be
    kept. An address of somebody else's gives an id that is no file of the user."""
    return list(dict.fromkeys(id for text in texts for id in _named.findall(text)))
