"""``retention-days``: what is older goes, what is not stays, and a new limit counts soon."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.http.support import BOT, FLOW, serving
from tests.storage.row_makers import message, outgoing, record, write
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.query import Selection
from dialoom.service.chat.attachments import Attachments
from dialoom.service.clock import iso
from dialoom.service.records.clock_guard import ClockGuard, confirm
from dialoom.service.records.retention import BATCH, Retention
from dialoom.service.records.upkeep import ANSWERS_KEPT_MS, EVERY_MS, LOGINS_KEPT_MS, Upkeep
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.rows import named_files
from dialoom.storage.store import ChatKey, Dedupe, Forgotten, LoginRow
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Client

    from dialoom.storage.store import Store

DAY = 24 * 3600
LASTING = FLOW | {"settings": {"session-timeout": 2 * 365 * 24 * 60}}
"""Its sessions do not end by themselves, which would be something that came into them."""


@pytest.fixture
def store() -> TemporaryStore:
    return TemporaryStore()


@pytest.fixture
async def client(tmp_path: Path, store: Store) -> AsyncIterator[Client]:
    async with serving(tmp_path, LASTING, store=store, bot=BOT | {"retention-days": 30}) as client:
        await run_scheduled_jobs(client)
        yield client


async def run_scheduled_jobs(client: Client, seconds: float = 0) -> None:
    client.clock.move(seconds)
    await client.service.scheduled_jobs.look()
    await client.service.scheduled_jobs.settled()


async def users(client: Client) -> list[str]:
    return sorted(found["User"] for found in (await client.history("conversations")).json)


async def test_conversations_that_nothing_came_into_for_so_long_go_with_their_messages(client: Client) -> None:
    await client.say("tea", sender="ada")
    client.clock.move(29 * DAY)
    await client.say("tea", sender="ben")
    await run_scheduled_jobs(client)
    assert await users(client) == ["ada", "ben"]
    await run_scheduled_jobs(client, 2 * DAY)
    assert await users(client) == ["ben"]
    assert {found["User"] for found in (await client.history("messages")).json} == {"ben"}
    assert await client.service.store.chat(ChatKey("tea", "rest", "ada")) is None


async def test_a_user_whose_memory_went_begins_anew(client: Client) -> None:
    await client.say("tea")
    await run_scheduled_jobs(client, 32 * DAY)
    answer = await client.say("hello")
    assert answer.status == 200
    assert await users(client) == ["ada"]


async def publish_limit(client: Client, folder: Path, days: int | None, **more: Any) -> None:
    (folder / "tea" / "bot.json").write_text(json.dumps(BOT | ({"retention-days": days} if days else {}) | more))
    await client.service.publish(folder / "tea")
    await run_scheduled_jobs(client)


async def test_a_lower_limit_counts_a_day_after_its_publish(
    client: Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await client.say("tea")
    await run_scheduled_jobs(client, 10 * DAY)
    assert await users(client) == ["ada"]
    await publish_limit(client, tmp_path, 5)
    assert "retention-days goes from 30 to 5. Conversations without a message since" in caplog.text
    assert "are erased (1 as of now), from" in caplog.text
    await run_scheduled_jobs(client, 60)
    await publish_limit(client, tmp_path, 5, name="Tea room")  # another version of the same limit: no new day
    await run_scheduled_jobs(client, DAY - 120)
    assert await users(client) == ["ada"]
    await run_scheduled_jobs(client, 120)
    assert await users(client) == []
    assert caplog.text.count("retention-days goes from") == 1


@pytest.mark.parametrize("days", [30, None])
async def test_a_lower_limit_can_be_taken_back_for_a_day(client: Client, tmp_path: Path, days: int | None) -> None:
    await client.say("tea")
    await run_scheduled_jobs(client, 10 * DAY)
    await publish_limit(client, tmp_path, 5)
    await run_scheduled_jobs(client, DAY - 60)
    await publish_limit(client, tmp_path, days, name="Tea room")
    for _ in range(3):
        await run_scheduled_jobs(client, DAY)
    assert await users(client) == ["ada"]
    await run_scheduled_jobs(client, 20 * DAY)
    assert await users(client) == ([] if days else ["ada"])


async def test_a_rollback_within_the_day_takes_a_lower_limit_back(client: Client, tmp_path: Path) -> None:
    await client.say("tea")
    await run_scheduled_jobs(client, 10 * DAY)
    before = client.service.bots.known("tea").version
    await publish_limit(client, tmp_path, 5)
    await run_scheduled_jobs(client, DAY - 60)
    await client.service.store.roll_back("tea", before, client.clock.now())
    await client.service.bots.catch_up()
    for _ in range(3):
        await run_scheduled_jobs(client, DAY)
    assert await users(client) == ["ada"]


async def test_the_first_limit_of_a_bot_that_kept_all_counts_a_day_later(client: Client, tmp_path: Path) -> None:
    await publish_limit(client, tmp_path, None)
    await run_scheduled_jobs(client, 2 * DAY)
    await client.say("tea")
    await run_scheduled_jobs(client, 40 * DAY)
    await publish_limit(client, tmp_path, 30)
    await run_scheduled_jobs(client, DAY - 60)
    assert await users(client) == ["ada"]
    await run_scheduled_jobs(client, 120)
    assert await users(client) == []


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_restart_does_not_bring_the_day_forward(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    if kind == "sqlite":
        store: Store = TemporaryStore()
    else:
        request.getfixturevalue("tables")  # empties it
        store = PostgresStore(request.getfixturevalue("shared_database"))
    clock = MovedClock()
    async with serving(tmp_path, LASTING, store=store, bot=BOT | {"retention-days": 30}, clock=clock) as client:
        await run_scheduled_jobs(client)
        await client.say("tea")
        await run_scheduled_jobs(client, 10 * DAY)
        await publish_limit(client, tmp_path, 5)
    async with serving(tmp_path, LASTING, store=store, bot=BOT | {"retention-days": 5}, clock=clock) as client:
        await run_scheduled_jobs(client, 3600)
        await run_scheduled_jobs(client, 20 * 3600)
        assert await users(client) == ["ada"]
        await run_scheduled_jobs(client, 4 * 3600)
        assert await users(client) == []


async def test_a_clock_that_jumped_erases_nothing_until_an_operator_says_that_it_is_right(client: Client) -> None:
    await client.say("tea", id="1")
    await run_scheduled_jobs(client)
    client.clock.set_ahead(400 * DAY)
    for _ in range(5):
        await run_scheduled_jobs(client, 3600)
    store, key = client.service.store, ChatKey("tea", "rest", "ada")
    assert await users(client) == ["ada"]
    assert await store.answered(key, "1") is not None
    assert await confirm(store, client.clock)
    await run_scheduled_jobs(client, 3600)
    assert await users(client) == []
    assert await store.answered(key, "1") is None


async def test_a_clock_that_jumped_erases_nothing_for_a_day(client: Client) -> None:
    await client.say("tea")
    await run_scheduled_jobs(client)
    client.clock.set_ahead(400 * DAY)
    for _ in range(23):
        await run_scheduled_jobs(client, 3600)
        assert await users(client) == ["ada"]
    for _ in range(3):
        await run_scheduled_jobs(client, 3600)
    assert await users(client) == []


async def test_upkeep_goes_on_after_a_clock_was_set_back(client: Client) -> None:
    client.clock.set_ahead(400 * DAY)
    await run_scheduled_jobs(client)
    client.clock.set_ahead(-400 * DAY)
    await client.say("tea", id="1")
    for _ in range(50):
        await run_scheduled_jobs(client, 3600)
    assert await client.service.store.answered(ChatKey("tea", "rest", "ada"), "1") is None


async def test_without_a_limit_everything_stays(client: Client, tmp_path: Path) -> None:
    await client.say("tea")
    (tmp_path / "tea" / "bot.json").write_text(json.dumps(BOT))
    await client.service.publish(tmp_path / "tea")
    await run_scheduled_jobs(client)
    await run_scheduled_jobs(client, 400 * DAY)
    assert await users(client) == ["ada"]


class Serving:
    """Serves one bot with a limit of a day."""

    def active(self, bot: str) -> Any:
        return SimpleNamespace(version="v", bot=SimpleNamespace(id=bot, file=SimpleNamespace(retention_days=1)))


class Watched(MovedClock):
    """Says when somebody sleeps."""

    def __init__(self) -> None:
        super().__init__()
        self.is_slept_on = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.is_slept_on.set()
        await super().sleep(seconds)


async def test_many_go_in_batches_with_pauses_between(tmp_path: Path, store: Store) -> None:
    await store.open()
    clock = Watched()
    old = iso(clock.now() - 3 * DAY * 1000)
    for number in range(BATCH + 5):
        key = ChatKey("salon", "rest", f"u{number}")
        await store.commit(write(0, key, records=(record(number, key, started_at=old, updated_at=old),)))
    retention = Retention(store, Serving(), clock, ClockGuard(store, clock))  # type: ignore[arg-type]  # all it asks
    run = asyncio.create_task(retention.do("salon", ""))
    await asyncio.wait_for(clock.is_slept_on.wait(), 60)
    assert not run.done()
    clock.move(60)
    assert await run == clock.now() + DAY * 1000
    assert await store.forget_conversations("salon", iso(clock.now()), 10) == Forgotten(0, None)
    await store.close()


async def test_a_run_that_has_no_more_time_goes_on_where_it_ended(store: Store) -> None:
    await store.open()
    clock = MovedClock()
    begun, now = iso(clock.now() - 3 * DAY * 1000), iso(clock.now())
    for number in range(BATCH + 1):
        key = ChatKey("salon", "rest", f"u{number}")
        updated = begun if number == BATCH else now
        await store.commit(write(0, key, records=(record(number, key, started_at=begun, updated_at=updated),)))
    retention = Retention(store, Serving(), clock, ClockGuard(store, clock), longest_run=-1)  # type: ignore[arg-type]  # all it asks
    assert await retention.do("salon", "") == clock.now()
    assert await store.count("conversations", "salon", Selection()) == BATCH + 1
    assert await retention.do("salon", "") == clock.now() + DAY * 1000
    assert await store.count("conversations", "salon", Selection()) == BATCH
    await store.close()


class Endless(TemporaryStore):
    """Has always more old rows of each kind. ``batches``: what was to be deleted, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[str] = []

    async def forget_conversations(
        self, bot: str, before: str, limit: int, after: tuple[str, str] | None = None
    ) -> Forgotten:
        self.batches.append("conversations")
        return Forgotten(BATCH, None)

    async def forget_chats(self, bot: str, before: int, limit: int) -> int:
        self.batches.append("chats")
        return limit

    async def forget_dead(self, bot: str, before: int, limit: int) -> int:
        self.batches.append("letters")
        return limit


