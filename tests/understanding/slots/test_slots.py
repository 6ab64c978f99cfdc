"""Expressions with slots: any value of the type is understood in their place, and nothing changes without them."""

from __future__ import annotations

from datetime import datetime

import pytest

from dialoom.flow.model import EntityDefinition, KeywordsType, KeywordValue, QnAType, QnAValue
from dialoom.understanding import Recogniser, fingerprint, train
from dialoom.understanding.intents.features import features
from dialoom.understanding.intents.report import report
from tests.understanding.conftest import DEFINITIONS, trait


def keywords(name: str, *values: str) -> KeywordsType:
    return KeywordsType(name=name, data=tuple(KeywordValue(value=value) for value in values))


WISHES = trait(
    "Conversation",
    book=(
        "{service} with {stylist} on {date}",
        "book a {service}",
        "a {service} on {date} at {time}",
        "can I get an appointment",
        "I'd like an appointment with {stylist}",
        "{service}",
    ),
    cancel=(
        "cancel my appointment",
        "cancel my {service} on {date}",
        "I can't come on {date}",
        "call off the {service}",
    ),
    prices=("how much is a {service}", "what does a {service} cost", "prices", "do you have a price list"),
    travel=("from {start} to {end}", "{start} to {end} for {guests} people", "take me to {end}"),
)
SALON: tuple[EntityDefinition, ...] = (
    WISHES,
    keywords("Service", "haircut", "colouring", "beard trim", "blow-dry"),
    keywords("Stylist", "Anna", "Marco", "Jo"),
    keywords("Town", "Rome", "Milan", "San Marco"),
)
SLOTS = {
    "service": "Service",
    "stylist": "Stylist",
    "date": "Date",
    "time": "Time",
    "start": "Town",
    "end": "Town",
    "guests": "Number",
}


@pytest.fixture(scope="module")
def salon() -> Recogniser:
    return Recogniser(SALON, "en", slots=SLOTS)


def sense(bot: Recogniser, text: str, now: datetime) -> tuple[str, float] | None:
    found = bot.recognise(text, ["Conversation"], now)["Conversation"]
    return (found[0].value["value"], found[0].confidence) if found else None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("haircut with Anna on Friday", "book"),
        ("Blow-dry with Jo on 3 March!", "book"),
        ("a beard trim on Friday at half past five", "book"),
        ("a colouring tomorrow at 5", "book"),
        ("how much is a colouring?", "prices"),
        ("I can't come on the 12th", "cancel"),
        ("from Rome to San Marco", "travel"),
        ("Milan to Rome for two people", "travel"),
    ],
)
def test_a_message_that_says_an_expression_with_other_values_is_understood(
    salon: Recogniser, now: datetime, text: str, value: str
) -> None:
    found = sense(salon, text, now)
    assert found is not None
    assert found[0] == value


@pytest.mark.parametrize(
    "text", ["haircut with Anna on Friday", "A beard trim, on Friday at 5", "from San Marco to Rome", "book a blow dry"]
)
def test_a_message_that_equals_an_expression_with_values_in_its_slots_is_sure(
    salon: Recogniser, now: datetime, text: str
) -> None:
    found = sense(salon, text, now)
    assert found is not None
    assert found[1] == 1.0
    assert salon.trained_expression(text) == ("Conversation", found[0])


@pytest.mark.parametrize("text", ["haircut", "Anna", "haircut with Friday on Anna", "service with stylist on date"])
def test_a_value_alone_or_values_in_other_places_equal_no_expression(salon: Recogniser, text: str) -> None:
    assert salon.trained_expression(text) is None


@pytest.mark.parametrize("text", ["Friday", "on Friday", "tomorrow at 5", "3", "at half past eight"])
def test_a_value_that_belongs_to_anything_asks_for_nothing(salon: Recogniser, now: datetime, text: str) -> None:
    assert sense(salon, text, now) is None


def test_a_value_that_tells_what_is_wanted_is_understood_alone_where_an_expression_is_its_slot(
    salon: Recogniser, now: datetime
) -> None:
    found = sense(salon, "beard trim", now)
    assert found is not None
    assert found[0] == "book"


def test_an_expression_keeps_the_values_that_it_says_itself(now: datetime) -> None:
    wishes = trait(
        "Conversation",
        book=("book a {service}", "{service} please", "I need a {service}"),
        party=("a haircut for the prom", "the prom haircut", "prom styling"),
    )
    bot = Recogniser((wishes, *SALON[1:]), "en", slots=SLOTS)
    found = sense(bot, "the haircut for my prom", now)
    assert found is not None
    assert found[0] == "party"


