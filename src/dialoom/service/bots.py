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
from dialoom.errors import FlowError, SettingError, VaultError
from dialoom.flow import files_of, read_files
from dialoom.flow.model import Bot, Channel, FromEnvironment, Question, Secret
from dialoom.service.masking import Masking
from dialoom.service.reserved import page_reserved
from dialoom.storage.store import Version
from dialoom.template import prepare

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from dialoom.auth.vault import Vault
    from dialoom.service.clock import Clock
    from dialoom.storage.store import Store

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


def deploy(bot: Bot) -> Deployed:
    """Compile a bot. Raises ``FlowError`` where only the engine can see a mistake."""
    authentication = bot.flow.settings.authentication
    flow = compile_flow(bot)
    _warm_up(bot, flow)
    return Deployed(bot, flow, Masking(authentication.entity if authentication else None), page_reserved(bot))


def _warm_up(bot: Bot, flow: Flow) -> None:
    """Load what libraries read from disk when first used, so that no turn does it inside the event loop."""
    steps = [step for conversation in bot.flow.conversations.values() for step in conversation.steps]
    types = {step.entity_type for step in steps if isinstance(step, Question)}
    flow.recogniser.recognise(_EVERY_KIND, types, datetime(2026, 1, 1, tzinfo=UTC))
    if any(helper in msgspec.json.encode(bot.flow) for helper in _FORMATTERS):
        prepare(bot.file.language, bot.flow.settings.timezone)


class Bots:
    """Active and pinned versions of all bots, compiled when first needed."""

    def __init__(self, store: Store, vault: Vault, clock: Clock, variables: Iterable[str] = ()) -> None:
        self._store = store
        self._vault = vault
        self._clock = clock
        self._variables = frozenset(variables)
        self._active: dict[str, Deployed] = {}
        self._pinned: OrderedDict[tuple[str, str], Deployed] = OrderedDict()

    async def publish(self, folder: Path) -> Deployed:
        """Read a folder and make it the active version of its bot. Raises ``FlowError`` with every finding."""
        files = await asyncio.to_thread(files_of, folder)
        return await self.publish_files(files)

    async def publish_files(self, files: Mapping[str, str]) -> Deployed:
        deployed = await asyncio.to_thread(lambda: deploy(read_files(files, variables=self._variables)))
        bot = deployed.bot
        other = self._active.get(bot.id)
        if other is None or other.version != bot.version:
            # Sealed, since an author may have written a secret into them (flow-language.md section 1).
            sealed = self._vault.seal(msgspec.json.encode(files), _row_name(bot.id, bot.version))
            await self._store.publish(Version(bot.id, bot.version, sealed, self._clock.now()))
        if other is not None:
            self._remember(other)
        self._active[bot.id] = deployed
        return deployed

    async def load_active(self) -> None:
        """Serve every bot of the database that no folder gave."""
        for bot in await self._store.bots():
            if bot in self._active or (version := await self._store.active(bot)) is None:
                continue
            try:
                self._active[bot] = await self._compile(version)
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
        self._remember(compiled)
        return compiled

    def _remember(self, deployed: Deployed) -> None:
        self._pinned[deployed.bot.id, deployed.version] = deployed
        if len(self._pinned) > MOST_PINNED:
            self._pinned.popitem(last=False)

    async def _compile(self, version: Version) -> Deployed:
        plain = self._vault.open(version.files, _row_name(version.bot, version.version))
        files = msgspec.json.decode(plain, type=dict[str, str])
        return await asyncio.to_thread(lambda: deploy(read_files(files, variables=self._variables)))

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
