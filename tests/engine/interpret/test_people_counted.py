"""How many come, told in other words than one number: kinds of persons, an article, "zu dritt"."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, hook, q, say, trait

ASKED = {
    "en": "How many guests?",
    "de": "Wie viele Gäste kommen?",
    "fr": "Pour combien de personnes ?",
    "es": "¿Para cuántas personas?",
    "it": "Per quante persone?",
    "nl": "Voor hoeveel personen?",
    "pt": "Para quantas pessoas?",
}


def _chat(language: str, *more: dict[str, Any], asked: str | None = None) -> Chat:
    steps = [
        q("guests", "Number", asked or ASKED[language]),
        *more,
        confirm("ok", "OK?"),
        hook("made", "https://b.test/r", "booked", source={"method": "POST"}, conditions=["{{ok}}"]),
        say("dropped", conditions=["{{$not ok}}"]),
    ]
    chat = Chat(bot({"book": goal(*steps)}, trait(book=["book"]), language=language), {"https://b.test/r": {"id": 1}})
    chat.say("book")
    return chat


@pytest.mark.parametrize(
    ("language", "text", "guests"),
    [
        ("en", "two adults and a child", 3),
        ("en", "2 adults and 3 children", 5),
        ("en", "4ppl", 4),
        ("en", "a guest", 1),
        ("de", "2 Erwachsene, 2 Kinder", 4),
        ("de", "nur einen", 1),
        ("de", "einen Gast", 1),
        ("fr", "deux adultes et un enfant", 3),
        ("es", "dos adultos y un niño", 3),
        ("it", "due adulti e un bambino", 3),
        ("nl", "twee volwassenen en een kind", 3),
        ("nl", "met z'n vijven", 5),
        ("pt", "dois adultos e uma criança", 3),
    ],
)
def test_people_are_counted_together(language: str, text: str, guests: int) -> None:
    chat = _chat(language)
    chat.say(text)
    assert chat.memory["guests"] == guests


@pytest.mark.parametrize(("text", "guests"), [("a group of 8 adults", 8), ("a party of six people", 6)])
def test_a_group_is_no_kind_of_persons(text: str, guests: int) -> None:
    chat = _chat("en")
    chat.say(text)
    assert chat.memory["guests"] == guests


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("one ticket for 2 adults", "[1] [2]"),
        ("4 guests, 2 adults and 2 children", "[4] [2]"),
        ("2 adults or 3 children", "[2] [3]"),
    ],
)
def test_what_is_no_sum_is_asked_about(text: str, asked: str) -> None:
    chat = _chat("en")
    assert chat.say(text) == [f"How many guests? {asked}"]
    assert "guests" not in chat.memory


@pytest.mark.parametrize("text", ["eine Frage", "einen Moment"])
def test_an_article_beside_other_words_is_no_one(text: str) -> None:
    chat = _chat("de")
    chat.say(text)
    assert "guests" not in chat.memory


def test_where_children_are_asked_for_as_well_each_question_takes_its_own() -> None:
    chat = _chat("en", q("children", "Number", "How many children?"), asked="How many adults?")
    chat.say("2 adults and 3 children")
    assert (chat.memory["guests"], chat.memory["children"]) == (2, 3)


@pytest.mark.parametrize(
    ("language", "text", "guests"),
    [
        ("de", "nein, zu dritt", 3),
        ("de", "nein wir sind doch nur zu zweit", 2),
        ("fr", "non juste nous deux", 2),
        ("it", "no, solo noi due", 2),
        ("nl", "nee met z'n drieën", 3),
        ("en", "no, 2 adults and 3 kids", 5),
        ("de", "nein, 2 Erwachsene und 2 Kinder", 4),
    ],
)
def test_a_no_with_how_many_come_corrects_the_number_and_drops_nothing(language: str, text: str, guests: int) -> None:
    chat = _chat(language)
    chat.say("6")
    assert not any("dropped" in said for said in chat.say(text))
    assert chat.memory["guests"] == guests
