"""Builds the whole service without its HTTP face from settings, by one function, so that one process can hold two."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from dialoom.auth.keys import KEY_FILE, NewKey, load_keys
from dialoom.auth.vault import Vault
from dialoom.data.egress import Egress
from dialoom.data.fetcher import Fetcher, HttpFetcher
from dialoom.errors import SettingError, StoreError
from dialoom.flow import Bot, folder_id
from dialoom.service.access.key_check import check_keys, note_keys, refuse_new_key
from dialoom.service.access.studio_sign_in import StudioSignIn
from dialoom.service.access.tokens import Token, Tokens
from dialoom.service.bots import dynamic_data as dynamic
from dialoom.service.bots.active_versions import ActiveVersions
from dialoom.service.bots.bots import Bots, Deployed, Ready, Unpublished, Withdrawn
from dialoom.service.bots.dynamic_data import DynamicData
from dialoom.service.bots.models import FOLDER as MODELS
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.service.bots.preflight import check_needs
from dialoom.service.bots.scheduled_jobs import ScheduledJobs, Work
from dialoom.service.chat.active_chats import ActiveChats
from dialoom.service.chat.attachments import MAX_FILE_BYTES, Attachments
from dialoom.service.chat.hub import Hub
from dialoom.service.chat.inbox import Inbox
from dialoom.service.chat.places import Places
from dialoom.service.chat.ratings import Ratings
from dialoom.service.chat.signed_links import SignedLinks
from dialoom.service.chat.turn_limit import TurnLimit
from dialoom.service.clock import Clock, IdSource, SystemClock
from dialoom.service.cluster.peer_watch import PeerWatch
from dialoom.service.edited_folders import EditedFolders
from dialoom.service.login import revoke
from dialoom.service.login.link_status import LinkStatuses
from dialoom.service.login.linked_accounts import LinkedAccounts
from dialoom.service.login.links import Links
from dialoom.service.login.log_out import OperatorLogOut
from dialoom.service.login.login_hook import LoginHook
from dialoom.service.login.proof import Proofs
from dialoom.service.login.provider_calls import MAX_BODY_BYTES
from dialoom.service.login.providers import Providers, SocialPlaces
from dialoom.service.login.revoke import Revocations
from dialoom.service.observe.instrumented import InstrumentedFetcher, InstrumentedRecogniser, observed_store
from dialoom.service.observe.metrics import Health, Metrics
from dialoom.service.observe.page_watch import PageWatch
from dialoom.service.observe.tracing import Tracing
from dialoom.service.outbox import channel_posts, hand_over, sign_outs
from dialoom.service.outbox.bot_channel import BotChannels
from dialoom.service.outbox.channel_posts import ChannelPosts, Sender
from dialoom.service.outbox.delivery import Receiver
from dialoom.service.outbox.hand_over import HandOvers
from dialoom.service.outbox.outbox import Outbox
from dialoom.service.outbox.sign_outs import SignOuts
from dialoom.service.outbox.signals import Signals
from dialoom.service.records import erasure, retention, upkeep
from dialoom.service.records.clock_guard import ClockGuard
from dialoom.service.records.erasure import Erasure, Scrubbing
from dialoom.service.records.retention import Retention, find_shortening
from dialoom.service.records.upkeep import Upkeep
from dialoom.service.records.user_export import UserExport
from dialoom.service.settings import Settings
from dialoom.service.studio_openid import StudioOpenId
from dialoom.service.turns.hand_off_list import HandOffList
from dialoom.service.turns.instrumented_turns import InstrumentedTurns
from dialoom.service.turns.pickers import Pickers
from dialoom.service.turns.remote_files import RemoteFiles
from dialoom.service.turns.runner import Runner
from dialoom.service.turns.timers import Timers
from dialoom.service.turns.traces import Traces
from dialoom.service.turns.turn import Turns
from dialoom.storage.store import Store
from dialoom.understanding import prepare

log = logging.getLogger(__name__)

DATABASE = "dialoom.sqlite"


class Service(msgspec.Struct, frozen=True):
    """Holds the parts that the HTTP face and the command line use."""

    settings: Settings
    store: Store
    vault: Vault
    bots: Bots
    edited_folders: EditedFolders
    tokens: Tokens
    runner: Runner
    hub: Hub
    clock: Clock
    timers: Timers
    fetcher: Fetcher
    dynamic: DynamicData
    addresses: SignedLinks
    pickers: Pickers
    places: Places
    ratings: Ratings
    attachments: Attachments
    metrics: Metrics
    tracing: Tracing
    outbox: Outbox
    bot_channels: BotChannels
    signals: Signals
    scheduled_jobs: ScheduledJobs
    clock_guard: ClockGuard
    peer_watch: PeerWatch
    page_watch: PageWatch | None
    """None where the database checks its pages itself."""
    studio: StudioSignIn
    studio_openid: StudioOpenId
    erasure: Erasure
    export: UserExport
    links: Links
    link_statuses: LinkStatuses
    proofs: Proofs
    providers: Providers
    log_outs: OperatorLogOut
    linked_accounts: LinkedAccounts
    turn_limit: TurnLimit
    traces: Traces
    hand_offs: HandOffList
    new_key: NewKey | None
    """Of a data folder that has none: it is written at the start, where nothing was sealed with another."""

    async def start(self, folders: Sequence[Path], *, publishes_edits: bool = False) -> list[Token]:
        """Open the store, publish the folders, take up what waits; return the tokens that were made.
        ``publishes_edits``: also folders that hold changes of the studio."""
        await self.store.open()
        if self.new_key is not None:
            await refuse_new_key(self.store, self.new_key.file)
            await asyncio.to_thread(self.new_key.save)
        await check_keys(self.store, self.tokens)
        await note_keys(self.store, self.tokens)
        # What is published is taken by every process of the store: all of them are looked at before the first is.
        for folder, ready in await self._looked_at(folders, publishes_edits=publishes_edits):
            try:
                await self._publish(folder, ready)
                await self.edited_folders.settle(ready.deployed.bot.id, folder)
            except Withdrawn as error:
                log.warning("%s is not published: %s", folder, error)
        await self.bots.load_active(self.check_published)
        made: list[Token] = []
        for deployed in self.bots.all():
            made += await self.tokens.prepare(deployed.bot.id)
        await self.dynamic.begin(deployed.bot.id for deployed in self.bots.all())
        self.turn_limit.start()
        await self.runner.start()
        return made

    async def _looked_at(self, folders: Sequence[Path], *, publishes_edits: bool) -> list[tuple[Path, Ready]]:
        """Return the folders that can be published, each with its checked version."""
        found: list[tuple[Path, Ready]] = []
        taken: dict[str, Path] = {}
        tokens: dict[bytes, str] = {}
        # By all ids it is told whose a variable is, of the first folder as well.
        ids = [await asyncio.to_thread(folder_id, folder) for folder in folders]
        self.bots.know([*await self.store.bots(), *(id for id in ids if id is not None)])
        for folder in folders:
            try:
                if not publishes_edits:
                    await self.edited_folders.check(folder)
                ready = await self.bots.ready(folder, lambda bot: check_needs(bot, self.bots, self.tokens, tokens))
            except (Withdrawn, Unpublished) as error:
                log.warning("%s is not published: %s", folder, error)
                bot = error.bot
            else:
                bot = ready.deployed.bot.id
                found.append((folder, ready))
                _tell_mistakes(folder, ready)
            if bot in taken:
                raise SettingError(f'{taken[bot]} and {folder} are both bots with the id "{bot}". Give one another id.')
            taken[bot] = folder
        self.bots.folders.update(taken)
        return found

    async def check(self, bot: Bot) -> Mapping[str, str]:
        """Check that this process can serve a bot; return the channels that it cannot, each with the reason. Raises
        ``SettingError`` with what is missing."""
        return await check_needs(bot, self.bots, self.tokens)

    async def check_published(self, bot: Bot) -> Mapping[str, str]:
        """Check a version that was published before: as ``check``, but warns of what a new one would be refused for."""
        return await check_needs(bot, self.bots, self.tokens, is_published=True)

    async def publish(self, folder: Path, *, publishes_edits: bool = False) -> Deployed:
        """Publish a folder that changed, with its channels and tokens. Raises ``FlowError`` with every finding,
        ``Withdrawn`` for a version that was rolled back, ``SettingError`` for one that lacks something here, and
        ``Unpublished`` for a folder that holds changes of the studio, unless it ``publishes_edits``."""
        ready = await self.bots.ready(folder, self.check)
        if not publishes_edits:
            # After the files were read: what the studio has written until then is noted.
            await self.edited_folders.check(folder)
        deployed = await self._publish(folder, ready)
        _tell_mistakes(folder, ready)
        await self.take_up(deployed.bot.id)
        await self.dynamic.begin([deployed.bot.id])
        return deployed

    async def _publish(self, folder: Path, ready: Ready) -> Deployed:
        bot = ready.deployed.bot
        shortening = await find_shortening(self.store, self.bots, self.clock, bot.id, bot.file.retention_days)
        deployed = await self.bots.publish_ready(ready)
        if shortening is not None:
            log.warning("%s: %s", folder, shortening)
        return deployed

    async def publish_files(self, files: Mapping[str, str], instead_of: str) -> Deployed:
        """Publish a version from the texts of its files in the place of the one that is active, with its channels and
        tokens. Raises ``FlowError`` with every finding, ``SettingError`` for one that lacks something here,
        ``RequestError`` 409 where another version is active by now."""
        ready = await self.bots.ready_files(files, self.check)
        deployed = await self.bots.publish_ready(ready, takes_back=True, instead_of=instead_of)
        await self.take_up(deployed.bot.id)
        await self.dynamic.begin([deployed.bot.id])
        return deployed

    async def take_up(self, bot: str) -> None:
        """Prepare what the active version needs besides itself: its tokens. Lists that it has none of yet are read by
        whoever published it, else by one process for all (``scheduled_jobs``). A folder that holds this version waits
        for nobody any more."""
        await self.tokens.prepare(bot)
        if bot in self.bots.folders:
            await self.edited_folders.settle(bot, self.bots.folders[bot])
        await self.warm_up()

    async def warm_up(self) -> None:
        """Load what understanding needs of the bots' languages, once a language: after a start beside the first
        requests, so that readiness does not wait for it."""
        for language in {deployed.bot.file.language for deployed in self.bots.all()}:
            await asyncio.to_thread(prepare, language)

    async def stop(self, seconds: float) -> None:
        """Stop all loops. Running turns get so many seconds."""
        await self.scheduled_jobs.stop()
        await self.dynamic.stop()
        await self.bots.stop()
        seconds = max(seconds, 0.5)
        await asyncio.gather(self.runner.stop(seconds), self.outbox.stop(seconds))
        self.turn_limit.stop()
        await self.traces.stop()
        await self.signals.stop()
        await self.places.close()
        await self.bot_channels.close()
        await self.providers.close()
        await self.fetcher.close()
        with contextlib.suppress(StoreError):
            await self.peer_watch.stop()
        await self.store.close()


def build_service(
    settings: Settings,
    senders: Mapping[str, Sender],
    *,
    store: Store | None = None,
    fetcher: Fetcher | None = None,
    clock: Clock | None = None,
    own_port: int | None = None,
    keeps_models: bool | None = None,
    tracing: Tracing | None = None,
) -> Service:
    """Make a service from settings and the channels by their types; the other parts can be replaced, as tests do.
    ``keeps_models``: whether trained models are stored in the data folder (by default where no store is given)."""
    keeps_models = store is None if keeps_models is None else keeps_models
    port = settings.port if own_port is None else own_port
    shared = _shared(settings, store, clock or SystemClock(), tracing or Tracing(), port, keeps_models=keeps_models)
    page_watch = _page_watch(settings, shared) if store is None else None
    store, vault, bots, clock, addresses = shared.store, shared.vault, shared.bots, shared.clock, shared.addresses
    outward = _outward(shared, fetcher, egress_of(settings, port))
    attachments = Attachments(store, vault, clock, addresses.base_url)
    bot_channels = BotChannels(bots, settings, clock, outward.deliveries, attachments, outward.platforms)
    outbox = _outbox(shared, outward, senders, bot_channels)
    traces = Traces(store, vault, clock)
    hand_offs = HandOffList(store, vault, bots, clock)
    hub, runner, log_outs, turn_limit = _turn_parts(shared, outward, outbox, senders, bot_channels, traces)
    guard = ClockGuard(store, clock)
    peer_watch = PeerWatch(store, vault, clock, settings)
    shared.metrics.read_health(
        Health(
            is_clock_doubted=lambda: guard.waits_until is not None,
            count_processes=lambda: peer_watch.count,
            count_unserved=lambda: len(bots.unserved),
            page_watch=page_watch,
        )
    )
    lists = DynamicData(store, bots, outward.sources, clock, settings.dynamic_data_every)
    tokens = Tokens(store, vault, bots, clock)
    return Service(
        settings=settings,
        store=store,
        vault=vault,
        bots=bots,
        edited_folders=EditedFolders(store, vault, clock, bots),
        tokens=tokens,
        runner=runner,
        hub=hub,
        clock=clock,
        timers=Timers(store, runner, clock),
        fetcher=outward.fetcher,
        dynamic=lists,
        addresses=addresses,
        pickers=Pickers(store, bots, vault, runner, clock, addresses),
        places=Places(settings, outward.fetcher, clock),
        ratings=Ratings(store, clock),
        attachments=attachments,
        outbox=outbox,
        bot_channels=bot_channels,
        signals=Signals(),
        scheduled_jobs=_scheduled_jobs(shared, attachments, lists, guard),
        clock_guard=guard,
        peer_watch=peer_watch,
        page_watch=page_watch,
        studio=StudioSignIn(store, vault, clock, addresses.base_url),
        studio_openid=StudioOpenId(store, vault, clock, outward.providers.open_id, settings, addresses.base_url),
        erasure=Erasure(store, runner, clock, traces, hand_offs),
        traces=traces,
        hand_offs=hand_offs,
        export=UserExport(store, bots, vault, attachments),
        links=Links(store, bots, vault, runner, clock, addresses, outward.providers, shared.metrics.logins),
        link_statuses=LinkStatuses(store, bots, vault, clock, addresses),
        proofs=Proofs(tokens, addresses, clock),
        providers=outward.providers,
        log_outs=log_outs,
        linked_accounts=LinkedAccounts(store, bots, vault, clock),
        turn_limit=turn_limit,
        new_key=shared.new_key,
        metrics=shared.metrics,
        tracing=shared.tracing,
    )


class _Shared(NamedTuple):
    """Holds what nearly every part needs."""

    settings: Settings
    store: Store
    vault: Vault
    new_key: NewKey | None
    bots: Bots
    clock: Clock
    addresses: SignedLinks
    metrics: Metrics
    tracing: Tracing


def _shared(
    settings: Settings, store: Store | None, clock: Clock, tracing: Tracing, port: int, *, keeps_models: bool
) -> _Shared:
    data, metrics = Path(settings.data), Metrics()
    store = observed_store(_own_store(settings) if store is None else store, metrics, tracing)
    new_key = NewKey(data) if settings.keys is None and not (data / KEY_FILE).exists() else None
    vault = Vault.from_keys(load_keys(data, settings.keys) if new_key is None else new_key.keys)
    bots = Bots(
        store,
        vault,
        clock,
        settings.variables(),
        data / MODELS if keeps_models else None,
        lambda recogniser: InstrumentedRecogniser(recogniser, metrics, tracing),
        metrics.training.note,
    )
    addresses = SignedLinks(settings.address(port), vault, clock)
    return _Shared(settings, store, vault, new_key, bots, clock, addresses, metrics, tracing)


class _Outward(NamedTuple):
    """Holds the parts that call other servers, each counted on its own."""

    fetcher: Fetcher
    sources: OutboundCalls
    """Of the flows' data."""
    platforms: Fetcher
    deliveries: OutboundCalls
    """Of the outbox."""
    providers: Providers
    """Of logins."""


