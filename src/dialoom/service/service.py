"""The whole service without its HTTP face, built from settings by one function, so that two can live in one process."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from dialoom.auth.vault import Vault, load_keys
from dialoom.data.egress import Egress
from dialoom.data.fetcher import HttpFetcher
from dialoom.errors import SettingError
from dialoom.service.addresses import Addresses
from dialoom.service.bots import Bots
from dialoom.service.clock import Clock, SystemClock
from dialoom.service.dynamic import Dynamic
from dialoom.service.files import Files
from dialoom.service.hub import Hub
from dialoom.service.models import FOLDER as MODELS
from dialoom.service.outside import Outside
from dialoom.service.pickers import Pickers
from dialoom.service.runner import Runner
from dialoom.service.timers import Timers
from dialoom.service.tokens import Token, Tokens
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from dialoom.data.fetcher import Fetcher
    from dialoom.service.bots import Deployed
    from dialoom.service.runner import AnswerForm
    from dialoom.service.settings import Settings

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

    async def start(self, folders: Sequence[Path]) -> list[Token]:
        """Open the store, publish the folders, take up what waits; gives the tokens that were made now."""
        await self.store.open()
        await self._check_key()
        taken: dict[str, Path] = {}
        for folder in folders:
            bot = (await self.bots.publish(folder)).bot.id
            if bot in taken:
                raise SettingError(f'{taken[bot]} and {folder} are both bots with the id "{bot}". Give one another id.')
            taken[bot] = folder
        await self.bots.load_active()
        made: list[Token] = []
        for deployed in self.bots.all():
            made += await self.tokens.prepare(deployed.bot.id)
        await self.dynamic.begin(deployed.bot.id for deployed in self.bots.all())
        await self.runner.start()
        return made

    async def _check_key(self) -> None:
        """A data folder whose key was lost must not start as if it were new. Raises ``VaultError``."""
        for bot in await self.store.bots():
            for row in await self.store.tokens(bot):
                if row.sealed is not None:
                    self.tokens.reveal(row)

    async def publish(self, folder: Path) -> Deployed:
        """A folder that changed: its version with its channels and tokens. Raises ``FlowError`` with every finding."""
        deployed = await self.bots.publish(folder)
        await self.tokens.prepare(deployed.bot.id)
        await self.dynamic.begin([deployed.bot.id])
        return deployed

    async def stop(self, seconds: float) -> None:
        """Running turns get so many seconds."""
        await self.dynamic.stop()
        await self.bots.stop()
        await self.runner.stop(max(seconds, 0.5))
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
) -> Service:
    """``forms`` come from the channels; the other parts can be replaced by their memory twins."""
    clock = clock or SystemClock()
    data = Path(settings.data)
    models = data / MODELS if store is None else None
    if store is None:
        try:
            data.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise SettingError(
                f"The data folder {data} cannot be made: {error.strerror}. Name another with --data."
            ) from error
        store = SqliteStore(data / DATABASE)
    vault = Vault.from_keys(load_keys(data, settings.keys))
    port = settings.port if own_port is None else own_port
    egress = Egress(
        allow_private=settings.allows_private,
        allowed_hosts=settings.listed(settings.egress_allow),
        own_addresses=_own_addresses(settings, port),
    )
    fetcher = fetcher or HttpFetcher(egress)
    bots = Bots(store, vault, clock, settings.listed(settings.bot_env), models)
    hub = Hub()
    addresses = Addresses(settings.address(port), vault, clock)
    outside = Outside(fetcher, bots, settings.turn_calls_timeout)
    runner = Runner(store, bots, vault, outside, hub, clock, forms, addresses)
    return Service(
        settings=settings,
        store=store,
        bots=bots,
        tokens=Tokens(store, vault, bots, clock),
        runner=runner,
        hub=hub,
        clock=clock,
        timers=Timers(store, runner, clock),
        fetcher=fetcher,
        dynamic=Dynamic(bots, outside, clock, settings.dynamic_data_every),
        addresses=addresses,
        pickers=Pickers(store, bots, vault, runner, clock, addresses),
        files=Files(store, vault, clock, addresses.base_url),
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
    """The service with its timers, started and stopped; ``seconds_left`` is asked when it stops."""
    made = await service.start(folders)
    loops = [asyncio.create_task(loop) for loop in (service.timers.run(), service.dynamic.run(), service.files.run())]
    try:
        yield made
    finally:
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)
        await service.stop(seconds_left())
