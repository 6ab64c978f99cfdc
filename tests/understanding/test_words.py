from __future__ import annotations

import subprocess
import sys

import pytest

from dialoom.languages import LANGUAGES, PARTIAL, Words
from dialoom.understanding.normalise import fold
from dialoom.understanding.words import words_for
from tests.languages.test_files import WHOLE


@pytest.mark.parametrize("language", WHOLE)
def test_a_table_has_every_month_weekday_and_number(language: str) -> None:
    words = words_for(language)
    assert set(words.months.values()) == set(range(1, 13))
    assert set(words.weekdays.values()) == set(range(7))
    assert set(range(21)) | set(range(30, 100, 10)) <= set(words.numbers.values())
    assert {-1, 0, 1, 2} <= set(words.days.values())
    assert set(words.units.values()) == {"second", "minute", "hour", "day", "week", "month", "year"}


@pytest.mark.parametrize("language", [*LANGUAGES, *PARTIAL])
def test_no_word_means_both_yes_and_no(language: str) -> None:
    words = words_for(language)
    assert words.yes
    assert not {fold(one) for one in words.yes} & {fold(one) for one in words.no}
    assert {fold(one) for one in words.strong} <= {fold(one) for one in (*words.yes, *words.no)}


def test_a_single_letter_is_no_portuguese_no() -> None:
    words = words_for("pt")
    assert "não quero" in words.no
    assert min(map(len, words.no)) > 1


@pytest.mark.parametrize("language", ["fi", "pl", "ru", "el", "da", "cs", "uk"])
def test_months_and_weekdays_of_other_languages_come_from_cldr(language: str) -> None:
    words = words_for(language)
    assert set(words.months.values()) == set(range(1, 13))
    assert set(words.weekdays.values()) == set(range(7))


@pytest.mark.parametrize("tag", ["", "xx", "en_GB", "zh-Hant-TW", "not a tag", "x-private"])
def test_any_tag_gives_a_table(tag: str) -> None:
    assert isinstance(words_for(tag), Words)


def test_heavy_libraries_are_imported_when_first_needed() -> None:
    code = (
        "import sys; from dialoom.understanding.values import readers_for; readers_for('en'); "
        "print([name for name in ('phonenumbers', 'email_validator', 'rapidfuzz', 'dateparser') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
