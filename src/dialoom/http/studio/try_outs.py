"""Serves the studio's try-outs and test runs. What a try-out is and does is in ``authoring.try_outs``."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from dialoom.authoring.drafts.access_changes import judge
from dialoom.authoring.drafts.bot_folder import changed
from dialoom.authoring.drafts.drafts import Drafts
from dialoom.authoring.run_tests import Played, TestRuns
from dialoom.authoring.scenarios import FOLDER, UserTurn
from dialoom.authoring.try_outs.kept import Calls, Mocks
from dialoom.authoring.try_outs.play_turn import masked_user
from dialoom.authoring.try_outs.tried_bots import TriedBots
from dialoom.authoring.try_outs.try_outs import DRAFT, Again, Begin, Change, Seen, TryOuts
from dialoom.authoring.update import updated
from dialoom.http.history.records import find_conversation
from dialoom.http.problems import not_found
from dialoom.http.server.exchange import Exchange
from dialoom.http.studio.findings import loadable
from dialoom.http.studio.settings import Nothing
from dialoom.service.access.studio_sign_in import Session
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.service.clock import iso
from dialoom.service.service import Service
from dialoom.storage.store import ChatKey

MAX_FILES_BYTES = 16 * 1024 * 1024
"""Of a request that brings texts of a bot's files."""


