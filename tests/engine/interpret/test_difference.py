"""Answers changed by a difference: "one more guest", "an hour later"."""

from __future__ import annotations

import pytest

from dialoom.engine import Flow
from tests.engine.talking import Chat, bot, confirm, goal, hook, q, say, trait

ASK = {
    "en": ("Shall I book it?", "book a table"),
    "de": ("Soll ich den Tisch buchen?", "einen Tisch buchen"),
    "fr": ("Je réserve la table ?", "réserver une table"),
    "es": ("¿Reservo la mesa?", "reservar una mesa"),
    "it": ("Prenoto il tavolo?", "prenotare un tavolo"),
    "nl": ("Zal ik de tafel boeken?", "een tafel boeken"),
    "pt": ("Reservo a mesa?", "reservar uma mesa"),
}
KNOWN = {"guests": 4, "day": "2026-11-27", "start": "19:00"}


def _table(language: str) -> Flow:
    return bot(
        {
            "book": goal(
                q("guests", "Number", "How many guests?"),
                q("day", "Date"),
                q("start", "Time"),
                confirm("ok", ASK[language][0]),
                hook("made", "https://b.test/r", "booked {{day}}", source={"method": "POST"}, conditions=["{{ok}}"]),
                say("dropped", conditions=["{{$not ok}}"]),
            )
        },
        trait(book=[ASK[language][1]]),
        language=language,
    )


def _changed(language: str, text: str) -> dict[str, object]:
    """Return the answers that a reply to the confirmation changed, which must not have acted."""
    chat = Chat(_table(language), {"https://b.test/r": {"id": 1}})
    for said in (ASK[language][1], "4", "2026-11-27", "19:00", text):
        chat.say(said)
    assert not chat.calls
    return {name: chat.memory.get(name) for name, value in KNOWN.items() if chat.memory.get(name) != value}


@pytest.mark.parametrize(
    ("language", "text", "changed"),
    [
        ("en", "add one more guest", {"guests": 5}),
        ("en", "two more guests please", {"guests": 6}),
        ("en", "one less", {"guests": 3}),
        ("en", "yes but an hour later", {"start": "20:00"}),
        ("en", "can we make it half an hour earlier?", {"start": "18:30"}),
        ("en", "a day later", {"day": "2026-11-28"}),
        ("de", "noch ein Gast mehr", {"guests": 5}),
        ("de", "doch lieber eine Stunde früher", {"start": "18:00"}),
        ("fr", "une personne de plus", {"guests": 5}),
        ("fr", "une heure plus tard", {"start": "20:00"}),
        ("es", "una persona más", {"guests": 5}),
        ("es", "una hora más tarde", {"start": "20:00"}),
        ("it", "un ospite in più", {"guests": 5}),
        ("it", "un'ora dopo", {"start": "20:00"}),
        ("nl", "een persoon meer", {"guests": 5}),
        ("nl", "een uur later", {"start": "20:00"}),
        ("pt", "mais uma pessoa", {"guests": 5}),
        ("pt", "uma hora mais tarde", {"start": "20:00"}),
    ],
)
def test_a_difference_moves_the_known_answer(language: str, text: str, changed: dict[str, object]) -> None:
    assert _changed(language, text) == changed


@pytest.mark.parametrize(
    "text",
    [
        "2 hours more",
        "one more thing, is there parking?",
        "one more time please",
        "we need one more chair",
        "sorry, I'll pay an hour later",
        "no more than 5",
        "2 more, 3 more",
        "6 hours later",
        "5 guests less",
    ],
)
def test_what_is_no_difference_to_an_answer_changes_none(text: str) -> None:
    assert _changed("en", text) == {}


def test_a_difference_to_nothing_is_a_number() -> None:
    chat = Chat(_table("en"))
    chat.say("book a table")
    chat.say("2 more guests")
    assert chat.memory["guests"] == 2


@pytest.mark.parametrize(
    ("steps", "answers", "text", "known"),
    [
        ([q("adults", "Number"), q("children", "Number")], ["2"], "2 more", {"adults": 2, "children": 2}),
        ([q("adults", "Number"), q("children", "Number")], ["2"], "add 2 children", {"adults": 2, "children": 2}),
        ([q("guests", "Number"), q("bags", "Number")], ["2"], "2 extra", {"guests": 2, "bags": 2}),
        ([q("start", "Time"), q("long", "Duration")], ["10:00"], "an hour later", {"start": "10:00"}),
        ([q("out", "Date"), q("back", "Date")], ["2026-12-01"], "3 days later", {"out": "2026-12-01"}),
    ],
)
def test_what_the_open_question_may_take_changes_no_other_answer(
    steps: list[dict[str, object]], answers: list[str], text: str, known: dict[str, object]
) -> None:
    chat = Chat(bot({"book": goal(*steps, q("name"))}, trait(book=["book"])))
    for said in ("book", *answers, text):
        chat.say(said)
    assert {name: chat.memory.get(name) for name in known} == known


@pytest.mark.parametrize(
    "text",
    [
        *("not one more guest", "I don't need one more guest", "don't add one more guest", "never an hour later"),
        *("maybe one more guest", "one more guest might come", "one more guest and an hour later", "4 guests less"),
    ],
)
def test_a_difference_that_is_denied_or_doubted_changes_nothing(text: str) -> None:
    assert _changed("en", text) == {}
