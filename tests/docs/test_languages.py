"""The page of languages: its table is what the service and the front end have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dialoom.languages import LANGUAGES
from dialoom.template import Scope, compile
from dialoom.template.formats.locales import locale_of, weeks_of
from dialoom.template.values import DateText
from dialoom.understanding.words import words_for
from tests.languages.test_files import WHOLE

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "look-up" / "languages.md").read_text("utf-8")
ROWS = {
    tag: tuple(rest)
    for _, tag, *rest in (
        line.strip("| \n").split(" | ") for line in PAGE.splitlines() if re.match(r"\| \w+ \| `", line)
    )
}
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PLAIN = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u200e": None, "\u200f": None})


def test_the_languages_of_the_page_are_those_that_have_a_file() -> None:
    assert {tag.strip("`") for tag in ROWS} == set(LANGUAGES)


@pytest.mark.parametrize("tag", ROWS)
def test_a_row_shows_what_its_language_gives(tag: str) -> None:
    language = tag.strip("`")

    def written(call: str) -> str:
        scope = Scope({"day": DateText("2030-05-12")}, locale=language, timezone="UTC")
        return compile(f"{{{{{call}}}}}").text(scope).translate(PLAIN)

    assert ROWS[tag] == (
        "whole table" if language in WHOLE else "main words",
        written("$date day 'longDate'"),
        written("$currency 1234.5 'EUR'"),
        WEEK[weeks_of(locale_of(language))[0]],
    )
    words = words_for(language)
    assert words.yes
    assert words.numbers
    assert set(words.months.values()) == set(range(1, 13))
    assert set(words.weekdays.values()) == set(range(7))
