"""Runs the checks in order, and hands each what it needs of those before it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from dialoom.auth.vault import Vault
from dialoom.flow import Bot, folder_id
from dialoom.service.access.tokens import opens
from dialoom.service.doctor import bots, channels, database, reachability, settings_and_keys
from dialoom.service.doctor.channels import AskPlatform
from dialoom.service.doctor.finding import Finding, aside, within
from dialoom.service.service import DATABASE, egress_of
from dialoom.service.settings import Settings
from dialoom.storage.condition import Condition


class Examination:
    def __init__(
        self,
        settings: Settings,
        folders: Sequence[Path] = (),
        ask: AskPlatform | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """``ask``: how the platform of a channel is asked what it says of it; without it none is."""
        self._settings = settings
        self._folders = folders
        self._ask = ask
        self._environment = os.environ if environment is None else environment
        self._vault: Vault | None = None
        self._condition: Condition | None = None
        self._bots: list[Bot] = []

    async def lines(self) -> AsyncIterator[Finding]:
        """Yield findings as they come. Each check has its time limit, and a part that it needs may be missing."""
        looks: tuple[tuple[str, Callable[[], Awaitable[list[Finding]]]], ...] = (
            ("settings", self._look_at_settings),
            ("data folder", lambda: aside(partial(settings_and_keys.folder_lines, self._settings))),
            ("keys", self._look_at_keys),
            ("database", self._look_at_database),
            ("pages", self._look_at_pages),
            ("clock", partial(self._look_at_condition, database.clock_lines)),
            ("keys", self._look_at_what_is_kept),
            ("bots", self._look_at_bots),
            ("variables", self._look_at_variables),
            ("base address", self._look_at_base_address),
            ("names", self._look_at_names),
            ("receivers", self._look_at_receivers),
            ("channels", self._look_at_channels),
            ("inbox", partial(self._look_at_condition, database.inbox_lines)),
            ("outbox", partial(self._look_at_condition, database.outbox_lines)),
        )
        for check, look in looks:
            for line in await within(check, look()):
                yield line

    async def _look_at_settings(self) -> list[Finding]:
        return settings_and_keys.settings_lines(self._settings)

    async def _look_at_keys(self) -> list[Finding]:
        self._vault, lines = await aside(partial(settings_and_keys.vault_of, self._settings))
        return lines

    async def _look_at_database(self) -> list[Finding]:
        self._condition, lines = await database.condition_of(self._settings)
        return lines

    async def _look_at_pages(self) -> list[Finding]:
        """Check the pages of the data file, also where the database cannot be read: this says why."""
        file = Path(self._settings.data) / DATABASE
        if self._settings.database_url is not None or not await aside(file.exists):
            return []
        return await aside(partial(database.page_lines, file))

    async def _look_at_condition(self, lines: Callable[[Condition], list[Finding]]) -> list[Finding]:
        return [] if self._condition is None else lines(self._condition)

    async def _look_at_what_is_kept(self) -> list[Finding]:
        if self._condition is None:
            return []
        if self._vault is None:
            if not self._condition.tokens:
                return []
            return [
                Finding("fail", "keys", "There are none, and what is stored is sealed. Put the ones back that did it.")
            ]
        return database.kept_lines(self._condition, partial(opens, self._vault))

    async def _look_at_bots(self) -> list[Finding]:
        stored = () if self._condition is None else (version.bot for version in self._condition.versions)
        given = [await aside(partial(folder_id, folder)) for folder in self._folders]
        variables = self._settings.variables([*stored, *(id for id in given if id is not None)])
        found = [await aside(partial(bots.of_folder, folder, variables)) for folder in self._folders]
        if self._condition is not None and self._vault is not None:
            ids = {bot.id for bot, _ in found if bot is not None}
            for version in self._condition.versions:
                bot, lines = await aside(partial(bots.of_store, self._vault, version, variables))
                # What a folder brings counts for the rest: it is what will be served.
                found.append((None if bot is not None and bot.id in ids else bot, lines))
        self._bots = [bot for bot, _ in found if bot is not None]
        return [line for _, lines in found for line in lines]

    async def _look_at_variables(self) -> list[Finding]:
        keys = await aside(partial(bots.user_key_lines, self._bots, self._environment))
        return [*keys, *bots.variable_lines(self._bots, self._environment)]

    async def _look_at_base_address(self) -> list[Finding]:
        if self._settings.base_url is None:
            address = self._settings.address(self._settings.port)
            text = f"base_url is not set: people come from this machine alone, to {address}."
            return [Finding("ok", "base address", text)]
        return [await reachability.base_line(self._settings.base_url)]

    async def _look_at_names(self) -> list[Finding]:
        return await reachability.name_lines([host for bot in self._bots for host in bots.hosts(bot)])

    async def _look_at_receivers(self) -> list[Finding]:
        egress = egress_of(self._settings, self._settings.port)
        wanted = [one for bot in self._bots for one in bots.receivers(bot)]
        return list(await asyncio.gather(*(reachability.receiver_line(what, url, egress) for what, url in wanted)))

    async def _look_at_channels(self) -> list[Finding]:
        found = await asyncio.gather(*(channels.lines(bot, self._environment, self._ask) for bot in self._bots))
        return [line for lines in found for line in lines]
