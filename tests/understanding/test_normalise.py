from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.understanding import normalise
from dialoom.understanding.normalise import fold, fold_with_places, words_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Petrova!", "dr petrova"),
        ("  CAFÉ   au lait ", "cafe au lait"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("Straße", "strasse"),
        ("don't", "don t"),
        ("snake_case", "snake case"),
        ("утре й", "утре и"),
        ("Łódź", "lodz"),
    ],
)
def test_case_accents_and_punctuation_do_not_count(text: str, expected: str) -> None:
    assert normalise(text) == expected


def test_a_text_without_words_keeps_its_signs() -> None:
    assert normalise(" ?! ") == "?!"


def test_pictographs_are_words_and_skin_tones_do_not_count() -> None:
    assert normalise("👍🏽 ok") == "👍 ok"


def test_vowel_signs_and_tone_marks_are_no_accents() -> None:
    assert normalise("ใช่") != normalise("ใช")
    assert normalise("कि") != normalise("क")


def test_scripts_without_spaces_are_cut_into_characters() -> None:
    assert [word.folded for word in words_of("我要预约")] == ["我", "要", "预", "约"]


def test_words_know_their_places() -> None:
    text = "Dr. Émile"
    assert [(word.folded, text[word.start : word.end]) for word in words_of(text)] == [("dr", "Dr"), ("emile", "Émile")]


def test_a_decomposed_accent_belongs_to_its_letter() -> None:
    text = "cafe\u0301 x"
    assert [(word.folded, word.start, word.end) for word in words_of(text)] == [("cafe", 0, 5), ("x", 6, 7)]


@given(st.text(st.characters(), max_size=60))
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text(st.characters(), max_size=60))
def test_every_folded_character_has_a_place_in_the_text(text: str) -> None:
    folded = fold_with_places(text)
    for position in range(len(folded.text)):
        start, end = folded.span(position, position + 1)
        assert 0 <= start < end <= len(text)
        assert folded.text[position] in fold(text[start:end])


@pytest.mark.parametrize("sign", ["👍", "👍 ", "❤️"])
def test_a_long_run_of_signs_is_cut_and_what_stands_behind_it_keeps_its_place(sign: str) -> None:
    text = sign * 500 + " at 10"
    folded = fold_with_places(text)
    assert len(folded.text) < 60
    start = folded.text.index("10")
    assert folded.span(start, start + 2) == (len(text) - 2, len(text))


def test_a_word_that_is_said_again_and_again_keeps_each_of_its_places() -> None:
    words = words_of("é " * 300)
    assert [(word.folded, word.start) for word in words] == [("e", 2 * index) for index in range(300)]
