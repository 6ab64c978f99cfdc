"""Runs try-outs: begins them, plays turns, goes back, plays all again on another flow, makes a test of one.

A try-out is a chat that counts in no record, metric, rate or history of its bot and that no channel knows of. All of it
is in its row, so that every process can go on with it. Who may is for ``http.studio``.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from dialoom.authoring.play import channel_of
from dialoom.authoring.scenarios import Happens, UserTurn, moment_of
from dialoom.authoring.try_outs import options
from dialoom.authoring.try_outs.calls import CallsOfTurn, check_mocks
from dialoom.authoring.try_outs.kept import Calls, KeptTryOut, KeptTurn, Mocks
from dialoom.authoring.try_outs.play_turn import Act, TurnPlayer
from dialoom.authoring.try_outs.to_test import WrittenTest, to_test
from dialoom.authoring.try_outs.try_out_rows import Found, TryOutRows, changed_meanwhile
from dialoom.channels._contract import limits
from dialoom.errors import FlowError, RequestError
from dialoom.flow.channels import row_of
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.template.values.moments import find_zone

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.authoring.try_outs.tried_bots import Tried, TriedBots
    from dialoom.engine.effects import Request
    from dialoom.engine.events import NoResponse, Response
    from dialoom.flow.channels import Channel
    from dialoom.service.chat.turn_limit import TurnLimit
    from dialoom.service.clock import Clock
    from dialoom.storage.store import Store

    FilesOn = Callable[[str, str, Mapping[str, str | None]], Awaitable[dict[str, str]]]
    """Returns the texts of a bot's files: of ``draft`` or a version, with unsaved texts over them."""

DRAFT = "draft"
MAX_TURNS = 300
MAX_MOMENT_MS = 253_370_764_800_000
"""Milliseconds since 1970 up to the year 9999: later moments have no date."""


class Begin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describes a new try-out, as the studio asks for it."""

    calls: Calls
    on: str = DRAFT
    files: dict[str, str | None] = {}
    channel: str | None = None
    now: str | None = None
    timezone: str | None = None
    mocks: Mocks = {}
    context: dict[str, Any] = {}


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describes other settings of a try-out. None takes away what was set: the clock and the zone are then the
    service's and the bot's."""

    now: str | UnsetType | None = UNSET
    timezone: str | UnsetType | None = UNSET
    calls: Calls | UnsetType = UNSET
    mocks: Mocks | UnsetType = UNSET
    revision: str | None = None


