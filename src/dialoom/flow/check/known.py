"""The names that a bot's files define, for checks that look a name up. What is not readable is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dialoom.flow.model import BUILT_IN_TYPES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from dialoom.flow.pieces import Piece


class Known(NamedTuple):
    """``None`` stands where the file that defines the names could not be read: then nothing is dangling."""

    conversations: tuple[str, ...] | None
    runs: dict[str, frozenset[str]]
    """For each conversation those that it always runs in place, through others too."""
    definitions: dict[str, Piece] | None
    values: dict[str, list[Piece]]
    credentials: tuple[str, ...] | None
    live_agents: tuple[str, ...] | None
    channel_types: frozenset[str]
    has_authentication: bool
    variables: frozenset[str]

    @property
    def entity_types(self) -> tuple[str, ...] | None:
        """Every legal ``entity-type``, the bot's own first."""
        return None if self.definitions is None else _once([*self.definitions, *sorted(BUILT_IN_TYPES)])

    def strategy(self, entity_type: str | None) -> str | None:
        """The ``lookup-strategy`` of a type of the bot's own."""
        definition = (self.definitions or {}).get(entity_type or "")
        return definition.text("lookup-strategy") if definition else None


def known_from(found: Iterable[Piece], unread: Collection[str], variables: frozenset[str]) -> Known:
    """Collect the names out of ``found``; ``unread`` are the files that are missing or no JSON."""
    credentials: list[str] = []
    live_agents: list[str] = []
    conversations: list[str] = []
    runs: dict[str, set[str]] = {}
    definitions: dict[str, Piece] = {}
    values: dict[str, list[Piece]] = {}
    channel_types = set()
    has_authentication = False
    for piece in found:
        if piece.kind == "bot":
            credentials += _keys(piece, "credentials")
            live_agents += _keys(piece, "live-agents")
        elif piece.kind == "flow":
            conversations += _keys(piece, "conversations")
        elif piece.kind == "step" and (name := always_run(piece)):
            runs.setdefault(str(piece.path[1]), set()).add(name)
        elif piece.kind == "channel":
            channel_types.add(piece.text("type") or "")
        elif piece.kind == "authentication":
            has_authentication = True
        elif piece.kind == "definition" and (name := piece.text("name")):
            definitions.setdefault(name, piece)
        elif piece.kind == "value" and piece.owner and (name := piece.owner.text("name")):
            values.setdefault(name, []).append(piece)
    return Known(
        conversations=None if "flow.json" in unread else _once(conversations),
        runs={name: _reached(name, runs) for name in runs},
        definitions=None if "training.json" in unread else definitions,
        values=values,
        credentials=None if "bot.json" in unread else _once(credentials),
        live_agents=None if "bot.json" in unread else _once(live_agents),
        channel_types=frozenset(channel_types),
        has_authentication=has_authentication,
        variables=variables,
    )


def always_run(step: Piece) -> str | None:
    """The conversation that this step runs in place whatever is in memory."""
    if step.text("type") != "conversation" or step.list("conditions"):
        return None
    return step.text("conversation")


def _reached(start: str, runs: dict[str, set[str]]) -> frozenset[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        new = runs.get(waiting.pop(), set()) - reached
        reached |= new
        waiting.extend(new)
    return frozenset(reached)


def _keys(piece: Piece, key: str) -> tuple[str, ...]:
    found = piece.value.get(key)
    return tuple(found) if isinstance(found, dict) else ()


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
