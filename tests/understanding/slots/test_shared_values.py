"""Which slot each value of a message stands for."""

from __future__ import annotations

import pytest

from dialoom.understanding import Candidate
from dialoom.understanding.shared_values import read_expression, share_out

SLOTS = {"start": "City", "end": "City", "City": "City", "from": "Date", "until": "Date", "at": "Time", "name": ""}


def values(text: str, **found: str) -> list[Candidate]:
    """Return candidates of a type for each word or phrase of a text that is given, ``|`` between."""
    return [
        Candidate(type_, word, 1.0, text.index(word), text.index(word) + len(word), word)
        for type_, phrases in found.items()
        for word in phrases.split("|")
    ]


def shared(text: str, *expressions: str, language: str = "en", **found: str) -> dict[str, str]:
    read = [one for one in (read_expression(text, SLOTS) for text in expressions) if one is not None]
    return {name: one.text for name, one in share_out(text, read, values(text, **found), language).items()}


def test_the_order_of_slots_tells_two_values_of_one_type_apart() -> None:
    assert shared("Rome Milan", "{start} {end}", City="Rome|Milan") == {"start": "Rome", "end": "Milan"}
    assert shared("Rome Milan", "{end} {start}", City="Rome|Milan") == {"end": "Rome", "start": "Milan"}


def test_words_around_what_the_expression_says_do_not_matter() -> None:
    text = "hey, I need to go from Rome to Milan some time next week"
    assert shared(text, "from {start} to {end}", City="Rome|Milan") == {"start": "Rome", "end": "Milan"}


def test_a_slot_takes_the_value_behind_its_own_word() -> None:
    text = "Rome is nice but take me to Milan"
    assert shared(text, "take me to {end}", City="Rome|Milan") == {"end": "Milan"}


def test_a_slot_at_the_beginning_takes_the_value_before_its_own_word() -> None:
    text = "with Paris in mind: Rome to Milan"
    assert shared(text, "{start} to {end}", City="Paris|Rome|Milan") == {"start": "Rome", "end": "Milan"}


def test_the_expression_with_the_most_slots_that_fits_decides() -> None:
    expressions = ("to {end}", "from {start} to {end}", "{start} via {City} to {end}")
    assert shared("from Rome to Milan", *expressions, City="Rome|Milan") == {"start": "Rome", "end": "Milan"}
    assert shared("to Milan please", *expressions, City="Milan") == {"end": "Milan"}


def test_of_expressions_with_as_many_slots_the_one_with_more_of_its_words_said_decides() -> None:
    expressions = ("a trip with {start}", "pick me up with {end}")
    assert shared("pick me up with Milan", *expressions, City="Milan") == {"end": "Milan"}


def test_a_slot_named_by_its_type_takes_its_value_away_from_the_others() -> None:
    text = "Rome via Paris to Milan"
    found = shared(text, "{start} via {City} to {end}", City="Rome|Paris|Milan")
    assert found == {"start": "Rome", "City": "Paris", "end": "Milan"}


@pytest.mark.parametrize(
    ("text", "cities"), [("Milan", "Milan"), ("to Milan from Rome", "Milan|Rome"), ("from Rome", "Rome"), ("hello", "")]
)
def test_a_message_that_the_expression_does_not_fit_is_not_shared_out(text: str, cities: str) -> None:
    assert shared(text, "from {start} to {end}", **({"City": cities} if cities else {})) == {}


def test_values_of_other_types_are_left_alone() -> None:
    text = "from Friday to Milan"
    assert shared(text, "to {end}", Date="Friday", City="Milan") == {"end": "Milan"}


@pytest.mark.parametrize(
    ("language", "expression", "text", "dates"),
    [
        ("en", "from {from} until {until}", "a room from the 3rd until the 5th", "the 3rd|the 5th"),
        ("en", "from {from} until {until}", "a room from 3 May until 5 May", "3 May|5 May"),
        ("de", "vom {from} bis {until}", "ein Zimmer vom 3. bis zum 7. März", "vom 3.|7. März"),
        ("fr", "du {from} au {until}", "une chambre du 3 au 7 mars", "du 3|au 7 mars"),
        ("es", "del {from} al {until}", "del lunes al próximo viernes", "lunes|próximo viernes"),
    ],
)
def test_start_and_end_of_a_range_go_where_the_expression_says(
    language: str, expression: str, text: str, dates: str
) -> None:
    first, last = dates.split("|")
    assert shared(text, expression, language=language, Date=dates) == {"from": first, "until": last}


def test_a_guess_is_no_value_of_a_slot() -> None:
    read = read_expression("at {at}", SLOTS)
    assert read is not None
    assert share_out("at 23", [read], [Candidate("Time", "23:00", 0.4, 3, 5, "23")], "en") == {}


def test_a_slot_that_is_not_read_in_sentences_is_passed_over() -> None:
    assert read_expression("my name is {name}", SLOTS) is None
    assert read_expression("no slot at all", SLOTS) is None
    assert shared("Ada to Milan", "{name} to {end}", City="Milan") == {"end": "Milan"}


def test_a_long_message_is_shared_out_at_once() -> None:
    text = "from Rome to Milan " * 1_000
    found = [Candidate("City", "Rome", 1.0, 19 * n + 5, 19 * n + 9, "Rome") for n in range(1_000)]
    read = read_expression("from {start} to {end}", SLOTS)
    assert read is not None
    assert share_out(text, [read] * 50, found, "en") == {}
