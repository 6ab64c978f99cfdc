"""What is said beside "Shall I book it?" and is neither a yes nor a correction."""

from __future__ import annotations

import pytest

from tests.engine.interpret.test_difference import ASK, KNOWN, _table
from tests.engine.talking import Chat


def _at_the_confirmation(language: str) -> Chat:
    chat = Chat(_table(language), {"https://b.test/r": {"id": 1}})
    for said in (ASK[language][1], "4", "2026-11-27", "19:00"):
        chat.say(said)
    return chat


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "nice table"),
        ("en", "2 of us are vegan"),
        ("en", "can one of us have a high chair?"),
        ("en", "is the last bus at 23:15?"),
        ("en", "my friend comes at 8, is that a problem?"),
        ("de", "macht die Küche um 22 Uhr zu?"),
        ("fr", "la cuisine ferme à 22h ?"),
        ("nl", "mooie tafel"),
        ("nl", "ik wil nog een tafel boeken"),
        ("nl", "sluit de keuken om 22 uur?"),
        ("es", "¿la cocina cierra a las 10?"),
        ("it", "la cucina chiude alle 22?"),
        ("pt", "a cozinha fecha às 22?"),
    ],
)
def test_a_remark_changes_nothing_and_is_no_yes(language: str, text: str) -> None:
    chat = _at_the_confirmation(language)
    assert "booked" not in chat.say(text)
    assert not chat.calls
    assert {name: chat.memory.get(name) for name in KNOWN} == KNOWN


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "yes, see you Friday"),
        ("de", "ja, bis Freitag!"),
        ("es", "sí, nos vemos el viernes"),
        ("it", "sì, ci vediamo venerdì"),
    ],
)
def test_the_weekday_that_is_known_said_again_is_a_yes(language: str, text: str) -> None:
    """The known date is a Friday, and not the next one."""
    chat = Chat(_table(language), {"https://b.test/r": {"id": 1}})
    for said in (ASK[language][1], "4", "2026-12-11", "19:00"):
        chat.say(said)
    chat.say(text)
    assert chat.memory.get("day", "2026-12-11") == "2026-12-11"
    assert len(chat.calls) == 1


@pytest.mark.parametrize("text", ["yes, book it", "no wait", "no, book it"])
def test_an_answer_that_is_none_to_whether_to_stop_stops_and_books_nothing(text: str) -> None:
    chat = _at_the_confirmation("en")
    assert chat.say("stop")[0].startswith("Do you want to stop")
    assert chat.say(text) == ["Shall I book it? [Yes] [No]"]
    assert not chat.calls
