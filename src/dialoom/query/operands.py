"""Reads the operand of each operator into nodes of the tree. Which keys an object may have is checked in ``parse``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Protocol

from dialoom.query.dates import is_date, stored_dates
from dialoom.query.errors import child, did_you_mean, invalid
from dialoom.query.regex.expression import REFUSED_OPTIONS, Expression
from dialoom.query.tree import And, Date, Element, Node, Not, Or, Path, Predicate
from dialoom.strict_json import is_number

MAX_VALUES: Final = 1000


class Reader(Protocol):
    """Reads what stands inside of an operand."""

    def query(self, value: Mapping[str, Any], pointer: str) -> Node:
        """Read an object of properties and logical operators."""

    def conditions(self, path: Path, value: Mapping[str, Any], pointer: str) -> Node:
        """Read an object of operators on one path."""

    def equality(self, path: Path, value: Any, pointer: str) -> Node:
        """Read a value that stands for itself, counted as a condition."""

    def regex(self, pattern: str, options: str, pointer: str) -> Expression:
        """Read a regular expression, counted as one."""


def reads_value(operator: str, *, negated: bool = False) -> Callable[[Reader, Path, Any, str], Node]:
    """Return a function that reads any value."""

    def read(_reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
        _check_value(operand, "$ne" if negated else operator, pointer)
        node = Predicate(path, operator, stored_dates(operand, pointer))
        return Not(node) if negated else node

    return read


def reads_limit(operator: str) -> Callable[[Reader, Path, Any, str], Node]:
    """Return a function that reads a value to be greater or less than."""

    def read(_reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
        _check_value(operand, operator, pointer)
        limit = stored_dates(operand, pointer)
        return Predicate(path, operator, Date(limit) if is_date(operand) else limit)

    return read


def reads_values(operator: str, *, negated: bool = False) -> Callable[[Reader, Path, Any, str], Node]:
    """Return a function that reads an array of values, and of regular expressions as objects with ``$regex``."""

    def read(reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
        name = "$nin" if negated else "$in"
        values = _list(operand, name, pointer)
        plain: list[Any] = []
        matched: list[Node] = []
        for index, value in enumerate(values):
            at = child(pointer, index)
            if is_regex(value):
                matched.append(reader.conditions(path, value, at))
            elif is_operators(value):
                detail = f'{name} compares with values; "{next(iter(value))}" is an operator and no value.'
                raise invalid("bad-operand", detail, at)
            else:
                plain.append(stored_dates(value, at))
        node: Node = Predicate(path, operator, tuple(plain))
        if matched:
            node = Or((node, *matched) if plain else tuple(matched))
        return Not(node) if negated else node

    return read


def read_exists(_reader: Reader, path: Path, operand: Any, _pointer: str) -> Node:
    """Read anything, taken for true unless it is false, null or zero, as MongoDB does."""
    node = Predicate(path, "$exists", None)
    return Not(node) if operand is None or (isinstance(operand, bool | int | float) and operand == 0) else node


def read_not(reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """Read an object of operators of which not all hold."""
    if not is_operators(operand):
        raise invalid("bad-operand", '$not takes an object of operators, such as {"$gt": 5}.', pointer)
    return Not(reader.conditions(path, operand, pointer))


def read_all(reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """Read an array of values and ``$regex`` objects, or of ``$elemMatch`` objects alone, each as a condition."""
    values = _list(operand, "$all", pointer)
    if not values:
        return Or()
    by_element = [isinstance(value, dict) and [*value] == ["$elemMatch"] for value in values]
    for index, value in enumerate(values):
        is_value = is_regex(value) or not is_operators(value)
        if by_element[0] != by_element[index] or not (is_value or by_element[index]):
            detail = "$all takes values, or objects with $elemMatch alone, but no other operators and not both."
            raise invalid("bad-operand", detail, child(pointer, index))
    return And(
        tuple(
            (reader.conditions if is_operators(value) else reader.equality)(path, value, child(pointer, index))
            for index, value in enumerate(values)
        )
    )


def read_element(reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """Read a query for elements that are objects, or operators for elements that are values."""
    if not isinstance(operand, dict):
        detail = '$elemMatch takes an object: a query, such as {"qty": 5}, or operators, such as {"$gt": 5}.'
        raise invalid("bad-operand", detail, pointer)
    if is_operators(operand) and next(iter(operand)) not in ("$and", "$or", "$nor", "$comment"):
        return Element(path, reader.conditions((), operand, pointer), objects=False)
    return Element(path, reader.query(operand, pointer), objects=True)


def read_regex(reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """Read a pattern; ``with_options`` has joined it with its options."""
    pattern, options = operand if isinstance(operand, Regex) else (operand, "")
    if not isinstance(pattern, str):
        raise invalid("bad-operand", "$regex takes a pattern as a text.", pointer)
    return Predicate(path, "$regex", reader.regex(pattern, options, pointer))


def read_options(_reader: Reader, _path: Path, _operand: Any, pointer: str) -> Node:
    raise invalid("bad-operand", '$options stands beside $regex, as in {"$regex": "ann", "$options": "i"}.', pointer)


class Regex(NamedTuple):
    """A pattern with its options."""

    pattern: Any
    options: str


def with_options(members: Mapping[str, Any], pointer: str) -> Mapping[str, Any]:
    """Return the operators of an object with ``$regex`` and ``$options`` joined, in whichever order they stand."""
    if "$regex" not in members or "$options" not in members:
        return members
    options = members["$options"]
    at = child(pointer, "$options")
    if not isinstance(options, str):
        raise invalid("bad-operand", "$options takes letters as a text: i, m, s, x and u.", at)
    for letter in options:
        if letter in REFUSED_OPTIONS:
            meaning = REFUSED_OPTIONS[letter]
            detail = f'The option "{letter}", which elsewhere {meaning}, is not supported; there are i, m, s, x and u.'
            raise invalid("bad-regex", detail, at)
    joined = {**members, "$regex": Regex(members["$regex"], options)}
    del joined["$options"]
    return joined


def read_size(_reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """Read a whole number, zero or more."""
    if not is_number(operand) or operand < 0 or operand != int(operand):
        raise invalid("bad-operand", "$size takes a whole number that is not negative.", pointer)
    return Predicate(path, "$size", int(operand))


def read_mod(_reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """Read a divisor and a remainder; decimals are cut off."""
    if not isinstance(operand, list) or len(operand) != 2 or not all(map(is_number, operand)):
        raise invalid("bad-operand", "$mod takes an array of two numbers: divisor and remainder.", pointer)
    divisor, remainder = map(int, operand)
    if divisor == 0:
        raise invalid("bad-operand", "$mod cannot divide by zero.", child(pointer, 0))
    for index, number in enumerate((divisor, remainder)):
        if not -(2**63) <= number < 2**63:
            raise invalid("bad-operand", "$mod takes numbers of 64 bits.", child(pointer, index))
    return Predicate(path, "$mod", (divisor, remainder))


# fmt: off
_TYPES: Final = (
    "double", "string", "object", "array", "binData", "undefined", "objectId", "bool", "date", "null", "regex",
    "dbPointer", "javascript", "symbol", "javascriptWithScope", "int", "timestamp", "long", "decimal",
)
# fmt: on
TYPE_NUMBERS: Final[Mapping[str, int]] = {
    **{name: number for number, name in enumerate(_TYPES, start=1)},
    "minKey": -1,
    "maxKey": 127,
}
"""MongoDB's names of types with their numbers (BSON specification). No value has one of those that JSON lacks."""
_TYPE_NAMES: Final[Mapping[float, str]] = {number: name for name, number in TYPE_NUMBERS.items()}


