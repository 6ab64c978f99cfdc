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


_TYPES = frozenset({"Datetime", "Duration", "Amount", "Url", "Location", "File"})
_DISPLAYS = frozenset({"location-picker", "date-picker", "single-select", "multi-select", "carousel"})
_CHANNELS = frozenset({"messenger-1", "messenger-2", "messenger-3", "voice-assistant", "workplace-chat", "directline"})


def _is(key: str, *values: object) -> Callable[[Piece], bool]:
    return lambda piece: piece.value.get(key) in values


def _has(key: str) -> Callable[[Piece], bool]:
    """The key holds something: not null, false, an empty text, list or map."""
    return lambda piece: bool(piece.value.get(key))


def _commands(name: str) -> Callable[[Piece], bool]:
    return lambda piece: piece.text("type") == "command" and (piece.text("command") or "").split()[:1] == [name]


def _one_of(key: str, names: frozenset[str]) -> Callable[[Piece], bool]:
    return lambda piece: piece.text(key) in names


NOT_YET = (
    NotYet("an entities-confirmation step", "step", "type", _is("type", "entities-confirmation")),
    NotYet("the command logout", "step", "command", _commands("logout")),
    NotYet("a hand-off to a live agent", "step", "live-agent", _has("live-agent")),
    NotYet("a protected step", "step", "protected", _has("protected")),
    NotYet("an entity of this type", "step", "entity-type", _one_of("entity-type", _TYPES)),
    NotYet("a reaction to past values", "reactions", "suggestions", _has("suggestions")),
    NotYet("an image validation", "validation", "type", _is("type", "image")),
    NotYet("this display", "display", "type", _one_of("type", _DISPLAYS)),
    NotYet("a keywords type filled from an endpoint", "definition", "dynamic-data", _has("dynamic-data")),
    NotYet("a client-certificate credential", "credential", "type", _is("type", "client-certificate")),
    NotYet("a channel of this type", "channel", "type", _one_of("type", _CHANNELS)),
    NotYet("a callback of the rest channel", "channel", "callback-url", _has("callback-url")),
    NotYet("a signed user token", "channel", "user-secret", _has("user-secret")),
    NotYet("a signed user token", "channel", "require-user-token", _has("require-user-token")),
    NotYet("a hand-off to a live agent", "bot", "live-agents", _has("live-agents")),
    NotYet("an image labeller", "bot", "image-labeller", _has("image-labeller")),
    NotYet("a limit of retention", "bot", "retention-days", _has("retention-days")),
)

KINDS = frozenset(row.kind for row in NOT_YET)


def faults(piece: Piece, _: Known) -> Iterator[Fault]:
    """A fault for every feature of ``piece`` that does not run yet."""
    for row in NOT_YET:
        if row.kind == piece.kind and row.applies(piece):
            value = piece.text(row.key)
            named = f' ("{value[:60]}")' if value is not None and row.key not in ("user-secret", "callback-url") else ""
            message = f"Not yet: this version reads {row.feature}{named}, but does not run it. Leave it out for now."
            yield Fault(path=piece.at(row.key), message=message)
