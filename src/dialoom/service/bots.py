"""The bots that this process serves: read from folders, published as versions, compiled once a version."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import OrderedDict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from dialoom.engine import Flow, compile_flow
from dialoom.engine.dynamic import filled
from dialoom.errors import FlowError, SettingError, VaultError
from dialoom.flow import files_of, read_files
from dialoom.flow.model import Bot, Channel, FromEnvironment, Question, Secret
from dialoom.service.lists import Listed, Lists
from dialoom.service.masking import Masking
from dialoom.service.models import Models
from dialoom.service.reserved import page_reserved
from dialoom.storage.store import Version
from dialoom.template import prepare

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from dialoom.auth.vault import Vault
    from dialoom.service.clock import Clock
    from dialoom.storage.store import Store
    from dialoom.understanding import Model

log = logging.getLogger(__name__)

BOT_VARIABLE = "BOT_"
MOST_PINNED = 32
"""Versions kept compiled besides the active ones, for the conversations that began with them."""
_EVERY_KIND = "ada@example.org, +49 30 5550100, 3rd March at 15:00, twenty"
_FORMATTERS = (b"$date", b"$currency", b"$number")
"""Helpers that need the locale data."""


class Deployed(msgspec.Struct, frozen=True):
    """One compiled version of a bot."""

    bot: Bot
    flow: Flow
    masking: Masking
    reserved: dict[str, str]
    """Names that context from a page may not set, each with its reason."""

    @property
    def version(self) -> str:
        return self.bot.version

    def channel(self, id: str) -> Channel | None:
        return next((channel for channel in self.bot.channels if channel.id == id), None)


def deploy(bot: Bot, model: Model | None = None) -> Deployed:
    """Compile a bot, with the model of its training if there is one. Raises ``FlowError`` for what the engine sees."""
    authentication = bot.flow.settings.authentication
    flow = compile_flow(bot, model)
    _warm_up(bot, flow)
    return Deployed(bot, flow, Masking(authentication.entity if authentication else None), page_reserved(bot))


def fill(deployed: Deployed, lists: Mapping[str, Listed]) -> Deployed:
    """With the values of these lists, and no others; 10,000 of them take 0.2 s."""
    dynamic = {type: msgspec.json.decode(one.elements) for type, one in lists.items()}
    return msgspec.structs.replace(deployed, flow=filled(deployed.flow, dynamic)) if dynamic else deployed


def _warm_up(bot: Bot, flow: Flow) -> None:
    """Load what libraries read from disk when first used, so that no turn does it inside the event loop."""
    steps = [step for conversation in bot.flow.conversations.values() for step in conversation.steps]
    types = {step.entity_type for step in steps if isinstance(step, Question)}
    flow.recogniser.recognise(_EVERY_KIND, types, datetime(2026, 1, 1, tzinfo=UTC))
    if any(helper in msgspec.json.encode(bot.flow) for helper in _FORMATTERS):
        prepare(bot.file.language, bot.flow.settings.timezone)


class Bots:
    """Active and pinned versions of all bots, compiled when first needed, with the values of their dynamic types.

    A version with other values is another ``Deployed``: a turn ends with the one that it began with.
    """

    def __init__(
        self,
        store: Store,
        vault: Vault,
        clock: Clock,
        variables: Iterable[str] = (),
        models: Path | None = None,
    ) -> None:
        """``models``: the folder where trained models are kept."""
        self._store = store
        self._vault = vault
        self._clock = clock
        self._variables = frozenset(variables)
        self._models = Models(models, vault)
        self._active: dict[str, Deployed] = {}
        self._pinned: OrderedDict[tuple[str, str], Deployed] = OrderedDict()
        self.lists = Lists(store, vault)
        self._changing = asyncio.Lock()
        """Held while versions are filled and put in place, so that none misses a list that comes meanwhile."""

    async def stop(self) -> None:
        """End what is being compiled."""
        await self._models.stop()

    async def publish(self, folder: Path) -> Deployed:
        """Read a folder and make it the active version of its bot. Raises ``FlowError`` with every finding."""
        files = await asyncio.to_thread(files_of, folder)
        return await self.publish_files(files)

    async def publish_files(self, files: Mapping[str, str]) -> Deployed:
        deployed = await self._deployed(files)
        bot = deployed.bot
        async with self._changing:
            deployed = await self._with_lists(deployed)
            other = self._active.get(bot.id)
            if other is None or other.version != bot.version:
                # Sealed, since an author may have written a secret into them (flow-language.md section 1).
                sealed = self._vault.seal(msgspec.json.encode(files), _row_name(bot.id, bot.version))
                await self._store.publish(Version(bot.id, bot.version, sealed, self._clock.now()))
            if other is not None:
                self._remember(other)
            self._active[bot.id] = deployed
        return deployed

    async def refill(self, bot: str) -> None:
        """Take the kept lists into every version of a bot that is held here; turns that run keep what they began on."""
        async with self._changing:
            lists = await self.lists.of(bot)
            if (active := self._active.get(bot)) is not None:
                self._active[bot] = await asyncio.to_thread(fill, active, self.lists.fitting(active.bot, lists))
            for key in [key for key in self._pinned if key[0] == bot]:
                fitting = self.lists.fitting(self._pinned[key].bot, lists)
                filled = await asyncio.to_thread(fill, self._pinned[key], fitting)
                if key in self._pinned:
                    self._pinned[key] = filled

    async def _with_lists(self, deployed: Deployed) -> Deployed:
        if not deployed.flow.dynamic:
            return deployed
        lists = await self.lists.of(deployed.bot.id)
        return await asyncio.to_thread(fill, deployed, self.lists.fitting(deployed.bot, lists))

    async def load_active(self) -> None:
        """Serve every bot of the database that no folder gave."""
        for bot in await self._store.bots():
            if bot in self._active or (version := await self._store.active(bot)) is None:
                continue
            try:
                compiled = await self._compile(version)
                async with self._changing:
                    self._active[bot] = await self._with_lists(compiled)
            except (FlowError, VaultError):
                log.exception("bot %s is not served: its stored version cannot be used. Publish its folder again", bot)

    def active(self, bot: str) -> Deployed | None:
        return self._active.get(bot)

    def all(self) -> list[Deployed]:
        return list(self._active.values())

    async def pinned(self, bot: str, version: str) -> Deployed | None:
        """The version that a running conversation began with; None when it is not to be had any more."""
        known = self._pinned.get((bot, version))
        if known is not None:
            self._pinned.move_to_end((bot, version))
            return known
        stored = await self._store.version(bot, version)
        if stored is None:
            return None
        try:
            compiled = await self._compile(stored)
        except FlowError:
            # Written by another release whose language differed: the conversation goes on with the active version.
            return None
        async with self._changing:
            compiled = await self._with_lists(compiled)
            self._remember(compiled)
        return compiled

    def _remember(self, deployed: Deployed) -> None:
        self._pinned[deployed.bot.id, deployed.version] = deployed
        if len(self._pinned) > MOST_PINNED:
            self._pinned.popitem(last=False)

    async def _compile(self, version: Version) -> Deployed:
        plain = self._vault.open(version.files, _row_name(version.bot, version.version))
        files = msgspec.json.decode(plain, type=dict[str, str])
        return await self._deployed(files)

    async def _deployed(self, files: Mapping[str, str]) -> Deployed:
        bot = await asyncio.to_thread(lambda: read_files(files, variables=self._variables))
        model = await self._models.of(bot)
        return await asyncio.to_thread(deploy, bot, model)

    def secret(self, secret: Secret) -> str:
        """A secret in clear. Raises ``SettingError`` naming the variable that is missing or may not be named."""
        if not isinstance(secret, FromEnvironment):
            return secret
        return self.variable(secret.env)

    def variable(self, name: str) -> str:
        if not name.startswith(BOT_VARIABLE) and name not in self._variables:
            raise SettingError(
                f'A bot may not name the environment variable "{name}": only those that begin with {BOT_VARIABLE} or '
                f"are listed in the setting bot_env."
            )
        value = os.environ.get(name)
        if value is None:
            raise SettingError(f'The environment variable "{name}", which a bot names, is not set. Set it and retry.')
        return value


def _row_name(bot: str, version: str) -> str:
    return f"version\0{bot}\0{version}"
