"""The table of the operators: one row each, with all that parser, predicate, SQL and documentation need of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.query import operands, semantics, sql_predicates
from dialoom.query.refusal import did_you_mean, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from dialoom.query.operands import Reader
    from dialoom.query.paths import Test
    from dialoom.query.sql_predicates import Conditions
    from dialoom.query.tree import Node, Path


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """An operator of a property. ``test`` and ``says`` are missing where ``read`` writes it with other rows."""

    name: str
    sentence: str
    read: Callable[[Reader, Path, Any, str], Node]
    test: Callable[[Any], Test] | None = None
    conditions: Callable[[Any], Conditions] | None = None
    spread: bool = True
    """Whether the elements of an array at the end of the path are seen beside the whole array."""
    tells_missing: bool = False
    """Whether it tells null from missing, which a column cannot."""


class Logical(msgspec.Struct, frozen=True, kw_only=True):
    """An operator that stands in the place of a property's name."""

    name: str
    sentence: str
    read: Callable[[Reader, Any, str], Node]


_ROWS = (
    Operator(
        name="$eq",
        sentence="equal to the value; a bare value says the same",
        read=operands.reads_value("$eq"),
        test=semantics.equals,
        conditions=sql_predicates.equal_to,
    ),
    Operator(
        name="$ne",
        sentence="not equal to the value: exactly the records that `$eq` leaves out",
        read=operands.reads_value("$eq", negated=True),
    ),
    Operator(
        name="$gt",
        sentence="greater than the value, among values of its kind",
        read=operands.reads_limit("$gt"),
        test=semantics.greater,
        conditions=sql_predicates.compared_with(">"),
    ),
    Operator(
        name="$gte",
        sentence="greater than the value or equal to it, among values of its kind",
        read=operands.reads_limit("$gte"),
        test=semantics.greater_or_equal,
        conditions=sql_predicates.compared_with(">="),
    ),
    Operator(
        name="$lt",
        sentence="less than the value, among values of its kind",
        read=operands.reads_limit("$lt"),
        test=semantics.less,
        conditions=sql_predicates.compared_with("<"),
    ),
    Operator(
        name="$lte",
        sentence="less than the value or equal to it, among values of its kind",
        read=operands.reads_limit("$lte"),
        test=semantics.less_or_equal,
        conditions=sql_predicates.compared_with("<="),
    ),
    Operator(
        name="$in",
        sentence="equal to one of the values of the array",
        read=operands.reads_values("$in"),
        test=semantics.one_of,
        conditions=sql_predicates.one_of,
    ),
    Operator(
        name="$nin",
        sentence="equal to none of the values of the array: exactly the records that `$in` leaves out",
        read=operands.reads_values("$in", negated=True),
    ),
    Operator(
        name="$exists",
        sentence="`true`: the property is there, if only as null; `false`: it is not",
        read=operands.read_exists,
        test=semantics.is_there,
        conditions=sql_predicates.existing,
        spread=False,
        tells_missing=True,
    ),
    Operator(
        name="$type",
        sentence="of the type, or one of the array of types: `null`, `bool`, `number` (or `int`, `long`, `double`), "
        "`string`, `object`, `array`, or their numbers in BSON",
        read=operands.read_type,
        test=semantics.has_type,
        conditions=sql_predicates.of_type,
        tells_missing=True,
    ),
    Operator(
        name="$regex",
        sentence="a text in which the regular expression is found",
        read=operands.read_regex,
        test=semantics.is_matched,
        conditions=sql_predicates.matching_expression,
    ),
    Operator(
        name="$options",
        sentence="beside `$regex`: letters that change how it is read, such as `i` for any case",
        read=operands.read_options,
    ),
    Operator(
        name="$mod",
        sentence="`[divisor, remainder]`: a number that leaves the remainder; decimals are cut off",
        read=operands.read_mod,
        test=semantics.leaves_remainder,
        conditions=sql_predicates.with_remainder,
    ),
    Operator(
        name="$size",
        sentence="an array of so many elements",
        read=operands.read_size,
        test=semantics.has_size,
        conditions=sql_predicates.of_size,
        spread=False,
    ),
    Operator(
        name="$all",
        sentence="equal to every value of the array, each perhaps by another element; or meeting each `$elemMatch`",
        read=operands.read_all,
    ),
    Operator(
        name="$elemMatch",
        sentence="an array with one element that meets the whole query, or all of the operators",
        read=operands.read_element,
    ),
    Operator(
        name="$not",
        sentence="an object of operators: exactly the records that it leaves out",
        read=operands.read_not,
    ),
)

_LOGICAL_ROWS = (
    Logical(name="$and", sentence="every query of the array matches", read=operands.read_and),
    Logical(name="$or", sentence="at least one query of the array matches", read=operands.read_or),
    Logical(name="$nor", sentence="no query of the array matches", read=operands.read_nor),
    Logical(name="$comment", sentence="ignored; a note for whoever reads the query", read=operands.read_comment),
)

OPERATORS: Final[Mapping[str, Operator]] = {row.name: row for row in _ROWS}
LOGICAL: Final[Mapping[str, Logical]] = {row.name: row for row in _LOGICAL_ROWS}

NOT_ALLOWED: Final = frozenset(
    (
        "$where",
        "$expr",
        "$function",
        "$accumulator",
        "$jsonSchema",
        "$text",
        "$search",
        "$near",
        "$nearSphere",
        "$geoWithin",
        "$geoIntersects",
        "$geometry",
        "$within",
        "$box",
        "$center",
        "$centerSphere",
        "$polygon",
        "$maxDistance",
        "$minDistance",
        "$bitsAllClear",
        "$bitsAllSet",
        "$bitsAnyClear",
        "$bitsAnySet",
        "$rand",
        "$sampleRate",
        "$slice",
        "$meta",
        "$query",
        "$orderby",
        "$ref",
        "$id",
        "$db",
        "$alwaysTrue",
        "$alwaysFalse",
        "$uniqueDocs",
    )
)
"""Operators of MongoDB that are refused on purpose: they run code, need another index, or have no meaning here."""


def unknown(name: str, allowed: Iterable[str], pointer: str) -> Exception:
    """The refusal of a key that begins with ``$`` or stands among operators, where none of that name is allowed."""
    words = sorted(allowed)
    may = f"Allowed here: {', '.join(words)}."
    if name in NOT_ALLOWED:
        return refuse("operator-not-allowed", f"{name} is not allowed in history queries. {may}", pointer)
    if name in LOGICAL:
        detail = f"{name} stands in the place of a property's name, not among the operators of one. {may}"
        return refuse("unknown-operator", detail, pointer)
    if name in OPERATORS:
        detail = f'{name} belongs to a property, as in {{"Status": {{"{name}": ...}}}}. {may}'
        return refuse("unknown-operator", detail, pointer)
    return refuse("unknown-operator", f'"{name}" is no operator. {may}{did_you_mean(name, words)}', pointer)