def _outward(shared: _Shared, fetcher: Fetcher | None, guard: Egress) -> _Outward:
    settings, bots, metrics, tracing = shared.settings, shared.bots, shared.metrics, shared.tracing
    # Of its own, since less is read of an answer; the twin of one is that of the other.
    issuers = fetcher or HttpFetcher(guard, body_limit=MAX_BODY_BYTES)
    # Of its own too, since the files of users come by it.
    platforms = fetcher or HttpFetcher(guard, body_limit=MAX_FILE_BYTES)
    fetcher = fetcher or HttpFetcher(guard)
    to_sources = InstrumentedFetcher(fetcher, "data source", metrics.data_sources, metrics, tracing)
    to_receivers = InstrumentedFetcher(platforms, "delivery", metrics.deliveries, metrics, tracing)
    providers = Providers(
        InstrumentedFetcher(issuers, "login provider", metrics.providers, metrics, tracing),
        guard,
        bots.secret,
        shared.clock,
        shared.addresses.base_url,
        SocialPlaces(settings.socialnet_dialog_url, settings.socialnet_graph_url),
        metrics.revocations,
    )
    return _Outward(
        fetcher=fetcher,
        sources=OutboundCalls(to_sources, bots, settings.turn_calls_timeout),
        platforms=platforms,
        deliveries=OutboundCalls(to_receivers, bots, settings.turn_calls_timeout),
        providers=providers,
    )


