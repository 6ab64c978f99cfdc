"""What of a store the outbox needs: which deliveries are due, who has taken them, and what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.storage.rows import OutboxCount, Outgoing


class OutboxStore(Protocol):
    """The outbox is filled by ``commit``. Deliveries of a chat and receiver go in the order of their turns, then by id,
    whatever clocks say. A shared store goes by a clock of its own: of ``now`` and another time only the distance
    counts.

    ``delivered``, ``postpone``, ``bury`` and ``give_back`` change nothing when the claim is not the one that was given:
    somebody else has taken or settled it meanwhile.
    """

    async def take_outgoing(self, now: int, until: int, limit: int) -> list[Outgoing]:
        """Deliveries that are due, of each chat and receiver the first that waits. Each comes to one caller, and again
        at ``until`` unless it is settled before; on SQLite already with the next start. What it costs is up to what it
        gives, not to what waits."""

    async def delivered(self, delivery: Outgoing, now: int) -> None:
        """It has arrived: it goes, what it carries is carried, and the next is due."""

    async def postpone(self, delivery: Outgoing, now: int, due: int, reason: str) -> None:
        """An attempt failed; the next is at ``due``, and those behind it wait."""

    async def give_back(self, deliveries: Sequence[Outgoing], now: int, due: int) -> None:
        """They were taken and not begun: anybody may have them from ``due`` on."""

    async def bring_forward(self, now: int, ahead: int, limit: int) -> int:
        """Those that are due more than ``ahead`` milliseconds from now, which a clock that was put back has left there,
        are due now; up to a limit. Gives how many."""

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
        """Bots with deliveries that wait or are dead."""
