"""Regular expressions of ``match()`` and ``search()`` in selectors (RFC 9485), searched by RE2 in linear time.

Text of a user may stand in such an expression, so that its size is counted before it is compiled. Beyond RFC 9485 the
anchors ``^`` and ``$`` and the classes ``\\d``, ``\\s`` and ``\\w`` hold, which authors write by habit.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dialoom.errors import TemplateError
from dialoom.regex.search import LinearSearch, RegexError

MAX_COST: Final = 1250
"""Of one expression, repetitions written out."""
MAX_STEPS: Final = 40_000_000
"""Cost times characters of all texts that one application of a selector searches: 0.2 s for the worst of them."""
COMPILING_STEPS: Final = 4_000
"""What compiling an expression takes, times its cost: a set such as ``\\p{L}`` takes 0.5 ms."""
MAX_NESTING: Final = 50
MAX_TIMES: Final = 1000

SPECIAL: Final = frozenset("()*+.?[\\]{|}^$")
ESCAPED: Final = {**{sign: sign for sign in "()*+-.?[\\]^{|}$/"}, "n": "\n", "r": "\r", "t": "\t"}
CATEGORIES: Final = {
    "L": "lmotu",
    "M": "cen",
    "N": "dlo",
    "P": "cdefios",
    "S": "ckmo",
    "Z": "lps",
    "C": "cfno",
}


class InvalidExpression(Exception):
    """The text is no expression; the functions then hold for nothing (RFC 9535 section 2.4.6)."""


class Budget:
    """What all matching for one application of a selector may cost together."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAX_STEPS

    def renew(self) -> None:
        self.left = MAX_STEPS

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise too_expensive()


def too_expensive() -> TemplateError:
    return TemplateError("The selector's regular expressions cost too much on these texts. Make them simpler.")


class Expression:
    """A compiled expression."""

    __slots__ = ("_budget", "_cost", "_search")

    def __init__(self, source: str, budget: Budget) -> None:
        text, self._cost = _Reader(source).read()
        budget.spend(self._cost * COMPILING_STEPS)
        try:
            self._search = LinearSearch(text)
        except RegexError:
            raise InvalidExpression from None  # repetitions of repetitions, more than a thousand times together
        self._budget = budget

    def matches(self, text: str) -> bool:
        """Return whether the whole text fits."""
        self._budget.spend(self._cost * (len(text) + 1))
        return self._search.fullmatch(text.encode("utf-8", "replace")) is not None

    def occurs_in(self, text: str) -> bool:
        """Return whether some part of the text fits."""
        self._budget.spend(self._cost * (len(text) + 1))
        return self._search.search(text.encode("utf-8", "replace")) is not None


class _Set(NamedTuple):
    """Characters as they stand in RE2's brackets, or all others. ``cost`` grows with the alternatives at a byte."""

    text: str
    is_complement: bool = False
    cost: int = 1


_SETS: Final = {
    "d": _Set("0-9"),
    "s": _Set(r"\x09-\x0d\x1c-\x20\x85\xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}", cost=8),
    "w": _Set(r"\p{L}\p{N}_", cost=36),
}
_DOT: Final = _Set(r"\r\n", is_complement=True)


