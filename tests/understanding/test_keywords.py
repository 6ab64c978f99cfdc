from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow.model import KeywordsType, KeywordValue
from dialoom.understanding.keywords import SLIPPED, UNLIKELY, Keywords, is_one_slip
from dialoom.understanding.normalise import words_of


def keywords(*names: str, **synonyms: tuple[str, ...]) -> Keywords:
    values = [KeywordValue(value=name) for name in names]
    values += [KeywordValue(value=name, synonyms=others) for name, others in synonyms.items()]
    return Keywords(KeywordsType(name="Place", data=tuple(values)))


def found(known: Keywords, text: str) -> list[tuple[str, str, float]]:
    stretches = known.find(text, words_of(text))
    return [(one.value["value"], text[one.start : one.end], one.confidence) for one in stretches]


def test_a_value_is_found_inside_a_sentence_as_it_stands_there() -> None:
    assert found(keywords("Dr. Petrova"), "I'd like to see dr petrova, please") == [("Dr. Petrova", "dr petrova", 1.0)]


def test_a_value_inside_a_longer_word_is_not_found() -> None:
    assert found(keywords("cat"), "concatenate") == []


def test_the_longest_value_wins() -> None:
    assert found(keywords("York", "New York"), "to New York") == [("New York", "New York", 1.0)]


def test_a_synonym_stands_for_its_value() -> None:
    assert found(keywords(Philadelphia=("Philly",)), "off to philly") == [("Philadelphia", "philly", 1.0)]


def test_values_come_in_the_order_of_the_text() -> None:
    assert [name for name, *_ in found(keywords("Rome", "Oslo"), "from Oslo to Rome")] == ["Oslo", "Rome"]


@pytest.mark.parametrize("typed", ["petrva", "petrovaa", "pettova", "pertova"])
def test_a_word_of_five_letters_may_carry_one_slip(typed: str) -> None:
    assert found(keywords("Petrova"), f"see {typed} now") == [("Petrova", typed, SLIPPED)]


@pytest.mark.parametrize("typed", ["ptrva", "petroshka", "pxtrxva"])
def test_two_slips_are_too_many(typed: str) -> None:
    assert found(keywords("Petrova"), typed) == []


@pytest.mark.parametrize(("name", "typed"), [("Rome", "Rame"), ("A12345", "A12346"), ("12345", "12346")])
def test_short_words_and_codes_must_be_exact(name: str, typed: str) -> None:
    assert found(keywords(name), typed) == []


def test_a_word_of_another_value_is_no_slip() -> None:
    assert found(keywords("Marina", "Marino"), "marino") == [("Marino", "marino", 1.0)]


def test_each_word_of_a_name_may_carry_a_slip() -> None:
    assert found(keywords("Jardin Botanique"), "jardim botanqiue") == [
        ("Jardin Botanique", "jardim botanqiue", SLIPPED)
    ]


def test_two_values_that_fit_equally_stand_side_by_side() -> None:
    both = found(keywords(Springfield_East=("Springfield",), Springfield_West=("Springfield",)), "in Springfield")
    assert [name for name, *_ in both] == ["Springfield_East", "Springfield_West"]


def test_a_value_goes_before_another_value_s_synonym() -> None:
    assert found(keywords("Boston", Cambridge=("Boston",)), "Boston") == [("Boston", "Boston", 1.0)]


def test_signs_tell_values_apart_that_have_the_same_words() -> None:
    known = keywords("C", "C++", "C#")
    assert [found(known, f"I like {name} best")[0][0] for name in ("C", "C++", "C#")] == ["C", "C++", "C#"]
    assert [(known.named(name) or {})["value"] for name in ("c", "c++", "c#")] == ["C", "C++", "C#"]


@pytest.mark.parametrize(
    ("name", "typed"), [("T-Shirt", "tshirt"), ("tshirt", "T-shirt"), ("Wi-Fi", "wifi"), ("O'Brien", "OBrien")]
)
def test_a_hyphen_or_apostrophe_may_be_left_out_or_added(name: str, typed: str) -> None:
    assert found(keywords(name), f"a {typed} please") == [(name, typed, 1.0)]


def test_accents_may_be_left_out_and_added() -> None:
    assert found(keywords("Zürich"), "zurich")[0][0] == "Zürich"
    assert found(keywords("Zurich"), "Zürich")[0][0] == "Zurich"


def test_names_in_scripts_without_spaces_are_found() -> None:
    assert found(keywords("北京"), "我要去北京玩") == [("北京", "北京", 1.0)]


def test_named_takes_a_value_or_synonym_but_nothing_near() -> None:
    known = keywords("Sofia", Philadelphia=("Philly",))
    assert (known.named("SOFIA ") or {})["value"] == "Sofia"
    assert (known.named("philly") or {})["value"] == "Philadelphia"
    assert known.named("Sofja") is None
    assert known.named("in Sofia") is None


def test_named_does_not_guess_between_values_of_one_synonym() -> None:
    assert keywords(East=("Springfield",), West=("Springfield",)).named("springfield") is None


def test_metadata_stand_beside_the_value() -> None:
    definition = KeywordsType(
        name="Car", data=(KeywordValue(value="Polo", metadata={"price": 3, "value": "not this"}),)
    )
    expected: dict[str, Any] = {"price": 3, "value": "Polo"}
    assert Keywords(definition).named("polo") == expected


def test_values_are_listed_in_alphabetical_order() -> None:
    assert [value["value"] for value in keywords("pear", "Äpfel", "Zoo", "banana").values()] == [
        "Äpfel",
        "banana",
        "pear",
        "Zoo",
    ]


def test_a_type_without_values_finds_nothing() -> None:
    assert found(keywords(), "anything") == []


@pytest.mark.parametrize(
    ("one", "other", "is_slip"),
    [
        ("table", "table", False),
        ("table", "tables", True),
        ("table", "able", True),
        ("table", "tabel", True),
        ("table", "cable", True),
        ("table", "cabel", False),
        ("table", "tablets", False),
        ("atble", "table", True),
        ("ab", "ba", True),
    ],
)
def test_one_slip_is_a_letter_more_less_other_or_two_swapped(one: str, other: str, is_slip: bool) -> None:
    assert is_one_slip(one, other) is is_slip
    assert is_one_slip(other, one) is is_slip


@pytest.mark.parametrize(
    ("typed", "confidence"), [("sofja", SLIPPED), ("ssofia", SLIPPED), ("zofia", UNLIKELY), ("sfia", UNLIKELY)]
)
def test_a_slip_in_the_first_letter_or_in_a_short_word_is_unlikely(typed: str, confidence: float) -> None:
    assert found(keywords("Sofia"), f"to {typed} now") == [("Sofia", typed, confidence)]


def test_a_common_word_of_the_language_is_no_slip_of_a_name() -> None:
    definition = KeywordsType(name="Sport", data=(KeywordValue(value="match"), KeywordValue(value="climbing")))
    found = Keywords(definition, correct=frozenset({"watch"}))
    for text, values in (("watch", []), ("matsh", ["match"]), ("match", ["match"])):
        assert [one.value["value"] for one in found.find(text, words_of(text))] == values
