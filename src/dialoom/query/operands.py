"""How each operator's operand is read and turned into nodes of the tree. The walk over the keys is in ``parse``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from dialoom.query.dates import is_date, stored_dates
from dialoom.query.refusal import below, did_you_mean, refuse
from dialoom.query.regex import REFUSED_OPTIONS
from dialoom.query.tree import And, Element, Moment, Node, Not, Or, Path, Predicate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dialoom.query.regex import Expression

MAX_VALUES = 1000


class Reader(Protocol):
    """What the rows need of the walk, to read what stands inside of an operand."""

    def query(self, value: Mapping[str, Any], pointer: str) -> Node:
        """An object of properties and logical operators."""

    def conditions(self, path: Path, value: Mapping[str, Any], pointer: str) -> Node:
        """An object of operators on one path."""

    def equality(self, path: Path, value: Any, pointer: str) -> Node:
        """A value that stands for itself, counted as a condition."""

    def regex(self, pattern: str, options: str, pointer: str) -> Expression:
        """One more regular expression."""


def reads_value(operator: str, *, negated: bool = False) -> Callable[[Reader, Path, Any, str], Node]:
    """Any value at all."""

    def read(_reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
        _check_value(operand, "$ne" if negated else operator, pointer)
        node = Predicate(path, operator, stored_dates(operand, pointer))
        return Not(node) if negated else node

    return read


def reads_limit(operator: str) -> Callable[[Reader, Path, Any, str], Node]:
    """A value to be greater or less than."""

    def read(_reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
        _check_value(operand, operator, pointer)
        limit = stored_dates(operand, pointer)
        return Predicate(path, operator, Moment(limit) if is_date(operand) else limit)

    return read


def reads_values(operator: str, *, negated: bool = False) -> Callable[[Reader, Path, Any, str], Node]:
    """An array of values, and of regular expressions as objects with ``$regex``."""

    def read(reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
        name = "$nin" if negated else "$in"
        values = _list(operand, name, pointer)
        plain: list[Any] = []
        matched: list[Node] = []
        for place, value in enumerate(values):
            at = below(pointer, place)
            if is_regex(value):
                matched.append(reader.conditions(path, value, at))
            elif is_operators(value):
                detail = f'{name} compares with values; "{next(iter(value))}" is an operator and no value.'
                raise refuse("bad-operand", detail, at)
            else:
                plain.append(stored_dates(value, at))
        node: Node = Predicate(path, operator, tuple(plain))
        if matched:
            node = Or((node, *matched) if plain else tuple(matched))
        return Not(node) if negated else node

    return read


def read_exists(_reader: Reader, path: Path, operand: Any, _pointer: str) -> Node:
    """Anything, taken for true unless it is false, null or zero, as MongoDB does."""
    node = Predicate(path, "$exists", None)
    return Not(node) if operand is None or (isinstance(operand, bool | int | float) and operand == 0) else node


def read_not(reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """An object of operators, of which not all hold."""
    if not is_operators(operand):
        raise refuse("bad-operand", '$not takes an object of operators, such as {"$gt": 5}.', pointer)
    return Not(reader.conditions(path, operand, pointer))


def read_all(reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """An array of values and ``$regex`` objects, or of ``$elemMatch`` objects alone; each is a condition of its own."""
    values = _list(operand, "$all", pointer)
    if not values:
        return Or()
    by_element = [isinstance(value, dict) and [*value] == ["$elemMatch"] for value in values]
    for place, value in enumerate(values):
        is_value = is_regex(value) or not is_operators(value)
        if by_element[0] != by_element[place] or not (is_value or by_element[place]):
            detail = "$all takes values, or objects with $elemMatch alone, but no other operators and not both."
            raise refuse("bad-operand", detail, below(pointer, place))
    return And(
        tuple(
            (reader.conditions if is_operators(value) else reader.equality)(path, value, below(pointer, place))
            for place, value in enumerate(values)
        )
    )


def read_element(reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """A query for elements that are objects, or operators for elements that are values."""
    if not isinstance(operand, dict):
        detail = '$elemMatch takes an object: a query, such as {"qty": 5}, or operators, such as {"$gt": 5}.'
        raise refuse("bad-operand", detail, pointer)
    if is_operators(operand) and next(iter(operand)) not in ("$and", "$or", "$nor", "$comment"):
        return Element(path, reader.conditions((), operand, pointer), objects=False)
    return Element(path, reader.query(operand, pointer), objects=True)


def read_regex(reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """A pattern; ``with_options`` has put the options beside it to it."""
    pattern, options = operand if isinstance(operand, Regex) else (operand, "")
    if not isinstance(pattern, str):
        raise refuse("bad-operand", "$regex takes a pattern as a text.", pointer)
    return Predicate(path, "$regex", reader.regex(pattern, options, pointer))


def read_options(_reader: Reader, _path: Path, _operand: Any, pointer: str) -> Node:
    raise refuse("bad-operand", '$options stands beside $regex, as in {"$regex": "ann", "$options": "i"}.', pointer)


class Regex(NamedTuple):
    """A pattern with its options, in the place of the pattern alone."""

    pattern: Any
    options: str


def with_options(members: Mapping[str, Any], pointer: str) -> Mapping[str, Any]:
    """The operators of an object with ``$regex`` and ``$options`` as one, in whichever order they were written."""
    if "$regex" not in members or "$options" not in members:
        return members
    options = members["$options"]
    at = below(pointer, "$options")
    if not isinstance(options, str):
        raise refuse("bad-operand", "$options takes letters as a text: i, m, s, x and u.", at)
    for letter in options:
        if letter in REFUSED_OPTIONS:
            meaning = REFUSED_OPTIONS[letter]
            detail = f'The option "{letter}", which elsewhere {meaning}, is not supported; there are i, m, s, x and u.'
            raise refuse("bad-regex", detail, at)
    joined = {**members, "$regex": Regex(members["$regex"], options)}
    del joined["$options"]
    return joined


def read_size(_reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """A whole number, zero or more."""
    if not _is_number(operand) or operand < 0 or operand != int(operand):
        raise refuse("bad-operand", "$size takes a whole number that is not negative.", pointer)
    return Predicate(path, "$size", int(operand))


def read_mod(_reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """A divisor and a remainder; what is behind their decimal points is cut off."""
    if not isinstance(operand, list) or len(operand) != 2 or not all(map(_is_number, operand)):
        raise refuse("bad-operand", "$mod takes an array of two numbers: divisor and remainder.", pointer)
    divisor, remainder = map(int, operand)
    if divisor == 0:
        raise refuse("bad-operand", "$mod cannot divide by zero.", below(pointer, 0))
    for place, number in enumerate((divisor, remainder)):
        if not -(2**63) <= number < 2**63:
            raise refuse("bad-operand", "$mod takes numbers of 64 bits.", below(pointer, place))
    return Predicate(path, "$mod", (divisor, remainder))


# MongoDB's names of types and their numbers (BSON specification). Those that JSON does not have are never met.
TYPE_NUMBERS: Final[Mapping[str, int]] = {
    "double": 1,
    "string": 2,
    "object": 3,
    "array": 4,
    "binData": 5,
    "undefined": 6,
    "objectId": 7,
    "bool": 8,
    "date": 9,
    "null": 10,
    "regex": 11,
    "dbPointer": 12,
    "javascript": 13,
    "symbol": 14,
    "javascriptWithScope": 15,
    "int": 16,
    "timestamp": 17,
    "long": 18,
    "decimal": 19,
    "minKey": -1,
    "maxKey": 127,
}
_TYPE_NAMES = {number: name for name, number in TYPE_NUMBERS.items()}


def read_type(_reader: Reader, path: Path, operand: Any, pointer: str) -> Node:
    """A type's name or number, or an array of them."""
    wanted = operand if isinstance(operand, list) else [operand]
    if not wanted:
        raise refuse("bad-operand", "$type takes at least one type.", pointer)
    names = []
    for place, one in enumerate(wanted):
        name = _TYPE_NAMES.get(one) if _is_number(one) else one
        if not isinstance(name, str) or (name not in TYPE_NUMBERS and name != "number"):
            known = ("number", *TYPE_NUMBERS)
            detail = f"$type takes names or numbers of types. Names: {', '.join(known)}.{did_you_mean(str(one), known)}"
            raise refuse("bad-operand", detail, pointer if wanted is not operand else below(pointer, place))
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
    """Whether an object is one of operators: its first key begins with ``$`` (and it is no ``$date``)."""
    return isinstance(value, dict) and next(iter(value), "").startswith("$") and not is_date(value)


