"""Answers history queries from a connection: in SQL where that is exact, else the exact predicate over what SQL leaves.

What the query means is ``dialoom.query``'s; this file only runs it, in one transaction of its caller.
"""

from __future__ import annotations

from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import apsw
import msgspec

from dialoom.query import place_of, sort_key, turner
from dialoom.storage.asked import MOST_TURNED, ROWS_A_LOOK, ROWS_A_STRETCH, asked_of, end_of, leading, united
from dialoom.storage.least import Least
from dialoom.storage.limits import (
    PAGE_BYTES,
    WANTED_BYTES,
    check_page,
    rows_next,
    size_of,
    too_large,
)
from dialoom.storage.named import load
from dialoom.storage.sqlite.indexes import table_for
from dialoom.storage.sqlite.pages import along_order, by_condition, of_all
from dialoom.storage.sqlite.race import first_of
from dialoom.storage.store import Stretch

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from dialoom.query import Selection
    from dialoom.storage.asked import Asked
    from dialoom.storage.sqlite.connection import Deadline
    from dialoom.storage.sqlite.pages import Written
    from dialoom.storage.store import Collection

_decode = msgspec.json.Decoder(dict[str, Any]).decode
_HISTORY = load("sqlite", "history")

FIRST_ROWS: Final = 4
"""Of a step of a walk: no more than 32 MiB."""

Match = tuple[dict[str, Any], bytes]


def find(
    connection: apsw.Connection, deadline: Deadline, collection: Collection, bot: str, selection: Selection
) -> list[bytes]:
    asked = _asked(connection, deadline, collection, bot, selection)
    if not asked.is_ordered:
        return _ordered(connection, deadline, leading(asked, selection, "sqlite"), selection)
    if asked.is_match is None:
        found = united(asked, selection, "sqlite")
        try:
            return _page(connection, deadline, asked, selection.skip, selection.limit, found)
        except apsw.TooBigError:
            raise too_large() from None
    matches = _walked(connection, deadline, asked) if asked.led_by else _read_in_order(connection, deadline, asked)
    # A page may be full before the rows are: a cursor left open would keep the log from being emptied.
    with closing(matches):
        return _taken((text for _, text in islice(matches, selection.skip, end_of(selection))), selection)


def stretch(
    connection: apsw.Connection, deadline: Deadline, collection: Collection, bot: str, selection: Selection, rows: int
) -> Stretch:
    """The next of a walk: what matches among the next rows of the order, as far as they have the bytes wanted. The
    first few tell how long they are."""
    asked = _asked(connection, deadline, collection, bot, selection)
    place_in, size, few = place_of(selection.sort), 0, min(rows, FIRST_ROWS)
    texts: list[bytes] = []
    while True:
        found, few = _some(connection, deadline, asked, few)
        texts += found
        size += size_of(found)
        place = place_in(_decode(found[-1])) if len(found) == few else None
        if place is None or len(texts) >= rows or size >= WANTED_BYTES:
            break
        asked = asked.after(place)
        few = min(rows - len(texts), rows_next(len(texts), size, WANTED_BYTES - size))
    if asked.is_match is not None:
        texts = [text for _, text in _matches(texts, asked.is_match, deadline)]
    return Stretch(texts, place)


def count(
    connection: apsw.Connection, deadline: Deadline, collection: Collection, bot: str, selection: Selection
) -> int:
    """How many match; ``skip``, ``limit`` and ``after`` do not matter."""
    asked = _asked(connection, deadline, collection, bot, selection)
    if asked.is_match is None:
        sql, values = of_all("count", asked)
        return int(connection.execute(sql, values).get)
    with closing(_read(connection, deadline, asked)) as matches:
        return sum(1 for _ in matches)


def _asked(
    connection: apsw.Connection, deadline: Deadline, collection: Collection, bot: str, selection: Selection
) -> Asked:
    return asked_of(table_for(connection, collection, bot), bot, selection, "sqlite", deadline.check)


