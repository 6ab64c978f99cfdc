"""A question for ``Text`` hears corrections of earlier answers, and takes everything else as it was typed."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, goal, keywords, q, trait

WHO = "Who?"


def booking(language: str = "en") -> Chat:
    """A talk that has come to the question for a name."""
    steps = [
        q("guests", "Number", names=["people", "Personen", "personnes", "personas", "persone", "personen", "pessoas"]),
        q("day", "Date"),
        q("time", "Time"),
        q("car", "car"),
        q("name", "Text", WHO),
        q("mail", "Email"),
    ]
    cars = keywords("car", Audi=[], BMW=[])
    chat = Chat(bot({"book": goal(*steps)}, trait(book=["book"]), cars, language=language))
    for said in ("book", "4", "2026-12-01", "15:00", "Audi"):
        chat.say(said)
    return chat


@pytest.mark.parametrize(
    ("language", "said", "entity", "value"),
    [
        ("en", "wait, 5 not 4 people", "guests", 5),
        ("en", "oops I meant the 3rd of December", "day", "2026-12-03"),
        ("en", "sorry, make it 16:30", "time", "16:30"),
        ("en", "actually 16:30 is better", "time", "16:30"),
        ("en", "can we change the time to 16:30", "time", "16:30"),
        ("de", "können wir die Zeit auf 16:30 ändern", "time", "16:30"),
        ("de", "ach nee lieber um 16:30", "time", "16:30"),
        ("de", "moment, doch 5 Personen", "guests", 5),
        ("fr", "pardon, plutôt le 3 décembre", "day", "2026-12-03"),
        ("es", "no perdón, a las 16:30", "time", "16:30"),
        ("it", "scusi, meglio il 3 dicembre", "day", "2026-12-03"),
        ("nl", "nee wacht, om 16:30 uur", "time", "16:30"),
        ("pt", "desculpe, é às 16:30", "time", "16:30"),
    ],
)
def test_a_text_question_hears_a_correction_and_is_asked_again(
    language: str, said: str, entity: str, value: object
) -> None:
    chat = booking(language)
    assert chat.say(said) == [WHO]
    assert chat.memory[entity] == value
    assert "name" not in chat.memory


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "not 3 pm, 4:30 pm"),
        ("en", "16:30 I mean"),
        ("de", "nicht 15 Uhr, 16:30 Uhr"),
        ("fr", "pas 15h, 16h30"),
        ("nl", "niet 15 uur maar 16:30 uur"),
        ("es", "no a las 15:00, a las 16:30"),
    ],
)
def test_a_contrast_or_a_mark_behind_a_value_corrects_or_asks_whether_it_does(language: str, said: str) -> None:
    chat = booking(language)
    [asked] = chat.say(said)
    assert asked == WHO or "16:30" in asked
    assert "name" not in chat.memory
    assert chat.memory["time"] == ("16:30" if asked == WHO else "15:00")


def test_a_number_that_corrects_one_of_several_answers_is_asked_about() -> None:
    chat = booking()
    [asked] = chat.say("no wait, make it 6")
    assert asked.startswith("Which one do you mean?")
    assert "name" not in chat.memory


def test_a_text_question_hears_another_value_of_a_list() -> None:
    chat = booking()
    assert chat.say("no wait, the BMW") == [WHO]
    assert chat.memory["car"]["value"] == "BMW"


@pytest.mark.parametrize(
    "said",
    [
        *("via Roma 1", "Friday & Sons", "Wait Street 5", "Nora Lieber", "no pickles on it", "Mr. December 3"),
        *("It rattles since Tuesday", "sorry to bother you", "May", "call me after 5", "Sorry Jones"),
    ],
)
def test_a_text_that_corrects_nothing_is_the_answer_as_it_was_typed(said: str) -> None:
    chat = booking()
    chat.say(said)
    assert chat.memory["name"] == said
    assert (chat.memory["guests"], chat.memory["day"], chat.memory["time"]) == (4, "2026-12-01", "15:00")


def test_beside_more_words_it_is_asked_and_a_yes_changes_the_answer() -> None:
    chat = booking()
    assert chat.say("sorry, my sister comes too so we are 5 people") == ["Shall I change people to 5? [Yes] [No]"]
    assert chat.memory["guests"] == 4
    assert chat.say("yes") == [WHO]
    assert chat.memory["guests"] == 5


def test_a_no_to_that_question_takes_the_text_as_the_answer() -> None:
    chat = booking()
    chat.say("sorry, my sister comes too so we are 5 people")
    chat.say("no")
    assert chat.memory["name"] == "sorry, my sister comes too so we are 5 people"
    assert chat.memory["guests"] == 4


def test_another_text_than_yes_or_no_to_that_question_is_the_answer() -> None:
    chat = booking()
    chat.say("sorry, my sister comes too so we are 5 people")
    chat.say("Ada Byron")
    assert (chat.memory["name"], chat.memory["guests"]) == ("Ada Byron", 4)


@pytest.mark.parametrize("said", ["yes, 6 people", "6", "yes but 6", "no, 6 people"])
def test_a_value_in_reply_to_that_question_is_the_correction(said: str) -> None:
    chat = booking()
    chat.say("sorry, my sister comes too so we are 5 people")
    assert chat.say(said) == [WHO]
    assert chat.memory["guests"] == 6


def test_behind_a_no_to_that_question_stands_the_answer() -> None:
    chat = booking()
    chat.say("sorry, my sister comes too so we are 5 people")
    chat.say("no, Ada Byron")
    assert (chat.memory["name"], chat.memory["guests"]) == ("Ada Byron", 4)
