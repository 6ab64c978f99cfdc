"""Runs the quicker of several statements for the same answer, when nobody knows beforehand which that is.

Each in turn gets some steps of SQLite's machine, more each time: together they cost a little more than the quickest of
them, and never much more, however the records lie. Statistics would tell less: how many records have a value, but not
where in the order they stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import apsw

from dialoom.storage.sqlite.connection import OPCODES_A_LOOK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.storage.sqlite.connection import Deadline

FIRST_STEPS: Final = 20_000
"""1 to 2 ms: an index gives a page of 100 in a tenth of that."""
GROWTH: Final = 4


def first_of(connection: apsw.Connection, deadline: Deadline, statements: Sequence[tuple[str, Sequence[Any]]]) -> Any:
    """The one value that each of the statements gives; the first one begins."""
    if len(statements) == 1:
        return connection.execute(*statements[0]).get
    steps = FIRST_STEPS
    while True:
        for statement in statements:
            try:
                return _tried(connection, deadline, statement, steps)
            except apsw.InterruptError:
                deadline.check()
        steps *= GROWTH


def _tried(connection: apsw.Connection, deadline: Deadline, statement: tuple[str, Sequence[Any]], steps: int) -> Any:
    """Raises ``InterruptError`` after so many steps."""
    left = steps

    def is_over() -> bool:
        nonlocal left
        left -= OPCODES_A_LOOK
        return left <= 0 or deadline.is_over()

    connection.set_progress_handler(is_over, min(steps, OPCODES_A_LOOK))
    try:
        return connection.execute(*statement).get
    finally:
        connection.set_progress_handler(deadline.is_over, OPCODES_A_LOOK)
