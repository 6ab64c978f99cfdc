"""The trace that docs/do/test-a-bot.md shows is the one that this talk gives."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from dialoom.authoring.trace_lines import lines_of
from dialoom.engine import begin, turn
from dialoom.engine.events import Fetched, Response, Said
from dialoom.engine.trace import StepOutcome
from tests.engine.talking import ASKED, NOON, bot, confirm, goal, hook, q, trait

PAGE = (Path(__file__).parents[2] / "docs" / "do" / "test-a-bot.md").read_text()
FLOW = bot(
    {
        "book": goal(
            q("day", "Date"),
            q("guests", "Number", reactions={"acknowledgements": ["{{guests}}!"]}),
            q("note", "Text", conditions=["{{$gt guests 8}}"]),
            hook("price", "https://api.example.com/price?n={{guests}}", "That is {{price}}."),
            confirm("ok", "Shall I book it?"),
        )
    },
    trait(book=["book a table"]),
)


def _said(text: str) -> Said:
    return Said(id="e", now=NOON, seed=1, profile=ASKED, text=text)


def test_the_shown_trace_is_what_the_engine_gives() -> None:
    asked = turn(FLOW, begin(), _said("book a table"))
    waiting = turn(FLOW, asked.state, _said("tomorrow, we are 2"), is_traced=True)
    assert waiting.pending is not None
    response = Response(status=200, headers={"content-type": ["application/json"]}, body=b"20")
    fetched = Fetched(key=waiting.pending.key, response=response, milliseconds=41)
    done = turn(FLOW, waiting.state, fetched, is_traced=True)
    assert done.trace is not None
    shown = [line.removeprefix("  | ") for line in PAGE.splitlines() if line.startswith("  | ")]
    assert shown == lines_of(done.trace)


def test_every_outcome_of_a_step_is_explained() -> None:
    assert [outcome for outcome in get_args(StepOutcome) if f"\n| `{outcome}` |" not in PAGE] == []
