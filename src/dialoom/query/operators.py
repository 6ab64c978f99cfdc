"""The table of the operators: one row each, with all that parser, matcher, SQL and documentation need of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from dialoom.query import conditions, operands, semantics
from dialoom.query.conditions import Conditions
from dialoom.query.errors import did_you_mean, invalid
from dialoom.query.operands import Reader
from dialoom.query.semantics import Test
from dialoom.query.tree import Node, Path


class Operator(NamedTuple):
    """An operator of a property. ``test`` and ``conditions`` are None where ``read`` writes it with other rows."""

    name: str
    sentence: str
    """What it finds, for the documentation."""
    read: Callable[[Reader, Path, Any, str], Node]
    test: Callable[[Any], Test] | None = None
    conditions: Callable[[Any], Conditions] | None = None
    includes_elements: bool = True
    """True if the elements of an array at the end of the path are tested besides the whole array."""
    tells_null_from_missing: bool = False
    """True if it tells null from missing, which a column cannot."""


class Logical(NamedTuple):
    """An operator that stands in the place of a property's name."""

    name: str
    sentence: str
    read: Callable[[Reader, Any, str], Node]


# fmt: off
_ROWS = (
    Operator("$eq", "equal to the value; a bare value says the same",
             operands.reads_value("$eq"), semantics.equals, conditions.equal_to),
    Operator("$ne", "not equal to the value: exactly the records that `$eq` leaves out",
             operands.reads_value("$eq", negated=True)),
    Operator("$gt", "greater than the value, among values of its kind",
             operands.reads_limit("$gt"), semantics.greater, conditions.compared_with(">")),
    Operator("$gte", "greater than the value or equal to it, among values of its kind",
             operands.reads_limit("$gte"), semantics.greater_or_equal, conditions.compared_with(">=")),
    Operator("$lt", "less than the value, among values of its kind",
             operands.reads_limit("$lt"), semantics.less, conditions.compared_with("<")),
    Operator("$lte", "less than the value or equal to it, among values of its kind",
             operands.reads_limit("$lte"), semantics.less_or_equal, conditions.compared_with("<=")),
    Operator("$in", "equal to one of the values of the array",
             operands.reads_values("$in"), semantics.one_of, conditions.one_of),
    Operator("$nin", "equal to none of the values of the array: exactly the records that `$in` leaves out",
             operands.reads_values("$in", negated=True)),
    Operator("$exists", "`true`: the property is there, if only as null; `false`: it is not",
             operands.read_exists, semantics.is_there, conditions.existing,
             includes_elements=False, tells_null_from_missing=True),
    Operator("$type", "of the type, or one of the array of types: `null`, `bool`, `number` (or `int`, `long`,"
                      " `double`), `string`, `object`, `array`, or their numbers in BSON",
             operands.read_type, semantics.has_type, conditions.of_type, tells_null_from_missing=True),
    Operator("$regex", "a text in which the regular expression is found",
             operands.read_regex, semantics.is_matched, conditions.matching_expression),
    Operator("$options", "beside `$regex`: letters that change how it is read, such as `i` for any case",
             operands.read_options),
    Operator("$mod", "`[divisor, remainder]`: a number that leaves the remainder; decimals are cut off",
             operands.read_mod, semantics.leaves_remainder, conditions.with_remainder),
    Operator("$size", "an array of so many elements",
             operands.read_size, semantics.has_size, conditions.of_size, includes_elements=False),
    Operator("$all", "equal to every value of the array, each perhaps by another element; or meeting each `$elemMatch`",
             operands.read_all),
    Operator("$elemMatch", "an array with one element that meets the whole query, or all of the operators",
             operands.read_element),
    Operator("$not", "an object of operators: exactly the records that it leaves out", operands.read_not),
)
# fmt: on

_LOGICAL_ROWS = (
    Logical("$and", "every query of the array matches", operands.read_and),
    Logical("$or", "at least one query of the array matches", operands.read_or),
    Logical("$nor", "no query of the array matches", operands.read_nor),
    Logical("$comment", "ignored; a note for whoever reads the query", operands.read_comment),
)

OPERATORS: Final[Mapping[str, Operator]] = {row.name: row for row in _ROWS}
LOGICAL: Final[Mapping[str, Logical]] = {row.name: row for row in _LOGICAL_ROWS}

NOT_ALLOWED: Final = frozenset((
    "$where", "$expr", "$function", "$accumulator", "$jsonSchema", "$text", "$search", "$near", "$nearSphere",
    "$geoWithin", "$geoIntersects", "$geometry", "$within", "$box", "$center", "$centerSphere", "$polygon",
    "$maxDistance", "$minDistance", "$bitsAllClear", "$bitsAllSet", "$bitsAnyClear", "$bitsAnySet", "$rand",
    "$sampleRate", "$slice", "$meta", "$query", "$orderby", "$ref", "$id", "$db", "$alwaysTrue", "$alwaysFalse",
    "$uniqueDocs",
))  # fmt: skip
"""Operators of MongoDB that are refused on purpose: they run code, need another index, or have no meaning here."""


def unknown_operator(name: str, allowed: Iterable[str], pointer: str) -> Exception:
    """Return the error of a key that begins with ``$`` or stands among operators, where it is not allowed."""
    words = sorted(allowed)
    may = f"Allowed here: {', '.join(words)}."
    if name in NOT_ALLOWED:
        return invalid("operator-not-allowed", f"{name} is not allowed in history queries. {may}", pointer)
    if name in LOGICAL:
        detail = f"{name} stands in the place of a property's name, not among the operators of one. {may}"
        return invalid("unknown-operator", detail, pointer)
    if name in OPERATORS:
        detail = f'{name} belongs to a property, as in {{"Status": {{"{name}": ...}}}}. {may}'
        return invalid("unknown-operator", detail, pointer)
    return invalid("unknown-operator", f'"{name}" is no operator. {may}{did_you_mean(name, words)}', pointer)
