"""A value is not lost to a sense that its words look like (flow-language.md section 5), and is told whole or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, hook, q, say, support, trait

SENSES = trait(
    book=["book", "I want an appointment", "book an appointment"],
    greet=["hello", "hi", "good morning", "good evening", "hey there"],
    person=["call a person", "I want to talk to a person", "change to a person", "can somebody call me"],
)
GERMAN = trait(
    book=["buchen", "ich möchte einen Termin"],
    greet=["hallo", "guten Morgen", "guten Abend"],
    person=["mit einem Menschen sprechen"],
)
FRENCH = trait(
    book=["réserver", "je veux un rendez-vous"], greet=["bonjour", "salut", "bonsoir"], person=["parler à quelqu'un"]
)
BOOK = goal(
    q("name"), q("plate", "Number"), q("day", "Date"), q("hour", "Time"), confirm("sure", "Book it?"), say("Done.")
)


def booking(language: str = "en", senses: dict[str, Any] = SENSES) -> Chat:
    """A talk in which the number plate is asked for."""
    conversations = {"book": BOOK, "greet": support(say("Hello!")), "person": support(say("Calling."))}
    chat = Chat(bot(conversations, senses, language=language))
    chat.say({"en": "book", "de": "buchen", "fr": "réserver"}[language])
    chat.say("Ada")
    return chat


@pytest.mark.parametrize(
    ("language", "senses", "text"),
    [
        *(("en", SENSES, text) for text in ("tomorow mornign at 9", "tomorrow morning at 9", "tmrw mornign at 9")),
        *(("de", GERMAN, text) for text in ("moregn um 9", "Samstag morgen um 9", "morgn um 9 Uhr")),
        *(("fr", FRENCH, text) for text in ("demian matin à 9h", "demain matin à 9h")),
    ],
)
def test_a_day_and_an_hour_told_at_another_question_are_kept(language: str, senses: dict[str, Any], text: str) -> None:
    chat = booking(language, senses)
    assert chat.say(text) == ["plate?"]
    assert chat.state.entities["day"] == "2026-11-21"
    assert chat.state.entities["hour"] == "09:00"


@pytest.mark.parametrize("text", ["change the time to 4pm", "change the time to 4 pm please", "make the hour 4pm"])
def test_a_changed_hour_calls_nobody(text: str) -> None:
    chat = booking()
    chat.say("12")
    chat.say("tomorrow")
    assert chat.say("at 10")[-1].startswith("Book it?")
    assert chat.say(text)[-1].startswith("Book it?")
    assert chat.state.entities["hour"] == "16:00"


@pytest.mark.parametrize("text", ["hello", "good mornign", "hey there"])
def test_a_greeting_stays_a_greeting(text: str) -> None:
    assert booking().say(text)[0] == "Hello!"


@pytest.mark.parametrize("text", ["every Tuesday", "Tuesday or later", "not before Tuesday", "after Tuesday", "asap"])
def test_a_day_that_cannot_be_told_is_asked_again(text: str) -> None:
    chat = booking()
    chat.say("12")
    chat.say(text)
    assert "day" not in chat.state.entities
    chat.say("first Monday in December")
    assert chat.state.entities["day"] == "2026-12-07"


@pytest.mark.parametrize("text", ["between 9 and 11", "10 or 11", "at 10 or 11", "9-11", "10 or 11 am"])
def test_of_two_hours_the_user_chooses_one(text: str) -> None:
    chat = booking()
    chat.say("12")
    chat.say("tomorrow")
    chat.say(text)
    assert "hour" not in chat.state.entities
    assert [reply.title for message in chat.messages for reply in message.replies][-1] == "11:00"
    chat.tap("11:00")
    assert chat.state.entities["hour"] == "11:00"


@pytest.mark.parametrize(
    ("text", "hour"), [("1430", "14:30"), ("10ish", "10:00"), ("16h", "16:00"), ("around ten", "10:00")]
)
def test_a_loose_hour_answers_a_question_for_one(text: str, hour: str) -> None:
    chat = booking()
    chat.say("12")
    chat.say("tomorrow")
    chat.say(text)
    assert chat.state.entities["hour"] == hour


@pytest.mark.parametrize("text", ["1430", "10 or 11"])
def test_a_bare_number_at_another_question_is_no_hour(text: str) -> None:
    chat = booking()
    chat.say(text)
    assert "hour" not in chat.state.entities


RAIN = {
    "es": trait(book=["reservar"], rain=["qué pasa si llueve", "y si hace mal tiempo", "si hay tormenta"]),
    "en": trait(book=["book"], thanks=["thanks", "thank you very much", "cheers"], rain=["what if it rains"]),
    "de": trait(book=["buchen"], thanks=["guten Morgen", "hallo", "guten Tag"]),
}


@pytest.mark.parametrize(
    ("language", "said", "answer"),
    [
        ("es", "sí pero a las 11", "Sure?"),
        ("es", "sí?", "Sure?"),
        ("es", "creo que sí", "Sure?"),
        ("es", "sí, si no llueve", "Money back."),
        ("en", "okay no thanks", "Sure?"),
        ("en", "thanks", "Welcome!"),
        ("en", "yes, what if it rains", "Money back."),
        ("de", "nicht morgen", "day?"),
        ("de", "morgen nicht", "day?"),
        ("de", "hallo", "Welcome!"),
    ],
)
def test_a_yes_a_no_or_polite_words_alone_are_no_other_wish(language: str, said: str, answer: str) -> None:
    steps = goal(
        q("day", "Date"),
        q("hour", "Time"),
        confirm("ok", "Sure?"),
        hook("done", "https://b.test/x", source={"method": "POST"}),
    )
    conversations = {"book": steps, "rain": support(say("Money back.")), "thanks": support(say("Welcome!"))}
    chat = Chat(bot(conversations, RAIN[language], language=language), {"https://b.test/x": 1})
    for text in ({"es": "reservar", "en": "book", "de": "buchen"}[language], "21.11.2026", "10:00"):
        chat.say(text)
    answered = chat.say(said)
    assert any(one.startswith(answer) for one in answered)
    assert answer in ("Money back.", "Welcome!") or not {"Money back.", "Welcome!"} & set(answered)
    assert chat.calls == []


CANCELLING = trait(
    book=["reserve a boat for me", "I want to book"],
    cancel=["cancel my rental", "I can't come, cancel it", "please cancel the reservation"],
    person=["I want to talk to a human"],
)


def reserving(*said: str) -> Chat:
    """A talk with a goal and another one that cancels; ``said``: the first messages."""
    undo = hook("gone", "https://boats.test/undo", "gone", source={"method": "DELETE"}, conditions=["{{sure}}"])
    make = hook("made", "https://boats.test/make", "made", source={"method": "POST"}, conditions=["{{sure}}"])
    conversations = {
        "book": goal(q("day", "Date"), confirm("sure", "Shall I reserve it?"), make, name="a rental"),
        "cancel": goal(q("number", "Number"), confirm("sure", "Shall I cancel it?"), undo, name="a cancellation"),
        "person": support(say("Calling.")),
    }
    chat = Chat(bot(conversations, CANCELLING), {"https://boats.test/make": {}, "https://boats.test/undo": {}})
    for text in said:
        chat.say(text)
    return chat


@pytest.mark.parametrize(
    "text",
    [
        *("yes, as long as I can cancel", "you can't reserve it", "we reserve the right to cancel"),
        *("I can't tomorrow", "please make the reservation", "cancel it only if it rains"),
    ],
)
def test_at_a_confirmation_words_of_a_cancellation_start_none(text: str) -> None:
    chat = reserving("I want to book", "tomorrow")
    assert chat.say(text)[-1] != "number?"
    assert not chat.calls


@pytest.mark.parametrize(
    "text", ["cancel my rental", "yes please cancel my rental", "no, I want to cancel my rental 12"]
)
def test_at_a_confirmation_an_expression_said_in_full_starts_the_cancellation(text: str) -> None:
    chat = reserving("I want to book", "tomorrow")
    assert chat.say(text)[-1] == ("Shall I cancel it? [Yes] [No]" if "12" in text else "number?")


def test_cancel_said_to_shall_i_cancel_it_does_not_ask_whether_to_stop_that() -> None:
    assert reserving("cancel my rental", "12").say("cancel") == ["gone"]
    assert reserving("cancel my rental", "12").say("stop")[0].startswith("Do you want to stop a cancellation?")
    assert reserving("I want to book", "tomorrow").say("cancel")[0].startswith("Do you want to stop a rental?")
