"""How tasks are gathered into groups, and what becomes of a group that cannot go in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from dialoom.errors import StoreError
from dialoom.storage.postgres.connection import MAX_TRIES
from dialoom.storage.postgres.turns import _literal as array_literal
from dialoom.storage.postgres.writer import AGAIN, MAX_GROUP_TASKS, Writer
from dialoom.storage.store import ChatKey, Refused
from tests.storage.row_makers import ANN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from tests.postgres import Server

KEYS = [ChatKey("salon", "web", f"user {number}") for number in range(100)]


@pytest.fixture
async def writer(postgres_server: Server) -> AsyncIterator[Writer]:
    made = Writer(postgres_server.url, most=2)
    await made.open()
    yield made
    await made.close()


class Groups:
    """Writes nothing; keeps which groups were asked for, and how many ran at once for each payload."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, list[Any]]] = []
        self.running: list[Any] = []

    async def echo(self, connection: Any, bot: str, payloads: Sequence[Any]) -> list[Any]:
        self.seen.append((bot, [*payloads]))
        assert not set(self.running) & {key for key, _ in payloads}
        keys = [key for key, _ in payloads]
        self.running += keys
        await connection.execute("select 1")
        for key in keys:
            self.running.remove(key)
        return [*payloads]


async def test_what_comes_together_goes_in_together(writer: Writer) -> None:
    groups = Groups()
    answers = [writer.submit(groups.echo, key, (key, 1)) for key in KEYS]
    assert await asyncio.gather(*answers) == [(key, 1) for key in KEYS]
    assert [len(payloads) for _, payloads in groups.seen] == [MAX_GROUP_TASKS, len(KEYS) - MAX_GROUP_TASKS]


async def test_each_bot_and_each_kind_has_groups_of_its_own(writer: Writer) -> None:
    groups, others = Groups(), Groups()
    bots = [ChatKey(f"bot {number % 2}", "web", f"user {number}") for number in range(10)]
    answers = [writer.submit(groups.echo, key, (key, 1)) for key in bots]
    answers += [writer.submit(others.echo, key, (key, 1)) for key in KEYS[:3]]
    await asyncio.gather(*answers)
    assert sorted((bot, len(payloads)) for bot, payloads in groups.seen) == [("bot 0", 5), ("bot 1", 5)]
    assert [(bot, len(payloads)) for bot, payloads in others.seen] == [("salon", 3)]


async def test_tasks_of_one_chat_neither_meet_nor_overtake_each_other(writer: Writer) -> None:
    groups = Groups()
    answers = [writer.submit(groups.echo, key, (key, number)) for number in range(5) for key in KEYS[:20]]
    await asyncio.gather(*answers)
    for key in KEYS[:20]:
        done = [number for _, payloads in groups.seen for of, number in payloads if of == key]
        assert done == [0, 1, 2, 3, 4]


async def test_a_group_that_cannot_go_in_is_done_one_by_one(writer: Writer) -> None:
    seen: list[int] = []

    async def picky(connection: Any, bot: str, payloads: Sequence[Any]) -> list[Any]:
        seen.append(len(payloads))
        if 3 in payloads:
            raise asyncpg.CheckViolationError("3 is of another kind")
        if 4 in payloads:
            raise TypeError("4 is no payload at all")
        return [*payloads]

    answers = [writer.submit(picky, key, number) for number, key in enumerate(KEYS[:6])]
    results = await asyncio.gather(*answers, return_exceptions=True)
    assert [type(result) for result in results] == [int, int, int, Refused, TypeError, int]
    assert seen == [6, 1, 1, 1, 1, 1, 1]


async def test_those_that_are_in_the_way_are_answered_and_the_rest_goes_in_without_them(writer: Writer) -> None:
    async def checked(connection: Any, bot: str, payloads: Sequence[Any]) -> list[Any]:
        if max(payloads) > 3:
            return ["too big" if payload > 3 else AGAIN for payload in payloads]
        return [*payloads]

    answers = [writer.submit(checked, key, number) for number, key in enumerate(KEYS[:6])]
    assert await asyncio.gather(*answers) == [0, 1, 2, 3, "too big", "too big"]


@pytest.mark.parametrize(("deadlocks", "comes_through"), [(MAX_TRIES, True), (MAX_TRIES + 1, False)])
async def test_a_deadlock_is_tried_again_but_not_for_ever(writer: Writer, deadlocks: int, comes_through: bool) -> None:
    left = [deadlocks]

    async def unlucky(connection: Any, bot: str, payloads: Sequence[Any]) -> list[Any]:
        left[0] -= 1
        if left[0] >= 0:
            raise asyncpg.DeadlockDetectedError("deadlock detected")
        return [*payloads]

    answer = writer.submit(unlucky, ANN, 1)
    if comes_through:
        assert await answer == 1
    else:
        with pytest.raises(StoreError, match="40P01"):
            await answer


async def test_a_lost_connection_is_told_to_all_of_the_group_and_the_next_ones_go_on(writer: Writer) -> None:
    async def cut(connection: Any, bot: str, payloads: Sequence[Any]) -> list[Any]:
        await connection.execute("select pg_terminate_backend(pg_backend_pid())")
        return [*payloads]

    answers = [writer.submit(cut, key, 1) for key in KEYS[:3]]
    results = await asyncio.gather(*answers, return_exceptions=True)
    assert [type(result) for result in results] == [StoreError] * 3
    groups = Groups()
    assert await writer.submit(groups.echo, ANN, (ANN, 1)) == (ANN, 1)


async def test_whoever_stops_waiting_does_not_hold_up_the_others(writer: Writer) -> None:
    groups = Groups()
    answers = [writer.submit(groups.echo, key, (key, 1)) for key in KEYS[:3]]
    answers[1].cancel()
    assert await answers[0] == (KEYS[0], 1)
    assert await answers[2] == (KEYS[2], 1)
    assert await writer.submit(groups.echo, KEYS[1], (KEYS[1], 2)) == (KEYS[1], 2)


def test_a_truth_value_among_numbers_is_a_number_in_an_arrays_text() -> None:
    assert array_literal([True, 2, None, False]) == "{1,2,NULL,0}"
    assert array_literal([2, False]) == "{2,0}"


@pytest.mark.parametrize("rest", [(), (None,), ("", ","), ("{}", "NULL")])
def test_quotation_marks_and_backslashes_are_escaped_in_an_arrays_text(rest: tuple[str | None, ...]) -> None:
    read = {(): "", (None,): ",NULL", ("", ","): ',"",","', ("{}", "NULL"): ',"{}","NULL"'}[rest]
    assert array_literal(['say "a"\\', *rest]) == '{"say \\"a\\"\\\\"' + read + "}"
    assert array_literal(['"', *rest]) == '{"\\""' + read + "}"
    assert array_literal(["\\", *rest]) == '{"\\\\"' + read + "}"


def test_a_column_without_rows_or_values_is_an_array_too() -> None:
    assert array_literal([]) == "{}"
    assert array_literal((None, None)) == "{NULL,NULL}"
