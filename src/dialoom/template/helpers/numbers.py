"""Helpers that calculate, on the decimal text of numbers: ``$add 0.1 0.2`` is 0.3, as people expect of prices."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal, DecimalException, InvalidOperation, Overflow
from functools import reduce
from typing import Final

from dialoom.errors import TemplateError
from dialoom.template.formats.numbers import WIDE, currency_text, decimal_text, rounded
from dialoom.template.frame import Frame
from dialoom.template.helpers.row import Helper, kind_of
from dialoom.template.values.comparing import read_number
from dialoom.template.values.types import MISSING

EXACT: Final = Context(prec=34, rounding=ROUND_HALF_UP, Emax=400, Emin=-400, traps=[InvalidOperation, Overflow])
"""34 digits, as IEEE 754's decimal128; binary floats have 17."""

MAX_DIGITS: Final = 20


def decimal_of(value: object) -> Decimal:
    """Return the number as it is written."""
    number = read_number(value)
    if number is None:
        raise TemplateError(f"an argument is {kind_of(value)} that is no number. Give numbers.")
    if isinstance(number, float) and not math.isfinite(number):
        raise TemplateError("an argument is no finite number.")
    if isinstance(number, int):
        return Decimal(number) if abs(number) < 10**30 else EXACT.plus(Decimal(repr(_float(number))))
    return Decimal(repr(number))


def _float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        raise TemplateError("an argument is too large a number.") from None


def number_of(number: Decimal) -> int | float:
    """Return the decimal as a JSON number."""
    if number == number.to_integral_value(context=WIDE) and abs(number) < 10**21:
        return int(number)
    result = float(number)
    if result in (float("inf"), float("-inf")):
        raise TemplateError("the result is too large a number.")
    return result


def calculation(step: Callable[[Decimal, Decimal], Decimal]) -> Callable[..., object]:
    """Return a helper that takes one argument after the other into the result; nothing when one is missing."""

    def calculate(*values: object) -> object:
        if any(value is None or value is MISSING for value in values):
            return MISSING
        try:
            return number_of(reduce(step, [decimal_of(value) for value in values]))
        except DecimalException:
            raise TemplateError("the result is too large a number.") from None

    return calculate


def divide(first: Decimal, second: Decimal) -> Decimal:
    if second == 0:
        raise TemplateError("the second argument is 0. Ask for that case first, with {{#if}}.")
    return EXACT.divide(first, second)


def round_half_up(value: object, digits: object = 0) -> object:
    return number_of(rounded(decimal_of(value), digits_of(digits)))


def digits_of(value: object) -> int:
    """Return a number of decimals."""
    number = 0 if value is None or value is MISSING else read_number(value)
    if number is None or not 0 <= number <= MAX_DIGITS or number != int(number):
        raise TemplateError(f"the number of decimals must be a whole number from 0 to {MAX_DIGITS}.")
    return int(number)


def currency(frame: Frame, value: object, code: object) -> str:
    return currency_text(decimal_of(value), code, frame.root.scope.locale)


def number(frame: Frame, value: object, precision: object = MISSING, decimal: object = MISSING) -> str:
    digits = None if precision is None or precision is MISSING else digits_of(precision)
    return decimal_text(decimal_of(value), digits, decimal, frame.root.scope.locale)


ROWS: Final = (
    Helper("$number", number, 1, 1, named=("precision", "decimal"), takes_frame=True, formats=True, work=50),
    Helper("$currency", currency, 2, 2, takes_frame=True, formats=True, work=50),
    Helper("$add", calculation(EXACT.add), 2, None),
    Helper("$subtract", calculation(EXACT.subtract), 2, 2),
    Helper("$multiply", calculation(EXACT.multiply), 2, None),
    Helper("$divide", calculation(divide), 2, 2),
    Helper("$round", round_half_up, 1, 2),
)
