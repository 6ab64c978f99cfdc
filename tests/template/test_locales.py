"""$date, $number and $currency in the languages that have system texts.

The expected texts are those of ``Intl`` (ICU 78, CLDR 48; Chromium 156 gives the same), with the Gregorian
calendar and the digits 0 to 9. Spaces are written here as plain ones, and marks of direction are left out: their tests come after.
"""

from __future__ import annotations

import pytest

from dialoom.languages import LANGUAGES
from dialoom.template import Scope, compile
from dialoom.template.values import DatetimeText

MOMENT = DatetimeText("2030-05-02T14:05:00Z")
PLAIN = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u200e": None, "\u200f": None, "\u061c": None})

DATES = {
    "en": ("Thursday, May 2, 2030", "May 2, 2030", "5/2/30", "2:05 PM"),
    "de": ("Donnerstag, 2. Mai 2030", "2. Mai 2030", "02.05.30", "14:05"),
    "fr": ("jeudi 2 mai 2030", "2 mai 2030", "02/05/2030", "14:05"),
    "es": ("jueves, 2 de mayo de 2030", "2 de mayo de 2030", "2/5/30", "14:05"),
    "it": ("giovedì 2 maggio 2030", "2 maggio 2030", "02/05/30", "14:05"),
    "nl": ("donderdag 2 mei 2030", "2 mei 2030", "02-05-2030", "14:05"),
    "pt": ("quinta-feira, 2 de maio de 2030", "2 de maio de 2030", "02/05/2030", "14:05"),
    "bg": ("четвъртък, 2 май 2030 г.", "2 май 2030 г.", "2.05.30 г.", "14:05"),
    "fi": ("torstai 2. toukokuuta 2030", "2. toukokuuta 2030", "2.5.2030", "14.05"),
    "hr": ("četvrtak, 2. svibnja 2030.", "2. svibnja 2030.", "02. 05. 2030.", "14:05"),
    "sv": ("torsdag 2 maj 2030", "2 maj 2030", "2030-05-02", "14:05"),
    "tr": ("2 Mayıs 2030 Perşembe", "2 Mayıs 2030", "2.05.2030", "14:05"),
    "zh": ("2030年5月2日星期四", "2030年5月2日", "2030/5/2", "14:05"),
    "ar": ("الخميس، 2 مايو 2030", "2 مايو 2030", "2/5/2030", "2:05 م"),
    "th": ("วันพฤหัสบดีที่ 2 พฤษภาคม ค.ศ. 2030", "2 พฤษภาคม ค.ศ. 2030", "2/5/30", "14:05"),
}
"""Full and long date, short date, short time."""

NUMBERS = {
    "en": ("-1,234,567.892", "1,234.5"),
    "de": ("-1.234.567,892", "1.234,5"),
    "fr": ("-1 234 567,892", "1 234,5"),
    "es": ("-1.234.567,892", "1234,5"),
    "it": ("-1.234.567,892", "1234,5"),
    "nl": ("-1.234.567,892", "1.234,5"),
    "pt": ("-1.234.567,892", "1.234,5"),
    "bg": ("-1 234 567,892", "1234,5"),
    "fi": ("−1 234 567,892", "1 234,5"),
    "hr": ("−1.234.567,892", "1.234,5"),
    "sv": ("−1 234 567,892", "1 234,5"),
    "tr": ("-1.234.567,892", "1.234,5"),
    "zh": ("-1,234,567.892", "1,234.5"),
    "ar": ("-1,234,567.892", "1,234.5"),
    "th": ("-1,234,567.892", "1,234.5"),
}
"""-1234567.8915 and 1234.5."""

