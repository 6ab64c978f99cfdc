"""Serves the studio's room Understand: a sentence tried, the training's report, missed sentences, and what a change
would do. How each is found is in ``authoring.understanding``; types and their expressions are in the draft.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from dialoom.authoring.drafts.drafts import Drafts
from dialoom.authoring.run_tests import TestRuns
from dialoom.authoring.try_outs.tried_bots import Tried, TriedBots
from dialoom.authoring.understanding.candidates import readings
from dialoom.authoring.understanding.effect import Effect, turned_sentences, turned_tests
from dialoom.authoring.understanding.missed import Group, Missed, grouped, missed_since
from dialoom.channels._contract import limits
from dialoom.http.server.cancel_on_disconnect import cancel_on_disconnect
from dialoom.http.server.exchange import Exchange
from dialoom.http.studio.findings import loadable
from dialoom.http.studio.insights import DAY_MS, DEFAULT_DAYS, moment_given
from dialoom.http.studio.try_outs import MAX_FILES_BYTES
from dialoom.service.clock import iso
from dialoom.service.service import Service
from dialoom.understanding.intents.report import GOOD, Advice, Report, ValueReport, to_extend, understood


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Accepts unsaved texts over those of the draft. None takes a file away."""

    files: dict[str, str | None] = {}


class Sentence(Texts, frozen=True, forbid_unknown_fields=True):
    text: str = ""


class Change(Texts, frozen=True, forbid_unknown_fields=True):
    """Accepts a change of the draft. ``since``: of the missed sentences; the last 30 days without it."""

    since: str = msgspec.field(default="", name="from")


class GroupReport(msgspec.Struct, frozen=True, rename="camel"):
    """Shows types that compete. ``understood``: the part of expressions left out that is; None: none could be tried."""

    types: tuple[str, ...]
    understood: float | None
    is_good: bool
    extend: tuple[str, ...]
    """Values that more expressions would help most."""
    values: list[dict[str, object]]


class ReportView(msgspec.Struct, frozen=True):
    good: float
    groups: tuple[GroupReport, ...]
    advice: tuple[Advice, ...]


class MissedView(msgspec.Struct, frozen=True, rename="camel"):
    since: str
    messages: int
    is_cut: bool
    groups: tuple[Group, ...]


class StudioUnderstanding:
    def __init__(self, service: Service, drafts: Drafts, tried: TriedBots, runs: TestRuns) -> None:
        self._service = service
        self._drafts = drafts
        self._tried = tried
        self._runs = runs

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "studioTrySentence": self.try_sentence,
            "studioTrainingReport": self.report,
            "studioMissed": self.missed,
            "studioUnderstandingEffect": self.effect,
        }

    async def try_sentence(self, exchange: Exchange, bot: str) -> None:
        """Answer with all that a text may mean to the draft."""
        wish = exchange.decode(await exchange.body(MAX_FILES_BYTES), Sentence)
        limits.check_text(wish.text, "/text")
        files = await self._drafts.files(bot, wish.files)
        deployed = (await cancel_on_disconnect(exchange, self._of(bot, files))).deployed
        now = self._service.clock.now()
        found = await asyncio.to_thread(lambda: readings(deployed.bot, deployed.flow, wish.text, now))
        await exchange.answer(200, msgspec.json.encode(found))

    async def report(self, exchange: Exchange, bot: str) -> None:
        """Answer with what ``dialoom train`` reports of the draft."""
        wish = exchange.decode(await exchange.body(MAX_FILES_BYTES), Texts)
        files = await self._drafts.files(bot, wish.files)
        found = await cancel_on_disconnect(exchange, loadable(self._tried.report(bot, files)))
        await exchange.answer(200, msgspec.json.encode(_report_view(found)))

    async def missed(self, exchange: Exchange, bot: str) -> None:
        """Answer with the sentences that were not understood, as the draft stands to them."""
        since = self._since(exchange.query("from").get("from", ""))
        view = await cancel_on_disconnect(exchange, self._missed_view(bot, since))
        await exchange.answer(200, msgspec.json.encode(view))

    async def effect(self, exchange: Exchange, bot: str) -> None:
        """Answer with what the change would do to the tests and to the missed sentences."""
        wish = exchange.decode(await exchange.body(MAX_FILES_BYTES), Change)
        since = self._since(wish.since)
        found = await cancel_on_disconnect(exchange, self._effect(bot, wish, since))
        await exchange.answer(200, msgspec.json.encode(found))

    # -- parts of the above

    async def _effect(self, bot: str, wish: Change, since: str) -> Effect:
        old_files, new_files = await self._drafts.files(bot, {}), await self._drafts.files(bot, wish.files)
        before, after = await self._of(bot, old_files), await self._of(bot, new_files)
        missed = await self._missed(bot, since)
        played = await loadable(self._runs.run(before.deployed, old_files))
        played_after = await loadable(self._runs.run(after.deployed, new_files))
        old, new, now = before.deployed, after.deployed, self._service.clock.now()
        sentences = await asyncio.to_thread(
            lambda: turned_sentences((old.bot, old.flow), (new.bot, new.flow), missed.sentences, now)
        )
        return Effect(*turned_tests(played, played_after), sentences)

    async def _missed_view(self, bot: str, since: str) -> MissedView:
        deployed = (await self._of(bot, await self._drafts.files(bot, {}))).deployed
        found, now = await self._missed(bot, since), self._service.clock.now()
        groups = await asyncio.to_thread(lambda: grouped(deployed.bot, deployed.flow, found.sentences, now))
        return MissedView(since, found.messages, found.is_cut, groups)

    async def _missed(self, bot: str, since: str) -> Missed:
        return await missed_since(self._service.store, bot, since)

    async def _of(self, bot: str, files: dict[str, str]) -> Tried:
        return await loadable(self._tried.of(bot, files, {}))

    def _since(self, given: str) -> str:
        return moment_given("from", given) or iso(self._service.clock.now() - DEFAULT_DAYS * DAY_MS)


def _report_view(found: Report) -> ReportView:
    return ReportView(GOOD, tuple(_group(values) for values in found.groups), found.advice)


def _group(values: tuple[ValueReport, ...]) -> GroupReport:
    share = understood(values)
    return GroupReport(
        types=tuple(dict.fromkeys(value.type for value in values)),
        understood=share,
        is_good=share is not None and share >= GOOD,
        extend=() if share is not None and share >= GOOD else tuple(value.value for value in to_extend(values)),
        values=[
            {
                "type": value.type,
                "value": value.value,
                "expressions": value.expressions,
                "tried": value.tried,
                "right": value.right,
                "understood": value.understood,
                "confused": value.confused,
            }
            for value in values
        ],
    )