class Again(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describes how the turns of a try-out are played again. ``to``: the first so many."""

    on: str | None = None
    files: dict[str, str | None] = {}
    to: int | None = None
    revision: str | None = None


class Seen(NamedTuple):
    """Holds a try-out with its compiled bot, for who shows it."""

    found: Found
    tried: Tried
    channel: Channel


class TryOuts:
    """``calls`` makes real calls, without counting them. ``files_on`` returns the texts of a draft or a version."""

    def __init__(
        self,
        store: Store,
        vault: Vault,
        clock: Clock,
        tried: TriedBots,
        calls: OutboundCalls,
        limit: TurnLimit,
        files_on: FilesOn,
    ) -> None:
        self._rows = TryOutRows(store, vault, clock)
        self._clock = clock
        self._tried = tried
        self._calls = calls
        self._player = TurnPlayer(vault, limit)
        self._files_on = files_on

    async def begin(self, bot: str, begin: Begin, person: str) -> Seen:
        """Begin a try-out of a person; where the channel is a page, its first turn is that the chat is opened. Raises
        ``FlowError`` for a bot that cannot be loaded."""
        check_mocks(begin.mocks)
        limits.check_page_context(begin.context, {}, "/context")
        moment, zone = _moment(begin.now), await _zone(begin.timezone)
        files = await self._files_on(bot, begin.on, begin.files)
        tried = await self._tried.of(bot, files, _mocks(begin.calls, begin.mocks), zone)
        channel = _channel(tried, begin.channel)
        kept = KeptTryOut(
            on=begin.on,
            files=await self._rows.keep_files(bot, files),
            channel=channel.id,
            calls=begin.calls,
            mocks=begin.mocks,
            moment=moment,
            moment_set_at=self._clock.now(),
            timezone=zone,
            context=begin.context,
        )
        id = secrets.token_hex(12)
        if row_of(channel).caller == "page":
            kept = await self._played(id, kept, tried, channel, UserTurn(event=Happens("opening")))
        return Seen(await self._rows.add(bot, id, kept, person), tried, channel)

    async def find(self, bot: str, id: str) -> Seen:
        """Return a try-out. Raises ``RequestError`` 404."""
        return await self._seen(bot, await self._rows.find(bot, id))

    async def files(self, bot: str, seen: Seen) -> dict[str, str]:
        """Return the texts that a try-out plays on."""
        return await self._rows.files(bot, seen.found.kept.files)

    async def delete(self, bot: str, id: str) -> None:
        await self._rows.delete(bot, id)

    async def hear(self, bot: str, id: str, user: UserTurn, revision: str | None = None) -> Seen:
        """Play one turn. Raises ``RequestError``: 404, 409 where it went on elsewhere, 422 where it is too long."""
        _check(user)
        seen = await self._found(bot, id, revision)
        kept = seen.found.kept
        if len(kept.turns) >= MAX_TURNS:
            detail = f"A try-out has at most {MAX_TURNS} turns. Go back some, or begin another."
            raise RequestError("try-out-full", detail)
        # Who goes on has seen what the replay before it has changed.
        kept = msgspec.structs.replace(kept, differs_at=None, before=None)
        return await self._replaced(bot, seen, await self._played(id, kept, seen.tried, seen.channel, user))

    async def rewind(self, bot: str, id: str, to: int, revision: str | None = None) -> Seen:
        """Keep the first ``to`` turns. Calls that were made stay made."""
        seen = await self._found(bot, id, revision)
        kept = seen.found.kept
        _check_turn(to, kept)
        turns = kept.turns[:to]
        is_gone = kept.differs_at is not None and kept.differs_at >= to
        rest = {"differs_at": None, "before": None} if is_gone else {}
        return await self._replaced(bot, seen, msgspec.structs.replace(kept, turns=turns, **rest))

    async def change(self, bot: str, id: str, change: Change) -> Seen:
        """Change clock, zone or how calls are answered, from the next turn on."""
        found = (await self._found(bot, id, change.revision)).found
        given: dict[str, Any] = {}
        if change.now is not UNSET:
            given |= {"moment": _moment(change.now), "moment_set_at": self._clock.now()}
        if change.timezone is not UNSET:
            given["timezone"] = await _zone(change.timezone)
        if change.calls is not UNSET:
            given["calls"] = change.calls
        if change.mocks is not UNSET:
            check_mocks(change.mocks)
            given["mocks"] = change.mocks
        kept = msgspec.structs.replace(found.kept, **given)
        return await self._seen(bot, await self._rows.replace(bot, found, kept))

    async def replay(self, bot: str, id: str, again: Again) -> Seen:
        """Play the same turns again, at the same moments and with the same answers of the outside, on a draft or a
        version. Raises ``FlowError`` for a bot that cannot be loaded; the try-out then stays as it was."""
        found = await self._rows.find(bot, id)
        if again.revision is not None and again.revision != str(found.revision):
            raise changed_meanwhile()
        kept = found.kept
        to = len(kept.turns) if again.to is None else again.to
        _check_turn(to, kept)
        on = again.on or kept.on
        files = await self._files_on(bot, on, again.files)
        tried = await self._tried.of(bot, files, _mocks(kept.calls, kept.mocks), kept.timezone)
        channel = _channel(tried, kept.channel)
        new = msgspec.structs.replace(
            kept, on=on, files=await self._rows.keep_files(bot, files), turns=(), differs_at=None, before=None
        )
        for index, turn in enumerate(kept.turns[:to]):
            new = await self._played(id, new, tried, channel, turn.user, turn)
            await asyncio.sleep(0)  # hundreds of turns must not keep those of users waiting
            if new.differs_at is None and options.seen(new.turns[-1].messages) != options.seen(turn.messages):
                new = msgspec.structs.replace(new, differs_at=index, before=turn.messages)
        return Seen(await self._rows.replace(bot, found, new), tried, channel)

    async def as_test(self, bot: str, id: str, title: str, file: str | None) -> WrittenTest:
        """Return the text of a test file that plays this try-out and expects what was seen."""
        seen = await self.find(bot, id)
        return await to_test(seen.found.kept, seen.tried, seen.channel, title, file)

    # -- parts of the above

    async def _found(self, bot: str, id: str, revision: str | None) -> Seen:
        found = await self._rows.find(bot, id)
        if revision is not None and revision != str(found.revision):
            raise changed_meanwhile()
        return await self._seen(bot, found)

    async def _seen(self, bot: str, found: Found) -> Seen:
        kept = found.kept
        mocks = _mocks(kept.calls, kept.mocks)
        tried = await self._tried.by_id(
            bot, kept.files, lambda: self._rows.files(bot, kept.files), mocks, kept.timezone
        )
        return Seen(found, tried, _channel(tried, kept.channel))

    async def _replaced(self, bot: str, seen: Seen, kept: KeptTryOut) -> Seen:
        return seen._replace(found=await self._rows.replace(bot, seen.found, kept))

    async def _played(
        self,
        id: str,
        kept: KeptTryOut,
        tried: Tried,
        channel: Channel,
        user: UserTurn,
        earlier: KeptTurn | None = None,
    ) -> KeptTryOut:
        """Return the try-out with one more turn. ``earlier``: the turn that is played again, at its moment and with
        its answers."""
        recordings = dict(kept.recordings)
        real = self._real(tried)
        if earlier is None:
            calls = CallsOfTurn(kept.calls, kept.mocks, recordings, real)
            serial, at, picked = kept.serial + 1, kept.now(self._clock.now()), None
        else:
            calls = CallsOfTurn(kept.calls, kept.mocks, recordings, real, earlier.calls)
            serial, at, picked = earlier.serial, earlier.at, earlier.picked
        act = Act(len(kept.turns), serial, at, user, picked)
        turn = await self._player.play(id, tried.deployed, channel, kept.context, kept.turns, act, calls)
        return msgspec.structs.replace(
            kept, turns=(*kept.turns, turn), serial=max(serial, kept.serial), recordings=recordings
        )

    def _real(self, tried: Tried) -> Callable[[Request], Awaitable[Response | NoResponse]]:
        """Return what makes the real calls of one turn, which share their time."""
        deadline: list[float] = []

        async def call(request: Request) -> Response | NoResponse:
            if not deadline:
                deadline.append(self._calls.deadline())
            return await self._calls.call(tried.deployed.bot, request, deadline[0])

        return call


def _mocks(calls: Calls, mocks: Mocks) -> Mocks:
    """Return the mocks that dynamic lists may come from."""
    return mocks if calls == "mocked" else {}


def _channel(tried: Tried, name: str | None) -> Channel:
    try:
        return channel_of(tried.deployed.bot, name, "web")
    except FlowError as error:
        raise RequestError("bad-body", str(error), pointer="/channel") from error


def _moment(text: str | None) -> int | None:
    try:
        moment = moment_of(text)
        if moment is None or 0 <= moment <= MAX_MOMENT_MS:
            return moment
    except (msgspec.ValidationError, OverflowError):
        pass
    detail = '"now" is a moment from 1970 to 9998 such as "2027-03-01T09:00:00Z".'
    raise RequestError("bad-body", detail, pointer="/now")


async def _zone(name: str | None) -> str | None:
    # It reads a file.
    if name is not None and await asyncio.to_thread(find_zone, name) is None:
        detail = f'"{name[:80]}" is no time zone. Zones are named as in "Europe/Vienna".'
        raise RequestError("bad-body", detail, pointer="/timezone")
    return name


def _check_turn(to: int, kept: KeptTryOut) -> None:
    if not 0 <= to <= len(kept.turns):
        detail = f"This try-out has {len(kept.turns)} turns; name a number from 0 to that."
        raise RequestError("bad-body", detail, pointer="/to")


def _check(user: UserTurn) -> None:
    """Raise ``RequestError`` for what no channel would take of a user."""
    limits.check_page_context(user.context, {}, "/context")
    if user.text is not UNSET:
        limits.check_text(user.text, "/text")
    if user.option is not UNSET:
        limits.check_option(user.option, "/option")
        for index, key in enumerate(options.keys_of(user.option) or ()):
            limits.check_length(key, f"/option/keys/{index}", limits.MAX_KEY_CHARS)
    if user.location is not UNSET:
        place = user.location
        limits.check_length(place.name, "/location/name")
        if not (-90 <= place.latitude <= 90 and -180 <= place.longitude <= 180):
            raise RequestError("bad-body", "A place has degrees from -90 to 90 and -180 to 180.", pointer="/location")
    if user.attachments is not UNSET:
        limits.check_files(len(user.attachments), "/attachments")
        for index, file in enumerate(user.attachments):
            limits.check_url(file.payload.url, f"/attachments/{index}/payload/url")
