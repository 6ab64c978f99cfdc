"""Holds the bots that this process serves: read from folders, published as versions, compiled once a version.

When to look for what others have published is for ``active_versions``.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from dialoom.auth.vault import Vault
from dialoom.engine import Flow, compile_flow
from dialoom.engine.dynamic import filled
from dialoom.engine.option_finder import finder
from dialoom.errors import DialoomError, FlowError, RequestError, SettingError, StoreError, VaultError
from dialoom.flow import files_of, read_and_check, read_files
from dialoom.flow.channels import Channel
from dialoom.flow.model import Bot, every
from dialoom.flow.parts import FromEnvironment, Secret
from dialoom.flow.read import EVERY_BOT_VARIABLE
from dialoom.flow.variables import Variables
from dialoom.service.bots.entity_lists import EntityList, EntityLists
from dialoom.service.bots.masking import Masking
from dialoom.service.bots.models import Models
from dialoom.service.bots.reserved_names import page_reserved
from dialoom.service.clock import Clock
from dialoom.storage.store import Deployment, Store, Version, VersionRow
from dialoom.template import prepare
from dialoom.understanding import Model, Recogniser

if TYPE_CHECKING:
    Check: TypeAlias = Callable[[Bot], Awaitable[Mapping[str, str]]]
    """Returns the channels of a bot that cannot be open here, each with the reason."""

Stamps = tuple[tuple[int, int] | None, ...]
"""Of each file of a folder when it was changed, in nanoseconds, and its size; None for one that is not there."""

log = logging.getLogger(__name__)

MAX_PINNED_VERSIONS = 32
"""Versions kept compiled besides the active ones, for the conversations that began with them."""
_FORMATTERS = (b"$date", b"$currency", b"$number")
"""Helpers that need the locale data."""


async def _unchecked(_: Bot) -> Mapping[str, str]:
    """Accept any bot, for processes that do not serve it: nothing is asked of this machine."""
    return {}


class Withdrawn(DialoomError):
    """Says that a folder holds a version that was rolled back: it is not published until it changes (service.md,
    Command line)."""

    def __init__(self, bot: str, version: str) -> None:
        super().__init__(
            f"version {version[:12]} of bot {bot} was rolled back from, so it stays out until its files change. "
            f"`dialoom publish` with its folder takes it back as it is."
        )
        self.bot = bot


class Unpublished(DialoomError):
    """Says that a folder holds changes of the studio that wait for somebody who publishes them."""

    def __init__(self, bot: str, count: int) -> None:
        told = "1 change" if count == 1 else f"{count} changes"
        super().__init__(
            f"the folder of {bot} differs from its active version ({told}): publish it in the studio or with "
            f'"dialoom publish", or start with --publish'
        )
        self.bot = bot


class Deployed(msgspec.Struct, frozen=True):
    """Holds one compiled version of a bot."""

    bot: Bot
    flow: Flow
    masking: Masking
    reserved: dict[str, str]
    """Names that context from a page may not set, each with its reason."""
    closed: Mapping[str, str] = {}
    """Channels that take no calls in this process, by id, each with the reason."""

    @property
    def version(self) -> str:
        return self.bot.version

    def channel(self, id: str) -> Channel | None:
        for channel in self.bot.channels:
            if channel.id == id:
                return channel
        return None


class Ready(msgspec.Struct, frozen=True):
    """Holds a version that can be published: read, checked and compiled."""

    files: Mapping[str, str]
    deployed: Deployed
    mistakes: list[str]
    """What its author should mend, though it can be loaded."""
    unreachable: list[str]
    """Conversations that nothing starts."""


def deploy(bot: Bot, model: Model | None = None) -> Deployed:
    """Compile a bot, with the model of its training if there is one. Raises ``FlowError`` for what the engine sees."""
    authentication = bot.flow.settings.authentication
    flow = compile_flow(bot, model)
    if any(helper in msgspec.json.encode(bot.flow) for helper in _FORMATTERS):
        prepare(bot.file.language, bot.flow.settings.timezone)
    return Deployed(bot, flow, Masking(authentication.entity if authentication else None), page_reserved(bot))


def fill(deployed: Deployed, lists: Mapping[str, EntityList]) -> Deployed:
    """Return the version filled with the values of these lists and no others; 10,000 values take 0.2 s."""
    dynamic = {type: msgspec.json.decode(one.elements) for type, one in lists.items()}
    return msgspec.structs.replace(deployed, flow=filled(deployed.flow, dynamic)) if dynamic else deployed


class Bots:
    """Holds the active and pinned versions of all bots, compiled when first needed and filled with the values of their
    dynamic types.

    A version with other values is another ``Deployed``: a turn ends on the one that it began with. ``check``, where it
    is given, raises ``SettingError`` for a version that cannot be served here.
    """

    def __init__(
        self,
        store: Store,
        vault: Vault,
        clock: Clock,
        variables: Variables = EVERY_BOT_VARIABLE,
        models: Path | None = None,
        observe: Callable[[Recogniser], Recogniser] = lambda recogniser: recogniser,
        note_training: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        """Keep trained models in the folder ``models``. ``observe`` wraps the object that understands the users;
        ``note_training`` gets the seconds that each training took."""
        self._store = store
        self._vault = vault
        self._clock = clock
        self._variables = variables
        self._models = Models(models, vault, note_training=note_training)
        self._observe = observe
        self._active: dict[str, Deployed] = {}
        self._pinned: OrderedDict[tuple[str, str], Deployed] = OrderedDict()
        self.folders: dict[str, Path] = {}
        """By bot the folder that this process was started with."""
        self.saved: dict[Path, Stamps | None] = {}
        """By folder its files as the studio saved them last, which wait to be published; None while it saves."""
        self._unusable: dict[str, str] = {}
        """By bot the active version that this process cannot use."""
        self._lists_at: dict[str, int] = {}
        """By bot when the newest of the lists came that its versions are filled with."""
        self.lists = EntityLists(store, vault)
        self._changing = asyncio.Lock()
        """Held while versions are filled and put in place, so that none misses a list that comes meanwhile."""

    @property
    def unserved(self) -> Mapping[str, str]:
        """Return by bot the active version that this process cannot serve."""
        return self._unusable

    def know(self, ids: Iterable[str]) -> None:
        """Learn the ids of bots that there are: where variables are not shared, no other bot may name theirs."""
        if unknown := frozenset(ids) - self._variables.bots:
            self._variables = msgspec.structs.replace(self._variables, bots=self._variables.bots | unknown)

    @property
    def variables(self) -> Variables:
        """Those that a secret of a bot may name."""
        return self._variables

    async def stop(self) -> None:
        """End what is being compiled."""
        await self._models.stop()

    async def publish(self, folder: Path) -> Deployed:
        """Read a folder and make it the active version of its bot. Raises as ``ready`` does."""
        return await self.publish_ready(await self.ready(folder))

    async def publish_files(self, files: Mapping[str, str], *, takes_back: bool = False) -> Deployed:
        """Publish a version from the texts of its files. ``takes_back``: also one that was rolled back."""
        return await self.publish_ready(await self._ready(files, _unchecked, takes_back), takes_back=takes_back)

    async def ready(self, folder: Path, check: Check = _unchecked) -> Ready:
        """Return a folder's version, checked for all that can go wrong before it is published. Raises ``FlowError``
        with every finding, and ``Withdrawn`` for a version that was rolled back."""
        files = await asyncio.to_thread(files_of, folder)
        return await self._ready(files, check, takes_back=False)

    async def ready_files(self, files: Mapping[str, str], check: Check) -> Ready:
        """Return the same of texts by file name, also of a version that was rolled back."""
        return await self._ready(files, check, takes_back=True)

    async def _ready(self, files: Mapping[str, str], check: Check, takes_back: bool) -> Ready:
        bot, findings = await asyncio.to_thread(lambda: read_and_check(files, variables=self._variables, finder=finder))
        is_new = bot.id not in self._variables.bots
        self.know([bot.id])
        try:
            await self._published_row(bot, takes_back)
            closed = await check(bot)
        except DialoomError:
            if is_new:  # what is refused takes no other bot's variables
                known = self._variables
                self._variables = msgspec.structs.replace(known, bots=known.bots - {bot.id})
            raise
        # A short token is no mistake of the flow: ``preflight`` refuses it.
        mistakes = [str(one) for one in findings if one.severity == "error" and one.rule != "short-token"]
        unreachable = [one.path.rpartition("/")[2] for one in findings if one.rule == "unreachable"]
        deployed = msgspec.structs.replace(await self._deployed(bot), closed=closed)
        return Ready(files, deployed, mistakes, unreachable)

    async def publish_ready(self, ready: Ready, *, takes_back: bool = False, instead_of: str | None = None) -> Deployed:
        """Make it the active version of its bot. Raises ``Withdrawn``, and ``RequestError`` 409 where another version
        than ``instead_of`` is active by now; None: whichever is."""
        deployed, bot = ready.deployed, ready.deployed.bot
        async with self._changing:
            deployed = await self._with_lists(deployed)
            row = await self._published_row(bot, takes_back)
            if row is None or not row.is_active:
                # Sealed, since an author may have written a secret into them (flow-language.md section 1).
                sealed = self._vault.seal(msgspec.json.encode(ready.files), version_row_name(bot.id, bot.version))
                version = Version(bot.id, bot.version, sealed, self._clock.now())
                if not await self._store.publish(version, instead_of):
                    raise overtaken()
            self._put(deployed)
        return deployed

    async def _published_row(self, bot: Bot, takes_back: bool) -> VersionRow | None:
        """Return the store's row of this version. Raises ``Withdrawn``."""
        row = next((row for row in await self._store.versions(bot.id) if row.version == bot.version), None)
        if row is not None and row.withdrawn_at is not None and not row.is_active and not takes_back:
            raise Withdrawn(bot.id, bot.version)
        return row

    def _put(self, deployed: Deployed) -> None:
        """Serve a version in place of the one that was active."""
        other = self._active.get(deployed.bot.id)
        if other is not None:
            self._remember(other)
        self._active[deployed.bot.id] = deployed

    async def refill(self, bot: str) -> None:
        """Take the kept lists into every version of a bot that is held here; turns that run keep what they began on."""
        async with self._changing:
            lists = await self._lists_of(bot)
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
        lists = await self._lists_of(deployed.bot.id)
        return await asyncio.to_thread(fill, deployed, self.lists.fitting(deployed.bot, lists))

    async def _lists_of(self, bot: str) -> dict[str, EntityList]:
        lists = await self.lists.of(bot)
        self._lists_at[bot] = max((one.fetched_at for one in lists.values()), default=0)
        return lists

    async def load_active(self, check: Check = _unchecked) -> None:
        """Serve every bot of the database that no folder gave."""
        rows = await self._store.deployments()
        self.know(row.bot for row in rows)
        for row in rows:
            if row.bot not in self._active:
                await self._take(row, check)

    async def catch_up(self, check: Check = _unchecked) -> list[Deployed]:
        """Serve what others have made active since the last look, with the lists that they have read. Gives the
        versions that are new here."""
        new = []
        rows = await self._store.deployments()
        self.know(row.bot for row in rows)
        for row in rows:
            if row.bot in self._active and self._lists_at.get(row.bot, 0) != row.lists_at:
                await self.refill(row.bot)
                # Also where one of them cannot be opened: it is not read again at each look.
                self._lists_at[row.bot] = row.lists_at
            if not self._is_known(row) and (deployed := await self._take(row, check)) is not None:
                new.append(deployed)
        return new

    def _is_known(self, row: Deployment) -> bool:
        active = self._active.get(row.bot)
        return (active is not None and active.version == row.active) or self._unusable.get(row.bot) == row.active

    async def _take(self, row: Deployment, check: Check) -> Deployed | None:
        """Serve this version, unless it cannot be used here or is not the active one any more."""
        # Until it is served: whatever goes wrong with it, it is tried and said once.
        self._unusable[row.bot] = row.active
        try:
            deployed = await self._kept(row.bot, row.active)
            if deployed is None:
                raise FlowError(["Its files are gone from the store."])
            deployed = msgspec.structs.replace(deployed, closed=await check(deployed.bot))
            async with self._changing:
                # It took a while; a version that was published meanwhile must not be put back.
                now = {other.bot: other.active for other in await self._store.deployments()}
                if now.get(row.bot) == row.active:
                    deployed = await self._with_lists(deployed)
                    self._put(deployed)
                else:
                    deployed = None
        except StoreError:
            del self._unusable[row.bot]
            raise
        except SettingError as error:
            log.error(  # noqa: TRY400  # what is missing here is no fault of the program
                "version %s of bot %s cannot be served by this process, so %s until a restart: %s",
                row.active[:12], row.bot, self._meanwhile(row.bot), error,
            )  # fmt: skip
            return None
        except (FlowError, VaultError):
            log.exception(
                "version %s of bot %s cannot be used, so %s. Publish its folder again, or roll it back",
                row.active[:12], row.bot, self._meanwhile(row.bot),
            )  # fmt: skip
            return None
        del self._unusable[row.bot]
        return deployed

    def _meanwhile(self, bot: str) -> str:
        served = self._active.get(bot)
        return "it is not served" if served is None else f"version {served.version[:12]} goes on"

    def active(self, bot: str) -> Deployed | None:
        return self._active.get(bot)

    def known(self, bot: str) -> Deployed:
        """Return a bot's active version. Raises ``RequestError`` 404."""
        deployed = self._active.get(bot)
        if deployed is None:
            raise no_bot(bot)
        return deployed

    def channel(self, bot: str, id: str) -> tuple[Deployed, Channel] | None:
        """Return a bot's active version with one of its channels; None where there is no such bot or channel."""
        deployed = self._active.get(bot)
        channel = None if deployed is None else deployed.channel(id)
        return None if deployed is None or channel is None else (deployed, channel)

    def all(self) -> list[Deployed]:
        return list(self._active.values())

    async def pinned(self, bot: str, version: str) -> Deployed | None:
        """Return the version that a running conversation began with; None when it cannot be had any more."""
        known = self._pinned.get((bot, version))
        if known is not None:
            self._pinned.move_to_end((bot, version))
            return known
        try:
            compiled = await self._kept(bot, version)
        except FlowError:
            # Written by another release whose language differed: the conversation goes on with the active version.
            return None
        if compiled is not None:
            async with self._changing:
                compiled = await self._with_lists(compiled)
                self._remember(compiled)
        return compiled

    async def _kept(self, bot: str, version: str) -> Deployed | None:
        """Return a stored version, compiled; None when it is not stored. Raises ``FlowError``, ``VaultError``."""
        known = self._pinned.get((bot, version))
        if known is not None:
            return known
        files = await self.files(bot, version)
        return None if files is None else await self._deployed(await self._read(files))

    async def usable(self, bot: str, version: str) -> Deployed | None:
        """Return a version as it would be served, its model trained; None when the store does not have it. Raises
        ``FlowError`` when this release cannot use it."""
        return await self._kept(bot, version)

    async def tried(self, files: Mapping[str, str]) -> Deployed:
        """Return a version of these texts as it would be served, its model trained, for who tries it: it is not kept,
        and what it understands is not counted. Raises ``FlowError``."""
        bot = await self._read(files)
        return await asyncio.to_thread(deploy, bot, await self._models.of(bot))

    async def lists_for(self, deployed: Deployed) -> dict[str, EntityList]:
        """Return the stored lists of the dynamic types of a version, whether or not it is the active one."""
        if not deployed.flow.dynamic:
            return {}
        return self.lists.fitting(deployed.bot, await self.lists.of(deployed.bot.id))

    async def files(self, bot: str, version: str) -> dict[str, str] | None:
        """Return the texts of a version's files by name; None when it is not stored. Raises ``VaultError``."""
        stored = await self._store.version(bot, version)
        return None if stored is None else open_version(self._vault, stored)

    async def read(self, bot: str, version: str) -> Bot | None:
        """Return what a version's files say, not compiled. Raises ``FlowError``, ``VaultError``."""
        files = await self.files(bot, version)
        return None if files is None else await self._read(files)

    def _remember(self, deployed: Deployed) -> None:
        self._pinned[deployed.bot.id, deployed.version] = deployed
        if len(self._pinned) > MAX_PINNED_VERSIONS:
            self._pinned.popitem(last=False)

    async def _read(self, files: Mapping[str, str]) -> Bot:
        return await asyncio.to_thread(lambda: read_files(files, variables=self._variables))

    async def _deployed(self, bot: Bot) -> Deployed:
        model = await self._models.of(bot)
        deployed = await asyncio.to_thread(deploy, bot, model)
        flow = msgspec.structs.replace(deployed.flow, recogniser=self._observe(deployed.flow.recogniser))
        return msgspec.structs.replace(deployed, flow=flow)

    def secret(self, bot: str, secret: Secret) -> str:
        """Return a secret of a bot in clear. Raises ``SettingError`` where the variable is missing or not open to the
        bot."""
        if not isinstance(secret, FromEnvironment):
            return secret
        return self.variable(bot, secret.env)

    def closed(self, bot: Bot) -> list[str]:
        """Return a sentence for each variable that the bot names and may not read."""
        names = dict.fromkeys(found.env for found in every(bot, FromEnvironment))
        return [self._refusal(bot.id, name) for name in names if not self._variables.are_open_to(bot.id, name)]

    async def taken_by(self, bot: Bot) -> list[str]:
        """Return a sentence for each variable that a published bot names and that this new bot's id would take from it.
        Raises ``VaultError``."""
        rows = await self._store.deployments() if self._variables.rows is not None else []
        sentences = []
        for row in rows if all(row.bot != bot.id for row in rows) else []:
            files = await self.files(row.bot, row.active) or {}
            names = {name for text in files.values() for name in _variables_in(json.loads(text))}
            sentences += [
                f'The id "{bot.id}" would take the environment variable "{name}" from the bot "{row.bot}", which names '
                f'it. Choose another id, or list the variable in the row of "{row.bot}" of the setting BOT_ENV.'
                for name in sorted(names)
                if self._variables.would_take(bot.id, row.bot, name)
            ]
        return sentences

    def _refusal(self, bot: str, name: str) -> str:
        advice = self._variables.advice(bot)
        return f'Bot "{bot}" names the environment variable "{name}", which is not open to it. {advice}'

    def variable(self, bot: str, name: str) -> str:
        if not self._variables.are_open_to(bot, name):
            raise SettingError(self._refusal(bot, name))
        value = os.environ.get(name)
        # An empty one stands for nothing: a post that is signed with the empty key is a post that anybody can sign.
        if value is None or not value.strip():
            state = "is not set" if value is None else "is set to an empty text"
            raise SettingError(f'The environment variable "{name}", which a bot names, {state}. Set it and retry.')
        return value


def no_bot(bot: str) -> RequestError:
    return RequestError("not-found", f'This service has no bot "{bot[:80]}".')


def overtaken() -> RequestError:
    """Return the refusal of a change that was judged beside another version than the one that is active by now."""
    return RequestError(
        "version-changed",
        "Another version became active meanwhile, so nothing was done. Look at the difference again, then decide.",
    )


def _variables_in(value: Any) -> Iterator[str]:
    """Return the variables that a bot's file names."""
    if isinstance(value, dict) and isinstance(value.get("env"), str):
        yield value["env"]
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _variables_in(inner)


def open_version(vault: Vault, version: Version) -> dict[str, str]:
    """Return the texts of a stored version's files by name. Raises ``VaultError``."""
    plain = vault.open(version.files, version_row_name(version.bot, version.version))
    return msgspec.json.decode(plain, type=dict[str, str])


def version_row_name(bot: str, version: str) -> str:
    return f"version\0{bot}\0{version}"