class _TurnParts(NamedTuple):
    """Holds the parts that run the turns of chats, and that of a logout beside it."""

    hub: Hub
    runner: Runner
    log_outs: OperatorLogOut
    turn_limit: TurnLimit


def _turn_parts(
    shared: _Shared,
    outward: _Outward,
    outbox: Outbox,
    senders: Mapping[str, Sender],
    bot_channels: BotChannels,
    traces: Traces,
) -> _TurnParts:
    store, bots, vault, clock, metrics = shared.store, shared.bots, shared.vault, shared.clock, shared.metrics
    hub, limit, logins = Hub(), TurnLimit(), LoginHook(store, vault, bots, outward.providers, metrics.logins)
    ids = IdSource()
    turns = Turns(
        store=store,
        bots=bots,
        vault=vault,
        outbound_calls=outward.sources,
        hub=hub,
        clock=clock,
        senders=senders,
        bot_channels=bot_channels,
        addresses=shared.addresses,
        ids=ids,
        outbox=outbox,
        hook=logins,
        limit=limit,
        interrupted=metrics.interrupted,
        active_chats=ActiveChats(is_shared=store.is_shared),
        remote_files=RemoteFiles(bots, senders, bot_channels, clock),
        traces=traces,
    )
    observed = InstrumentedTurns(metrics, shared.tracing)
    runner = Runner(store, vault, turns, hub, clock, ids, observed, outbox.withdraw)
    metrics.read_chats(runner.counts, hub.count)
    return _TurnParts(hub, runner, OperatorLogOut(store, Inbox(store, vault), turns, clock), limit)


