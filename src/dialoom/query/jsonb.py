"""SQL of what a path reaches in the JSONB copy of a document: the counterpart of ``paths.some_leaf``, rule by rule.

Knows no operator: what is asked of a value comes in as a question. How it is written is the dialect's.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from dialoom.query.paths import index_of
from dialoom.query.sql_text import FALSE, Piece, any_of, choice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dialoom.query.dialect import Dialect, Label, Spot
    from dialoom.query.tree import Path
    from dialoom.query.values import Kind


class Question(NamedTuple):
    """What is asked of each value that a path reaches."""

    ask: Callable[[Spot, int], Mapping[Kind, Piece]]
    """Pieces by kind; no piece is a no. The number is the depth for new aliases."""
    spread: bool
    doubt: Piece
    entered: int
    """So many parts may be left of a path for an array in its middle to be entered; the SQL doubles with each."""
    dialect: Dialect
    objects: frozenset[Path] = frozenset()
    """Paths of what is known to be no array in any record."""
    sieve: Piece | None = None
    """What is true of all records with a yes, and quicker to ask."""


def some_element(inside: Piece, depth: int, condition: Piece, dialect: Dialect) -> Piece:
    """Whether the condition holds of some element; it names the element by the alias of this depth."""
    if condition.sql == FALSE.sql:
        return condition
    elements = dialect.elements(inside, depth)
    # Only fixed words, aliases and question marks stand in a piece.
    sql = f"EXISTS (SELECT 1 FROM {elements.sql} WHERE {condition.sql})"  # noqa: S608  # made of pieces of ours
    return Piece(sql, elements.parameters + condition.parameters, condition.exact)


def reached(source: str, base: Sequence[Label], labels: Sequence[Label], question: Question, depth: int) -> Piece:
    """Whether the answer is yes for some value that the labels reach from ``base`` in ``source``."""
    dialect = question.dialect
    spot = dialect.spot(source, (*base, *labels))
    answers = question.ask(spot, depth)
    nowhere = answers.get("missing", FALSE)
    # SQL finds nothing behind an array in the middle. At most one of these prefixes is such an array.
    for place in range(1, len(labels)):
        prefix = (*base, *labels[:place])
        if depth == 0 and prefix in question.objects:
            continue
        entered = _entered(source, prefix, labels[place:], question, depth)
        nowhere = choice(dialect.spot(source, prefix).type, [("array", entered)], nowhere)
    if question.spread:
        inner = seen(dialect.element(depth), question, depth + 1)
        whole = answers.get("array", FALSE)
        answers = {**answers, "array": any_of([whole, some_element(spot.inside, depth, inner, dialect)])}
    return _by_type(spot, answers, nowhere, dialect)


def seen(spot: Spot, question: Question, depth: int) -> Piece:
    """Whether the answer is yes for just the value of the spot; no if there is none."""
    return _by_type(spot, question.ask(spot, depth), FALSE, question.dialect)


def _by_type(spot: Spot, answers: Mapping[Kind, Piece], nowhere: Piece, dialect: Dialect) -> Piece:
    each = dialect.cases(spot, answers)
    usual, _ = Counter(piece for _, piece in each).most_common(1)[0]
    type_of = spot.type
    if nowhere != usual:
        type_of = type_of._replace(sql=f"coalesce({type_of.sql}, 'missing')")
    return choice(type_of, [*each, ("missing", nowhere)], usual)


def _entered(source: str, prefix: Sequence[Label], labels: Sequence[Label], question: Question, depth: int) -> Piece:
    """The same for an array at ``prefix`` with these labels left: in each of its objects and in the element named."""
    if len(labels) > question.entered:
        return question.doubt
    dialect = question.dialect
    one = dialect.element(depth)
    in_object = choice(one.type, [("object", reached(one.value.sql, (), labels, question, depth + 1))], FALSE)
    anywhere = some_element(dialect.spot(source, prefix).inside, depth, in_object, dialect)
    index = index_of(str(labels[0]))
    if index is None:
        return anywhere
    place = (*prefix, index)
    spot = dialect.spot(source, place)
    rest = labels[1:]
    if not rest:
        return any_of([anywhere, seen(spot, question, depth)])
    deeper = [
        ("object", reached(source, place, rest, question, depth)),
        ("array", _entered(source, place, rest, question, depth)),
    ]
    return any_of([anywhere, choice(spot.type, deeper, FALSE)])
