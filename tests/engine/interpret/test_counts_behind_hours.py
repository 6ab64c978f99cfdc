"""What is counted behind an hour is no minutes: both questions get their value."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, q, trait

START = "let us begin"
BEGIN = trait(book=[START])


@pytest.mark.parametrize(
    ("language", "asked", "said", "time", "count"),
    [
        ("en", "How many people?", "at 2 2 people", "14:00", 2),
        ("de", "Wie viele Hunde?", "um 12 uhr 3 Hunde", "12:00", 3),
        ("es", "¿Cuántas personas?", "a las 12 4 personas", "12:00", 4),
        ("fr", "Combien de personnes ?", "à 12h 3 personnes", "12:00", 3),
        ("it", "Quante persone?", "alle 12 4 persone", "12:00", 4),
        ("nl", "Hoeveel personen?", "om 12 uur 3 personen", "12:00", 3),
        ("pt", "Quantas pessoas?", "às 12 4 pessoas", "12:00", 4),
    ],
)
def test_an_hour_leaves_the_count_behind_it(language: str, asked: str, said: str, time: str, count: int) -> None:
    flow = bot(
        {"book": goal(q("time", "Time"), q("count", "Number", asked), confirm("sure"))}, BEGIN, language=language
    )
    chat = Chat(flow)
    chat.say(START)
    chat.say(said)
    assert (chat.memory["time"], chat.memory["count"]) == (time, count)
