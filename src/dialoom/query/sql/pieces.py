"""Pieces of SQL with the values of their question marks, and how they are joined. Knows no query and no JSON.

Every piece is true or false of a row, never SQL's null, so that NOT gives its exact complement. A dialect finishes a
piece: it writes the words TRUE and FALSE and the question marks as its database takes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

Parameter: TypeAlias = str | int | float | bytes | tuple[str, ...] | tuple[int, ...] | tuple[bytes, ...]


class Piece(NamedTuple):
    sql: str
    parameters: tuple[Parameter, ...] = ()
    exact: bool = True
    """True if the piece is true of no row but those of which it should be."""


TRUE: Final = Piece("TRUE")
FALSE: Final = Piece("FALSE")
INEXACT_TRUE: Final = TRUE._replace(exact=False)
"""Stands for what SQL cannot decide, as long as it is under no NOT."""


def all_of(pieces: Iterable[Piece]) -> Piece:
    """Join the pieces with AND."""
    return _joined(pieces, " AND ", neutral=TRUE, deciding=FALSE)


def any_of(pieces: Iterable[Piece]) -> Piece:
    """Join the pieces with OR."""
    return _joined(pieces, " OR ", neutral=FALSE, deciding=TRUE)


def negation(piece: Piece) -> Piece:
    """Return the complement of the piece."""
    if piece.sql in (FALSE.sql, TRUE.sql):
        return Piece(TRUE.sql if piece.sql == FALSE.sql else FALSE.sql, (), piece.exact)
    return piece._replace(sql=f"NOT ({piece.sql})")


def case(subject: Piece, branches: Sequence[tuple[str, Piece]], otherwise: Piece) -> Piece:
    """Return a CASE: the piece beside the subject's value, which is a word without quotes in it."""
    kept = [(word, piece) for word, piece in branches if piece != otherwise]
    if not kept:
        return otherwise
    whens = " ".join(f"WHEN '{word}' THEN {piece.sql}" for word, piece in kept)
    return Piece(
        f"CASE {subject.sql} {whens} ELSE {otherwise.sql} END",
        (*subject.parameters, *(value for _, piece in kept for value in piece.parameters), *otherwise.parameters),
        exact=otherwise.exact and all(piece.exact for _, piece in kept),
    )


def _joined(pieces: Iterable[Piece], word: str, neutral: Piece, deciding: Piece) -> Piece:
    # An inexact constant takes part in the exactness of the whole, an exact one decides or is left out.
    kept = []
    for piece in pieces:
        if piece == deciding:
            return deciding
        if piece != neutral:
            kept.append(piece)
    exact = all(piece.exact for piece in kept)
    if any(piece.sql == deciding.sql for piece in kept):
        return Piece(deciding.sql, (), exact=False)
    written = [piece for piece in kept if piece.sql != neutral.sql]
    if not written:
        return Piece(neutral.sql, (), exact)
    if len(written) == 1:
        return written[0]._replace(exact=exact)
    sql = word.join(f"({piece.sql})" for piece in written)
    return Piece(sql, tuple(one for piece in written for one in piece.parameters), exact)