def is_regex(value: Any) -> bool:
    """Whether an object in a list is a regular expression."""
    return isinstance(value, dict) and "$regex" in value and value.keys() <= {"$regex", "$options"}


def _check_value(operand: Any, name: str, pointer: str) -> None:
    """No record holds an object that begins with an operator: it is another one's extended JSON, such as
    ``{"$numberLong": "3"}``, or a slip, and would find nothing, or all."""
    if is_operators(operand):
        detail = (
            f'{name} compares with values; "{next(iter(operand))}" is no value here. Write numbers and texts plainly.'
        )
        raise refuse("bad-operand", detail, pointer)


def _queries(reader: Reader, name: str, operand: Any, pointer: str) -> tuple[Node, ...]:
    if not isinstance(operand, list) or not operand:
        raise refuse("bad-operand", f"{name} takes an array of at least one query object.", pointer)
    for place, value in enumerate(operand):
        if not isinstance(value, dict):
            raise refuse("bad-operand", f"Each element of {name} must be a query object.", below(pointer, place))
    return tuple(reader.query(value, below(pointer, place)) for place, value in enumerate(operand))


def _list(operand: Any, name: str, pointer: str) -> list[Any]:
    if not isinstance(operand, list):
        raise refuse("bad-operand", f"{name} takes an array of values.", pointer)
    if len(operand) > MAX_VALUES:
        raise refuse("too-many-values", f"{name} lists {len(operand)} values; at most {MAX_VALUES}.", pointer)
    return operand


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
