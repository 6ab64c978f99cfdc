"""Options named by their places, in the languages of the readers."""

from __future__ import annotations

import pytest

from dialoom.understanding import chosen_places, places_named
from dialoom.understanding.by_position import ordinals_for
from tests.languages.test_files import WHOLE

ROOMS = ["Sea view", "Garden", "Court"]


def places(text: str, language: str = "en", titles: list[str] | None = None) -> list[int]:
    named = places_named(text, language)
    return [] if named is None else chosen_places(named, ROOMS if titles is None else titles, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *(("en", text) for text in ("the second one", "second", "2", "2.", "#2", "number two", "option 2 please", "2️⃣")),
        *(
            ("en", text)
            for text in ("I'll take the second one, please", "ok the second", "the 2nd", "I'd like option 2")
        ),
        *(
            ("de", text)
            for text in ("die zweite", "Das Zweite bitte", "ich nehme den zweiten", "Nummer 2", "Option zwei")
        ),
        *(("fr", text) for text in ("la deuxième", "le second svp", "je prends la 2e", "l'option 2", "numéro deux")),
        *(("es", text) for text in ("la segunda", "el segundo por favor", "opción 2", "me quedo con la segunda")),
        *(("it", text) for text in ("la seconda", "prendo il secondo", "opzione due", "la seconda, per favore")),
        *(("nl", text) for text in ("de tweede", "doe maar de tweede", "optie 2", "nummer twee graag")),
        *(("pt", text) for text in ("o segundo", "a segunda opção", "quero o segundo", "opção 2")),
        *(("bg", text) for text in ("втората", "искам втория", "номер 2", "вторият вариант, моля")),
        *(("sv", text) for text in ("2", "2.")),
    ],
)
def test_the_second_is_named_in_each_language(language: str, text: str) -> None:
    assert places(text, language) == [1]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *(("en", "the last one"), ("de", "die letzte"), ("fr", "la dernière"), ("es", "el último"), ("it", "l'ultima")),
        *(("nl", "de laatste"), ("pt", "a última"), ("bg", "последната")),
    ],
)
def test_the_last_is_the_last_that_is_shown(language: str, text: str) -> None:
    assert places(text, language) == [2]


@pytest.mark.parametrize("text", ["the first and the third", "1, 3", "1 and 3", "the first one and the last one"])
def test_several_places_may_be_named(text: str) -> None:
    assert places(text) == [0, 2]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *(("en", text) for text in ("one", "no", "wait a second", "I'd like 2", "I want two", "2 please for my wife")),
        *(("en", text) for text in ("", "   ", "...", "the", "the one", "option", "at first I thought so", "0", "200")),
        *(("en", text) for text in ("second thoughts", "2 pm", "two weeks", "the second " * 20)),
        *(("pt", text) for text in ("segunda", "a sexta", "quero a quarta")),
        *(("it", "prima"), ("de", "ein"), ("de", "erst"), ("fr", "un"), ("es", "un segundo momento")),
        ("da", "anden"),
    ],
)
def test_what_says_more_or_something_else_names_no_place(language: str, text: str) -> None:
    assert places(text, language) == []


@pytest.mark.parametrize("text", ["4", "the fourth one", "option 9"])
def test_a_place_that_is_not_shown_is_none(text: str) -> None:
    assert places(text) == []


@pytest.mark.parametrize("text", ["2", "option two", "the 2nd"])
@pytest.mark.parametrize("title", ["3 persons", "Four persons", "09:30", "Room 14", "The third one"])
def test_a_number_is_no_place_where_the_options_speak_of_other_numbers(text: str, title: str) -> None:
    assert places(text, titles=["Just me", title]) == []


@pytest.mark.parametrize("text", ["2", "option two", "the 2nd", "the second one"])
@pytest.mark.parametrize("titles", [["Just me", "2 persons"], ["First class", "Second class"], ["One", "Two"]])
def test_a_number_is_a_place_where_the_options_are_numbered_alike(text: str, titles: list[str]) -> None:
    assert places(text, titles=titles) == [1]


def test_an_ordinal_is_a_place_beside_numbers_but_not_beside_ordinals() -> None:
    assert places("the second one", titles=["09:00", "09:30"]) == [1]
    assert places("the second one", titles=["Second class", "First class"]) == []
    assert places("the last one", titles=["The last room", "Another"]) == []


@pytest.mark.parametrize("language", WHOLE)
def test_each_language_counts_to_ten_and_knows_the_last(language: str) -> None:
    table = ordinals_for(language)
    assert set(table.places.values()) == {*range(1, 11), -1}
    assert table.nouns
    assert table.both