def _outbox(shared: _Shared, outward: _Outward, senders: Mapping[str, Sender], bot_channels: BotChannels) -> Outbox:
    receivers: dict[str, Receiver] = {
        channel_posts.KIND: ChannelPosts(shared.bots, shared.addresses, bot_channels, senders),
        hand_over.KIND: HandOvers(shared.store, shared.bots),
        revoke.KIND: Revocations(shared.bots, outward.providers),
        sign_outs.KIND: SignOuts(shared.bots, bot_channels, senders),
    }
    return Outbox(
        shared.store, shared.bots, shared.vault, outward.deliveries, shared.clock, receivers, shared.metrics.settled
    )


def _scheduled_jobs(shared: _Shared, attachments: Attachments, lists: DynamicData, guard: ClockGuard) -> ScheduledJobs:
    works: dict[str, Work] = {
        retention.NAME: Retention(shared.store, shared.bots, shared.clock, guard),
        upkeep.NAME: Upkeep(shared.store, attachments, shared.clock, guard),
        dynamic.NAME: lists,
        erasure.NAME: Scrubbing(shared.store, shared.clock),
    }
    return ScheduledJobs(shared.store, shared.bots, shared.clock, works)


def _page_watch(settings: Settings, shared: _Shared) -> PageWatch | None:
    if settings.database_url is not None:
        return None
    from dialoom.storage.sqlite.condition import PageCheck

    return PageWatch(PageCheck(Path(settings.data) / DATABASE), shared.store, shared.clock)


