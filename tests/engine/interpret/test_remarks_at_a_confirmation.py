"""What is said beside "Shall I book it?" and is neither a yes nor a correction."""

from __future__ import annotations

import pytest

from tests.engine.interpret.test_difference import ASK, KNOWN, _table
from tests.engine.talking import Chat, bot, confirm, goal, hook, q, trait


def _at_the_confirmation(language: str) -> Chat:
    chat = Chat(_table(language), {"https://b.test/r": {"id": 1}})
    for said in (ASK[language][1], "4", "2026-11-27", "19:00"):
        chat.say(said)
    return chat


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "nice table"),
        ("en", "the table looks great"),
        ("en", "is friday ok"),
        ("nl", "is vrijdag goed"),
        ("fr", "la table c'est super"),
        ("en", "yes and also book another one for Saturday"),
        ("de", "ja, und noch einen Tisch für Samstag"),
        ("fr", "oui, et une autre table samedi"),
        ("es", "sí, y otra mesa para el sábado"),
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
    chat.say(text)
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
    assert chat.say(text) == ["booked 2026.12.11"]


@pytest.mark.parametrize("text", ["yes, book it", "no wait", "no, book it"])
def test_a_wish_to_go_on_at_the_stop_question_stops_and_books_nothing(text: str) -> None:
    chat = _at_the_confirmation("en")
    assert chat.say("stop")[0].startswith("Do you want to stop")
    assert chat.say(text) == ["Shall I book it? [Yes] [No]"]
    assert not chat.calls


@pytest.mark.parametrize("text", ["ok, cancel my booking", "go ahead and cancel it", "great, cancel my booking"])
def test_a_yes_before_another_deed_books_nothing(text: str) -> None:
    flow = bot(
        {
            "book": goal(
                q("guests", "Number"),
                confirm("ok", "Shall I book it?"),
                hook("made", "https://b.test/r", "booked", source={"method": "POST"}, conditions=["{{ok}}"]),
            ),
            "cancel": goal(q("ref", "Number", "Which booking?"), name="cancel my booking"),
        },
        trait(book=["book a table"], cancel=["cancel my booking", "cancel it"]),
    )
    chat = Chat(flow, {"https://b.test/r": {"id": 1}})
    for said in ("book a table", "4", text):
        chat.say(said)
    assert not chat.calls
