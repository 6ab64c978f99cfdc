"""Numbers and amounts of money by language. What is rounded how is left to ``helpers.rounding``."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from typing import Any

from dialoom.errors import TemplateError
from dialoom.template.helpers.rounding import WIDE, rounded
from dialoom.template.locales import locale_of


def currency_text(amount: Decimal, code: Any, language: str) -> str:
    """The amount with the sign and the number of decimals of its currency."""
    if not isinstance(code, str) or not re.fullmatch(r"[A-Za-z]{3}", code):
        raise TemplateError("the currency must be a code of three letters, such as 'USD' (ISO 4217).")
    from babel.numbers import format_currency, get_currency_precision

    code = code.upper()
    exact = rounded(amount, get_currency_precision(code))
    with localcontext(WIDE):
        return str(format_currency(exact, code, locale=locale_of(language)))


def decimal_text(number: Decimal, digits: int | None, decimal: Any, language: str) -> str:
    """The number with the language's signs; ``digits`` decimals, else as many as it has, three at most."""
    from babel.numbers import get_decimal_symbol, get_group_symbol, parse_pattern

    locale = locale_of(language)
    pattern = parse_pattern(locale.decimal_formats[None].pattern)
    pattern.frac_prec = (0, 3) if digits is None else (digits, digits)
    # Babel rounds once more, in the context that is current: the usual one fails above 28 digits.
    with localcontext(WIDE):
        text = str(pattern.apply(rounded(number, 3 if digits is None else digits), locale))
    if not isinstance(decimal, str):
        return text
    point, group = get_decimal_symbol(locale), get_group_symbol(locale)
    if decimal == group:
        group = point
    whole, _, fraction = text.partition(point)
    whole = whole.replace(get_group_symbol(locale), group)
    return f"{whole}{decimal}{fraction}" if fraction else whole