def _page(
    connection: apsw.Connection,
    deadline: Deadline,
    asked: Asked,
    skip: int,
    limit: int | None,
    found: Asked | None = None,
) -> list[bytes]:
    """A page comes as one value: each row would wait once for the interpreter's lock. No record has a line end.
    ``TooBigError`` where that would be too long a one."""
    ways = _ways(asked, skip, limit, found or asked)
    if limit is None:
        return [text for (text,) in connection.execute(*ways[-1])]
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, PAGE_BYTES)
    page = first_of(connection, deadline, ways)
    return [] if page is None else page.split(b"\n")


def _ways(asked: Asked, skip: int, limit: int | None, found: Asked) -> list[Written]:
    """Statements for the same page, where nobody knows which is the quickest: how many records an index leads to, and
    where in the order those stand that match. What leads to few, or to all that are wanted, is the last, by what
    ``found`` says; with an index of the operator's it is tried first."""
    few, equal, is_some, by_id = asked.finding
    is_long = limit is None or skip + limit > MOST_TURNED
    if asked.led_by is None or few is not None or (is_long and asked.is_turned):
        return [by_condition(found, skip, limit)]
    if equal and asked.led_by.leads is None:
        ways = [along_order(asked, skip, limit, column) for column in equal]
    else:
        ways = [along_order(asked, skip, limit, asked.led_by)]
        is_some = is_some or bool(equal)
    if by_id and limit is not None:
        return [by_condition(found, skip, limit), *ways]
    return [*ways, by_condition(found, skip, limit)] if is_some or found is not asked else ways


def _walked(connection: apsw.Connection, deadline: Deadline, asked: Asked) -> Generator[Match, None, None]:
    """The matches in an order that an index has, some rows at a time."""
    place_in, rows = place_of(asked.sort), ROWS_A_LOOK
    while True:
        texts, rows = _some(connection, deadline, asked, rows)
        yield from _matches(texts, asked.is_match, deadline)
        if len(texts) < rows:
            return
        asked = asked.after(place_in(_decode(texts[-1])))
        rows = min(2 * rows, ROWS_A_STRETCH, rows_next(rows, size_of(texts)))


def _some(connection: apsw.Connection, deadline: Deadline, asked: Asked, rows: int) -> tuple[list[bytes], int]:
    """The next rows, or fewer where so many are too long; and how many were asked for."""
    while True:
        try:
            return _page(connection, deadline, asked, 0, rows), rows
        except apsw.TooBigError:
            if rows == 1:
                raise
            rows = max(1, rows // 8)


def _read_in_order(connection: apsw.Connection, deadline: Deadline, asked: Asked) -> Generator[Match, None, None]:
    """The matches in an order that has to be sorted."""
    with closing(connection.execute(*by_condition(asked, 0, None))) as rows:
        yield from _matches((text for (text,) in rows), asked.is_match, deadline)


def _read(connection: apsw.Connection, deadline: Deadline, asked: Asked) -> Generator[Match, None, None]:
    """The matches in any order."""
    with closing(connection.execute(*of_all("all", asked))) as rows:
        yield from _matches((text for (text,) in rows), asked.is_match, deadline)


def _ordered(connection: apsw.Connection, deadline: Deadline, asked: Asked, selection: Selection) -> list[bytes]:
    """Where the order is made here: with few more in hand than go out."""
    key = sort_key(selection.sort)
    behind = None if selection.after is None else turner(selection.sort)(selection.after)
    least = Least(end_of(selection))
    with closing(_read(connection, deadline, asked)) as matches:
        for document, text in matches:
            place = key(document)
            if behind is None or behind < place:
                least.take(place, document["_id"], text)
    by_id = _HISTORY["by_id"].filled({"table": asked.table.name})
    found = least.page(selection.skip)
    return [connection.execute(by_id, (asked.bot, held)).get if isinstance(held, str) else held for held in found]


def _taken(texts: Iterable[bytes], selection: Selection) -> list[bytes]:
    """The page that these make up."""
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
