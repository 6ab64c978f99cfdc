"""Bare numbers in a reply to a confirmation: which value they change, and when it is asked which is meant."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, hook, q, trait

BOOK = "https://table.test/bookings"
WHICH = ["Which one do you mean? [people] [time]"]
AGAIN = "Right? [Yes] [No]"
NOTHING = ["Nothing is done yet.", AGAIN]


def table(*, language: str = "en", **told: str) -> Chat:
    """A talk that has come to the confirmation. ``told``: a question each, with its answer."""
    types = {"people": "Number", "date": "Date", "time": "Time"}
    steps = [q(entity, types[entity]) for entity in told]
    flow = bot(
        {"book": goal(*steps, confirm("sure"), hook("x", BOOK, source={"method": "POST"}))},
        trait(book=["book"]),
        language=language,
    )
    chat = Chat(flow, {BOOK: 1})
    for said in ("book", *told.values()):
        chat.say(said)
    return chat


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "can't do 10, 11 is fine"),
        ("en", "not 10 but 11"),
        ("en", "10 no, 11 yes"),
        ("en", "11 instead of 10"),
        ("en", "I can't at 10, 11 is ok"),
        ("de", "11 statt 10"),
        ("de", "10 Uhr ist mir zu früh, 11 Uhr bitte"),
        ("es", "a las 11 en vez de a las 10"),
        ("de", "10 geht nicht, 11 wäre ok"),
        ("fr", "pas possible à 10h, 11h ça va"),
        ("es", "a las 10 no puedo, a las 11 sí"),
        ("it", "le 10 non mi vanno bene, le 11 sì"),
        ("nl", "10 uur kan niet, 11 is prima"),
        ("pt", "às 10 não posso, às 11 está bem"),
        ("bg", "в 10 не мога, в 11 става"),
    ],
)
@pytest.mark.parametrize("told", [{"people": "2", "time": "10:00"}, {"date": "2026-11-24", "time": "10:00"}])
def test_a_number_beside_a_refused_value_takes_its_place(language: str, said: str, told: dict[str, str]) -> None:
    chat = table(language=language, **told)
    chat.say(said)
    assert chat.memory["time"] == "11:00"
    assert chat.memory.get("people") in (2, None)
    assert not chat.calls


@pytest.mark.parametrize(
    ("said", "told", "answer"),
    [
        ("not 12 but 11", {"people": "2", "time": "10:00"}, WHICH),
        ("10 or 11", {"people": "2", "time": "10:00"}, WHICH),
        ("10 to 12", {"people": "2", "time": "10:00"}, WHICH),
        ("can't do 10, 11 is fine", {"people": "2", "date": "2026-11-24"}, NOTHING),
        ("can't do 10, 11 is fine", {"date": "2026-11-24"}, NOTHING),
    ],
)
def test_a_number_that_may_be_for_several_questions_or_none_changes_nothing(
    said: str, told: dict[str, str], answer: list[str]
) -> None:
    chat = table(**told)
    before = dict(chat.memory)
    assert chat.say(said) == answer
    assert chat.memory == before


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "between 9 and 11"),
        ("en", "from 9 to 11"),
        ("en", "9-11"),
        ("en", "9 or 11"),
        ("de", "zwischen 9 und 11"),
        ("fr", "entre 9h et 11h"),
        ("es", "entre las 9 y las 11"),
        ("it", "tra le 9 e le 11"),
        ("nl", "tussen 9 en 11"),
        ("pt", "entre as 9 e as 11"),
        ("bg", "между 9 и 11"),
        ("sv", "mellan 9 och 11"),
    ],
)
@pytest.mark.parametrize("stored", ["09:00", "10:00", "11:00"])
def test_a_range_is_no_value_even_where_one_end_is_stored(language: str, said: str, stored: str) -> None:
    chat = table(language=language, date="2026-11-24", time=stored)
    assert chat.say(said)[-1] == "time? [09:00] [11:00]"
    assert not chat.calls


def test_a_range_of_what_is_counted_asks_for_the_count() -> None:
    assert table(people="2", time="09:00").say("between 9 and 11 people") == ["people? [9] [11]"]


def test_a_change_from_one_value_to_another_is_no_range() -> None:
    chat = table(date="2026-11-24", time="10:00")
    assert chat.say("change it from 10:00 to 11:00") == [AGAIN]
    assert chat.memory["time"] == "11:00"


@pytest.mark.parametrize(
    "said", ["any time but 10", "anything but 10", "not 10", "10 won't work", "any other time than 10"]
)
@pytest.mark.parametrize("told", [{"people": "2", "time": "10:00"}, {"date": "2026-11-24", "time": "10:00"}])
def test_a_stored_number_that_is_turned_down_is_asked_for_again(said: str, told: dict[str, str]) -> None:
    assert table(**told).say(said) == ["time? [10:00]"]


def test_what_a_number_counts_may_be_said_again_beside_a_yes() -> None:
    chat = table(people="2", date="2026-11-24", time="10:00")
    chat.say("yes, 2 people on tuesday at 10")
    assert len(chat.calls) == 1


def test_a_stored_day_said_again_beside_a_yes_acts_and_another_day_does_not() -> None:
    chat = table(people="2", date="2026-11-21", time="10:00")
    assert chat.say("yes, on Sunday") == [AGAIN]
    chat.say("no, on Saturday")
    chat.say("yes, tomorrow")
    assert len(chat.calls) == 1
