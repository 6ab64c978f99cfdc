"""What the language has and this version does not run yet. ONE table: a feature that runs loses its row.

Such a feature is read and checked in full, and then refused at load, so that nothing is passed over in silence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dialoom.flow.report import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dialoom.flow.check.known import Known
    from dialoom.flow.pieces import Piece


class NotYet(NamedTuple):
    """``applies`` says whether a piece of this kind uses the feature; ``key`` is where the finding points."""

    feature: str
    kind: str
    key: str
    applies: Callable[[Piece], bool]


_CHANNELS = frozenset({"messenger-1", "messenger-2", "messenger-3", "voice-assistant", "workplace-chat", "directline"})


def _one_of(key: str, names: frozenset[str]) -> Callable[[Piece], bool]:
    return lambda piece: piece.text(key) in names


NOT_YET = (NotYet("a channel of this type", "channel", "type", _one_of("type", _CHANNELS)),)

KINDS = frozenset(row.kind for row in NOT_YET)


def faults(piece: Piece, _: Known) -> Iterator[Fault]:
    """A fault for every feature of ``piece`` that does not run yet."""
    for row in NOT_YET:
        if row.kind == piece.kind and row.applies(piece):
            value = piece.text(row.key)
            named = f' ("{value[:60]}")' if value is not None else ""
            message = f"Not yet: this version reads {row.feature}{named}, but does not run it. Leave it out for now."
            yield Fault(path=piece.at(row.key), message=message)
