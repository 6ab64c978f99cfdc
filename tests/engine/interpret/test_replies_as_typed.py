"""How replies to a confirmation are understood as people type them: what acts, what is missed, by language.

Each language has shares of its own, so that what helps one at the cost of another is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.engine.interpret.replies_as_typed import NO, OTHER, QUESTIONS, YES
from tests.engine.talking import Chat, bot, confirm, goal, hook, q, say, trait

BOOK = "https://bistro.test/tables"
MAX_MISSED = 0.1
"""Share of the plain yeses and of the plain noes that may be asked again."""


def bistro(language: str) -> Callable[[str], str]:
    """Return what says a reply in a talk that has come to the confirmation, and tells whether it is ``booked`` then,
    ``dropped`` or ``asked`` again."""
    flow = bot(
        {
            "table": goal(
                q("guests", "Number"),
                q("date", "Date"),
                q("time", "Time"),
                confirm("sure", QUESTIONS[language]),
                hook("booking", BOOK, "booked", source={"method": "POST"}, conditions=["{{sure}}"]),
                say("dropped", conditions=["{{$not sure}}"]),
            )
        },
        trait(table=["a table", "I want to eat"]),
        language=language,
    )

    def reply(text: str) -> str:
        chat = Chat(flow, {BOOK: {"id": 1}})
        for said in ("a table", "4", "2026-11-24", "19:30"):
            chat.say(said)
        assert chat.state.ask is not None
        assert not chat.calls
        said = chat.say(text)
        return "booked" if chat.calls else "dropped" if "dropped" in said else "asked"

    return reply


def meanings(language: str, replies: Sequence[str]) -> dict[str, str]:
    """Return what each reply led to."""
    reply = bistro(language)
    return {text: reply(text) for text in replies}


@pytest.mark.parametrize("language", YES)
def test_plain_yeses_act(language: str) -> None:
    missed = [text for text, what in meanings(language, YES[language]).items() if what != "booked"]
    assert len(missed) <= MAX_MISSED * len(YES[language]), missed


@pytest.mark.parametrize("language", NO)
def test_plain_noes_end_it_and_never_act(language: str) -> None:
    found = meanings(language, NO[language])
    assert "booked" not in found.values()
    missed = [text for text, what in found.items() if what != "dropped"]
    assert len(missed) <= MAX_MISSED * len(NO[language]), missed


@pytest.mark.parametrize("language", OTHER)
def test_what_is_neither_never_acts(language: str) -> None:
    assert [text for text, what in meanings(language, OTHER[language]).items() if what == "booked"] == []