class Turn(UserTurn, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Accepts what the user does. ``revision``: of the try-out as the page shows it."""

    revision: str


class Rewind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    to: int
    revision: str


class Title(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    file: str | None = None


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Accepts texts over those of the draft, and the title of the scenario to run alone."""

    files: dict[str, str | None] = {}
    scenario: str | None = None


class TurnView(msgspec.Struct, frozen=True, rename="camel"):
    index: int
    at: str
    user: dict[str, Any]
    messages: list[dict[str, Any]]
    trace: list[dict[str, Any]]
    outside_calls: list[dict[str, Any]]


class WaitingView(msgspec.Struct, frozen=True):
    """Shows a turn that is not played yet. ``user``: empty where nobody knows what of it is a secret."""

    user: dict[str, Any]


class AsksView(msgspec.Struct, frozen=True):
    """Shows the write that a play has stopped at, masked. ``turn``: the first one that waits. ``call``: names the call
    in a decision about it. ``tried``: why nobody knows what came of it, where it was made before."""

    turn: int
    call: str
    method: str
    url: str
    body: str
    tried: str


class TryOutView(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    bot: str
    on: str
    revision: str
    channel: str
    calls: Calls
    mocks: Mocks
    now: str
    timezone: str
    language: str
    expires_at: str
    turns: list[TurnView]
    waiting: list[WaitingView]
    asks: AsksView | None
    memory: dict[str, Any]
    differs_at: int | None
    before: list[dict[str, Any]] | None


class ScenarioView(msgspec.Struct, frozen=True, rename="camel"):
    title: str
    is_passed: bool
    is_skipped: bool
    seconds: float
    lines: tuple[str, ...]
    steps: int
    """That were played."""


class SuiteView(msgspec.Struct, frozen=True):
    file: str
    name: str
    scenarios: list[ScenarioView]


class RunView(msgspec.Struct, frozen=True):
    suites: list[SuiteView]
    passed: int
    failed: int
    updated: dict[str, str]
    """Texts of the test files that failed, with what came in place of what was expected. They are not saved."""


class StudioTryOuts:
    def __init__(
        self,
        service: Service,
        drafts: Drafts,
        tried: TriedBots,
        runs: TestRuns,
        session: Callable[[Exchange], Awaitable[Session]],
    ) -> None:
        self._service = service
        self._drafts = drafts
        self._session = session
        self._tried = tried
        # Of its own: what a try-out calls is in no metric.
        calls = OutboundCalls(service.fetcher, service.bots, service.settings.turn_calls_timeout)
        self._try_outs = TryOuts(
            service.store,
            service.vault,
            service.clock,
            self._tried,
            calls,
            service.turn_limit,
            self._files_on,
        )
        self._runs = runs

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "studioBeginTryOut": self._begin,
            "studioTryOut": self._show,
            "studioDeleteTryOut": self._delete,
            "studioTryOutTurn": self._hear,
            "studioRewindTryOut": self._rewind,
            "studioChangeTryOut": self._change,
            "studioReplayTryOut": self._replay,
            "studioTestOfTryOut": self._test,
            "studioRunTests": self._run,
        }

    async def _begin(self, exchange: Exchange, bot: str) -> None:
        begin = exchange.decode(await exchange.body(MAX_FILES_BYTES), Begin)
        person = (await self._session(exchange)).person
        chat = await self._chat_of(bot, begin.conversation)
        begun = self._try_outs.begin(self._known(bot), begin, person, self._may_call(exchange, bot), chat)
        await self._answer(exchange, await loadable(begun), 201)

    async def _chat_of(self, bot: str, conversation: str | None) -> ChatKey | None:
        """Return the chat of a conversation. Raises ``RequestError`` 404."""
        if conversation is None:
            return None
        record = msgspec.json.decode(await find_conversation(self._service.store, bot, conversation))
        return ChatKey(bot, record["Channel"], record["User"])

    async def _show(self, exchange: Exchange, bot: str, id: str) -> None:
        await self._answer(exchange, await loadable(self._try_outs.find(self._known(bot), id)))

    async def _delete(self, exchange: Exchange, bot: str, id: str) -> None:
        await exchange.read(Nothing)
        await self._try_outs.delete(self._known(bot), id)
        await exchange.answer(204, b"")

    async def _hear(self, exchange: Exchange, bot: str, id: str) -> None:
        turn = await exchange.read(Turn)
        said = {name: getattr(turn, name) for name in UserTurn.__struct_fields__}
        user, may_call = UserTurn(**said), self._may_call(exchange, bot)
        heard = self._try_outs.hear(self._known(bot), id, user, turn.revision, may_call)
        await self._answer(exchange, await loadable(heard))

    async def _rewind(self, exchange: Exchange, bot: str, id: str) -> None:
        wish = await exchange.read(Rewind)
        rewound = self._try_outs.rewind(self._known(bot), id, wish.to, wish.revision)
        await self._answer(exchange, await loadable(rewound))

    async def _change(self, exchange: Exchange, bot: str, id: str) -> None:
        change = await exchange.read(Change)
        changed = self._try_outs.change(self._known(bot), id, change, self._may_call(exchange, bot))
        await self._answer(exchange, await loadable(changed))

    async def _replay(self, exchange: Exchange, bot: str, id: str) -> None:
        again = exchange.decode(await exchange.body(MAX_FILES_BYTES), Again)
        replayed = self._try_outs.replay(self._known(bot), id, again, self._may_call(exchange, bot))
        await self._answer(exchange, await loadable(replayed))

    async def _test(self, exchange: Exchange, bot: str, id: str) -> None:
        wish = await exchange.read(Title)
        written = await loadable(self._try_outs.as_test(self._known(bot), id, wish.title, wish.file))
        await exchange.answer(200, msgspec.json.encode(written._asdict()))

    async def _run(self, exchange: Exchange, bot: str) -> None:
        run = exchange.decode(await exchange.body(MAX_FILES_BYTES), Run)
        await exchange.answer(200, msgspec.json.encode(await loadable(self._ran(self._known(bot), run))))

    async def _ran(self, bot: str, run: Run) -> RunView:
        files = await self._files_on(bot, DRAFT, run.files)
        tried = await self._tried.of(bot, files, {})
        played = await self._runs.run(tried.deployed, files, run.scenario)
        all_outcomes = [outcome for _, outcomes in played for outcome in outcomes if outcome is not None]
        if all(outcome.is_passed for outcome in all_outcomes):
            return _run_view(played, {})
        to_the_end = await self._runs.run(tried.deployed, files, run.scenario, goes_on=True)
        return _run_view(played, await asyncio.to_thread(_corrected, files, to_the_end))

    # -- parts of the above

    def _may_call(self, exchange: Exchange, bot: str) -> Callable[[Mapping[str, str]], Awaitable[None]]:
        """Return what refuses the try-out of one who may not, whose files give more away than the active version.
        Whoever plays is asked for, when it is played: a role may have gone, and the try-out may be another person's."""

        async def check(files: Mapping[str, str]) -> None:
            session = await self._session(exchange)
            active = self._service.bots.active(bot)
            before = {} if active is None else await self._service.bots.files(bot, active.version) or {}
            await asyncio.to_thread(judge, before, files, session, "Choose mocked calls, or ask one to try it.")

        return check

    def _known(self, bot: str) -> str:
        return self._service.bots.known(bot).bot.id

    async def _files_on(self, bot: str, on: str, over: Mapping[str, str | None]) -> dict[str, str]:
        """Return the texts of the draft or a version, with other texts over them. Raises ``RequestError`` 404."""
        if on == DRAFT:
            return await self._drafts.files(bot, over)
        files = await self._service.bots.files(bot, on)
        if files is None:
            raise not_found(f'Bot "{bot}" has no version "{on[:80]}". Name one of its list of versions, or "draft".')
        return changed(files, over)

    async def _answer(self, exchange: Exchange, seen: Seen, status: int = 200) -> None:
        await exchange.answer(status, msgspec.json.encode(self._view(seen)))

    def _view(self, seen: Seen) -> TryOutView:
        found, kept, flow = seen.found, seen.found.kept, seen.tried.deployed.flow
        mask = seen.tried.deployed.masking
        return TryOutView(
            id=found.id,
            bot=flow.bot.id,
            on=kept.on,
            revision=str(found.revision),
            channel=kept.channel,
            calls=kept.calls,
            mocks=kept.mocks,
            now=iso(kept.now(self._service.clock.now())),
            timezone=flow.timezone,
            language=flow.language,
            expires_at=iso(found.expires_at),
            turns=[
                TurnView(
                    index,
                    iso(turn.at),
                    masked_user(turn.user, turn.messages, mask),
                    turn.messages,
                    turn.trace,
                    turn.outside,
                )
                for index, turn in enumerate(kept.turns)
            ],
            waiting=[WaitingView(turn.shown) for turn in kept.waiting],
            asks=None if kept.asks is None else AsksView(turn=len(kept.turns), **msgspec.structs.asdict(kept.asks)),
            memory=kept.turns[-1].memory if kept.turns else {"context": {}, "entities": {}},
            differs_at=kept.differs_at,
            before=kept.before,
        )


def _corrected(files: Mapping[str, str], played: Played) -> dict[str, str]:
    """Return the test files that differ, with what came in place of what was expected."""
    texts = {(name := f"{FOLDER}/{suite.file}"): updated(files[name], outcomes) for suite, outcomes in played}
    return {name: text for name, (text, count) in texts.items() if count}


def _run_view(played: Played, corrected: dict[str, str]) -> RunView:
    outcomes = [outcome for _, all_outcomes in played for outcome in all_outcomes if outcome is not None]
    return RunView(
        suites=[
            SuiteView(
                file=f"{FOLDER}/{suite.file}",
                name=suite.name,
                scenarios=[
                    ScenarioView(
                        title=scenario.title,
                        is_passed=outcome is not None and outcome.is_passed,
                        is_skipped=outcome is None,
                        seconds=0.0 if outcome is None else round(outcome.seconds, 4),
                        lines=() if outcome is None else outcome.lines,
                        steps=0 if outcome is None else len(outcome.steps),
                    )
                    for scenario, outcome in zip(suite.scenarios, outcomes_of, strict=True)
                ],
            )
            for suite, outcomes_of in played
        ],
        passed=sum(outcome.is_passed for outcome in outcomes),
        failed=sum(not outcome.is_passed for outcome in outcomes),
        updated=corrected,
    )
