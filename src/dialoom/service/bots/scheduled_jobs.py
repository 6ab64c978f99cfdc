"""Runs jobs of bots at their times: stored, so that one of all processes does each, also after a restart.

What is to be done, and when again, each work says itself. A job's name begins with the name of its work; what follows
says on what, as in ``dynamic-data City``.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping
from typing import Final, Protocol

from dialoom.errors import DialoomError, StoreError
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.clock import Clock
from dialoom.service.tasks import cancel_all
from dialoom.storage.store import ScheduledJob, Store

log = logging.getLogger(__name__)

LOOK_EVERY_SECONDS: Final = 2.0
"""Seconds between looks; also how soon a clock that jumped is noticed."""
CLAIM_MS: Final = 600_000
"""Milliseconds for which a job is left to who took it. No work takes longer; after a kill it is done again then."""
UNKNOWN_JOB_AGAIN_MS: Final = (2_000, 20_000)
"""Milliseconds after which a job of work that this process does not know is due again. Drawn between these, so that
of processes that look equally often not always the same one takes it."""
RETRY_AFTER_MS: Final = 60_000
"""Milliseconds after a failure."""
MAX_JOBS_AT_ONCE: Final = 20
CLOCK_JUMP_MS: Final = 60_000
"""Milliseconds: more than clocks are put right by in steps, so that what was planned may lie far ahead by mistake."""


class Work(Protocol):
    async def plan(self, deployed: Deployed) -> None:
        """Schedule the jobs of a version that is new to this process, by its start or by a publish."""

    async def do(self, bot: str, what: str) -> int | None:
        """Do the job; ``what`` is the rest of its name. Return its next time, None when there is none."""


class ScheduledJobs:
    """Runs jobs at their times. ``works``: who does them, by the word that their names begin with."""

    def __init__(self, store: Store, bots: Bots, clock: Clock, works: Mapping[str, Work]) -> None:
        self._store = store
        self._bots = bots
        self._clock = clock
        self._works = works
        self._planned: dict[str, str] = {}
        """By bot the version that its jobs were planned for by this process."""
        self._running: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._looked_at = 0

    async def run(self) -> None:
        """Run due jobs until cancelled."""
        while True:
            try:
                await self.look()
            except StoreError:
                pass  # ``store_outage`` has told the operator
            except Exception:
                # The outermost loop of the scheduled jobs: they go on.
                log.exception("fault in the scheduled jobs")
            await self._clock.sleep(LOOK_EVERY_SECONDS)

    async def look(self) -> None:
        """Plan what is new, and begin what is due. Nobody waits: a job that is slow holds up no other."""
        now = self._clock.now()
        if now < self._looked_at - CLOCK_JUMP_MS:
            self._planned.clear()
        self._looked_at = now
        await self._plan()
        room = MAX_JOBS_AT_ONCE - len(self._running)
        for job in await self._store.take_jobs(now, now + CLAIM_MS, room) if room > 0 else ():
            job_key = (job.bot, job.name)
            if job_key not in self._running:
                self._running[job_key] = asyncio.create_task(self._do(job))

    async def settled(self) -> None:
        """Wait until the running jobs are done."""
        while self._running:
            await asyncio.wait(self._running.values())

    async def stop(self) -> None:
        """Cancel the running jobs; each is done again when its claim ends."""
        await cancel_all(self._running.values())

    async def _plan(self) -> None:
        served = {deployed.bot.id: deployed for deployed in self._bots.all()}
        for bot, deployed in served.items():
            if self._planned.get(bot) != deployed.version:
                for work in self._works.values():
                    await work.plan(deployed)
                self._planned[bot] = deployed.version
        self._planned = {bot: version for bot, version in self._planned.items() if bot in served}

    async def _do(self, job: ScheduledJob) -> None:
        try:
            await self._work(job)
        finally:
            del self._running[job.bot, job.name]

    async def _work(self, job: ScheduledJob) -> None:
        name, _, what = job.name.partition(" ")
        work = self._works.get(name)
        if work is None or self._bots.active(job.bot) is None:
            # Of another release, or of a bot that only others serve: left to them.
            least, most = UNKNOWN_JOB_AGAIN_MS
            await self._finish(job, self._clock.now() + least + secrets.randbelow(most - least))
            return
        try:
            due = await work.do(job.bot, what)
        except DialoomError:
            log.exception('the job "%s" of bot %s is tried again', job.name, job.bot)
            due = self._clock.now() + RETRY_AFTER_MS
        except Exception:
            # The outermost loop of a job: it comes again after its claim.
            log.exception('fault in the job "%s" of bot %s', job.name, job.bot)
            return
        await self._finish(job, due)

    async def _finish(self, job: ScheduledJob, due: int | None) -> None:
        try:
            await self._store.finish_job(job.bot, job.name, due)
        except StoreError:
            log.exception('the job "%s" of bot %s is done again after its claim', job.name, job.bot)


async def bring_forward(store: Store, bot: str, name: str, due: int) -> None:
    """Schedule a job at this time, whatever its time was."""
    await store.plan(ScheduledJob(bot, name, due))
    await store.finish_job(bot, name, due)
