"""A page sorted by a property that has an index of the operator's: a condition that holds its records, and few others.

Keys do not tell the whole order (of long texts they keep the beginning, arrays and objects have none), so that the page
is still sorted by the exact one. But of each kind only the first records by their keys can stand on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.query.keys import EVERY, NUMBERS, Leading, flat, keys_by_path, keys_of
from dialoom.query.order import complete
from dialoom.query.paths import parts_of
from dialoom.query.pieces import all_of
from dialoom.query.sql import DIALECTS, compile_piece
from dialoom.query.union import MOST_WANTED

if TYPE_CHECKING:
    from dialoom.query.table import Condition, DialectName, Table
    from dialoom.query.tree import Selection


def compile_leading(selection: Selection, table: Table, dialect: DialectName = "sqlite") -> Condition | None:
    """True of the records of the selection up to the end of its page, and of few others. None where no index has the
    order, or something else is asked as well: what that leaves may be spread over the whole index."""
    wanted = 0 if selection.limit is None else selection.skip + selection.limit
    if not 0 < wanted <= MOST_WANTED or selection.after is not None or not table.bot:
        return None
    (name, direction), *rest = complete(selection.sort)
    path = parts_of(name)
    if path not in table.indexes or [last for last, _ in rest] != ["_id"]:
        return None
    nodes = flat(selection.where)
    if any(asked is None or asked[0] != path for asked in map(keys_of, nodes)):
        return None
    where = compile_piece(selection.where, table, dialect)
    if not where.exact:
        return None
    keys = keys_by_path(nodes, [path]).get(path, dict.fromkeys(NUMBERS, EVERY))
    asked = Leading(table, path, keys, where, wanted, rises=direction > 0, id_rises=rest[0][1] > 0)
    return DIALECTS[dialect].finished(all_of([DIALECTS[dialect].leading(asked), where]))
