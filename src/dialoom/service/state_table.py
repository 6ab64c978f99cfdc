"""Defines tables of states: which state an event makes of another. The code asks the tables, and the pictures in
``docs/why/states.md`` are made from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

S = TypeVar("S", bound=str)
E = TypeVar("E", bound=str)


class StateTable(Generic[S, E]):
    """Holds a state machine as a table. ``rows``: state -> event -> next state; ``first``: the state at the beginning.
    A state without a row is final."""

    def __init__(self, first: S, rows: Mapping[S, Mapping[E, S]]) -> None:
        self.first = first
        self.rows = rows

    def after(self, state: S, event: E) -> S:
        """Return the next state. Raises ``KeyError`` for an event that is not allowed in this state."""
        return self.rows[state][event]

    def allows(self, state: S, event: E) -> bool:
        return event in self.rows.get(state, ())

    def ends(self, event: E) -> bool:
        """Return whether the event leads to a final state, whatever the state was."""
        return all(row[event] not in self.rows for row in self.rows.values() if event in row)

    def picture(self) -> str:
        """Return the table as a state diagram in the language of Mermaid."""
        names = dict.fromkeys([*self.rows, *(state for row in self.rows.values() for state in row.values())])
        lines = ["stateDiagram-v2", f"    [*] --> {_id(self.first)}"]
        lines += [f'    state "{name}" as {_id(name)}' for name in names if name != _id(name)]
        for state, row in self.rows.items():
            for target in dict.fromkeys(row.values()):
                events = ", ".join(event for event in row if row[event] == target)
                lines.append(f"    {_id(state)} --> {_id(target)}: {events}")
        lines += [f"    {_id(name)} --> [*]" for name in names if name not in self.rows]
        return "\n".join(lines)


def _id(name: str) -> str:
    return name.replace("-", "_").replace(" ", "_")
