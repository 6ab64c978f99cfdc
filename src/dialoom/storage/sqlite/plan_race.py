"""Runs several statements that give the same answer in turn, with a growing number of steps, until one of them ends.

Which is the quickest depends on where in the order the matching records stand, which statistics do not tell. All tries
together cost a little more than the quickest statement alone.
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
    """Return the one value that each of the statements gives; the first statement is tried first."""
    if len(statements) == 1:
        return connection.execute(*statements[0]).get
    steps = FIRST_STEPS
    while True:
        for statement in statements:
            try:
                return _try(connection, deadline, statement, steps)
            except apsw.InterruptError:
                deadline.check()
        steps *= GROWTH


def _try(connection: apsw.Connection, deadline: Deadline, statement: tuple[str, Sequence[Any]], steps: int) -> Any:
    """Run the statement; ``InterruptError`` after so many steps."""
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
