"""Stores events in the inbox of their chat, sealed and numbered, and hands out the answers that are stored for them.

Which event runs next is decided in ``turns.runner``.
"""

from __future__ import annotations

import msgspec

from dialoom.auth.vault import Vault
from dialoom.errors import RequestError
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.service.chat import chat_row
from dialoom.service.chat import inbound as inbound_events
from dialoom.service.chat.active_chats import ActiveChat, QueuedEvent
from dialoom.storage.store import Answered, ChatKey, Dedupe, Inbound, InboxFull, Store

MAX_WAITING_EVENTS = 20
"""Waiting events of one chat; one more is refused with 429 (service.md, Limits)."""


class Inbox:
    def __init__(self, store: Store, vault: Vault) -> None:
        self._store = store
        self._vault = vault
        self._is_shared = store.is_shared

    async def accept(self, chat: ActiveChat, queued: QueuedEvent) -> Answered | None:
        """Store an event with the next number of its chat. Return ``Answered`` when its key was seen before."""
        key = chat.key
        if self._is_shared and queued.inbound.is_answered and queued.inbound.dedupe is None:
            # Another process may come to run it; its answer is then found under this key.
            event_id = queued.inbound.event.id
            queued.inbound = msgspec.structs.replace(
                queued.inbound, dedupe=inbound_events.dedupe(f"event {event_id}", event_id)
            )
        inbound = queued.inbound
        event = inbound.event
        sealed = self._vault.seal(inbound_events.encode(inbound), chat_row.row_name("inbox", key))
        # The row of the running turn is in the inbox and does not wait.
        running = chat.current is not None and chat.current is not queued and chat.current.number is not None
        most = MAX_WAITING_EVENTS + 1 if running else MAX_WAITING_EVENTS
        try:
            row = await self._store.accept(key, event.id, sealed, inbound.dedupe, event.now, inbound.files, most)
        except InboxFull as error:
            raise too_many() from error
        chat.note_asked()  # the store may give it together with the number
        if isinstance(row, Answered):
            return row
        queued.number = row.number
        queued.is_committing = False
        if chat.is_held and row.ahead > chat.known_before(row.number):
            chat.is_stale = True
        queued.set_durable()
        return None

    def waiting(self, row: Inbound) -> QueuedEvent:
        """Open a stored event and return it with its number. Raises ``VaultError``."""
        plain = self._vault.open(row.event, chat_row.row_name("inbox", row.key))
        inbound = inbound_events.decode(plain)
        # Whoever waited for the answer is gone or elsewhere; with a key it can be asked for.
        is_answered = inbound.is_answered and inbound.dedupe is not None
        queued = QueuedEvent(msgspec.structs.replace(inbound, is_answered=is_answered), row.number)
        # The one process was started anew, and its callers are gone: one that waits for seconds only (the channel's
        # row) and takes what waits does not ask for the answer again. Of several processes another may have the caller.
        channel = CHANNEL_ROWS.get(inbound.event.profile.provider)
        waits_for_seconds = channel is not None and channel.answer_seconds is not None
        queued.is_given_up = inbound.takes_waiting and waits_for_seconds and not self._is_shared
        queued.set_durable()
        return queued

    def repeat(self, key: ChatKey, queued: QueuedEvent, seen: Answered) -> None:
        """Answer an event whose key was seen before with the stored answer, once there is one."""
        dedupe = queued.inbound.dedupe
        assert dedupe is not None
        if seen.body != dedupe.body:
            raise other_body(dedupe)
        queued.is_repeat = True
        queued.set_durable()
        self.give(key, queued, seen)

    def give(self, key: ChatKey, queued: QueuedEvent, seen: Answered) -> bool:
        """Set the stored answer, if there is one; return whether there was."""
        if seen.answer is None:
            return False
        if not queued.answer.done():
            queued.answer.set_result(self._vault.open(seen.answer, chat_row.row_name("answer", key)))
        return True

    async def answer(self, key: ChatKey, queued: QueuedEvent) -> bool:
        """Set the stored answer of an accepted event; return False while its turn is still to come."""
        dedupe = queued.inbound.dedupe
        seen = None if dedupe is None else await self._store.answered(key, dedupe.key)
        if seen is None:
            queued.refuse(no_answer(queued))
            return True
        return self.give(key, queued, seen)


def no_answer(queued: QueuedEvent) -> RequestError:
    """Return the error for an accepted event whose inbox row is gone and that has no stored answer: its user was
    erased; only an event without a key, which was tried before, may have been stored all the same."""
    is_stored = queued.inbound.dedupe is None and queued.is_committing and queued.tries > 0
    return internal() if is_stored else erased()


def erased() -> RequestError:
    return RequestError(
        "erased",
        "What was kept of this user was erased while this message waited for its turn, and the message with it. Send a "
        "new one, with another id, to begin again.",
    )


def too_many() -> RequestError:
    return RequestError(
        "too-many-waiting",
        f"{MAX_WAITING_EVENTS} messages of this user wait for their turn already. Wait for an answer, then go on.",
        headers={"Retry-After": "5"},
    )


def overloaded() -> RequestError:
    detail = "More comes in than can be answered now. Send the same (with the same id) again."
    return RequestError("overloaded", detail, headers={"Retry-After": "2"})


def internal() -> RequestError:
    return RequestError("internal", "Something went wrong here. The operator finds the reason in the log.")


def other_body(dedupe: Dedupe) -> RequestError:
    return RequestError(
        "key-reused",
        f'The message id "{dedupe.key}" was used for another message within 24 hours. Give each message its own id.',
    )
