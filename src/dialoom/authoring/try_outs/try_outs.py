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
from dialoom.authoring.try_outs.calls import Decision, check_decision, check_mocks
from dialoom.authoring.try_outs.kept import Calls, KeptTryOut, Mocks, Waiting
from dialoom.authoring.try_outs.play_on import PlayOn, play_again
from dialoom.authoring.try_outs.play_turn import TurnPlayer
from dialoom.authoring.try_outs.to_test import WrittenTest, to_test
from dialoom.authoring.try_outs.try_out_rows import Found, TryOutRows, changed_meanwhile
from dialoom.channels._contract import limits
from dialoom.errors import FlowError, RequestError
from dialoom.flow.channels import row_of
from dialoom.service.access.studio_rows import hash_chat
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.template.values.moments import find_zone

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.authoring.try_outs.tried_bots import Tried, TriedBots
    from dialoom.flow.channels import Channel
    from dialoom.service.chat.turn_limit import TurnLimit
    from dialoom.service.clock import Clock
    from dialoom.storage.store import ChatKey, Store

    FilesOn = Callable[[str, str, Mapping[str, str | None]], Awaitable[dict[str, str]]]
    """Returns the texts of a bot's files: of ``draft`` or a version, with unsaved texts over them."""
    MayCall = Callable[[Mapping[str, str]], Awaitable[None]]
    """Raises ``RequestError`` where who asks may not call the outside with these files."""

DRAFT = "draft"
MAX_TURNS = 300
MAX_MOMENT_MS = 253_370_764_800_000
"""Milliseconds since 1970 up to the year 9999: later moments have no date."""


class Begin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describes a new try-out, as the studio asks for it."""

    calls: Calls = "recorded"
    on: str = DRAFT
    files: dict[str, str | None] = {}
    channel: str | None = None
    now: str | None = None
    timezone: str | None = None
    mocks: Mocks = {}
    context: dict[str, Any] = {}
    conversation: str | None = None
    """Id of the conversation whose turns are played: the try-out goes when its user is erased."""


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describes other settings of a try-out. None takes away what was set: the clock and the zone are then the
    service's and the bot's."""

    revision: str
    now: str | UnsetType | None = UNSET
    timezone: str | UnsetType | None = UNSET
    calls: Calls | UnsetType = UNSET
    mocks: Mocks | UnsetType = UNSET


