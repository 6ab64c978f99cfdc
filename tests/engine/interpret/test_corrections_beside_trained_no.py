"""Corrections beside a bot that is trained to take a "no" for giving up."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, q, say, support, trait

WISHES = trait(book=["book"], leave=["no", "no thanks", "never mind", "not now"], tomorrow=["not at four"])
BOOK = goal(q("time", "Time"), q("phone", "PhoneNumber"), say("{{time}} {{phone}}"))


def chat(language: str = "en", **more: list[str]) -> Chat:
    flow = bot(
        {"book": BOOK, "leave": support(say("Left.")), "tomorrow": support(say("Tomorrow then."))},
        WISHES,
        language=language,
    )
    chat = Chat(flow)
    chat.say("book")
    chat.say("15:00")
    return chat


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *(
            ("en", text)
            for text in ("no 16:00", "no wait, 4 pm", "Actually 16:00", "sorry, I meant 4pm", "make it 16:00")
        ),
        *(("de", text) for text in ("nein, 16 Uhr", "ach nein, lieber um 16 Uhr", "ich meinte 16:00")),
        *(("fr", text) for text in ("non, 16 h", "en fait plutôt à 16 h", "pardon, je voulais dire 16:00")),
        *(("es", text) for text in ("no, a las 16:00", "perdón, quise decir 16:00", "mejor a las 16:00")),
        *(("it", text) for text in ("no, alle 16", "anzi, alle 16:00", "scusa, volevo dire 16:00")),
        *(("nl", text) for text in ("nee, 16:00", "wacht, liever om 16:00", "ik bedoel 16:00")),
        *(("pt", text) for text in ("não, às 16:00", "desculpe, queria dizer 16:00", "afinal às 16:00")),
        *(("bg", text) for text in ("не, 16:00", "извинете, имах предвид 16:00", "всъщност в 16:00")),
    ],
)
def test_a_no_beside_a_value_is_no_wish(language: str, text: str) -> None:
    talk = chat(language)
    assert talk.say(text) == ["phone?"]
    assert talk.state.entities == {"time": "16:00"}


def test_a_number_that_may_mean_yes_or_no_is_no_hour() -> None:
    flow = bot({"book": goal(q("time", "Time"), confirm("sure"), say("{{time}} {{sure}}"))}, WISHES)
    talk = Chat(flow)
    talk.say("book")
    talk.say("15:00")
    assert talk.say("2")[0].startswith("Nothing is done yet.")
    assert talk.state.entities == {"time": "15:00"}
    assert talk.say("16")[-1].startswith("Right?")
    assert talk.state.entities == {"time": "16:00"}
    assert talk.say("no, at 2 pm")[-1].startswith("Right?")
    assert talk.state.entities == {"time": "14:00"}


def test_a_wish_beside_a_value_stays_a_wish() -> None:
    assert chat().say("no thanks")[0] == "Left."
    assert chat().say("not at four")[0] == "Tomorrow then."
