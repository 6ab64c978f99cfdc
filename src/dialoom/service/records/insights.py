"""Counts what became of a bot's conversations in a period: how many reached their goal, where the others stopped, what
was not understood, what failed, and how long answers took; each number with the query that finds its conversations.

The records are walked once, along the index of their start and the newest first, some at a time on a thread. At most
``MAX_CONVERSATIONS`` are looked at: of a period with more, the numbers and queries are of its newest part, and the
answer says since when. Times of answers come from the newest ``MAX_TIMED_MESSAGES`` messages.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

import msgspec

from dialoom.query import Selection, parse_query, parse_sort
from dialoom.service.records.record_stream import walk
from dialoom.storage.store import Store

MAX_CONVERSATIONS: Final = 100_000
MAX_TIMED_MESSAGES: Final = 20_000
MAX_ROWS: Final = 100
"""Rows of each breakdown, those with the most conversations; days are as many as the period has."""
STALLED_MS: Final = 3600_000
"""Milliseconds without a message after which an open conversation counts as stopped where it is."""
_BATCH: Final = 2000

Query = dict[str, Any]


class Period(msgspec.Struct, frozen=True):
    """Says what is counted. Times are ISO 8601 as in the records, ``until`` not included; None: all."""

    since: str
    until: str
    channel: str | None = None
    version: str | None = None


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """Holds a number of conversations, its share of those that it is a part of, and the query that finds them."""

    count: int
    filter: Query
    share: float | None = None


class Row(msgspec.Struct, frozen=True, rename="camel"):
    """Holds the numbers of one channel, version, day or goal."""

    name: str
    conversations: Figure
    completed: Figure
    not_understood: Figure
    failed: Figure


class Stop(msgspec.Struct, frozen=True, rename="camel"):
    """Holds how many conversations stopped at a step. ``path``: where it stands in ``flow.json``."""

    step: str
    path: str
    stopped: Figure


class Times(msgspec.Struct, frozen=True):
    """Milliseconds from a message of the user to the bot's answer: half of them are below ``median``, 95 of a hundred
    below ``most``. None where there is none."""

    count: int
    median: int | None
    most: int | None


class Insights(msgspec.Struct, frozen=True, rename="camel"):
    since: str
    """Where the walk ended: the period's beginning, or later where ``is_cut``."""
    until: str
    is_cut: bool
    conversations: Figure
    with_goal: Figure
    completed: Figure
    stopped: Figure
    handed_over: Figure
    running: Figure
    not_understood: Figure
    not_understood_messages: int
    offered: Figure
    """Conversations in which it was asked what was meant; those in which an offer was taken, or turned down."""
    offers_taken: Figure
    offers_refused: Figure
    offers: int
    """How often it was asked."""
    user_messages: int
    failed: Figure
    errors: int
    first_answer: Times
    answer: Times
    timed_messages: int
    drop_off: dict[str, int]
    """By path in ``flow.json``."""
    drop_offs: tuple[Stop, ...]
    goals: tuple[Row, ...]
    channels: tuple[Row, ...]
    versions: tuple[Row, ...]
    days: tuple[Row, ...]
    all_channels: tuple[str, ...]
    """Of the period, whichever are counted."""
    all_versions: tuple[str, ...]


class _Data(msgspec.Struct):
    """An imported record may have anything here."""

    step: Any = None
    not_understood: Any = msgspec.field(default=0, name="notUnderstood")
    handed_over: Any = msgspec.field(default=False, name="handedOver")
    offered: Any = 0
    offers_taken: Any = msgspec.field(default=0, name="offersTaken")
    offers_refused: Any = msgspec.field(default=0, name="offersRefused")

    @property
    def missed(self) -> int:
        return _number(self.not_understood)


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


class _Messages(msgspec.Struct, gc=False):
    user: int = 0


class _Conversation(msgspec.Struct, rename="pascal"):
    """Reads of a record what is counted."""

    id: str = msgspec.field(name="_id")
    channel: str
    status: str
    started_at: str
    updated_at: str
    goal: str | None
    errors: int
    flow_version: str
    messages: _Messages
    data: _Data


class _Message(msgspec.Struct, rename="pascal", gc=False):
    conversation: str
    from_: str = msgspec.field(name="From")
    created_at: str
    sequence: int


_conversation = msgspec.json.Decoder(_Conversation).decode
_message = msgspec.json.Decoder(_Message).decode


class _Part:
    """Counts the conversations of one row."""

    __slots__ = ("completed", "count", "failed", "not_understood")

    def __init__(self) -> None:
        self.count = self.completed = self.not_understood = self.failed = 0

    def add(self, found: _Conversation) -> None:
        self.count += 1
        self.completed += found.status == "success"
        self.not_understood += found.data.missed > 0
        self.failed += found.errors > 0