class Again(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describes how the turns of a try-out are played again. ``to``: the first so many. ``decision``: about the write
    that the play before has stopped at."""

    revision: str
    on: str | None = None
    files: dict[str, str | None] = {}
    to: int | None = None
    decision: Decision | None = None


class Seen(NamedTuple):
    """Holds a try-out with its compiled bot, for who shows it."""

    found: Found
    tried: Tried
    channel: Channel


class TryOuts:
    """``calls`` makes real calls, without counting them. ``files_on`` returns the texts of a draft or a version.

    Each act reads a try-out once, and stores it only if nobody else has changed it meanwhile. ``may_call`` is asked
    right before anything is played with other calls than mocked ones, and about the very files that are played.
    """

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
        self._store = store
        self._rows = TryOutRows(store, vault, clock)
        self._clock = clock
        self._tried = tried
        self._calls = calls
        self._player = TurnPlayer(vault, limit)
        self._files_on = files_on

    async def begin(self, bot: str, begin: Begin, person: str, may_call: MayCall, chat: ChatKey | None = None) -> Seen:
        """Begin a try-out of a person, from a conversation of ``chat`` if that is given. Where the channel is a page,
        its first turn is that the chat is opened. Raises ``FlowError`` for a bot that cannot be loaded."""
        check_mocks(begin.mocks)
        limits.check_page_context(begin.context, {}, "/context")
        moment, zone = _moment(begin.now), await _zone(begin.timezone)
        files = await self._files_on(bot, begin.on, begin.files)
        tried = await self._tried.of(bot, files, _mocks(begin.calls, begin.mocks), zone)
        channel = _channel(tried, begin.channel)
        await _ask(may_call, begin.calls, files)
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
            conversation=begin.conversation,
        )
        id = secrets.token_hex(12) if chat is None else f"{hash_chat(chat)}{secrets.token_hex(12)}"
        if row_of(channel).caller == "page":
            kept = self._with_turn(kept, UserTurn(event=Happens("opening")))
        seen = Seen(await self._rows.add(bot, id, kept, person), tried, channel)
        # An erasure deletes records first and try-outs then: one of both sees what came between.
        if chat is not None and await self._store.record_of(chat, begin.conversation or "") is None:
            await self._rows.delete(bot, id)
            raise RequestError("not-found", "The user of this conversation was erased meanwhile.")
        return await self._play(seen, kept) if kept.waiting else seen

    async def find(self, bot: str, id: str) -> Seen:
        """Return a try-out. Raises ``RequestError`` 404."""
        return await self._seen(bot, await self._rows.find(bot, id))

    async def delete(self, bot: str, id: str) -> None:
        await self._rows.delete(bot, id)

    async def hear(self, bot: str, id: str, user: UserTurn, revision: str, may_call: MayCall) -> Seen:
        """Play one turn. Raises ``RequestError``: 404, 409 where it went on elsewhere or waits, 422 where it is too
        long."""
        _check(user)
        found = await self._found(bot, id, revision)
        kept = found.kept
        if kept.waiting:
            raise RequestError(
                "try-out-waits",
                "This try-out has turns that are not played yet. Say first whether its call is sent, or take the last "
                "message back.",
            )
        if len(kept.turns) >= MAX_TURNS:
            detail = f"A try-out has at most {MAX_TURNS} turns. Go back some, or begin another."
            raise RequestError("try-out-full", detail)
        seen = await self._seen(bot, found)
        await self._ask_of_stored(bot, kept, kept.calls, may_call)
        # Who goes on has seen what the replay before it has changed.
        kept = msgspec.structs.replace(kept, differs_at=None, before=None)
        return await self._play(seen, self._with_turn(kept, user))

    async def rewind(self, bot: str, id: str, to: int, revision: str) -> Seen:
        """Keep the first ``to`` turns, those that wait among them. Calls that were made stay made."""
        found = await self._found(bot, id, revision)
        kept = found.kept
        _check_turn(to, kept)
        waiting = kept.waiting[: max(0, to - len(kept.turns))]
        is_gone = kept.differs_at is not None and kept.differs_at >= to
        rest = {"differs_at": None, "before": None} if is_gone else {}
        asks = kept.asks if waiting else None
        kept = msgspec.structs.replace(kept, turns=kept.turns[:to], waiting=waiting, asks=asks, **rest)
        return await self._replaced(bot, await self._seen(bot, found), kept)

    async def change(self, bot: str, id: str, change: Change, may_call: MayCall) -> Seen:
        """Change clock, zone or how calls are answered, from the next turn on."""
        found = await self._found(bot, id, change.revision)
        given: dict[str, Any] = {}
        if change.now is not UNSET:
            given |= {"moment": _moment(change.now), "moment_set_at": self._clock.now()}
        if change.timezone is not UNSET:
            given["timezone"] = await _zone(change.timezone)
        if change.calls is not UNSET:
            given["calls"] = change.calls
            await self._ask_of_stored(bot, found.kept, change.calls, may_call)
        if change.mocks is not UNSET:
            check_mocks(change.mocks)
            given["mocks"] = change.mocks
        seen = await self._seen(bot, found._replace(kept=msgspec.structs.replace(found.kept, **given)))
        return await self._replaced(bot, seen, seen.found.kept)

    async def replay(self, bot: str, id: str, again: Again, may_call: MayCall) -> Seen:
        """Play the same turns again, at the same moments and with the same answers of the outside, on a draft or a
        version, up to a write that has no answer. Raises ``FlowError`` for a bot that cannot be loaded; the try-out
        then stays as it was."""
        found = await self._found(bot, id, again.revision)
        kept, decision = found.kept, again.decision
        if decision is not None:
            check_decision(decision)
            if kept.asks is None or kept.asks.call != decision.call:
                raise changed_meanwhile()
        to = len(kept.turns) + len(kept.waiting) if again.to is None else again.to
        _check_turn(to, kept)
        on = again.on or kept.on
        files = await self._files_on(bot, on, again.files)
        tried = await self._tried.of(bot, files, _mocks(kept.calls, kept.mocks), kept.timezone)
        seen = Seen(found, tried, _channel(tried, kept.channel))
        await _ask(may_call, kept.calls, files)
        waiting = [play_again(turn, tried.deployed.masking) for turn in kept.turns] + list(kept.waiting)
        new = msgspec.structs.replace(
            kept, on=on, files=await self._rows.keep_files(bot, files), turns=(), waiting=tuple(waiting[:to])
        )
        if decision is None:
            new = msgspec.structs.replace(new, differs_at=None, before=None)
        return await self._play(seen, new, decision, is_replay=True)

    async def as_test(self, bot: str, id: str, title: str, file: str | None) -> WrittenTest:
        """Return the text of a test file that plays this try-out and expects what was seen."""
        seen = await self.find(bot, id)
        return await to_test(seen.found.kept, seen.tried, seen.channel, title, file)

    # -- parts of the above

    async def _found(self, bot: str, id: str, revision: str) -> Found:
        found = await self._rows.find(bot, id)
        if revision != str(found.revision):
            raise changed_meanwhile()
        return found

    async def _seen(self, bot: str, found: Found) -> Seen:
        kept = found.kept
        mocks = _mocks(kept.calls, kept.mocks)
        tried = await self._tried.by_id(
            bot, kept.files, lambda: self._rows.files(bot, kept.files), mocks, kept.timezone
        )
        return Seen(found, tried, _channel(tried, kept.channel))

    async def _replaced(self, bot: str, seen: Seen, kept: KeptTryOut) -> Seen:
        return seen._replace(found=await self._rows.replace(bot, seen.found, kept))

    async def _ask_of_stored(self, bot: str, kept: KeptTryOut, calls: Calls, may_call: MayCall) -> None:
        """Ask whether a try-out may be played with these calls on the files that it has."""
        if calls != "mocked":
            await _ask(may_call, calls, await self._rows.files(bot, kept.files))

    def _with_turn(self, kept: KeptTryOut, user: UserTurn) -> KeptTryOut:
        """Return the try-out with a new turn that waits to be played."""
        serial = kept.serial + 1
        turn = Waiting(at=kept.now(self._clock.now()), serial=serial, user=user)
        return msgspec.structs.replace(kept, serial=serial, waiting=(turn,))

    async def _play(
        self, seen: Seen, kept: KeptTryOut, decision: Decision | None = None, *, is_replay: bool = False
    ) -> Seen:
        play = PlayOn(self._rows, self._player, self._calls, seen.found, seen.tried, seen.channel, decision)
        return seen._replace(found=await play.play(kept, is_replay=is_replay))


async def _ask(may_call: MayCall, calls: Calls, files: Mapping[str, str]) -> None:
    if calls != "mocked":
        await may_call(files)


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
    count = len(kept.turns) + len(kept.waiting)
    if not 0 <= to <= count:
        detail = f"This try-out has {count} turns; name a number from 0 to that."
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
