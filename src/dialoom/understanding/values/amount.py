"""Amount: a number with a currency, before or after it. Value ``{"value": number, "currency": ISO 4217 code}``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import ENDS, STARTS, one_of, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.understanding.values.message import Message
    from dialoom.understanding.values.number import NumberReader

_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW", "₴": "UAH"}
_NAMES = {
    **dict.fromkeys(
        ("dollar", "dollars", "us dollars", "bucks", "dólares", "dólar", "dollari", "долара", "долар"), "USD"
    ),
    **dict.fromkeys(("euro", "euros", "eur", "евро"), "EUR"),
    **dict.fromkeys(("pounds", "pound", "quid", "livres", "libras", "pfund", "sterline", "паунда"), "GBP"),
    **dict.fromkeys(("yen",), "JPY"),
    **dict.fromkeys(("swiss francs", "franken", "chf"), "CHF"),
    **dict.fromkeys(("leva", "lev", "лв", "лв.", "лева", "лев", "bgn"), "BGN"),
    **dict.fromkeys(("zloty", "zł", "pln"), "PLN"),
    **dict.fromkeys(("reais", "r$", "brl"), "BRL"),
    **dict.fromkeys(("rupees", "inr"), "INR"),
    **{
        code.lower(): code
        for code in ("USD", "GBP", "JPY", "CAD", "AUD", "CNY", "SEK", "NOK", "DKK", "CZK", "HUF", "RON")
    },
}


class AmountReader:
    """Numbers of a language that a currency stands beside."""

    def __init__(self, numbers: NumberReader) -> None:
        self._numbers = numbers
        self._currencies = {**_SIGNS, **{plain(fold(name)): code for name, code in _NAMES.items()}}
        signs = "[" + "".join(_SIGNS) + "]"
        names = rf"{STARTS}{one_of(_NAMES)}{ENDS}"
        self._before = re.compile(rf"(?P<currency>{signs}|{names})\s?$")
        self._after = re.compile(rf"\s?(?P<currency>{signs}|{one_of(_NAMES)}{ENDS})")

    def find(self, said: Message) -> Iterator[Stretch]:
        for number in self._numbers.find(said):
            after = self._after.match(fold(said.text[number.end : number.end + 20]))
            before = self._before.search(fold(said.text[max(0, number.start - 20) : number.start]))
            found = after or before
            if found is None:
                continue
            value = {"value": number.value, "currency": self._currencies[plain(found["currency"])]}
            # Folding keeps the length of every sign and name in the tables, so that places can be counted on it.
            start = number.start if after else number.start - len(found[0])
            yield Stretch(start, number.end + (len(found[0]) if after else 0), value)