class Unslept(MovedClock):
    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


async def test_all_that_a_run_deletes_has_one_time_together_and_of_each_kind_a_batch_goes() -> None:
    store, clock = Endless(), Unslept()
    await store.open()
    retention = Retention(store, Serving(), clock, ClockGuard(store, clock), longest_run=0.05)  # type: ignore[arg-type]  # all it asks
    assert await retention.do("salon", "") == clock.now()
    assert (store.batches[0], store.batches[1], store.batches[-1]) == ("conversations", "chats", "letters")
    # The chats have taken all of it.
    assert store.batches.count("letters") == 1


async def test_a_message_names_a_file_by_its_address(store: Store) -> None:
    await store.open()
    key = ChatKey("te a", "web", "ada")
    files = Attachments(store, Vault.from_keys([bytes(32)]), MovedClock(), "https://bot.example/base")
    kept = await files.keep(key, "a.txt", b"a")
    (attached,) = await files.named(key, [kept.id])
    said = message(1, key=key, from_="user", type="file", payload=[msgspec.to_builtins(attached)])
    assert named_files([msgspec.json.encode(said.record).decode()]) == [kept.id]
    await store.close()


async def test_the_upkeep_of_a_bot_leaves_other_bots_theirs(store: Store) -> None:
    await store.open()
    clock = MovedClock()
    tea, salon = (ChatKey(bot, "rest", "ada") for bot in ("tea", "salon"))
    for key in (tea, salon):
        await store.commit(write(0, key, dedupe=Dedupe("1", b"hash"), answer=b"hi", now=0))
    files = Attachments(store, Vault.from_keys([bytes(32)]), clock, "")
    assert await Upkeep(store, files, clock, ClockGuard(store, clock)).do("tea", "") == clock.now() + EVERY_MS
    assert await store.answered(tea, "1") is None
    assert await store.answered(salon, "1") is not None
    await store.close()


