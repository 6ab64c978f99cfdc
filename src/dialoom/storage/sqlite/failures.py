"""Says what a failure of SQLite means for the operator: one sentence with what to do, as a ``StoreError``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from dialoom.errors import StoreError
from dialoom.storage.errors import Damaged, DiskFailing, DiskFull, ReadOnly, Refused, TooSlow

if TYPE_CHECKING:
    from pathlib import Path

OURS = 0x4449414C
"""``application_id`` of our files ("DIAL"): another program's database is never touched."""

_MEANINGS: tuple[tuple[type[apsw.Error], type[StoreError], str], ...] = (
    (apsw.NotADBError, Damaged, "{path} is no database, or its beginning is damaged. Restore it from a backup."),
    (apsw.CorruptError, Damaged, "{path} is damaged. Stop the service and restore it from a backup."),
    (apsw.FullError, DiskFull, "The disk of {path} is full; nothing of this was written. Make room and try again."),
    (
        apsw.ReadOnlyError,
        ReadOnly,
        "{path} cannot be written. Give the service's user the right to write the file and its folder.",
    ),
    (
        apsw.PermissionsError,
        ReadOnly,
        "{path} cannot be opened. Give the service's user the right to write it and its folder.",
    ),
    (
        apsw.CantOpenError,
        StoreError,
        "{path} cannot be opened. See that its folder exists and the service's user may write there.",
    ),
    (
        apsw.BusyError,
        StoreError,
        "{path} is locked by another program. Close what has it open, for example a database browser.",
    ),
    (
        apsw.InterruptError,
        TooSlow,
        "The query took too long and was stopped. Narrow it, or ask for an indexed property.",
    ),
    (
        apsw.IOError,
        DiskFailing,
        "The disk of {path} failed while it was read or written ({error}). Check disk and file system.",
    ),
    (apsw.NoMemError, StoreError, "There was no memory left for the database {path}. Give the service more."),
)

_OF_ROWS = (apsw.ConstraintError, apsw.MismatchError, apsw.TooBigError)
"""What the rows are to blame for, so that trying again gives the same."""


def explain(error: apsw.Error, path: Path) -> StoreError:
    """Never holds a value of a row: SQLite's own messages do not either, but for the names of columns."""
    for kind, meant, sentence in _MEANINGS:
        if isinstance(error, kind):
            return meant(sentence.format(path=path, error=error))
    refusal = Refused if isinstance(error, _OF_ROWS) else StoreError
    return refusal(f"The database {path} refused a statement: {error}. Please report this.")
