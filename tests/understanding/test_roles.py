"""Words that tell the first of two values from the second."""

import pytest

from dialoom.understanding.normalise import fold
from dialoom.understanding.words.roles import near_words, role_of_name, roles_for
from tests.languages.test_files import WHOLE


@pytest.mark.parametrize("language", WHOLE)
def test_no_word_of_a_language_is_both_first_and_second(language: str) -> None:
    roles = roles_for(language)
    assert not roles.first & roles.second
    assert not roles.first_names & roles.second_names
    assert not (roles.first | roles.second) & roles.changing


@pytest.mark.parametrize("language", WHOLE)
def test_all_words_are_folded_as_a_message_is(language: str) -> None:
    roles = roles_for(language)
    for words in (roles.first, roles.second, roles.second_of_places, roles.first_names, roles.second_names):
        assert all(fold(word) == word for word in words)


def test_a_language_without_a_table_has_the_english_words() -> None:
    assert roles_for("fi") == roles_for("en-GB")
    assert near_words("fi") == frozenset()


@pytest.mark.parametrize(
    ("language", "word", "role"),
    [
        ("en", "from", 1),
        ("en", "return", 2),
        ("de", "ankunft", 2),
        ("de", "departure", 1),
        ("bg", "край", 2),
        ("en", "n", 0),
    ],
)
def test_names_of_entities_may_be_in_the_language_or_in_english(language: str, word: str, role: int) -> None:
    assert role_of_name(fold(word), roles_for(language)) == role
