"""Values lean on what is known, as the user sees it; what each means in which language is in ``values_as_meant.txt``."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.engine import Flow
from tests.engine.talking import Chat, bot, check, confirm, goal, q, quick, say, talk, trait

BEGIN = trait(book=["let us begin"])
START = "let us begin"


def asking(*steps: dict[str, Any], language: str = "en") -> Flow:
    return bot({"book": goal(*steps)}, BEGIN, language=language)


def currency_of_50(*steps: dict[str, Any], language: str = "en", **more: Any) -> str:
    chat = Chat(asking(q("amount", "Amount", *more.pop("messages", ()), **more), *steps, language=language))
    chat.say(START)
    chat.say("50")
    return str(chat.memory["amount"]["currency"])


def test_a_bare_amount_has_the_currency_of_its_question() -> None:
    assert currency_of_50(confirm("sure", "Pay $ {{amount}}?"), messages=["How many euros?"], currency="CHF") == "CHF"


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("How much do you send (in GBP)?", "GBP"),
        ("How many euros?", "EUR"),
        ("How much? Up to £500.", "GBP"),
        ("You have {{$currency balance 'CHF'}}. How much?", "CHF"),
        ("How much would you like to try?", "USD"),
        ("{{$default name 'You'}}, what is the real price?", "USD"),
    ],
)
def test_a_bare_amount_has_the_currency_that_the_question_names(text: str, currency: str) -> None:
    assert currency_of_50(confirm("sure"), messages=[text]) == currency


def test_a_bare_amount_has_the_one_currency_of_the_other_texts() -> None:
    assert currency_of_50(confirm("sure", "Send {{amount.value}} € now?")) == "EUR"
    assert currency_of_50(confirm("sure", "Send {{amount.value}} €, which is £ 5?")) == "USD"


@pytest.mark.parametrize(
    ("language", "currency"),
    [("en", "USD"), ("en-GB", "GBP"), ("de", "EUR"), ("de-CH", "CHF"), ("fr", "EUR"), ("pt", "BRL"), ("pt-PT", "EUR")],
)
def test_a_bare_amount_has_the_currency_of_the_language(language: str, currency: str) -> None:
    assert currency_of_50(confirm("sure"), language=language) == currency


def test_an_option_of_an_amount_question_may_be_a_bare_number() -> None:
    flow = asking(q("amount", "Amount", currency="EUR", display=quick("50", "100")), confirm("sure"))
    chat = Chat(flow)
    chat.say(START)
    chat.tap("100")
    assert chat.memory["amount"] == {"value": 100, "currency": "EUR"}


def test_two_bare_amounts_are_asked_about() -> None:
    flow = asking(q("amount", "Amount", currency="EUR"), confirm("sure"))
    chat = Chat(flow)
    chat.say(START)
    assert chat.say("50 or 60") == ["amount? [50 EUR] [60 EUR]"]


@pytest.mark.parametrize("said", ["3 days", "5 people", "10%", "on 5 March", "5 pm", "call +49 30 5550100"])
def test_a_number_of_something_else_is_no_amount(said: str) -> None:
    chat = Chat(asking(q("amount", "Amount", currency="EUR"), confirm("sure")))
    chat.say(START)
    chat.say(said)
    assert "amount" not in chat.memory


def test_a_number_that_nobody_asked_an_amount_for_is_none() -> None:
    chat = Chat(asking(q("name", "Text"), q("amount", "Amount", currency="EUR")))
    chat.say("let us begin with 50")
    chat.say("Ada 50")
    assert "amount" not in chat.memory


def test_a_date_of_the_past_is_shown_with_the_year_that_nobody_said() -> None:
    limits = check("range", "That is ahead of us.", max="today")
    flow = asking(q("day", "Date", reactions={"validations": [limits]}), confirm("sure", "On {{day}}?"))
    talk(
        flow,
        [
            (START, ["day?"]),
            ("28 February", ["On 2026.02.28? [Yes] [No]"]),
            ("no, Monday", ["On 2026.11.16? [Yes] [No]"]),
        ],
    )


def test_a_leap_day_is_shown_with_its_year() -> None:
    talk(
        asking(q("day", "Date"), confirm("sure", "On {{day}}?")),
        [
            (START, ["day?"]),
            ("29 February", ["On 2028.02.29? [Yes] [No]"]),
        ],
    )


def test_a_time_is_near_to_those_that_are_offered() -> None:
    flow = asking(q("time", "Time", display=quick("17:00", "18:30", "20:15")), confirm("sure", "At {{time}}?"))
    talk(flow, [(START, ["time? [17:00] [18:30] [20:15]"]), ("at eight", ["At 20:00? [Yes] [No]"])])


def test_two_times_are_both_inside_the_range() -> None:
    limits = check("range", "Not then.", min="17:00", max="23:00")
    flow = asking(q("time", "Time", reactions={"validations": [limits]}), confirm("sure", "At {{time}}?"))
    talk(flow, [(START, ["time?"]), ("eight or nine", ["time? [20:00] [21:00]"]), ("21:00", ["At 21:00? [Yes] [No]"])])


def test_a_stored_time_is_refused_on_the_dial() -> None:
    flow = asking(q("time", "Time"), confirm("sure", "At {{time}}?"))
    talk(
        flow,
        [
            (START, ["time?"]),
            ("19:00", ["At 19:00? [Yes] [No]"]),
            ("not at seven", ["time? [19:00]"]),
            ("at eight", ["At 20:00? [Yes] [No]"]),
        ],
    )


def test_a_half_guest_is_answered_by_an_invalid_reply() -> None:
    chat = Chat(asking(q("guests", "Number", "How many guests?"), say("{{guests}} guests.")))
    chat.say(START)
    [invalid, question] = chat.say("3.5")
    assert invalid != question == "How many guests?"
    assert chat.say("3") == ["3 guests."]


@pytest.mark.parametrize(
    ("entity", "text"),
    [
        ("hours", "How many hours?"),
        ("weight", "How many kilos?"),
        ("room-temperature", "And the temperature?"),
        ("rating", "How many stars?"),
        ("length", "How long is it?"),
    ],
)
def test_what_has_halves_takes_them(entity: str, text: str) -> None:
    chat = Chat(asking(q(entity, "Number", text), confirm("sure")))
    chat.say(START)
    chat.say("3.5")
    assert chat.memory[entity] == 3.5


@pytest.mark.parametrize(
    "said", ["just me and my wife and the kids", "not just me", "leave me alone", "just me and you"]
)
def test_more_than_oneself_is_not_one(said: str) -> None:
    chat = Chat(asking(q("guests", "Number", "How many guests?"), confirm("sure")))
    chat.say(START)
    chat.say(said)
    assert chat.memory.get("guests") != 1


def test_a_question_that_counts_no_persons_does_not_take_just_me() -> None:
    chat = Chat(asking(q("pizzas", "Number", "How many pizzas?"), confirm("sure")))
    chat.say(START)
    chat.say("just me")
    assert "pizzas" not in chat.memory
