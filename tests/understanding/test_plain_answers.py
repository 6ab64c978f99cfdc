"""A plain yes or no beside what says nothing, and words that only look like one."""

from __future__ import annotations

import pytest

from dialoom.understanding.replies import folded_words, reply_words
from tests.work import lines_run

QUESTIONS = {
    "en": "Shall I book the table?",
    "de": "Soll ich den Tisch buchen?",
    "fr": "Dois-je réserver la table ?",
    "es": "¿Reservo la mesa?",
    "it": "Prenoto il tavolo?",
    "nl": "Zal ik de tafel boeken?",
    "pt": "Reservo a mesa?",
}


def answer(language: str, text: str) -> bool | None:
    question = frozenset(folded_words(QUESTIONS[language]))
    return reply_words(language).plain_answer(folded_words(text), question, frozenset())


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "yse pleaaase"),
        ("en", "absolutley"),
        ("de", "ja bite"),
        ("fr", "parfiat mercii"),
        ("es", "perfcto grcias"),
        ("it", "va benne graize"),
        ("nl", "ja bednakt"),
        ("pt", "simm orbigado"),
    ],
)
def test_a_slip_of_the_finger_leaves_a_yes_one(language: str, text: str) -> None:
    assert answer(language, text) is True


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "god"),
        ("en", "supper"),
        ("en", "might"),
        ("de", "Kasse"),
        ("de", "Jeep"),
        ("de", "bitter"),
        ("de", "ja wiederholen"),
        ("es", "caro"),
        ("es", "cerca"),
        ("it", "aceto"),
        ("it", "cornetto"),
        ("nl", "ja drankje"),
        ("pt", "correio"),
        ("pt", "sim recheio"),
    ],
)
def test_another_word_one_letter_away_is_no_slip_of_a_yes(language: str, text: str) -> None:
    assert answer(language, text) is None


@pytest.mark.parametrize("sign", "😊❤🎉💐🙏🏽✨")
def test_a_sign_that_says_nothing_leaves_a_yes_one(sign: str) -> None:
    assert answer("en", f"yes {sign}") is True
    assert answer("en", sign) is None


@pytest.mark.parametrize("sign", "🤔🤷😕🙄😒🕗🔄📞➕👎❌")
def test_a_sign_of_doubt_keeps_a_yes_from_being_one(sign: str) -> None:
    assert answer("en", f"yes {sign}") is None


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("es", "resérvala", True),
        ("es", "resérvamela por favor", True),
        ("it", "prenotalo", True),
        ("it", "non prenotarlo", False),
        ("it", "prenoto io", None),
        ("es", "la reservo yo", None),
        ("en", "I'll book it", None),
        ("en", "you can book it", True),
        ("en", "reserve it", True),
        ("en", "sorry for booking", None),
        ("de", "buch ihn", True),
        ("de", "buch ihn um, danke", None),
        ("nl", "boek maar", True),
        ("nl", "boek niet", False),
        ("nl", "boek hem om graag", None),
        ("fr", "réservez-la", True),
        ("pt", "reserve-a", True),
    ],
)
def test_the_verb_of_the_question_is_a_yes_where_the_bot_is_to_do_it(
    language: str, text: str, meant: bool | None
) -> None:
    assert answer(language, text) is meant


@pytest.mark.parametrize("piece", ["yes ", "😊", "sí, ", "yes😊 ", "sorry, ", "gracais ", "resérvamelamela "])
def test_a_plain_answer_is_looked_for_in_work_that_no_length_makes_more(piece: str) -> None:
    answer("es", "sí")
    short, long = (folded_words(piece * times) for times in (150, 1_500))
    assert lines_run(lambda: answer_of(long)) <= 12 * max(lines_run(lambda: answer_of(short)), 50)


def answer_of(words: tuple[str, ...]) -> bool | None:
    return reply_words("es").plain_answer(words, frozenset({"reservo"}), frozenset())
