"""The table of what kills left."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.crash.harness import Outcome

COLUMNS = (
    "killed",
    "store",
    "kills",
    "in a start",
    "conversations",
    "messages",
    "lost",
    "doubled",
    "out of order",
    "wrong",
    "calls repeated",
    "against the rule",
    "timers",
    "deliveries",
    "posted again",
    "s",
)


def table(outcomes: Sequence[Outcome]) -> str:
    """Markdown: a row for each kind of kill."""
    rows = [COLUMNS, tuple("---" for _ in COLUMNS), *map(_row, outcomes)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(outcome: Outcome) -> tuple[str, ...]:
    figures = (
        outcome.kills,
        outcome.starts,
        outcome.conversations,
        outcome.messages,
        outcome.count("lost"),
        outcome.count("doubled"),
        outcome.count("out of order"),
        outcome.count("wrong", "record", "error", "timer", "delivery"),
        outcome.repeated,
        outcome.count("call"),
        outcome.timers,
        outcome.posts,
        outcome.posted_again,
        round(outcome.seconds),
    )
    return (outcome.what, outcome.store, *(f"{figure:,}" for figure in figures))