def test_new_values_of_a_type_are_understood_in_its_slots_at_once(salon: Recogniser, now: datetime) -> None:
    other = salon.with_values([keywords("Service", "hot stone massage")])
    assert sense(other, "how much is a hot stone massage", now) == ("prices", 1.0)
    assert sense(salon, "how much is a hot stone massage", now) != ("prices", 1.0)


def test_a_question_and_answer_may_have_slots(now: datetime) -> None:
    data = (QnAValue(value="open", expressions=("are you open on {Date}", "opening hours"), answers=("Yes.",)),)
    bot = Recogniser((QnAType(name="Questions", data=data),), "en", slots={"Date": "Date"})
    [found] = bot.recognise("are you open on 24 December?", ["Questions"], now)["Questions"]
    assert (found.value, found.confidence) == ({"value": "open"}, 1.0)


@pytest.mark.parametrize(
    ("language", "expression", "said"),
    [
        ("de", "{service} bei {stylist} am {date} um {time}", "Haircut bei Marco am Freitag um halb neun"),
        ("fr", "{service} avec {stylist} le {date} à {time}", "colouring avec Anna le 3 mars à 15h"),
        ("es", "{service} con {stylist} el {date} a las {time}", "haircut con Jo el viernes a las 8"),
        ("it", "{service} con {stylist} {date} alle {time}", "haircut con Jo venerdì alle 8"),
        ("nl", "{service} bij {stylist} op {date} om {time}", "haircut bij Jo op vrijdag om 8 uur"),
        ("pt", "{service} com {stylist} na {date} às {time}", "haircut com Jo na sexta às 8"),
    ],
)
def test_words_that_a_value_brings_along_may_stand_in_the_expression(
    language: str, expression: str, said: str, now: datetime
) -> None:
    bot = Recogniser((trait("Conversation", book=(expression,)), *SALON[1:]), language, slots=SLOTS)
    assert bot.trained_expression(said) == ("Conversation", "book")


def test_a_bot_without_braces_is_trained_as_if_there_were_no_slots() -> None:
    assert train(DEFINITIONS, "en", {}) == train(DEFINITIONS, "en", {"date": "Date"}) == train(DEFINITIONS, "en")
    assert fingerprint(DEFINITIONS, "en", {}) == fingerprint(DEFINITIONS, "en")


def test_a_model_depends_on_the_types_of_its_slots() -> None:
    other = {**SLOTS, "date": "Datetime"}
    assert fingerprint(SALON, "en", SLOTS) != fingerprint(SALON, "en", other)
    assert train(SALON, "en", SLOTS) != train(SALON, "en", other)


def test_a_slot_that_names_nothing_is_trained_as_its_word() -> None:
    wishes = (trait("Conversation", book=("book for {somebody}", "a table")),)
    assert train(wishes, "en", {}) == train((trait("Conversation", book=("book for somebody", "a table")),), "en")


def test_a_slot_whose_type_is_not_found_in_sentences_is_left_out() -> None:
    wishes = (trait("Conversation", greet=("my name is {name}", "hi")),)
    assert train(wishes, "en", {"name": ""}) == train((trait("Conversation", greet=("my name is", "hi")),), "en")


def test_types_share_no_letters() -> None:
    assert features(["{Date"], frozenset()).keys() & features(["{Datetime"], frozenset()).keys() == set()


def test_no_word_of_a_user_is_a_slip_of_a_type(salon: Recogniser, now: datetime) -> None:
    assert sense(salon, "servce stylst dat", now) is None


def test_the_report_compares_expressions_by_the_types_of_their_slots() -> None:
    wishes = trait(
        "Conversation",
        there=("a ticket to {start}", "going out", "outbound trip please"),
        back=("a ticket to {end}", "coming back", "inbound trip please"),
    )
    shared = [
        one
        for one in report((wishes, *SALON[3:]), "en", 0.65, None, SLOTS).advice
        if one.problem == "shared-expression"
    ]
    assert [one.sentences for one in shared] == [("a ticket to {start}",)]


def test_a_long_message_equals_no_expression(salon: Recogniser) -> None:
    assert salon.trained_expression("haircut with Anna on Friday " * 1_000) is None


def test_a_sentence_is_shown_as_it_is_compared(salon: Recogniser, clinic: Recogniser, now: datetime) -> None:
    text = "A haircut, please: Friday at 5 with Anna!"
    assert salon.with_types(text, now) == "A {Service}, please: {Date} at {Time} with {Stylist}!"
    assert clinic.with_types(text, now) == text


def test_a_value_that_is_a_function_word_stands_in_no_slot(now: datetime) -> None:
    wishes = trait("Conversation", rent=("rent {film}", "do you have {film}"), back=("bring it back", "here it is"))
    bot = Recogniser((wishes, keywords("Film", "It", "Alien", "Jaws")), "en", slots={"film": "Film"})
    assert bot.with_types("bring it back, I rent Alien", now) == "bring it back, I rent {Film}"
