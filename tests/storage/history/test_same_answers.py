"""Whatever is done to them, SQLite and PostgreSQL give the same answers, as far as one process can see."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dialoom.errors import StoreError
from dialoom.query import Selection
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import Answered, ChatKey, Dedupe, LoginRow, ScheduledJob, Version
from tests.postgres import empty
from tests.storage.row_makers import commit, message, outgoing, record, time, timer, waiting, write
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from dialoom.storage.sealed import SealedKind
    from dialoom.storage.store import Outgoing, Store

KEYS = [ChatKey("salon", "web", "ann"), ChatKey("salon", "mobile", "ann"), ChatKey("faq", "web", "ben")]

SEALED: list[SealedKind] = ["versions", "chats", "answers", "outbox", "logins"]
"""Those whose places are the same on every store."""
IDS = [f"d{number:06d}" for number in range(1, 7)]

keys = st.sampled_from(KEYS)
bots = st.sampled_from(["salon", "faq"])
dedupes = st.none() | st.builds(Dedupe, st.sampled_from("kl"), st.sampled_from([b"1", b"2"]))
commits = st.tuples(
    st.just("commit"),
    keys,
    st.integers(-1, 1),
    dedupes,
    st.booleans(),
    st.lists(st.integers(1, 3), max_size=2, unique=True),
    st.dictionaries(st.sampled_from(["session", "silence"]), st.integers(1, 9), max_size=2),
    st.lists(st.sampled_from(["session", "silence"]), max_size=1),
    st.booleans(),
    st.integers(0, 9),
    st.none() | st.tuples(st.sampled_from(["callback", "agents"]), st.integers(0, 3)),
)
steps = st.one_of(
    commits,
    st.tuples(st.just("accept"), keys, dedupes),
    st.tuples(st.just("journal"), keys, st.integers(1, 3), st.sampled_from("ab")),
    st.tuples(st.just("due"), st.integers(0, 10), st.integers(1, 4)),
    st.tuples(st.just("forget"), bots, st.integers(0, 40)),
    st.tuples(st.just("carry"), keys, st.integers(0, 12)),
    st.tuples(st.just("take"), st.integers(0, 30), st.integers(1, 3)),
    st.tuples(st.sampled_from(["delivered", "postpone", "bury", "give back"]), st.integers(0, 5)),
    st.tuples(st.just("bring forward"), st.integers(0, 9), st.integers(1, 3)),
    st.tuples(st.just("forget dead"), bots, st.integers(0, 30)),
    st.tuples(st.sampled_from(["resend", "drop"]), bots, st.none() | st.lists(st.sampled_from(IDS), max_size=2)),
    st.tuples(st.just("plan"), bots, st.sampled_from("ab"), st.integers(0, 9)),
    st.tuples(st.just("jobs"), st.integers(0, 20), st.integers(1, 2)),
    st.tuples(st.just("finish"), bots, st.sampled_from("ab"), st.none() | st.integers(0, 20)),
    st.tuples(st.sampled_from(["publish", "roll back"]), bots, st.sampled_from("vw")),
    st.tuples(st.just("retain"), bots, st.integers(0, 4), st.integers(0, 2)),
    st.tuples(st.sampled_from(["open login", "change login"]), keys, st.sampled_from("lm"), st.integers(0, 20)),
    st.tuples(st.just("forget logins"), bots, st.integers(0, 20)),
    st.tuples(st.just("reseal"), st.sampled_from(SEALED), bots, st.integers(1, 3), st.binary(min_size=1, max_size=2)),
)


async def play(store: Store, script: list[Any]) -> list[Any]:
    """The answers to all steps, then all that the store holds."""
    await store.open()
    told: list[Any] = []
    posted: list[Outgoing] = []
    for at, (step, *values) in enumerate(script, 1):
        try:
            if step == "commit":
                told.append(await talk(store, at, posted, *values))
            else:
                told.append(await do(store, at, posted, step, values))
        except StoreError as error:
            told.append(str(error))
    told += await whole(store)
    await store.close()
    return told


async def talk(store: Store, at: int, posted: list[Outgoing], *values: Any) -> Answered | None:
    key, off, dedupe, through_inbox, records, timers, cancelled, is_later, carried, sent = values
    chat = await store.chat(key)
    revision = max(0, (chat.revision if chat else 0) + (off if at % 5 == 0 else 0))
    rows = await waiting(store, key) if through_inbox else []
    made = at * 7 % 25  # by a clock that jumps: neither ids nor times rise
    outbox = () if sent is None else (outgoing(made, key, sent[0], due=at, created_at=made, carries=sent[1]),)
    posted += outbox
    turn = write(
        revision,
        key,
        number=rows[0].number if rows else None,
        dedupe=rows[0].dedupe if rows else dedupe,
        answer=b"answer %d" % at,
        position=at,
        records=tuple(record(number, key, errors=at % 3) for number in records),
        messages=(message(at, key=key),),
        timers=tuple(timer(name, due, key) for name, due in timers.items()),
        cancelled=tuple(cancelled),
        now=at,
        is_later=is_later,
        carried=carried,
        outbox=outbox,
    )
    return await commit(store, turn)


async def do(store: Store, at: int, posted: list[Outgoing], step: str, values: list[Any]) -> Any:
    match step, values:
        case "accept", (key, dedupe):
            row = await store.accept(key, f"e{at}", b"sealed", dedupe, at)
            return row if isinstance(row, Answered) else (row.id, row.dedupe)
        case "journal", (key, which, call):
            # Numbers differ between the stores: the row by its place, and beyond them one that is no row's.
            numbers = [row.number for row in await waiting(store, key)]
            number = numbers[which - 1] if which <= len(numbers) else 1000 + which
            await store.journal(key, number, call, b"result %d" % at)
            return await store.journaled(key, number)
        case "due", _:
            return await store.due(*values), await store.next_due()
        case "forget", _:
            return await store.forget_answers(*values)
        case "carry", _:
            return await store.carry(*values)
        case "take", (now, limit):
            taken = await store.take_outgoing(now, now + 9, limit)
            posted += taken
            return [(row.id, row.due, row.attempts, row.reason) for row in taken]
        case (("delivered" | "postpone" | "bury" | "give back"), (which,)):
            # The last one that was taken, or one whose claim may have passed to another.
            return await settle(store, at, step, posted[-1 - which % len(posted)]) if posted else None
        case "bring forward", (ahead, limit):
            return await store.bring_forward(at, ahead, limit)
        case "forget dead", (bot, before):
            return await store.forget_dead(bot, before, 2)
        case "resend", (bot, ids):
            return await store.resend(bot, ids, at)
        case "drop", (bot, ids):
            return await store.drop(bot, ids)
        case "plan", _:
            return await store.plan(ScheduledJob(*values))
        case "jobs", (now, limit):
            return sorted((bot, name) for bot, name, _ in await store.take_jobs(now, now + 9, limit))
        case "finish", _:
            return await store.finish_job(*values)
        case "publish", (bot, version):
            return await store.publish(Version(bot, version, b"{}", at))
        case "roll back", (bot, version):
            return await store.roll_back(bot, version, at)
        case "retain", (bot, before, limit):
            return await store.forget_conversations(bot, time(before), limit)
        case "open login", (key, link, expires_at):
            return await store.open_login(LoginRow(key, link, b"opened at %d" % at, expires_at))
        case "change login", (key, link, expires_at):
            before = await store.login(key, link) or LoginRow(key, link, b"none", 0)
            return await store.change_login(before, LoginRow(key, link, b"changed at %d" % at, expires_at, at % 2 == 0))
        case "forget logins", _:
            return await store.forget_logins(*values)
        case "reseal", (kind, bot, limit, mark):
            page = await store.sealed(kind, bot, mark, None, limit)
            changes = [(sealed, sealed._replace(value=mark + sealed.value)) for sealed in page.values]
            return page, await store.reseal(kind, bot, changes)
    raise AssertionError(step)


async def settle(store: Store, at: int, how: str, delivery: Outgoing) -> None:
    match how:
        case "delivered":
            await store.delivered(delivery, at)
        case "postpone":
            await store.postpone(delivery, at, at + 3, f"failed at {at}")
        case "give back":
            await store.give_back([delivery, delivery], at, at + 1)
        case _:
            await store.bury(delivery, at, f"given up at {at}")


async def whole(store: Store) -> list[Any]:
    told: list[Any] = []
    for key in KEYS:
        told += [await store.chat(key), await store.said(key, 0, 100), await store.last_said(key, 3)]
        told += [await store.later(key, 100), await store.later(key, 1)]
        told += [await store.answered(key, dedupe) for dedupe in "kl"]
        told += [await store.login(key, link) for link in "lm"]
    told += [(row.key, row.id) for row in await waiting(store, *KEYS)]
    for bot in ("salon", "faq"):
        told.append(await store.find("conversations", bot, Selection(sort=(("Errors", -1),))))
        told.append(await store.find("messages", bot, Selection()))
        told += [await store.versions(bot), await store.active(bot), await store.dead(bot, 100)]
    told += [await store.deployments(), await store.outbox_counts(), await store.orphans()]
    told += [await store.due(100, 100), await store.next_due()]
    return told


TWO_AT_ONCE: tuple[Any, ...] = ("commit", KEYS[0], 0, None, False, [], {"session": 1}, [], False, 0, None)
"""A chat whose timer is due at the same moment as another's."""


def of_one_runner(step: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a runner never does, a shared store refuses: a turn while an event waits that came before."""
    match step:
        case "commit", key, off, dedupe, _, *rest:
            return ("commit", key, off, dedupe, True, *rest)
    return step


def seen_by_one(told: list[Any]) -> list[Any]:
    """Without the orphans: the end of a play holds all chats, which only a shared store takes note of."""
    *before, _orphans, due, next_due = told
    return [*before, due, next_due]


@settings(max_examples=40, deadline=None)
@given(script=st.lists(steps.map(of_one_runner), max_size=25))
@example(script=[TWO_AT_ONCE, ("commit", KEYS[1], *TWO_AT_ONCE[2:]), ("due", 1, 1)])
def test_both_stores_tell_the_same(kept_database: str, script: list[Any]) -> None:
    try:
        told = asyncio.run(play(PostgresStore(kept_database, is_timed_by_server=False), script))
    finally:
        empty(kept_database)
    assert seen_by_one(told) == seen_by_one(asyncio.run(play(TemporaryStore(), script)))
