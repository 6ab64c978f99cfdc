"""Posts deliveries to other servers: stored with the turn that they come from, in order, again and again if need be.

What is delivered, and to whom, is each receiver's; what an answer means is ``delivery``'s. A delivery is made at least
once, with its id as its stable key. Of each chat and receiver one is on its way at a time, the next when it is
settled. One that never arrives becomes a dead letter, which an operator sees, resends or drops; the others go on.

A delivery is claimed for a while and settled by that claim: what comes of one whose claim has passed to another process
counts for nothing there. What becomes of the claims of a process that is gone is the store's: they are free with the
next start of the one process that works on it, and over with their time where there may be several.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Coroutine, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from dialoom.auth.vault import Vault
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse
from dialoom.errors import DialoomError, RemoteError, SettingError, StoreError, VaultError
from dialoom.messages.records import time_schema
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.service.bots.scheduled_jobs import CLOCK_JUMP_MS
from dialoom.service.chat.chat_row import row_name
from dialoom.service.clock import Clock, IdSource, iso
from dialoom.service.observe.instruments import Counts
from dialoom.service.outbox import delivery as deliveries
from dialoom.service.outbox.delivery import Draft, Receiver, TurnDone, Verdict
from dialoom.service.outbox.queues import HostQueue, HostQueues
from dialoom.service.tasks import cancel_all
from dialoom.storage.store import ChatKey, OutboxCount, Outgoing, Store

log = logging.getLogger(__name__)

CLAIM_MS: Final = 60_000
"""Milliseconds for which a delivery that was taken is left to who took it; from a process that was killed another takes
it then. A store that is away can hold up the settling for longer: then it is posted again, and only who has it by then
settles it."""
MAX_WAIT_SECONDS: Final = 30.0
"""Seconds in line for a host. With 10 s to make the request and 10 s for its answer the attempt is over while the claim
still has 10 s to go, in which what came of it is stored: else another process could post it at the same time."""
SETTLE_RETRY_SECONDS: Final = (0.5, 2.0, 5.0)
"""Waits before what came of an attempt is stored again, when the store is away: worth it, or it is posted twice."""
BATCH: Final = 100
MAX_CLAIMED: Final = 1000
"""Deliveries that wait for their hosts or are on their way."""
LOOK_EVERY_SECONDS: Final = 1.0
"""Seconds between looks for what came due, or was put into the outbox by another process."""
FULL_PAUSE_SECONDS: Final = 0.25
MAX_LISTED: Final = 1000
HOST_SILENT: Final = "Its host does not answer other deliveries either."
UNKNOWN_BOT_AGAIN_MS: Final = (2_000, 10_000)
"""Milliseconds after which one that this process cannot post is due again. Drawn between these, so that of processes
that look equally often not always the same one takes it."""
MAX_DUE_AHEAD_MS: Final = round(deliveries.MAX_PAUSE_SECONDS * 1000) + CLAIM_MS
"""Milliseconds: nothing is due later than that, unless a clock was put back."""
CHECK_CLOCK_EVERY_SECONDS: Final = 60.0
"""Seconds between looks for such."""
STOP_SECONDS: Final = 2.0
"""Seconds that a stop has for giving back what it had taken and not begun, so that others post it at once. What the
store has not taken back by then is posted with the next start where this is the only process, else when its claim is
over."""


class DeadLetter(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Describes a delivery that was given up, without its body."""

    id: Annotated[
        str,
        Meta(
            description="Its id; the receiver sees it as `Idempotency-Key`.",
            examples=["01a1fe42-c594-7001-8c1d-58ca063f304c"],
        ),
    ]
    channel: Annotated[str, Meta(description="The channel's id.", examples=["backend"])]
    user: Annotated[str, Meta(description="The user's id on that channel.", examples=["ada"])]
    receiver: Annotated[
        str,
        Meta(
            description="Who it was for: `callback` (what a channel sends), or `live-agent` and its name.",
            examples=["callback"],
        ),
    ]
    created_at: Annotated[str, time_schema("When it was to be delivered first.")]
    dead_at: Annotated[str, time_schema("When it was given up.", "2026-11-21T08:20:11.004Z")]
    attempts: Annotated[int, Meta(description="How often it was tried.", examples=[35])]
    reason: Annotated[
        str,
        Meta(
            description="Why the last attempt failed.",
            examples=["The receiver answered 500. Given up after 35 attempts."],
        ),
    ]