def _own_store(settings: Settings) -> Store:
    if settings.database_url is None or settings.keys is None:
        _make_folder(Path(settings.data))  # else there may be none: models are then made again at each start
    return build_store(settings)


def build_store(settings: Settings, *, is_beside: bool = False) -> Store:
    """Return the store that the settings name. ``is_beside``: for administration beside running services."""
    # Each is loaded when it is needed: their libraries take some megabytes.
    if settings.database_url is not None:
        from dialoom.storage.postgres.store import PostgresStore

        return PostgresStore(settings.database_url, settings.history_database_url, is_beside=is_beside)
    from dialoom.storage.sqlite.store import SqliteStore

    return SqliteStore(Path(settings.data) / DATABASE, is_beside=is_beside)


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SettingError(
            f"The data folder {data} cannot be made: {error.strerror}. Name another with --data."
        ) from error


def _tell_mistakes(folder: Path, ready: Ready) -> None:
    """Warn of mistakes that a bot can be loaded with: it runs, but not as its author means. Conversations that nothing
    starts take one line."""
    if ready.mistakes:
        found = "\n".join(ready.mistakes)
        log.warning("%s runs all the same:\n%s\nSee all findings with: dialoom check %s", folder, found, folder)
    if ready.unreachable:
        names = ", ".join(ready.unreachable)
        log.warning("%s: nothing starts %s. What to add says: dialoom check %s", folder, names, folder)


