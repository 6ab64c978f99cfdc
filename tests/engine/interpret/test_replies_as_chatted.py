"""Replies to "Shall I book the table?" as they are chatted: slang, thanks, goodbyes, emoji, slips, regional forms.

``replies_as_chatted.json`` was written without a look at the words that are known.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.engine.interpret.test_replies_as_typed import meanings

REPLIES = json.loads(Path(__file__).with_name("replies_as_chatted.json").read_text(encoding="utf-8"))
MAX_MISSED = 0.05
STOPS = {
    "never mind", "forget it", "vergiss es", "laisse tomber", "laissez tomber", "déjalo", "olvídalo", "lascia perdere", "lasci stare",
    "laat maar", "laat maar zitten", "vergeet het", "deixa pra lá", "esquece",
}  # fmt: skip
"""Phrases of STOP, which ask whether to stop."""


WEAK = {"passt scho", "eh klar", "jo mei, passt", "bassd"}
"""Yeses of a region that mean "never mind" as well: ``replies_as_typed`` has them among what is neither."""


@pytest.mark.parametrize("language", REPLIES)
def test_yeses_as_they_are_chatted_act(language: str) -> None:
    replies = REPLIES[language]["yes"]
    missed = [text for text, what in meanings(language, replies).items() if what != "booked" and text not in WEAK]
    assert len(missed) <= MAX_MISSED * len(replies), missed


@pytest.mark.parametrize("language", REPLIES)
def test_noes_as_they_are_chatted_end_it(language: str) -> None:
    found = meanings(language, REPLIES[language]["no"])
    assert "booked" not in found.values()
    missed = [text for text, what in found.items() if what != "dropped" and text not in STOPS]
    assert len(missed) <= MAX_MISSED * len(found), missed


@pytest.mark.parametrize("language", REPLIES)
def test_what_is_neither_never_acts(language: str) -> None:
    found = meanings(language, REPLIES[language]["neither"])
    assert [text for text, what in found.items() if what == "booked"] == []
