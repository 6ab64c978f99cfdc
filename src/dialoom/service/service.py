"""The whole service without its HTTP face, built from settings by one function, so that two can live in one process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from dialoom.auth.vault import Vault, load_keys
from dialoom.data.egress import Egress
from dialoom.data.fetcher import HttpFetcher
from dialoom.errors import SettingError
from dialoom.service import callback, dynamic, erasure, hand_over, retention, upkeep
from dialoom.service.addresses import Addresses
from dialoom.service.bots import Bots, Withdrawn
from dialoom.service.callback import Callback
from dialoom.service.chores import Chores
from dialoom.service.clock import Clock, SystemClock
from dialoom.service.dynamic import Dynamic
from dialoom.service.erasure import Erasure, Scrubbing
from dialoom.service.export import Export
from dialoom.service.files import Files
from dialoom.service.following import Following
from dialoom.service.hand_over import HandOvers
from dialoom.service.hub import Hub
from dialoom.service.ids import IdSource
from dialoom.service.inbox import Inbox
from dialoom.service.keycheck import check_keys, note_keys
from dialoom.service.login import revocation
from dialoom.service.login.calls import BODY_LIMIT
from dialoom.service.login.in_turn import InTurn
from dialoom.service.login.links import Links
from dialoom.service.login.log_outs import LogOuts
from dialoom.service.login.proof import Proofs
from dialoom.service.login.providers import Providers, SocialPlaces
from dialoom.service.login.revocation import Revocations
from dialoom.service.metrics import Metrics
from dialoom.service.models import FOLDER as MODELS
from dialoom.service.needs import check_needs
from dialoom.service.observed import ObservedFetcher, ObservedRecogniser, observed_store
from dialoom.service.observed_turns import ObservedTurns
from dialoom.service.outbox import Outbox
from dialoom.service.outside import Outside
from dialoom.service.pickers import Pickers
from dialoom.service.retention import Retention
from dialoom.service.runner import Runner
from dialoom.service.studio import Studio
from dialoom.service.timers import Timers
from dialoom.service.tokens import Token, Tokens
from dialoom.service.tracing import Tracing
from dialoom.service.turns import Turns
from dialoom.service.upkeep import Upkeep
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from dialoom.data.fetcher import Fetcher
    from dialoom.flow import Bot
    from dialoom.service.bots import Deployed, Ready
    from dialoom.service.chores import Work
    from dialoom.service.delivery import Receiver
    from dialoom.service.settings import Settings
    from dialoom.service.turns import AnswerForm

log = logging.getLogger(__name__)

DATABASE = "dialoom.sqlite"


class Service(msgspec.Struct, frozen=True):
    """The parts that the HTTP face and the command line use."""

    settings: Settings
    store: Store
    bots: Bots
    tokens: Tokens
    runner: Runner
    hub: Hub
    clock: Clock
    timers: Timers
    fetcher: Fetcher
    dynamic: Dynamic
    addresses: Addresses
    pickers: Pickers
    files: Files
    metrics: Metrics
    tracing: Tracing
    outbox: Outbox
    chores: Chores
    studio: Studio
    erasure: Erasure
    export: Export
    links: Links
    proofs: Proofs
    providers: Providers
    log_outs: LogOuts

    async def start(self, folders: Sequence[Path]) -> list[Token]:
        """Open the store, publish the folders, take up what waits; gives the tokens that were made now."""
        await self.store.open()
        await check_keys(self.store, self.tokens)
        await note_keys(self.store, self.tokens)
        # What is published is taken by every process of the store: all of them are looked at before the first is.
        for folder, ready in await self._looked_at(folders):
            try:
                await self.bots.publish_ready(ready)
            except Withdrawn as error:
                log.warning("%s is not published: %s", folder, error)
        await self.bots.load_active(self.check)
        made: list[Token] = []
        for deployed in self.bots.all():
            made += await self.tokens.prepare(deployed.bot.id)
        await self.dynamic.begin(deployed.bot.id for deployed in self.bots.all())
        await self.runner.start()
        return made

    async def _looked_at(self, folders: Sequence[Path]) -> list[tuple[Path, Ready]]:
        """Those that can be published, ready for it."""
        found: list[tuple[Path, Ready]] = []
        taken: dict[str, Path] = {}
        tokens: dict[bytes, str] = {}
        for folder in folders:
            try:
                ready = await self.bots.ready(folder, lambda bot: check_needs(bot, self.bots, self.tokens, tokens))
            except Withdrawn as error:
                log.warning("%s is not published: %s", folder, error)
                bot = error.bot
            else:
                bot = ready.deployed.bot.id
                found.append((folder, ready))
            if bot in taken:
                raise SettingError(f'{taken[bot]} and {folder} are both bots with the id "{bot}". Give one another id.')
            taken[bot] = folder
        return found

    async def check(self, bot: Bot) -> None:
        """Whether this process can serve it. Raises ``SettingError`` with what is missing."""
        await check_needs(bot, self.bots, self.tokens)

    async def publish(self, folder: Path) -> Deployed:
        """A folder that changed: its version with its channels and tokens. Raises ``FlowError`` with every finding,
        ``Withdrawn`` for a version that was rolled back from, ``SettingError`` for one that lacks something here."""
        deployed = await self.bots.publish_ready(await self.bots.ready(folder, self.check))
        await self.take_up(deployed.bot.id)
        await self.dynamic.begin([deployed.bot.id])
        return deployed

    async def take_up(self, bot: str) -> None:
        """What the version that is active now needs beside itself: its tokens. Lists that it has none of yet are read
        by whoever published it, else by one process for all (``chores``)."""
        await self.tokens.prepare(bot)

    async def stop(self, seconds: float) -> None:
        """Running turns get so many seconds."""
        await self.chores.stop()
        await self.dynamic.stop()
        await self.bots.stop()
        seconds = max(seconds, 0.5)
        await asyncio.gather(self.runner.stop(seconds), self.outbox.stop(seconds))
        await self.providers.close()
        await self.fetcher.close()
        await self.store.close()


def build_service(
    settings: Settings,
    forms: Mapping[str, AnswerForm],
    *,
    store: Store | None = None,
    fetcher: Fetcher | None = None,
    clock: Clock | None = None,
    own_port: int | None = None,
    keeps_models: bool | None = None,
    tracing: Tracing | None = None,
) -> Service:
    """``forms`` come from the channels; the other parts can be replaced by their memory twins. ``keeps_models``:
    whether trained models are kept in the data folder (by default where no store is given)."""
    clock = clock or SystemClock()
    data = Path(settings.data)
    models = data / MODELS if (store is None if keeps_models is None else keeps_models) else None
    if store is None:
        if settings.database_url is None or settings.keys is None:
            _make_folder(data)  # else there may be none: models are then made again at each start
        store = build_store(settings)
    metrics, tracing = Metrics(), tracing or Tracing()
    store = observed_store(store, metrics, tracing)
    vault = Vault.from_keys(load_keys(data, settings.keys))
    port = settings.port if own_port is None else own_port
    guard = egress_of(settings, port)
    # Of its own, since less is read of an answer; the twin of one is that of the other.
    issuers = fetcher or HttpFetcher(guard, body_limit=BODY_LIMIT)
    fetcher = fetcher or HttpFetcher(guard)
    bots = Bots(
        store,
        vault,
        clock,
        settings.listed(settings.bot_env),
        models,
        lambda recogniser: ObservedRecogniser(recogniser, metrics, tracing),
    )
    hub = Hub()
    addresses = Addresses(settings.address(port), vault, clock)
    calls = ObservedFetcher(fetcher, "data source", metrics.data_sources, metrics, tracing)
    posts = ObservedFetcher(fetcher, "delivery", metrics.deliveries, metrics, tracing)
    outside = Outside(calls, bots, settings.turn_calls_timeout)
    providers = Providers(
        ObservedFetcher(issuers, "login provider", metrics.providers, metrics, tracing),
        guard,
        bots.secret,
        clock,
        addresses.base_url,
        SocialPlaces(settings.socialnet_dialog_url, settings.socialnet_graph_url),
    )
    files = Files(store, vault, clock, addresses.base_url)
    lists = Dynamic(store, bots, outside, clock, settings.dynamic_data_every)
    receivers: dict[str, Receiver] = {
        callback.KIND: Callback(bots, addresses, clock, forms),
        hand_over.KIND: HandOvers(store, bots),
        revocation.KIND: Revocations(bots, providers),
    }
    outbox = Outbox(store, bots, vault, Outside(posts, bots, settings.turn_calls_timeout), clock, receivers)
    works: dict[str, Work] = {
        retention.NAME: Retention(store, bots, clock),
        upkeep.NAME: Upkeep(store, files, clock),
        dynamic.NAME: lists,
        erasure.NAME: Scrubbing(store, clock),
    }
    observed = ObservedTurns(metrics, tracing)
    logins = InTurn(store, vault, bots, providers, metrics.logins)
    runner = Runner(store, bots, vault, outside, hub, clock, forms, addresses, outbox, logins, observed)
    beside = Turns(store, bots, vault, outside, hub, clock, forms, addresses, IdSource(), outbox, logins)
    metrics.look_into(runner, hub)
    tokens = Tokens(store, vault, bots, clock)
    return Service(
        settings=settings,
        store=store,
        bots=bots,
        tokens=tokens,
        runner=runner,
        hub=hub,
        clock=clock,
        timers=Timers(store, runner, clock),
        fetcher=fetcher,
        dynamic=lists,
        addresses=addresses,
        pickers=Pickers(store, bots, vault, runner, clock, addresses),
        files=files,
        outbox=outbox,
        chores=Chores(store, bots, clock, works),
        studio=Studio(store, vault, clock, addresses.base_url),
        erasure=Erasure(store, runner, clock),
        export=Export(store, bots, vault, files),
        links=Links(store, bots, vault, runner, clock, addresses, metrics.logins),
        proofs=Proofs(tokens, addresses, clock),
        providers=providers,
        log_outs=LogOuts(store, Inbox(store, vault), beside, clock),
        metrics=metrics,
        tracing=tracing,
    )


def build_store(settings: Settings, *, is_beside: bool = False) -> Store:
    """The store that the settings name. ``is_beside``: for administration beside services that may be running."""
    if settings.database_url is not None:
        # Loaded when it is needed: a start on SQLite has no use for it.
        from dialoom.storage.postgres.store import PostgresStore

        return PostgresStore(settings.database_url, settings.history_database_url, is_beside=is_beside)
    return SqliteStore(Path(settings.data) / DATABASE, is_beside=is_beside)


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SettingError(
            f"The data folder {data} cannot be made: {error.strerror}. Name another with --data."
        ) from error


def egress_of(settings: Settings, port: int) -> Egress:
    """Where flows may go; ``port`` is the one that the service listens on."""
    return Egress(
        allow_private=settings.allows_private,
        allowed_hosts=settings.listed(settings.egress_allow),
        own_addresses=_own_addresses(settings, port),
    )


def _own_addresses(settings: Settings, port: int) -> frozenset[tuple[str, int]]:
    """Where this service itself answers, which no flow may reach."""
    own = {(settings.host, port)}
    if settings.base_url is not None:
        parts = urlsplit(settings.base_url)
        own.add((parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)))
    return frozenset(own)


@contextlib.asynccontextmanager
async def running(
    service: Service, folders: Sequence[Path], seconds_left: Callable[[], float] = lambda: 18.0
) -> AsyncIterator[list[Token]]:
    """The service with its loops, started and stopped; ``seconds_left`` is asked when it stops."""
    made = await service.start(folders)
    following = Following(service.bots, service.clock, service.take_up, service.check)
    runs = (service.timers.run(), service.outbox.run(), service.chores.run(), following.run())
    loops = [asyncio.create_task(run) for run in runs]
    try:
        yield made
    finally:
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)
        await service.stop(seconds_left())