def read_type(_reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """Read a type's name or number, or an array of them."""
    wanted = operand if isinstance(operand, list) else [operand]
    if not wanted:
        raise invalid("bad-operand", "$type takes at least one type.", pointer)
    names = []
    for index, one in enumerate(wanted):
        name = _TYPE_NAMES.get(one) if is_number(one) else one
        if not isinstance(name, str) or (name not in TYPE_NUMBERS and name != "number"):
            known = ("number", *TYPE_NUMBERS)
            detail = f"$type takes names or numbers of types. Names: {', '.join(known)}.{did_you_mean(str(one), known)}"
            raise invalid("bad-operand", detail, pointer if wanted is not operand else child(pointer, index))
        names.append(name)
    return Predicate(path, "$type", frozenset(names))


def read_and(reader: Reader, operand: Any, pointer: str) -> Node:
    return And(_queries(reader, "$and", operand, pointer))


def read_or(reader: Reader, operand: Any, pointer: str) -> Node:
    return Or(_queries(reader, "$or", operand, pointer))


def read_nor(reader: Reader, operand: Any, pointer: str) -> Node:
    return Not(Or(_queries(reader, "$nor", operand, pointer)))


def read_comment(_reader: Reader, _operand: Any, _pointer: str) -> Node:
    return And()


def is_operators(value: Any) -> bool:
    """Return whether the value is an object of operators: its first key begins with ``$`` (and it is no ``$date``)."""
    return isinstance(value, dict) and next(iter(value), "").startswith("$") and not is_date(value)


def is_regex(value: Any) -> bool:
    """Return whether a value in a list is a regular expression."""
    return isinstance(value, dict) and "$regex" in value and value.keys() <= {"$regex", "$options"}


def _check_value(operand: Any, name: str, pointer: str) -> None:
    """Refuse an object that begins with an operator, which no record holds: it is extended JSON, such as
    ``{"$numberLong": "3"}``, or a mistake, and would find nothing, or all."""
    if is_operators(operand):
        detail = (
            f'{name} compares with values; "{next(iter(operand))}" is no value here. Write numbers and texts plainly.'
        )
        raise invalid("bad-operand", detail, pointer)


def _queries(reader: Reader, name: str, operand: Any, pointer: str) -> tuple[Node, ...]:
    if not isinstance(operand, list) or not operand:
        raise invalid("bad-operand", f"{name} takes an array of at least one query object.", pointer)
    for index, value in enumerate(operand):
        if not isinstance(value, dict):
            raise invalid("bad-operand", f"Each element of {name} must be a query object.", child(pointer, index))
    return tuple(reader.query(value, child(pointer, index)) for index, value in enumerate(operand))


def _list(operand: Any, name: str, pointer: str) -> list[Any]:
    if not isinstance(operand, list):
        raise invalid("bad-operand", f"{name} takes an array of values.", pointer)
    if len(operand) > MAX_VALUES:
        raise invalid("too-many-values", f"{name} lists {len(operand)} values; at most {MAX_VALUES}.", pointer)
    return operand