class _Reader:
    """Reads an expression from left to right; gives each part in RE2's words with its cost."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.depth = 0

    def read(self) -> tuple[str, int]:
        text, cost = self.alternatives()
        if self.position < len(self.source):
            raise InvalidExpression
        if cost > MAX_COST:
            raise too_expensive()
        return text, cost

    def peek(self) -> str:
        return self.source[self.position : self.position + 1]

    def take(self) -> str:
        sign = self.peek()
        if not sign:
            raise InvalidExpression
        self.position += 1
        return sign

    def alternatives(self) -> tuple[str, int]:
        branches = [self.branch()]
        while self.peek() == "|":
            self.take()
            branches.append(self.branch())
        return "|".join(text for text, _ in branches), sum(cost for _, cost in branches)

    def branch(self) -> tuple[str, int]:
        texts: list[str] = []
        total = 1
        while self.peek() not in {"", "|", ")"}:
            text, cost = self.quantified(*self.atom())
            texts.append(text)
            total += cost
            if total > MAX_COST:  # here too: what is repeated in each group around it grows without end
                raise too_expensive()
        return "".join(texts), total

    def quantified(self, text: str, cost: int) -> tuple[str, int]:
        sign = self.peek()
        if sign in {"*", "+", "?"} and sign:
            self.take()
            return f"(?:{text}){sign}", cost * (2 if sign == "+" else 1)
        if sign != "{":
            return text, cost
        self.take()
        least = self.number()
        most: int | None = least
        times = str(least)
        if self.peek() == ",":
            self.take()
            most = self.number() if self.peek() != "}" else None
            times += "," if most is None else f",{most}"
        if self.take() != "}" or (most is not None and most < least):
            raise InvalidExpression
        return f"(?:{text}){{{times}}}", cost * (least + 1 if most is None else max(most, 1))

    def number(self) -> int:
        start = self.position
        while "0" <= self.peek() <= "9":
            self.take()
        digits = self.source[start : self.position]
        if not digits or len(digits) > 4 or int(digits) > MAX_TIMES:
            raise InvalidExpression
        return int(digits)

    def atom(self) -> tuple[str, int]:
        sign = self.take()
        if sign == "(":
            return self.group()
        if sign in "^$":
            return (r"\A" if sign == "^" else r"\z"), 1
        if sign == ".":
            return _bracketed([_DOT], is_negated=False)
        if sign == "[":
            return self.character_class()
        if sign == "\\":
            escaped = self.escape()
            return (_code(escaped), 2) if isinstance(escaped, str) else _bracketed([escaped], is_negated=False)
        if sign in SPECIAL:
            raise InvalidExpression
        return _code(sign), 2

    def group(self) -> tuple[str, int]:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise InvalidExpression
        if self.source.startswith("?:", self.position):
            self.position += 2
        text, cost = self.alternatives()
        if self.take() != ")":
            raise InvalidExpression
        self.depth -= 1
        return f"(?:{text})", cost

    def escape(self) -> str | _Set:
        """Return what stands after a backslash: a character, or a set of them."""
        sign = self.take()
        if sign in "pP":
            return self.category(sign == "P")
        known = _SETS.get(sign.lower())
        if known is not None:
            return known._replace(is_complement=sign.isupper())
        if sign not in ESCAPED:
            raise InvalidExpression
        return ESCAPED[sign]

    def category(self, is_negated: bool) -> _Set:
        end = self.source.find("}", self.position)
        name = self.source[self.position + 1 : end]
        if self.peek() != "{" or end < 0 or name[:1] not in CATEGORIES or len(name) > 2:
            raise InvalidExpression
        if len(name) == 2 and name[1] not in CATEGORIES[name[0]]:
            raise InvalidExpression
        self.position = end + 1
        if name in ("C", "Cn"):
            # RE2 has no set with the characters that are none: they are what no other set holds.
            controls = r"\p{Cc}\p{Cf}\p{Co}\p{Cs}" if name == "Cn" else ""
            return _Set(r"\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}" + controls, not is_negated, cost=36)
        return _Set(rf"\p{{{name}}}", is_negated, cost=24)

    def character_class(self) -> tuple[str, int]:
        is_negated = self.peek() == "^"
        if is_negated:
            self.take()
        members: list[_Set] = []
        if self.peek() == "-":
            members.append(_Set(_code(self.take())))
        while self.peek() != "]":
            if self.peek() == "-" and self.source[self.position + 1 : self.position + 2] == "]":
                members.append(_Set(_code(self.take())))
                continue
            members.append(self.class_member())
        self.take()
        if not members:
            raise InvalidExpression
        return _bracketed(members, is_negated)

    def class_member(self) -> _Set:
        first = self.class_character()
        if not isinstance(first, str):
            return first
        if self.peek() != "-" or self.source[self.position + 1 : self.position + 2] == "]":
            return _Set(_code(first))
        self.take()
        last = self.class_character()
        if not isinstance(last, str) or last < first:
            raise InvalidExpression
        return _Set(f"{_code(first)}-{_code(last)}", cost=1 if last.isascii() else 6)

    def class_character(self) -> str | _Set:
        sign = self.take()
        if sign == "\\":
            return self.escape()
        if sign in "-[]":
            raise InvalidExpression
        return sign


def _bracketed(members: list[_Set], is_negated: bool) -> tuple[str, int]:
    """Return all characters of the members, or all others. ``[^\\Wa]`` is not valid: RE2 has no word for it."""
    inside = "".join(member.text for member in members if not member.is_complement)
    outside = [member.text for member in members if member.is_complement]
    cost = 1 + sum(member.cost for member in members) + (6 if is_negated or outside else 0)
    if is_negated and outside:
        if inside or len(outside) > 1:
            raise InvalidExpression
        return f"[{outside[0]}]", cost
    if is_negated:
        return f"[^{inside}]", cost
    choices = ([f"[{inside}]"] if inside else []) + [f"[^{text}]" for text in outside]
    return (choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})"), cost


def _code(sign: str) -> str:
    if "\ud800" <= sign <= "\udfff":
        raise InvalidExpression
    return sign if sign.isascii() and sign.isalnum() else f"\\x{{{ord(sign):x}}}"
