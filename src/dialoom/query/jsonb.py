"""SQL of what a path reaches in the JSONB copy of a document: the counterpart of ``paths.some_leaf``, rule by rule.

Knows no operator: what is asked of a value comes in as a question.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from dialoom.query.paths import index_of
from dialoom.query.pieces import FALSE, Piece, any_of, choice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dialoom.query.tree import Path

TYPES: Final = ("null", "true", "false", "integer", "real", "text", "object", "array")
"""SQLite's words for the types of JSON values."""


class Spot(NamedTuple):
    """One value of a row: SQL of its type (null where there is none), of itself, and what json_each walks in it."""

    type: Piece
    value: Piece
    inside: Piece


class Question(NamedTuple):
    """What is asked of each value that a path reaches."""

    ask: Callable[[Spot, int], Mapping[str, Piece]]
    """Pieces by SQLite's type and for ``missing``; no piece is a no. The number is the depth for new aliases."""
    spread: bool
    doubt: Piece
    entered: int
    """So many parts may be left of a path for an array in its middle to be entered; the SQL doubles with each."""
    objects: frozenset[str] = frozenset()
    """SQLite's paths of what is known to be no array in any record."""


class Step(NamedTuple):
    """A part of a path, and how SQLite writes it."""

    name: str
    label: str


def steps_of(path: Path) -> tuple[Step, ...]:
    # In quotes SQLite reads a label as JSON text, so that dots, brackets and quotes in a name stay part of it.
    return tuple(Step(part, "." + json.dumps(part, ensure_ascii=False)) for part in path)


def path_to(path: Path) -> str:
    """A whole path from the root as SQLite writes it."""
    return "$" + "".join(step.label for step in steps_of(path))


def element(depth: int) -> Spot:
    """The element that json_each gives under the alias of this depth."""
    value = Piece(f"e{depth}.value")
    return Spot(Piece(f"e{depth}.type"), value, value)


def some_element(inside: Piece, depth: int, condition: Piece) -> Piece:
    """Whether the condition holds of some element; it names the element by the alias of this depth."""
    if condition.sql == "0":
        return condition
    # Only fixed words, aliases and question marks stand in a piece.
    sql = f"EXISTS (SELECT 1 FROM json_each({inside.sql}) AS e{depth} WHERE {condition.sql})"  # noqa: S608
    return Piece(sql, inside.parameters + condition.parameters, condition.exact)


def reached(source: str, base: str, steps: Sequence[Step], question: Question, depth: int) -> Piece:
    """Whether the answer is yes for some value that the steps reach from ``base`` in ``source``."""
    spot = _spot(source, base + "".join(step.label for step in steps))
    answers = question.ask(spot, depth)
    nowhere = answers.get("missing", FALSE)
    # SQLite finds nothing behind an array in the middle. At most one of these prefixes is such an array.
    for place in range(1, len(steps)):
        prefix = base + "".join(step.label for step in steps[:place])
        if depth == 0 and prefix in question.objects:
            continue
        entered = _entered(source, prefix, steps[place:], question, depth)
        nowhere = choice(_spot(source, prefix).type, [("array", entered)], nowhere)
    if question.spread:
        inner = seen(element(depth), question, depth + 1)
        whole = answers.get("array", FALSE)
        answers = {**answers, "array": any_of([whole, some_element(spot.inside, depth, inner)])}
    return _by_type(spot.type, answers, nowhere)


def seen(spot: Spot, question: Question, depth: int) -> Piece:
    """Whether the answer is yes for just the value of the spot; no if there is none."""
    return _by_type(spot.type, question.ask(spot, depth), FALSE)


def _by_type(type_of: Piece, answers: Mapping[str, Piece], nowhere: Piece) -> Piece:
    each = [(word, answers.get(word, FALSE)) for word in TYPES]
    usual, _ = Counter(piece for _, piece in each).most_common(1)[0]
    if nowhere != usual:
        type_of = type_of._replace(sql=f"coalesce({type_of.sql}, 'missing')")
    return choice(type_of, [*each, ("missing", nowhere)], usual)


def _entered(source: str, prefix: str, steps: Sequence[Step], question: Question, depth: int) -> Piece:
    """The same for an array at ``prefix`` with these steps left: in each of its objects and in the element named."""
    if len(steps) > question.entered:
        return question.doubt
    element_type, value, _ = element(depth)
    in_object = reached(value.sql, "$", steps, question, depth + 1)
    anywhere = some_element(_spot(source, prefix).inside, depth, choice(element_type, [("object", in_object)], FALSE))
    index = index_of(steps[0].name)
    if index is None:
        return anywhere
    place = f"{prefix}[{index}]"
    spot = _spot(source, place)
    rest = steps[1:]
    if not rest:
        return any_of([anywhere, seen(spot, question, depth)])
    deeper = [
        ("object", reached(source, place, rest, question, depth)),
        ("array", _entered(source, place, rest, question, depth)),
    ]
    return any_of([anywhere, choice(spot.type, deeper, FALSE)])


def _spot(source: str, place: str) -> Spot:
    return Spot(
        Piece(f"json_type({source}, ?)", (place,)),
        Piece(f"json_extract({source}, ?)", (place,)),
        Piece(f"{source}, ?", (place,)),
    )