COMPLETED: Final[Query] = {"Status": "success"}
NOT_UNDERSTOOD: Final[Query] = {"Data.notUnderstood": {"$gt": 0}}
OFFERED: Final[Query] = {"Data.offered": {"$gt": 0}}
OFFERS_TAKEN: Final[Query] = {"Data.offersTaken": {"$gt": 0}}
OFFERS_REFUSED: Final[Query] = {"Data.offersRefused": {"$gt": 0}}
HANDED_OVER: Final[Query] = {"$or": [{"Status": "handed-over"}, {"Data.handedOver": True}]}
FAILED: Final[Query] = {"Errors": {"$gt": 0}}


def stopped_query(before: str) -> Query:
    """Return what finds the conversations that stopped before their end, open ones with no message since a time."""
    open_ones = {"Status": "active", "UpdatedAt": {"$lt": before}}
    return {"Goal": {"$ne": None}, "$or": [{"Status": {"$in": ["abandoned", "failure"]}}, open_ones]}


class _Count:
    def __init__(self, period: Period, stalled_before: str) -> None:
        self._period = period
        self.stalled_before = stalled_before
        self.all = _Part()
        self.by: dict[str, defaultdict[str, _Part]] = {
            name: defaultdict(_Part) for name in ("goals", "channels", "versions", "days")
        }
        self.steps = Counter[str]()
        self.statuses = Counter[str]()
        self.with_goal = self.stopped = self.handed_over = self.missed = self.said = self.errors = 0
        self.offers = self.offered = self.taken = self.refused = 0
        self.ids: set[str] = set()
        self.all_channels, self.all_versions = Counter[str](), Counter[str]()
        self.looked = 0
        self.oldest = period.until

    def take(self, records: Iterable[bytes]) -> None:
        for text in records:
            found = _conversation(text)
            self.looked += 1
            self.oldest = found.started_at
            self.all_channels[found.channel] += 1
            self.all_versions[found.flow_version] += 1
            if self._is_meant(found):
                self._add(found)

    def _is_meant(self, found: _Conversation) -> bool:
        period = self._period
        return period.channel in (None, found.channel) and period.version in (None, found.flow_version)

    def _add(self, found: _Conversation) -> None:
        self.ids.add(found.id)
        names = {"channels": found.channel, "versions": found.flow_version, "days": found.started_at[:10]}
        for kind, name in (names | ({} if found.goal is None else {"goals": found.goal})).items():
            self.by[kind][name].add(found)
        self.all.add(found)
        self.statuses[found.status] += 1
        self.handed_over += found.status == "handed-over" or found.data.handed_over is True
        self.with_goal += found.goal is not None
        self.missed += found.data.missed
        self._add_offers(found.data)
        self.said += found.messages.user
        self.errors += found.errors
        if found.goal is not None and self._has_stopped(found):
            self.stopped += 1
            if isinstance(found.data.step, str):
                self.steps[found.data.step] += 1

    def _add_offers(self, data: _Data) -> None:
        offers = _number(data.offered)
        self.offers += offers
        self.offered += offers > 0
        self.taken += _number(data.offers_taken) > 0
        self.refused += _number(data.offers_refused) > 0

    def _has_stopped(self, found: _Conversation) -> bool:
        is_stalled = found.status == "active" and found.updated_at < self.stalled_before
        return is_stalled or found.status in ("abandoned", "failure")


class _Answers:
    """Measures how long answers took, from messages that come the newest first."""

    def __init__(self, ids: set[str]) -> None:
        self._ids = ids
        self._answered: dict[str, str] = {}
        """The earliest message of the bot, so far, behind what the user said last, by conversation."""
        self._first: dict[str, int] = {}
        self._begun: set[str] = set()
        self.turns: list[int] = []
        self.looked = 0

    def take(self, records: Iterable[bytes]) -> None:
        for text in records:
            self.looked += 1
            message = _message(text)
            id = message.conversation
            if id not in self._ids:
                continue
            if message.sequence == 1:
                self._begun.add(id)
            if message.from_ == "bot":
                self._answered[id] = message.created_at
            elif (at := self._answered.pop(id, None)) is not None:
                took = max(0, _milliseconds(at) - _milliseconds(message.created_at))
                self.turns.append(took)
                self._first[id] = took

    def times(self) -> tuple[Times, Times]:
        """Return the times of first answers and those of all."""
        return _times([took for id, took in self._first.items() if id in self._begun]), _times(self.turns)


def _milliseconds(iso: str) -> int:
    """Return a record's time in milliseconds since 1970."""
    return round(datetime.fromisoformat(iso).timestamp() * 1000)