class Outbox:
    """Stores and posts deliveries. ``receivers``: by the first word of ``Outgoing.receiver``."""

    def __init__(
        self,
        store: Store,
        bots: Bots,
        vault: Vault,
        outbound_calls: OutboundCalls,
        clock: Clock,
        receivers: Mapping[str, Receiver],
        settled: Counts,
    ) -> None:
        self._store = store
        self._bots = bots
        self._vault = vault
        self._outbound_calls = outbound_calls
        self._clock = clock
        self._receivers = receivers
        self._settled = settled
        self._ids = IdSource()
        self._host_queues = HostQueues()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """By the delivery's id what is done with it."""
        self.claims: dict[str, Outgoing] = {}
        """The deliveries that this process works on, each as it was taken last, by id."""
        self._withdrawn: set[str] = set()
        """Those of them whose user was erased."""
        self._not_begun: dict[str, tuple[float, Outgoing]] = {}
        """Deliveries that were taken and not begun, without their bodies, each with the loop time at which its claim is
        over. The oldest first."""
        self._taking: asyncio.Future[list[Outgoing]] | None = None
        self._looked_at = 0
        self._looked_far_at: float | None = None
        self._woken = asyncio.Event()
        self._is_stopping = False

    # -- in

    async def rows(self, done: TurnDone) -> tuple[Outgoing, ...]:
        """Return the deliveries of a turn, stored with it (``TurnWrite.outbox``); call ``wake`` once they are."""
        drafts: list[Draft] = []
        for receiver in self._receivers.values():
            drafts += await receiver.drafts(done)
        if not drafts:
            return ()
        key, now = done.key, done.now
        return tuple(
            Outgoing(
                key=key,
                id=self._ids.make(now),
                receiver=draft.receiver,
                body=self._vault.seal(draft.body, row_name("outbox", key)),
                carries=draft.carries,
                created_at=now,
                due=now,
            )
            for draft in drafts
        )

    def wake(self) -> None:
        """Look for new deliveries at once."""
        self._woken.set()

    # -- out

    async def run(self) -> None:
        """Post deliveries until cancelled; ``stop`` waits for those that are on their way."""
        while True:
            pause = LOOK_EVERY_SECONDS
            try:
                pause = await self.look()
            except StoreError:
                pass  # ``store_outage`` has told the operator
            except Exception:
                # The outermost loop of the outbox: it goes on.
                log.exception("fault in the outbox")
            await self._rest(pause)

    async def _rest(self, seconds: float) -> None:
        if seconds == 0:
            await asyncio.sleep(0)
            return
        if seconds == FULL_PAUSE_SECONDS:
            # Not woken by each delivery that is settled: it would only take more than it can begin.
            await self._clock.sleep(seconds)
            return
        rest = asyncio.ensure_future(self._clock.sleep(seconds))
        woken = asyncio.ensure_future(self._woken.wait())
        try:
            await asyncio.wait({rest, woken}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            rest.cancel()
            woken.cancel()

    async def look(self) -> float:
        """Claim what is due and begin to post it; return the seconds after which to look again."""
        self._woken.clear()
        await self._correct_due_times()
        room = min(BATCH, MAX_CLAIMED - len(self._tasks))
        if room <= 0:
            return FULL_PAUSE_SECONDS
        now, loop = self._clock.now(), asyncio.get_running_loop()
        until = loop.time() + MAX_WAIT_SECONDS
        # Shielded, so that a stop learns what was taken.
        self._taking = asyncio.ensure_future(self._store.take_outgoing(now, now + CLAIM_MS, room))
        try:
            found = await asyncio.shield(self._taking)
        except StoreError:
            self._taking = None
            raise
        self._taking = None
        unknown: list[Outgoing] = []
        paced: list[Outgoing] = []
        is_left = False
        for delivery in found:
            match self._begin(delivery, until):
                case "unknown":
                    unknown.append(delivery)
                case "paced":
                    paced.append(delivery)
                case "left":
                    # It comes again when its claim is over: at once it would be in the way of other hosts' again.
                    self._leave(delivery)
                    is_left = True
        if unknown:
            least, most = UNKNOWN_BOT_AGAIN_MS
            await self._store.give_back(unknown, now, now + least + secrets.randbelow(most - least))
        if paced:
            await self._store.give_back(paced, now, now + round(FULL_PAUSE_SECONDS * 1000))
        if is_left or paced:
            return FULL_PAUSE_SECONDS
        return LOOK_EVERY_SECONDS if len(found) < room else 0

    async def _correct_due_times(self) -> None:
        """Move due times that lie too far ahead since the clock was put back."""
        now, at = self._clock.now(), asyncio.get_running_loop().time()
        has_jumped = now < self._looked_at - CLOCK_JUMP_MS
        self._looked_at = now
        if has_jumped and not self._store.is_shared:
            # Nobody else has claims.
            farthest = 0
        elif has_jumped or self._looked_far_at is None or at - self._looked_far_at > CHECK_CLOCK_EVERY_SECONDS:
            farthest = MAX_DUE_AHEAD_MS
        else:
            return
        self._looked_far_at = at
        while await self._store.bring_forward(now, farthest, BATCH) == BATCH:
            pass

    def _begin(self, delivery: Outgoing, until: float) -> Literal["begun", "left", "unknown", "paced"]:
        serving = self._bots.active(delivery.key.bot)
        receiver = self._receivers.get(delivery.receiver.partition(" ")[0])
        if delivery.id in self._tasks:
            # The clock jumped past its claim: what comes of it is settled by the new one.
            self.claims[delivery.id] = delivery
            return "begun"
        self._not_begun.pop(delivery.id, None)
        if self._is_stopping:
            return "left"
        if serving is None or receiver is None:
            # A bot or a receiver that another process knows; or one that is not loaded here yet.
            return "unknown"
        try:
            address = receiver.address(serving, delivery)
        except SettingError as error:
            self._spawn(delivery, self._settle(delivery, Verdict("never", str(error))))
            return "begun"
        queue = self._host_queues.of(deliveries.named(address))
        if queue.has_room() and receiver.wait(serving, delivery) > 0:
            return "paced"
        if queue.has_room():
            self._spawn(delivery, self._deliver(delivery, receiver, serving, queue, queue.join(), until))
        elif queue.is_failing:
            # Counted like an attempt, so that the many that wait for a host that hangs come back less and less often.
            self._spawn(delivery, self._settle(delivery, Verdict("again", HOST_SILENT)))
        else:
            return "left"
        return "begun"

    def _leave(self, delivery: Outgoing) -> None:
        """Release claimed deliveries that are not begun."""
        at = asyncio.get_running_loop().time()
        while self._not_begun and (oldest := next(iter(self._not_begun.items())))[1][0] < at:
            del self._not_begun[oldest[0]]
        claim = msgspec.structs.replace(self.claims.get(delivery.id, delivery), body=b"")
        self._not_begun[delivery.id] = (at + CLAIM_MS / 1000, claim)

    async def _deliver(
        self,
        delivery: Outgoing,
        receiver: Receiver,
        serving: Deployed,
        queue: HostQueue,
        waiter: asyncio.Future[bool],
        until: float,
    ) -> None:
        try:
            async with asyncio.timeout_at(until):
                is_my_turn = await waiter
        except TimeoutError:
            queue.step_out(waiter)
            self._leave(delivery)
            return
        except asyncio.CancelledError:
            queue.step_out(waiter)
            self._leave(delivery)
            raise
        if not is_my_turn:
            if self._is_stopping:
                self._leave(delivery)
            else:
                await self._settle(delivery, Verdict("again", HOST_SILENT))
            return
        if delivery.id in self._withdrawn:
            queue.step_out(waiter)
            return
        is_answering = True
        try:
            verdict, is_answering = await self._attempt(delivery, receiver, serving)
        finally:
            queue.leave(is_answering=is_answering)
        await self._settle(delivery, verdict)

    async def _attempt(self, delivery: Outgoing, receiver: Receiver, serving: Deployed) -> tuple[Verdict, bool]:
        """Post a delivery; return the verdict and whether the host answered."""
        try:
            async with asyncio.timeout(deliveries.ATTEMPT_SECONDS):
                request = await self._request(delivery, receiver, serving)
            deadline = asyncio.get_running_loop().time() + deliveries.ATTEMPT_SECONDS
            answer = await self._outbound_calls.call(serving.bot, request, deadline)
            # Within the same time, so that the attempt is over while the claim lasts.
            async with asyncio.timeout_at(deadline):
                renewed = await receiver.renewed(serving, delivery, request, answer)
        except (SettingError, VaultError) as error:
            return Verdict("never", str(error)), True
        except RemoteError as error:
            return Verdict("again", str(error)), True
        except TimeoutError:
            return Verdict("again", "What it takes to make this delivery was not to be had in time."), False
        if renewed is not None:
            answer = await self._outbound_calls.call(serving.bot, renewed, deadline)
        verdict = receiver.judge(serving, delivery, request.url, answer, self._clock.now())
        return verdict, verdict.what != "again" or not isinstance(answer, NoResponse)

    async def _request(self, delivery: Outgoing, receiver: Receiver, serving: Deployed) -> Request:
        try:
            body = self._vault.open(delivery.body, row_name("outbox", delivery.key))
        except VaultError as error:
            raise VaultError(
                "This delivery cannot be opened: the key that sealed it is missing. Add that key to the setting keys, "
                "then resend it."
            ) from error
        return await receiver.request(serving, delivery, body)

    # -- what came of it

    async def _settle(self, delivery: Outgoing, verdict: Verdict) -> None:
        waits = [*SETTLE_RETRY_SECONDS]
        while True:
            try:
                await self._store_verdict(delivery, verdict)
                break
            except StoreError:
                if not waits:
                    raise
            await self._clock.sleep(waits.pop(0))
        # The next of its chat may go now.
        self.wake()

    async def _store_verdict(self, delivery: Outgoing, verdict: Verdict) -> None:
        delivery = self.claims[delivery.id]
        now, attempts = self._clock.now(), delivery.attempts + 1
        is_last = verdict.what == "again" and attempts >= deliveries.MAX_ATTEMPTS
        outcome = "dead" if is_last or verdict.what == "never" else verdict.what
        self._settled.add(delivery.key.bot, delivery.key.channel, outcome)
        if verdict.what in ("done", "gone"):
            if verdict.what == "gone":
                log.info("delivery %s of bot %s is left out: %s", delivery.id, delivery.key.bot, verdict.reason)
            await self._store.delivered(delivery, now)
            return
        reason = verdict.reason
        if verdict.what == "again":
            if not is_last:
                seconds = max(deliveries.pause(delivery.id, attempts), verdict.pause)
                await self._store.postpone(delivery, now, now + round(seconds * 1000), reason)
                return
            reason += f" Given up after {attempts} attempts."
        await self._store.bury(delivery, now, reason)
        log.warning("delivery %s of bot %s is a dead letter: %s", delivery.id, delivery.key.bot, reason)

    def withdraw(self, key: ChatKey) -> None:
        """Give up the deliveries of an erased user that wait; one that is on its way cannot be stopped."""
        self._withdrawn |= {id for id, delivery in self.claims.items() if delivery.key == key}

    def _spawn(self, delivery: Outgoing, work: Coroutine[Any, Any, None]) -> None:
        self.claims[delivery.id] = delivery
        task = self._tasks[delivery.id] = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(lambda done: self._done(delivery, done))

    def _done(self, delivery: Outgoing, task: asyncio.Task[None]) -> None:
        del self._tasks[delivery.id], self.claims[delivery.id]
        self._withdrawn.discard(delivery.id)
        if not task.cancelled() and (error := task.exception()) is not None:
            level = logging.WARNING if isinstance(error, DialoomError) else logging.ERROR
            log.log(level, "a delivery is left for later", exc_info=error)

    async def stop(self, seconds: float) -> None:
        """Stop posting. Deliveries on their way get so many seconds and are posted again if not done by then, as after
        a kill; those that are not begun are released at once."""
        self._is_stopping = True
        self._host_queues.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.settled()
        await cancel_all(self._tasks.values())
        with contextlib.suppress(StoreError, TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                await self._give_back()

    async def _give_back(self) -> None:
        if self._taking is not None:
            with contextlib.suppress(StoreError):
                for delivery in await self._taking:
                    self._leave(delivery)
        claims, now = [claim for _, claim in self._not_begun.values()], self._clock.now()
        for start in range(0, len(claims), MAX_CLAIMED):
            await self._store.give_back(claims[start : start + MAX_CLAIMED], now, now)
        self._not_begun.clear()

    @property
    def is_busy(self) -> bool:
        """Return whether a delivery is claimed or on its way."""
        return bool(self._tasks)

    async def settled(self) -> None:
        """Wait until what has begun is settled."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    # -- for operators

    async def counts(self) -> list[OutboxCount]:
        return await self._store.outbox_counts()

    async def dead(self, bot: str, limit: int = MAX_LISTED) -> list[DeadLetter]:
        """Return the dead letters of a bot, the oldest first."""
        return [_letter(row) for row in await self._store.dead(bot, limit)]

    async def resend(self, bot: str, ids: Sequence[str] | None) -> int:
        """Put dead letters (None: all) back, with all attempts; return how many."""
        count = await self._store.resend(bot, ids, self._clock.now())
        self.wake()
        return count

    async def drop(self, bot: str, ids: Sequence[str] | None) -> int:
        """Delete dead letters (None: all); return how many."""
        return await self._store.drop(bot, ids)


def _letter(row: Outgoing) -> DeadLetter:
    return DeadLetter(
        id=row.id,
        channel=row.key.channel,
        user=row.key.user,
        receiver=row.receiver,
        created_at=iso(row.created_at),
        dead_at=iso(row.dead_at or 0),
        attempts=row.attempts,
        reason=row.reason or "",
    )
