from __future__ import annotations

from datetime import datetime

import msgspec
import pytest

from dialoom.flow.model import QnAType, QnAValue
from dialoom.understanding import Model, Recogniser, fingerprint, train
from tests.understanding.conftest import DEFINITIONS, trait

PARAPHRASES = {
    "book": (
        "i would like to schedule an appointment",
        "can I book an appointment for tomorrow",
        "I need an appointment",
        "book a doctor please",
        "I'd like to see Dr. Petrova on 3rd March 2027 at 15:00",
        "could you make me an appointment",
        "is it possible to see a doctor today",
        "i want to book a consultation",
        "appointment with a doctor",
        "scheduling a visit",
    ),
    "cancel": (
        "please cancel the appointment",
        "cancel it",
        "I would like to cancel my visit",
        "I cannot come to the appointment",
        "delete the booking please",
        "canceling my appointment",
    ),
    "help": ("can you help me please", "I need some help", "hello there", "help please", "how does it work"),
    "opening hours": (
        "are you open sundays?",
        "opening hours please",
        "when do you open",
        "what are the opening times",
    ),
    "parking": ("where is the parking", "can I park there", "do you have a car park"),
}
NONSENSE = (
    "asdf",
    "the weather is nice",
    "blue",
    "what is the capital of France",
    "set an alarm",
    "qwertz uiop",
    "play some music",
    "my dog ate it",
    "who won the match",
    "tell me a joke",
    "I have a headache",
    "42",
    "tomorrow",
    "translate this to Spanish",
    "it was raining all day long",
    "lorem ipsum dolor sit amet",
    "how tall is the tower",
    "the quick brown fox jumps over the lazy dog",
    "what is my bank balance",
    "turn off the lights",
    "what are the symptoms of cancer",
    "the council is on the line",
)


def understood(clinic: Recogniser, text: str, now: datetime) -> str | None:
    found = clinic.recognise(text, ["Conversation", "questions"], now)
    return next((one[0].value["value"] for one in found.values() if one), None)


def test_obvious_paraphrases_are_understood_on_a_small_bot(clinic: Recogniser, now: datetime) -> None:
    results = {text: (value, understood(clinic, text, now)) for value, all in PARAPHRASES.items() for text in all}
    wrong = {text: pair for text, pair in results.items() if pair[1] not in (pair[0], None)}
    refused = [text for text, (_, got) in results.items() if got is None]
    assert wrong == {}
    assert len(refused) <= len(results) // 10, refused


def test_nonsense_is_refused_on_a_small_bot(clinic: Recogniser, now: datetime) -> None:
    accepted = {text: value for text in NONSENSE if (value := understood(clinic, text, now))}
    assert accepted == {}


def test_training_is_deterministic_and_a_model_goes_through_json() -> None:
    one, other = train(DEFINITIONS, "en"), train(DEFINITIONS, "en")
    assert one == other
    assert msgspec.json.decode(msgspec.json.encode(one), type=Model) == one


def test_the_fingerprint_changes_with_the_expressions_only() -> None:
    qna = QnAType(name="q", data=(QnAValue(value="a", expressions=("b",), answers=("c",)),))
    same = QnAType(name="q", data=(QnAValue(value="a", expressions=("b",), answers=("other",)),))
    changed = QnAType(name="q", data=(QnAValue(value="a", expressions=("B!",), answers=("c",)),))
    assert fingerprint((qna,), "en") == fingerprint((same,), "en")
    assert fingerprint((qna,), "en") != fingerprint((changed,), "en")
    assert fingerprint((qna,), "en") != fingerprint((qna,), "de")


def test_a_kept_model_gives_the_same_answers(clinic: Recogniser, now: datetime) -> None:
    again = Recogniser(DEFINITIONS, "en", 0.65, 0.1, train(DEFINITIONS, "en"))
    text = "could you make me an appointment"
    assert again.recognise(text, ["Conversation"], now) == clinic.recognise(text, ["Conversation"], now)


def test_a_type_without_expressions_trains_to_nothing(now: datetime) -> None:
    bot = Recogniser((trait("Conversation", book=()),), "en", 0.65, 0.1)
    assert bot.recognise("book", ["Conversation"], now) == {"Conversation": []}


def test_a_single_value_is_told_from_what_it_is_not(now: datetime) -> None:
    bot = Recogniser((trait("Conversation", book=("book a table", "reserve a table", "a table for two")),), "en")
    assert bot.recognise("I want to reserve a table", ["Conversation"], now)["Conversation"]
    assert not bot.recognise("the weather is nice", ["Conversation"], now)["Conversation"]


def test_two_values_that_lie_too_near_are_not_understood(now: datetime) -> None:
    bot = Recogniser((trait("Conversation", a=("red apples",), b=("green apples",)),), "en")
    assert bot.recognise("yellow apples", ["Conversation"], now)["Conversation"] == []


@pytest.mark.parametrize(
    ("language", "expression", "said"),
    [
        ("en", "thank you so much", "think"),
        ("en", "cancel my order", "cancer"),
        ("de", "danke sehr", "denke"),
        ("fr", "merci beaucoup", "merde"),
    ],
)
def test_a_common_word_of_the_language_is_no_slip_of_a_trained_one(
    now: datetime, language: str, expression: str, said: str
) -> None:
    bot = Recogniser((trait("Conversation", a=(expression,), b=("xylophone",)),), language)
    assert bot.recognise(said, ["Conversation"], now)["Conversation"] == []


def test_a_word_that_is_none_of_the_language_is_a_slip_of_a_trained_one(now: datetime) -> None:
    bot = Recogniser((trait("Conversation", a=("cancel my order",), b=("xylophone",)),), "en")
    assert bot.recognise("cancl my ordr", ["Conversation"], now)["Conversation"][0].value == {"value": "a"}
