"""Answers history queries from a connection: in SQL where that is exact, else the exact predicate over what SQL leaves.

What the query means is ``dialoom.query``'s; this file only runs it, in one transaction of its caller.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any, Final

import apsw
import msgspec

from dialoom.query import Selection, place_key, place_of, sort_key
from dialoom.storage.first_records import FirstRecords
from dialoom.storage.history_plan import (
    MAX_BATCH_ROWS,
    ROWS_A_LOOK,
    HistoryPlan,
    end_of,
    plan_history,
    sorted_by_index,
)
from dialoom.storage.limits import (
    PAGE_BYTES,
    WANTED_BYTES,
    check_page,
    rows_next,
    size_of,
    too_large,
)
from dialoom.storage.rows import Collection, Stretch
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.connection import Deadline
from dialoom.storage.sqlite.indexes import table_for
from dialoom.storage.sqlite.pages import all_in_order, first_of, of_all, page_statements

_decode = msgspec.json.Decoder(dict[str, Any]).decode
_HISTORY = load("sqlite", "history")

FIRST_ROWS: Final = 4
"""Of a step of a walk: no more than 32 MiB."""

Match = tuple[dict[str, Any], bytes]


def find(
    connection: apsw.Connection, deadline: Deadline, collection: Collection, bot: str, selection: Selection
) -> list[bytes]:
    plan = _plan(connection, deadline, collection, bot, selection)
    if not plan.is_ordered:
        return _ordered(connection, deadline, sorted_by_index(plan, selection, "sqlite"), selection)
    if plan.is_match is None:
        try:
            return _page(connection, deadline, plan, selection.skip, selection.limit)
        except apsw.TooBigError:
            raise too_large() from None
    matches = _walked(connection, deadline, plan) if plan.index_column else _read_in_order(connection, deadline, plan)
    # A page may be full before the rows are: a cursor left open would keep the log from being emptied.
    with closing(matches):
        return _taken((text for _, text in islice(matches, selection.skip, end_of(selection))), selection)


def stretch(
    connection: apsw.Connection, deadline: Deadline, collection: Collection, bot: str, selection: Selection, rows: int
) -> Stretch:
    """Return the next part of a walk: what matches among the next rows of the order, as far as they have the bytes
    wanted. The first few tell how long they are."""
    plan = _plan(connection, deadline, collection, bot, selection)
    place_in, size, few = place_of(selection.sort), 0, min(rows, FIRST_ROWS)
    texts: list[bytes] = []
    while True:
        found, few = _some(connection, deadline, plan, few)
        texts += found
        size += size_of(found)
        place = place_in(_decode(found[-1])) if len(found) == few else None
        if place is None or len(texts) >= rows or size >= WANTED_BYTES:
            break
        plan = plan.after(place)
        few = min(rows - len(texts), rows_next(len(texts), size, WANTED_BYTES - size))
    if plan.is_match is not None:
        texts = [text for _, text in _matches(texts, plan.is_match, deadline)]
    return Stretch(texts, place)


def count(
    connection: apsw.Connection, deadline: Deadline, collection: Collection, bot: str, selection: Selection
) -> int:
    """Return how many records match; ``skip``, ``limit`` and ``after`` do not matter."""
    plan = _plan(connection, deadline, collection, bot, selection)
    if plan.is_match is None:
        sql, values = of_all("count", plan)
        return int(connection.execute(sql, values).get)
    with closing(_read(connection, deadline, plan)) as matches:
        return sum(1 for _ in matches)


def _plan(
    connection: apsw.Connection, deadline: Deadline, collection: Collection, bot: str, selection: Selection
) -> HistoryPlan:
    return plan_history(table_for(connection, collection, bot), selection, "sqlite", deadline.check)


def _page(
    connection: apsw.Connection, deadline: Deadline, plan: HistoryPlan, skip: int, limit: int | None
) -> list[bytes]:
    """Return a page, which comes as one value: each row would wait once for the interpreter's lock. No record has a
    line end. Raises ``TooBigError`` where the value would be too long."""
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, PAGE_BYTES)
    page = first_of(connection, deadline, page_statements(plan, skip, limit))
    return [] if page is None else page.split(b"\n")


def _walked(connection: apsw.Connection, deadline: Deadline, plan: HistoryPlan) -> Generator[Match, None, None]:
    """Yield the matches in an order that an index has, some rows at a time."""
    place_in, rows = place_of(plan.sort), ROWS_A_LOOK
    while True:
        texts, rows = _some(connection, deadline, plan, rows)
        yield from _matches(texts, plan.is_match, deadline)
        if len(texts) < rows:
            return
        plan = plan.after(place_in(_decode(texts[-1])))
        rows = min(2 * rows, MAX_BATCH_ROWS, rows_next(rows, size_of(texts)))


def _some(connection: apsw.Connection, deadline: Deadline, plan: HistoryPlan, rows: int) -> tuple[list[bytes], int]:
    """Return the next rows, or fewer where so many are too long; and how many were asked for."""
    while True:
        try:
            return _page(connection, deadline, plan, 0, rows), rows
        except apsw.TooBigError:
            if rows == 1:
                raise
            rows = max(1, rows // 8)


def _read_in_order(connection: apsw.Connection, deadline: Deadline, plan: HistoryPlan) -> Generator[Match, None, None]:
    """Yield the matches in an order that has to be sorted."""
    with closing(connection.execute(*all_in_order(plan))) as rows:
        yield from _matches((text for (text,) in rows), plan.is_match, deadline)


def _read(connection: apsw.Connection, deadline: Deadline, plan: HistoryPlan) -> Generator[Match, None, None]:
    """Yield the matches in any order."""
    with closing(connection.execute(*of_all("all", plan))) as rows:
        yield from _matches((text for (text,) in rows), plan.is_match, deadline)


def _ordered(connection: apsw.Connection, deadline: Deadline, plan: HistoryPlan, selection: Selection) -> list[bytes]:
    """Return a page in an order that is made here, with few more records in hand than go out."""
    key = sort_key(selection.sort)
    behind = None if selection.after is None else place_key(selection.sort)(selection.after)
    least = FirstRecords(end_of(selection))
    with closing(_read(connection, deadline, plan)) as matches:
        for document, text in matches:
            place = key(document)
            if behind is None or behind < place:
                least.take(place, document["_id"], text)
    by_id = _HISTORY["by_id"].filled({"table": plan.table.name})
    found = least.page(selection.skip)
    return [connection.execute(by_id, (plan.table.bot, held)).get if isinstance(held, str) else held for held in found]


def _taken(texts: Iterable[bytes], selection: Selection) -> list[bytes]:
    """Return the page that these texts make up."""
    page: list[bytes] = []
    size = 0
    for text in texts:
        page.append(text)
        size += len(text)
        if selection.limit is not None:
            check_page(size)
    return page


def _matches(
    texts: Iterable[bytes], is_match: Callable[[dict[str, Any]], bool] | None, deadline: Deadline
) -> Iterator[Match]:
    for text in texts:
        # Each record is a look: one of 8,000 characters can keep twenty expressions busy for seconds.
        deadline.check()
        document = _decode(text)
        if is_match is None or is_match(document):
            yield document, text
