"""Numbers and amounts of money by language. Rounding is half up (away from zero), on the decimal text."""

from __future__ import annotations

import re
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from typing import TYPE_CHECKING, Final

from dialoom.template.formats.locales import locale_of

if TYPE_CHECKING:
    from babel import Locale

WIDE: Final = Context(prec=700, rounding=ROUND_HALF_UP)
"""Wide enough for the largest binary float with twenty decimals, so that rounding never fails."""
FROM_TEN_THOUSAND: Final = frozenset({"be", "bg", "et", "hu", "hy", "it", "ka", "lv", "pl", "sl", "sq"})
"""Where four digits before the decimal sign stand together (CLDR's minimumGroupingDigits 2, which babel leaves out)."""
OF_EUROPE: Final = frozenset({("es", None), ("es", "ES"), ("es", "PH"), ("pt", "PT")})
"""Languages that differ by region: Latin America groups from a thousand on."""


def rounded(number: Decimal, digits: int) -> Decimal:
    """Return the number with at most ``digits`` decimals."""
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and -exponent <= digits:
        return number
    return number.quantize(Decimal(1).scaleb(-digits), context=WIDE)


def currency_text(amount: Decimal, code: object, language: str) -> str:
    """Return the amount with the sign and the number of decimals of its currency; with two decimals and what was given
    where that is no code of three letters."""
    if not isinstance(code, str) or not re.fullmatch(r"[A-Za-z]{3}", code):
        return f"{decimal_text(amount, 2, None, language)} {code if isinstance(code, str) else ''}".rstrip()
    from babel.numbers import format_currency, get_currency_precision

    code, locale = code.upper(), locale_of(language)
    exact = rounded(amount, get_currency_precision(code))
    with localcontext(WIDE):
        text = str(format_currency(exact, code, locale=locale, group_separator=_is_grouped(exact, locale)))
    # CLDR's currencySpacing: a code of letters keeps off its number, a sign such as $ does not.
    return _signed(_TOUCHING.sub("\u00a0", text), locale)


def is_currency(code: str) -> bool:
    """Return whether a currency has this code (ISO 4217), today or in the past."""
    from babel.core import get_global

    return code.upper() in get_global("all_currencies")


def currency_of(language: str) -> str | None:
    """Return the currency where a language is spoken, by its region or the likeliest one; None where none is known."""
    from babel.core import get_global
    from babel.numbers import get_territory_currencies

    locale = locale_of(language)
    likely = get_global("likely_subtags").get(locale.language, "")
    territory = locale.territory or likely.rpartition("_")[2]
    # A day without end: of a currency that goes out of use the next one is meant, whatever the day is.
    codes = get_territory_currencies(territory, date.max, date.max) if territory else []
    return str(codes[0]) if codes else None


def decimal_text(number: Decimal, digits: int | None, decimal: object, language: str) -> str:
    """Return the number with the language's signs; ``digits`` decimals, else as many as it has, three at most."""
    from babel.numbers import get_decimal_symbol, get_group_symbol, parse_pattern

    locale = locale_of(language)
    pattern = parse_pattern(locale.decimal_formats[None].pattern)
    pattern.frac_prec = (0, 3) if digits is None else (digits, digits)
    # Babel rounds once more, in the context that is current: the usual one fails above 28 digits.
    exact = rounded(number, 3 if digits is None else digits)
    with localcontext(WIDE):
        text = _signed(str(pattern.apply(exact, locale, group_separator=_is_grouped(exact, locale))), locale)
    if not isinstance(decimal, str):
        return text
    point, group = get_decimal_symbol(locale), get_group_symbol(locale)
    if decimal == group:
        group = point
    whole, _, fraction = text.partition(point)
    whole = whole.replace(get_group_symbol(locale), group)
    return f"{whole}{decimal}{fraction}" if fraction else whole


_TOUCHING: Final = re.compile(r"(?<=[^\W\d_])(?=-?\d)|(?<=\d)(?=[^\W\d_])")


def _is_grouped(number: Decimal, locale: Locale) -> bool:
    if locale.language in FROM_TEN_THOUSAND or (locale.language, locale.territory) in OF_EUROPE:
        return abs(number) >= 10_000
    return True


def _signed(text: str, locale: Locale) -> str:
    """Write the minus of the language: U+2212 in Finnish and Croatian, one that knows its direction in Arabic."""
    from babel.numbers import get_minus_sign_symbol

    return text.replace("-", get_minus_sign_symbol(locale), 1)
