"""Rounding half up (away from zero), on the decimal text of a number."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final

WIDE: Final = Context(prec=700, rounding=ROUND_HALF_UP)
"""Wide enough for the largest binary float with twenty decimals, so that rounding never fails."""


def rounded(number: Decimal, digits: int) -> Decimal:
    """The number with at most ``digits`` decimals."""
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and -exponent <= digits:
        return number
    return number.quantize(Decimal(1).scaleb(-digits), context=WIDE)
