"""Bare numbers beside known answers: repeated, refused, in the place of another, for one of two questions (section 5,
rule 4)."""

from typing import Any

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, hook, q, say, trait

TOLD = {"start": "10:00", "persons": "4", "mail": "jo@example.com"}
TYPES = {"start": "Time", "persons": "Number", "mail": "Email"}
ASKED = "Shall I rent it? [Yes] [No]"
WHICH = "Which one do you mean? [start] [persons]"


def renting(*entities: str, open_question: bool = False) -> Chat:
    steps: list[dict[str, Any]] = [q(entity, TYPES[entity]) for entity in entities]
    if open_question:
        steps.append(q("mail", "Email"))
    done = hook("made", "https://b.test/r", "rented", source={"method": "POST"}, conditions=["{{ok}}"])
    steps += [confirm("ok", "Shall I rent it?"), done, say("dropped", conditions=["{{$not ok}}"])]
    chat = Chat(bot({"book": goal(*steps)}, trait(book=["rent it"])), {"https://b.test/r": {"id": 1}})
    for said in ("rent it", *(TOLD[entity] for entity in entities)):
        chat.say(said)
    return chat


REPLACED = [
    "10 is too early, 11 please",
    "can't do 10, 11 is fine",
    "not 10, 11",
    "11 not 10",
    "11 instead of 10",
]


@pytest.mark.parametrize("text", [*REPLACED, "make it 11"])
def test_at_a_confirmation_the_new_hour_is_confirmed_again(text: str) -> None:
    chat = renting("start")
    assert chat.say(text) == [ASKED]
    assert (chat.memory["start"], chat.calls) == ("11:00", [])


@pytest.mark.parametrize("text", REPLACED)
def test_an_hour_in_the_place_of_the_refused_one_is_no_count_of_people(text: str) -> None:
    for chat in (renting("start", "persons"), renting("start", "persons", open_question=True)):
        chat.say(text)
        assert (chat.memory["start"], chat.memory["persons"], chat.calls) == ("11:00", 4, [])


@pytest.mark.parametrize("text", ["not 4 but 5", "5 not 4 people", "5 instead of 4"])
def test_a_count_beside_the_denial_of_the_known_one_takes_its_place(text: str) -> None:
    for chat in (renting("persons"), renting("persons", open_question=True)):
        chat.say(text)
        assert (chat.memory["persons"], chat.calls) == (5, [])


@pytest.mark.parametrize(
    ("text", "asked"),
    [("10 is too late", "start? [10:00]"), ("4 is wrong", "persons? [4]")],
)
def test_what_is_turned_down_is_asked_again(text: str, asked: str) -> None:
    assert renting("start", "persons").say(text) == [asked]
    assert renting("start", "persons", open_question=True).say(text) == [asked]


@pytest.mark.parametrize("text", ["12", "make it 60 dollars", "60", "in a minute"])
def test_a_number_that_is_for_no_question_changes_no_count_of_people(text: str) -> None:
    chat = renting("start", "persons", open_question=True)
    chat.say(text)
    assert (chat.memory["start"], chat.memory["persons"]) == ("10:00", 4)


def test_of_two_numbers_it_is_asked_which_hour_is_meant() -> None:
    assert renting("start").say("10 or 11") == ["start? [10:00] [11:00]"]
    assert renting("persons").say("4 or 5") == ["persons? [4] [5]"]


@pytest.mark.parametrize("text", ["make it 8", "10 or 11", "rather 8"])
def test_a_number_that_is_an_hour_as_well_as_a_count_is_asked_about(text: str) -> None:
    chat = renting("start", "persons")
    assert chat.say(text) == [WHICH]
    assert (chat.memory["start"], chat.memory["persons"]) == ("10:00", 4)
