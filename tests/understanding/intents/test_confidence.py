"""What is understood and what is not by bots of all sizes, at the usual threshold and margin."""

from __future__ import annotations

from datetime import datetime

import pytest

from dialoom.understanding import Recogniser
from dialoom.understanding.intents.confidence import EXPECTED, Evidence, calibrated, confidence
from tests.understanding.conftest import trait

NONSENSE = ("asdf", "the weather is blue", "😀", "👍", "?!", "42", "zzz zzz", "lorem ipsum dolor", "qwertz uiop")
COMMON_WORDS = ("the", "a", "I", "I want", "what", "is it", "please", "do you", "and then")
OTHER_LANGUAGE = ("Wie spät ist es?", "quelle heure est-il", "какво е това", "今日は何曜日ですか")

BOTS = {
    "one value with one expression": {"book": ("book an appointment",)},
    "one value": {"book": ("book an appointment", "I want to book", "make an appointment", "I need a doctor")},
    "two values with one expression each": {"book": ("book an appointment",), "cancel": ("cancel my appointment",)},
    "four values with two expressions each": {
        "book": ("book an appointment", "book"),
        "cancel": ("cancel my appointment", "cancel"),
        "help": ("help", "what can you do"),
        "hours": ("when are you open", "opening hours"),
    },
    "two values with five expressions each": {
        "pizza": ("I want a pizza", "order pizza", "pizza please", "get me a margherita", "can I have a large pizza"),
        "complain": (
            "my food was cold",
            "I want to complain",
            "the delivery was late",
            "something is wrong with my order",
            "bad service",
        ),
    },
}
UNDERSTOOD = (
    ("one value with one expression", "book", "book"),
    ("one value with one expression", "I want to book", "book"),
    ("one value with one expression", "bok an apointment", "book"),
    ("one value with one expression", "BOOK AN APPOINTMENT!!!", "book"),
    ("one value", "book", "book"),
    ("one value", "I'd like to make an apointment", "book"),
    ("one value", "I need to see the doctor", "book"),
    ("two values with one expression each", "book", "book"),
    ("two values with one expression each", "I want to book", "book"),
    ("two values with one expression each", "cancle it", "cancel"),
    ("two values with one expression each", "bok an apointment", "book"),
    ("four values with two expressions each", "I want to book", "book"),
    ("four values with two expressions each", "cancel it please", "cancel"),
    ("four values with two expressions each", "are you open", "hours"),
    ("four values with two expressions each", "help me", "help"),
    ("four values with two expressions each", "what can I do", "help"),
    ("two values with five expressions each", "pizza", "pizza"),
    ("two values with five expressions each", "large margherita please", "pizza"),
    ("two values with five expressions each", "the order was late", "complain"),
    ("two values with five expressions each", "it is wrong", "complain"),
)


@pytest.fixture(scope="module")
def bots() -> dict[str, Recogniser]:
    return {name: Recogniser((trait("Conversation", **values),), "en") for name, values in BOTS.items()}


def value(bot: Recogniser, text: str, now: datetime) -> str | None:
    found = bot.recognise(text, ["Conversation"], now)["Conversation"]
    return str(found[0].value["value"]) if found else None


@pytest.mark.parametrize(("name", "text", "meant"), UNDERSTOOD)
def test_a_small_bot_understands(bots: dict[str, Recogniser], now: datetime, name: str, text: str, meant: str) -> None:
    assert value(bots[name], text, now) == meant


@pytest.mark.parametrize("name", BOTS)
def test_nonsense_common_words_and_other_languages_are_not_understood(
    bots: dict[str, Recogniser], now: datetime, name: str
) -> None:
    texts = (*NONSENSE, *COMMON_WORDS, *OTHER_LANGUAGE)
    assert {text: got for text in texts if (got := value(bots[name], text, now))} == {}


def test_one_shared_word_among_unknown_ones_gives_no_high_confidence(now: datetime) -> None:
    values = BOTS["two values with five expressions each"]
    bot = Recogniser((trait("Conversation", **values),), "en", threshold=0.0, margin=0.0)
    for text in (
        "food for thought in the museum",
        "is there a doctor here who can order silence",
        "my cat was here",
        "a cold winter night by the river",
        "the late king of Spain",
    ):
        assert bot.recognise(text, ["Conversation"], now)["Conversation"][0].confidence < 0.8, text


def test_a_trained_expression_is_sure_even_if_two_values_lie_near(now: datetime) -> None:
    bot = Recogniser((trait("Conversation", a=("red apples",), b=("green apples",)),), "en")
    (found,) = bot.recognise("Red, apples!", ["Conversation"], now)["Conversation"]
    assert (found.value, found.confidence) == ({"value": "a"}, 1.0)


def test_more_evidence_never_makes_it_less_sure() -> None:
    steps = [number / 20 for number in range(21)]
    for change in (
        lambda x: Evidence(x, 0.1, 0.5),
        lambda x: Evidence(0.3, x, 0.5),
        lambda x: Evidence(0.3, 0.1, x),
        lambda x: Evidence(0.3, 0.1, 0.5, x),
    ):
        sure = [confidence(change(step)) for step in steps]
        assert sure == sorted(sure)
        assert all(0 <= one <= 1 for one in sure)


def test_a_bot_without_held_out_expressions_has_what_is_expected() -> None:
    assert calibrated([], []) == EXPECTED


def test_where_good_sentences_score_low_less_is_asked_for() -> None:
    low = [Evidence(0.2 + number / 1000, 0.05, 0.4) for number in range(100)]
    high = [Evidence(0.5 + number / 1000, 0.3, 1.0) for number in range(100)]
    message = Evidence(0.25, 0.06, 0.5)
    assert confidence(message, calibrated(low, [])) > confidence(message, calibrated(high, []))


def test_where_leads_decide_little_a_lead_is_worth_less() -> None:
    leads = [Evidence(0.4, 0.05 + number / 1000, 1.0) for number in range(50)]
    good, poor = calibrated(leads, leads[:2]), calibrated(leads[:25], leads[25:])
    assert poor.lead < good.lead