def egress_of(settings: Settings, port: int) -> Egress:
    """Return the guard of where flows may call; ``port`` is the one that the service listens on."""
    return Egress(
        allow_private=settings.allows_private,
        allowed_hosts=settings.listed(settings.egress_allow) | settings.platforms_here,
        own_addresses=_own_addresses(settings, port),
    )


def _own_addresses(settings: Settings, port: int) -> frozenset[tuple[str, int]]:
    """Return where this service itself answers, which no flow may reach."""
    own = {(settings.host, port)}
    if settings.base_url is not None:
        parts = urlsplit(settings.base_url)
        own.add((parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)))
    return frozenset(own)


def _log_end(loop: asyncio.Task[None]) -> None:
    if not loop.cancelled() and (error := loop.exception()) is not None:
        log.error("a background task of the service ended", exc_info=error)


@contextlib.asynccontextmanager
async def running(
    service: Service,
    folders: Sequence[Path],
    seconds_left: Callable[[], float] = lambda: 18.0,
    *,
    publishes_edits: bool = False,
) -> AsyncIterator[list[Token]]:
    """Start the service with its loops, and stop it in the end; ``seconds_left`` is called when it stops."""
    made = await service.start(folders, publishes_edits=publishes_edits)
    following = ActiveVersions(service.bots, service.clock, service.take_up, service.check_published)
    runs = [service.timers.run(), service.outbox.run(), service.scheduled_jobs.run(), following.run()]
    runs += [service.clock_guard.run(), service.peer_watch.run(), service.metrics.loop_lag.run(), service.warm_up()]
    if service.page_watch is not None:
        runs.append(service.page_watch.run())
    loops = [asyncio.create_task(run) for run in runs]
    for loop in loops:
        loop.add_done_callback(_log_end)
    try:
        yield made
    finally:
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)
        await service.stop(seconds_left())