MONEY = {
    "en": ("-€1,234.50", "$0.13", "¥1,235", "TRY 12,345.68", "CHF 10.00"),
    "de": ("-1.234,50 €", "0,13 $", "1.235 ¥", "12.345,68 TRY", "10,00 CHF"),
    "fr": ("-1 234,50 €", "0,13 $US", "1 235 JPY", "12 345,68 TRY", "10,00 CHF"),
    "es": ("-1234,50 €", "0,13 US$", "1235 JPY", "12.345,68 TRY", "10,00 CHF"),
    "it": ("-1234,50 €", "0,13 USD", "1235 JPY", "12.345,68 TRY", "10,00 CHF"),
    "nl": ("€ -1.234,50", "US$ 0,13", "JP¥ 1.235", "TRY 12.345,68", "CHF 10,00"),
    "pt": ("-€ 1.234,50", "US$ 0,13", "JP¥ 1.235", "TRY 12.345,68", "CHF 10,00"),
    "bg": ("-1234,50 €", "0,13 щ.д.", "1235 JPY", "12 345,68 TRY", "10,00 CHF"),
    "fi": ("−1 234,50 €", "0,13 $", "1 235 ¥", "12 345,68 TRY", "10,00 CHF"),
    "hr": ("−1.234,50 €", "0,13 USD", "1.235 JPY", "12.345,68 TRY", "10,00 CHF"),
    "sv": ("−1 234,50 €", "0,13 US$", "1 235 JPY", "12 345,68 TRY", "10,00 CHF"),
    "tr": ("-€1.234,50", "$0,13", "¥1.235", "₺12.345,68", "CHF 10,00"),
    "zh": ("-€1,234.50", "US$0.13", "JP¥1,235", "TRY 12,345.68", "CHF 10.00"),
    "ar": ("-1,234.50 €", "0.13 US$", "1,235 JP¥", "12,345.68 TRY", "10.00 CHF"),
    "th": ("-€1,234.50", "US$0.13", "¥1,235", "TRY 12,345.68", "CHF 10.00"),
}
"""-1234.5 euros, 0.125 dollars, 1234.5 yen, 12345.675 lira, 10 francs."""


def written(call: str, language: str) -> str:
    return compile(f"{{{{{call}}}}}").text(Scope({"moment": MOMENT}, locale=language, timezone="UTC"))


def test_every_language_with_system_texts_is_in_the_tables() -> None:
    assert set(DATES) == set(NUMBERS) == set(MONEY) == set(LANGUAGES)


@pytest.mark.parametrize("language", DATES)
def test_dates_are_those_of_the_browser(language: str) -> None:
    forms = ("fullDate", "longDate", "shortDate", "shortTime")
    found = tuple(written(f"$date moment '{form}'", language).translate(PLAIN) for form in forms)
    assert found == DATES[language]


@pytest.mark.parametrize("language", NUMBERS)
def test_numbers_are_those_of_the_browser(language: str) -> None:
    found = tuple(written(f"$number {number}", language).translate(PLAIN) for number in ("-1234567.8915", "1234.5"))
    assert found == NUMBERS[language]


@pytest.mark.parametrize("language", MONEY)
def test_amounts_of_money_are_those_of_the_browser(language: str) -> None:
    amounts = ("-1234.5 'EUR'", "0.125 'USD'", "1234.5 'JPY'", "12345.675 'TRY'", "10 'CHF'")
    found = tuple(written(f"$currency {amount}", language).translate(PLAIN) for amount in amounts)
    assert found == MONEY[language]


@pytest.mark.parametrize("language", MONEY)
def test_no_number_breaks_at_the_end_of_a_line(language: str) -> None:
    assert " " not in written("$currency -1234567.5 'CHF'", language)
    assert " " not in written("$number -1234567.5", language)


@pytest.mark.parametrize(
    ("language", "thousand", "ten"),
    [
        ("es", "1234,5", "12.345,5"),
        ("es-MX", "1,234.5", "12,345.5"),
        ("pt", "1.234,5", "12.345,5"),
        ("pt-PT", "1234,5", "12 345,5"),
        ("it-CH", "1234.5", "12’345.5"),
        ("pl", "1234,5", "12 345,5"),
    ],
)
def test_four_digits_stand_together_where_that_is_the_custom(language: str, thousand: str, ten: str) -> None:
    found = [written(f"$number {number}", language).translate(PLAIN) for number in ("1234.5", "12345.5")]
    assert found == [thousand, ten]


def test_a_minus_is_the_languages_own_and_in_arabic_stands_before_its_number() -> None:
    assert written("$number -5", "fi") == written("$number -5", "hr") == "\u22125"
    assert written("$number -5", "ar") == "\u200e-5"
    assert written("$currency -5 'EUR'", "ar") == "\u200f\u200e-5.00\u00a0€"


def test_digits_are_0_to_9_and_years_those_of_the_answers_everywhere() -> None:
    for language in ("ar-EG", "ar-SA", "th-TH", "fa", "hi"):
        assert "2030" in written("$date moment 'longDate'", language)
        assert written("$number 42", language) == "42"