def _times(took: Sequence[int]) -> Times:
    if not took:
        return Times(0, None, None)
    sorted_ones = sorted(took)
    return Times(len(took), sorted_ones[len(took) // 2], sorted_ones[min(len(took) - 1, len(took) * 95 // 100)])


async def count_insights(
    store: Store, bot: str, period: Period, stalled_before: str, most: int = MAX_CONVERSATIONS
) -> Insights:
    """Count the period's conversations. ``stalled_before``: an open conversation without a message since then counts as
    stopped. ``most``: of conversations that are looked at."""
    count = _Count(period, stalled_before)
    is_cut = await _walk(store, "conversations", bot, _between("StartedAt", period), "StartedAt", count.take, most)
    answers = _Answers(count.ids)
    await _walk(store, "messages", bot, _between("CreatedAt", period), "CreatedAt", answers.take, MAX_TIMED_MESSAGES)
    since = count.oldest if is_cut else period.since
    return await asyncio.to_thread(_insights, period, since, is_cut, count, answers)


async def _walk(
    store: Store, collection: Any, bot: str, query: Query, by: str, take: Callable[[list[bytes]], None], most: int
) -> bool:
    """Give the records, the newest first, to ``take``; return whether there were more than ``most``."""
    # Messages of one turn may have the same time: their ids tell their order.
    selection = Selection(_parsed(query), parse_sort(msgspec.json.encode({by: -1, "_id": -1}).decode()))
    looked = 0
    async for records in walk(store, collection, bot, selection, _BATCH):
        given = records[: most - looked]
        await asyncio.to_thread(take, given)
        looked += len(given)
        if len(given) < len(records):
            return True
    return False


def _parsed(query: Query) -> Any:
    return parse_query(msgspec.json.encode(query).decode())


def _between(property: str, period: Period) -> Query:
    return {property: {"$gte": period.since, "$lt": period.until}}


def _insights(period: Period, since: str, is_cut: bool, count: _Count, answers: _Answers) -> Insights:
    base: Query = _between("StartedAt", msgspec.structs.replace(period, since=since))
    base |= {} if period.channel is None else {"Channel": period.channel}
    base |= {} if period.version is None else {"FlowVersion": period.version}
    number = count.all.count
    statuses = count.statuses
    stopped = stopped_query(count.stalled_before)
    first, every = answers.times()
    return Insights(
        since=since,
        until=period.until,
        is_cut=is_cut,
        conversations=Figure(number, base),
        with_goal=_part(count.with_goal, number, base, {"Goal": {"$ne": None}}),
        completed=_part(count.all.completed, count.with_goal, base, COMPLETED),
        stopped=_part(count.stopped, count.with_goal, base, stopped),
        handed_over=_part(count.handed_over, number, base, HANDED_OVER),
        running=_part(statuses["active"], number, base, {"Status": "active"}),
        not_understood=_part(count.all.not_understood, number, base, NOT_UNDERSTOOD),
        not_understood_messages=count.missed,
        offered=_part(count.offered, number, base, OFFERED),
        offers_taken=_part(count.taken, count.offered, base, OFFERS_TAKEN),
        offers_refused=_part(count.refused, count.offered, base, OFFERS_REFUSED),
        offers=count.offers,
        user_messages=count.said,
        failed=_part(count.all.failed, number, base, FAILED),
        errors=count.errors,
        first_answer=first,
        answer=every,
        timed_messages=answers.looked,
        drop_off={path_of(step): found for step, found in count.steps.items()},
        drop_offs=tuple(
            Stop(step, path_of(step), _part(found, count.stopped, base, stopped | {"Data.step": step}))
            for step, found in count.steps.most_common(MAX_ROWS)
        ),
        goals=_rows(count.by["goals"], base, lambda name: {"Goal": name}),
        channels=_rows(count.by["channels"], base, lambda name: {"Channel": name}),
        versions=_rows(count.by["versions"], base, lambda name: {"FlowVersion": name}),
        days=tuple(sorted(_day_rows(count.by["days"], base), key=lambda row: row.name)),
        all_channels=tuple(name for name, _ in count.all_channels.most_common(MAX_ROWS)),
        all_versions=tuple(name for name, _ in count.all_versions.most_common(MAX_ROWS)),
    )


def path_of(step: str) -> str:
    """Return where a record's step (``conversation/index``) stands in ``flow.json``."""
    conversation, _, index = step.rpartition("/")
    return f"conversations/{conversation}/steps/{index}"


def _part(count: int, of: int, base: Query, query: Query) -> Figure:
    return Figure(count, base | query, round(count / of, 4) if of else None)


def _rows(parts: dict[str, _Part], base: Query, query: Callable[[str], Query]) -> tuple[Row, ...]:
    most = sorted(parts.items(), key=lambda item: (-item[1].count, item[0]))[:MAX_ROWS]
    return tuple(_row(name, part, base | query(name)) for name, part in most)


def _day_rows(parts: dict[str, _Part], base: Query) -> Iterable[Row]:
    whole = base["StartedAt"]
    for day, part in parts.items():
        next_day = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
        since, until = max(whole["$gte"], f"{day}T00:00:00.000Z"), min(whole["$lt"], f"{next_day}T00:00:00.000Z")
        yield _row(day, part, base | {"StartedAt": {"$gte": since, "$lt": until}})


def _row(name: str, part: _Part, base: Query) -> Row:
    return Row(
        name,
        Figure(part.count, base),
        _part(part.completed, part.count, base, COMPLETED),
        _part(part.not_understood, part.count, base, NOT_UNDERSTOOD),
        _part(part.failed, part.count, base, FAILED),
    )
