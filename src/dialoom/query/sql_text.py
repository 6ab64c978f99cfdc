"""Pieces of SQL with the values of their question marks, and how they are joined. Knows no query and no JSON.

Every piece is true or false of a row, never SQL's null, so that NOT gives its exact complement. A dialect finishes a
piece: it writes the words TRUE and FALSE and the question marks as its database takes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


Parameter: TypeAlias = str | int | float | bytes | tuple[str, ...] | tuple[int, ...] | tuple[bytes, ...]


class Piece(NamedTuple):
    """``exact`` tells that the piece holds of just the rows that it should."""

    sql: str
    parameters: tuple[Parameter, ...] = ()
    exact: bool = True


TRUE: Final = Piece("TRUE")
FALSE: Final = Piece("FALSE")
UNSURE: Final = TRUE._replace(exact=False)
"""What SQL cannot tell: true, as long as it stands under no NOT."""


def all_of(pieces: Iterable[Piece]) -> Piece:
    return _joined(pieces, " AND ", neutral=TRUE, deciding=FALSE)


def any_of(pieces: Iterable[Piece]) -> Piece:
    return _joined(pieces, " OR ", neutral=FALSE, deciding=TRUE)


def none_of(piece: Piece) -> Piece:
    """The complement."""
    if piece.sql in (FALSE.sql, TRUE.sql):
        return Piece(TRUE.sql if piece.sql == FALSE.sql else FALSE.sql, (), piece.exact)
    return piece._replace(sql=f"NOT ({piece.sql})")


def choice(subject: Piece, branches: Sequence[tuple[str, Piece]], otherwise: Piece) -> Piece:
    """CASE: the piece that stands beside the subject's value, each of which is a word without quotes in it."""
    if all(piece == otherwise for _, piece in branches):
        return otherwise
    told = [(word, piece) for word, piece in branches if piece != otherwise]
    whens = " ".join(f"WHEN '{word}' THEN {piece.sql}" for word, piece in told)
    return Piece(
        f"CASE {subject.sql} {whens} ELSE {otherwise.sql} END",
        (*subject.parameters, *(value for _, piece in told for value in piece.parameters), *otherwise.parameters),
        exact=otherwise.exact and all(piece.exact for _, piece in told),
    )


def _joined(pieces: Iterable[Piece], word: str, neutral: Piece, deciding: Piece) -> Piece:
    # A constant that SQL is not sure of takes part in the exactness of the whole, a sure one decides or goes away.
    kept = []
    for piece in pieces:
        if piece == deciding:
            return deciding
        if piece != neutral:
            kept.append(piece)
    exact = all(piece.exact for piece in kept)
    if any(piece.sql == deciding.sql for piece in kept):
        return Piece(deciding.sql, (), exact=False)
    told = [piece for piece in kept if piece.sql != neutral.sql]
    if not told:
        return Piece(neutral.sql, (), exact)
    if len(told) == 1:
        return told[0]._replace(exact=exact)
    sql = word.join(f"({piece.sql})" for piece in told)
    return Piece(sql, tuple(one for piece in told for one in piece.parameters), exact)
