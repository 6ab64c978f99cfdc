"""Records to rows and back: the one place that knows which property lies in which column.

A record's JSON is made once, here; the database keeps that text and answers with it unparsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.messages import MessageRecord
from dialoom.storage.store import ChatKey, Dedupe, Inbound, Outgoing, StoredMessage, TokenRow, VersionRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.messages import ConversationRecord
    from dialoom.storage.store import FileLimit, FileRow, TimerRow, TurnWrite

Row = tuple[Any, ...]

_encoder = msgspec.json.Encoder()
_message = msgspec.json.Decoder(MessageRecord)


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
        document,
        document,  # for the JSONB copy
    )


def stored_message(row: Row) -> StoredMessage:
    position, document, client_id = row
    return StoredMessage(position, _message.decode(document), client_id)


def file_values(file: FileRow, limit: FileLimit) -> Row:
    limits = (limit.size, limit.count, limit.since, limit.channel_size, limit.channel_count)
    return (*file.key, file.id, file.about, file.size, file.created_at, *limits)


def inbound(row: Row) -> Inbound:
    bot, channel, user, number, id, event, dedupe, body, accepted_at = row
    seen = None if dedupe is None else Dedupe(dedupe, body)
    return Inbound(ChatKey(bot, channel, user), number, id, event, seen, accepted_at)


def outgoing(row: Row, claimed: int | None = None) -> Outgoing:
    """``claimed``: until when it is, in the place of its time."""
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


def outgoing_values(delivery: Outgoing, revision: int) -> Row:
    """``revision``: of the chat, by the turn that writes it."""
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
    """Its place, and what changes when somebody else takes it or settles it."""
    return (*delivery_place(delivery), delivery.due, delivery.attempts)


def version_row(row: Row) -> VersionRow:
    bot, version, created_at, activated_at, withdrawn_at, is_active = row
    return VersionRow(bot, version, created_at, activated_at, withdrawn_at, bool(is_active))


def token_row(row: Row) -> TokenRow:
    bot, id, kind, hash, sealed, channel, scopes, name, created_at, revoked_at = row
    return TokenRow(
        bot=bot,
        id=id,
        kind=kind,
        hash=hash,
        sealed=sealed,
        channel=channel,
        scopes=tuple(scopes.split(" ")) if scopes else (),
        name=name,
        created_at=created_at,
        revoked_at=revoked_at,
    )


def token_values(token: TokenRow) -> Row:
    return (
        token.bot,
        token.id,
        token.kind,
        token.hash,
        token.sealed,
        token.channel,
        " ".join(token.scopes),
        token.name,
        token.created_at,
        token.revoked_at,
    )