async def test_the_upkeep_forgets_login_links_a_day_after_their_end(store: Store) -> None:
    await store.open()
    clock = MovedClock()
    key, end = ChatKey("tea", "rest", "ada"), clock.now()
    await store.commit(write(0, key))
    row = await store.open_login(LoginRow(key, "l1", b"sealed", end))
    upkeep = Upkeep(store, Attachments(store, Vault.from_keys([bytes(32)]), clock, ""), clock, ClockGuard(store, clock))
    clock.move(LOGINS_KEPT_MS / 1000)
    await upkeep.do("tea", "")
    assert await store.login(key, "l1") == row
    clock.move(1)
    await upkeep.do("tea", "")
    assert await store.login(key, "l1") is None
    await store.close()


async def test_dead_letters_of_that_age_go_too(store: Store) -> None:
    await store.open()
    clock = MovedClock()
    key, now = ChatKey("salon", "rest", "ada"), clock.now()
    rows = [outgoing(1, key, created_at=now - 2 * DAY * 1000), outgoing(2, key, created_at=now)]
    await store.commit(write(0, key, outbox=tuple(rows), now=now))
    for _ in rows:
        (taken,) = await store.take_outgoing(now, now + 1000, 10)
        await store.bury(taken, now, "No.")
    await Retention(store, Serving(), clock, ClockGuard(store, clock)).do("salon", "")  # type: ignore[arg-type]  # all it asks
    assert [letter.id for letter in await store.dead("salon", 10)] == ["d000002"]
    await store.close()


async def test_answers_of_a_day_ago_are_forgotten_each_hour(client: Client) -> None:
    key = ChatKey("tea", "rest", "ada")
    await client.say("tea", id="1")
    client.clock.move(ANSWERS_KEPT_MS / 1000 - 60)
    await run_scheduled_jobs(client)
    known = await client.service.store.answered(key, "1")
    assert known is not None
    assert known.answer is not None
    await run_scheduled_jobs(client, 3700)
    known = await client.service.store.answered(key, "1")
    assert known is None or known.answer is None
