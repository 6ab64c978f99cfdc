"""The way of an event into its chat's inbox and out of it again: sealed, numbered, with the answer that is kept for it.

Whose turn it is to run is the runner's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom.errors import RequestError
from dialoom.service.chat import chat_row
from dialoom.service.chat import inbound as arrivals
from dialoom.service.chat.active_chats import Job
from dialoom.storage.store import Answered, InboxFull

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.service.chat.active_chats import ActiveChat
    from dialoom.storage.store import ChatKey, Dedupe, Inbound, Store

MAX_WAITING_EVENTS = 20
"""Waiting events of one chat; one more is refused with 429 (service.md, Limits)."""


class Inbox:
    def __init__(self, store: Store, vault: Vault) -> None:
        self._store = store
        self._vault = vault
        self._is_shared = store.is_shared

    async def accept(self, live: ActiveChat, job: Job) -> Answered | None:
        """Make an event durable, with the next number of its chat. ``Answered`` when its key was seen before."""
        key = live.key
        if self._is_shared and job.arrival.is_answered and job.arrival.dedupe is None:
            # Another process may come to run it; its answer is then found under this key.
            event_id = job.arrival.event.id
            job.arrival = msgspec.structs.replace(job.arrival, dedupe=arrivals.dedupe(f"event {event_id}", event_id))
        arrival = job.arrival
        event = arrival.event
        sealed = self._vault.seal(arrivals.encode(arrival), chat_row.row_name("inbox", key))
        # The row of the running turn is in the inbox and does not wait.
        running = live.current is not None and live.current is not job and live.current.number is not None
        most = MAX_WAITING_EVENTS + 1 if running else MAX_WAITING_EVENTS
        try:
            row = await self._store.accept(key, event.id, sealed, arrival.dedupe, event.now, arrival.files, most)
        except InboxFull as error:
            raise too_many() from error
        live.may_have()  # the store may give it together with the number
        if isinstance(row, Answered):
            return row
        job.number = row.number
        job.is_committing = False
        if live.is_held and row.ahead > live.known_before(row.number):
            live.is_stale = True
        job.set_durable()
        return None

    def waiting(self, row: Inbound) -> Job:
        """An event that another process accepted, or this one before its start. Raises ``VaultError``."""
        plain = self._vault.open(row.event, chat_row.row_name("inbox", row.key))
        arrival = arrivals.decode(plain)
        # Whoever waited for the answer is gone or elsewhere; with a key it can be asked for.
        is_answered = arrival.is_answered and arrival.dedupe is not None
        job = Job(msgspec.structs.replace(arrival, is_answered=is_answered), row.number)
        job.set_durable()
        return job

    def repeat(self, key: ChatKey, job: Job, seen: Answered) -> None:
        """The key of this event was seen before: it gets that answer (once it is there) and no turn."""
        dedupe = job.arrival.dedupe
        assert dedupe is not None
        if seen.body != dedupe.body:
            raise other_body(dedupe)
        job.is_repeat = True
        job.set_durable()
        self.give(key, job, seen)

    def give(self, key: ChatKey, job: Job, seen: Answered) -> bool:
        """Hand out the stored answer, if it is there."""
        if seen.answer is None:
            return False
        if not job.answer.done():
            job.answer.set_result(self._vault.open(seen.answer, chat_row.row_name("answer", key)))
        return True

    async def answer(self, key: ChatKey, job: Job) -> bool:
        """Hand out what is stored for an event that was accepted; False while its turn is still to come."""
        dedupe = job.arrival.dedupe
        seen = None if dedupe is None else await self._store.answered(key, dedupe.key)
        if seen is None:
            job.refuse(no_answer(job))
            return True
        return self.give(key, job, seen)


def no_answer(job: Job) -> RequestError:
    """Its row is gone and none is kept. Only of an event without a key that we tried to store before it may be stored
    all the same; else its user was erased."""
    is_stored = job.arrival.dedupe is None and job.is_committing and job.tries > 0
    return internal() if is_stored else erased()


def erased() -> RequestError:
    return RequestError(
        "erased",
        "What was kept of this user was erased while this message waited for its turn, and the message with it. Send a "
        "new one, with another id, to begin anew.",
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
