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
        return None if self.definitions is None else (*self.definitions, *sorted(BUILT_IN_TYPES))

    def strategy(self, entity_type: str | None) -> str | None:
        """The ``lookup-strategy`` of a type of the bot's own."""
        definition = (self.definitions or {}).get(entity_type or "")
        return definition.text("lookup-strategy") if definition else None


def known_from(found: Iterable[Piece], unread: Collection[str], variables: frozenset[str]) -> Known:
    """Collect the names out of ``found``; ``unread`` are the files that are missing or no JSON."""
    bot: dict[str, tuple[str, ...]] = {}
    conversations: tuple[str, ...] = ()
    definitions: dict[str, Piece] = {}
    values: dict[str, list[Piece]] = {}
    channel_types = set()
    has_authentication = False
    for piece in found:
        if piece.kind == "bot":
            bot = {key: _keys(piece, key) for key in ("credentials", "live-agents")}
        elif piece.kind == "flow":
            conversations = _keys(piece, "conversations")
        elif piece.kind == "channel":
            channel_types.add(piece.text("type") or "")
        elif piece.kind == "authentication":
            has_authentication = True
        elif piece.kind == "definition" and (name := piece.text("name")):
            definitions.setdefault(name, piece)
        elif piece.kind == "value" and piece.owner and (name := piece.owner.text("name")):
            values.setdefault(name, []).append(piece)
    return Known(
        conversations=None if "flow.json" in unread else conversations,
        definitions=None if "training.json" in unread else definitions,
        values=values,
        credentials=None if "bot.json" in unread else bot.get("credentials", ()),
        live_agents=None if "bot.json" in unread else bot.get("live-agents", ()),
        channel_types=frozenset(channel_types),
        has_authentication=has_authentication,
        variables=variables,
    )


def _keys(piece: Piece, key: str) -> tuple[str, ...]:
    found = piece.value.get(key)
    return tuple(found) if isinstance(found, dict) else ()
