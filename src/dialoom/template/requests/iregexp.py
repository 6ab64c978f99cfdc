"""Regular expressions of ``match()`` and ``search()`` in selectors (RFC 9485), searched by RE2 in linear time.

Text of a user may stand in such an expression, so that its size is counted before it is compiled. Beyond RFC 9485 the
anchors ``^`` and ``$`` and the classes ``\\d``, ``\\s`` and ``\\w`` hold, which authors write by habit.
"""

from __future__ import annotations

import re
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
        text, self._cost = _read(source)
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


_CATEGORY: Final = r"\\[pP]\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|C[cfno]?)\}"
_NAMED: Final = rf"{_CATEGORY}|\\[dDsSwW]"
_ESCAPE: Final = r"\\[-()*+.?\[\\\]^{|}$/nrt]"
_MEMBER: Final = rf"[^\\\[\]\-\ud800-\udfff]|{_ESCAPE}"
_PART: Final = re.compile(
    rf"(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<bar>\|)|(?P<anchor>[\^$])|(?P<dot>\.)|(?P<named>{_NAMED})"
    r"|(?P<times>[*+?]|\{(?P<least>[0-9]{1,4})(?P<comma>,(?P<most>[0-9]{1,4})?)?\})"
    rf"|(?P<set>\[(?!\^\])\^?(?:-?(?:{_NAMED}|(?:{_MEMBER})(?:-(?:{_MEMBER}))?)+-?|--?)\])"
    rf"|(?P<sign>[^()*+.?\[\\\]{{|}}^$\ud800-\udfff]|{_ESCAPE})"
)
"""One part of an expression (RFC 9485 section 3)."""
_MEMBERS: Final = re.compile(rf"(?P<named>{_NAMED})|(?P<first>{_MEMBER}|-)(?:-(?P<last>{_MEMBER}))?")


class _Group:
    """A group that is not closed yet, or the whole expression, in RE2's words."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.cost = 1
        self._repeatable: int | None = None
        """The cost of the last part; None where a repetition cannot follow."""

    def put(self, text: str, cost: int) -> None:
        self.parts.append(text)
        self._repeatable = cost
        self._spend(cost)

    def begin_branch(self) -> None:
        self.parts.append("|")
        self._repeatable = None
        self._spend(1)

    def repeat(self, found: re.Match[str]) -> None:
        if self._repeatable is None:
            raise InvalidExpression
        times = 2 if found["times"] == "+" else 1
        if found["least"] is not None:
            least = int(found["least"])
            most = int(found["most"]) if found["most"] else None if found["comma"] else least
            if max(least, most or 0) > MAX_TIMES or (most is not None and most < least):
                raise InvalidExpression
            times = least + 1 if most is None else max(most, 1)
        self.parts[-1] = f"(?:{self.parts[-1]}){found['times']}"
        self._spend(self._repeatable * (times - 1))
        self._repeatable = None

    def _spend(self, cost: int) -> None:
        self.cost += cost
        if self.cost > MAX_COST:  # at once: what is repeated in each group around it grows without end
            raise too_expensive()


def _read(source: str) -> tuple[str, int]:
    """Return the expression in RE2's words, and its cost."""
    group, around, position = _Group(), list[_Group](), 0
    while position < len(source):
        found = _PART.match(source, position)
        if found is None:
            raise InvalidExpression
        position = found.end()
        match found.lastgroup:
            case "open":
                if len(around) == MAX_NESTING:
                    raise InvalidExpression
                around.append(group)
                group = _Group()
            case "close":
                if not around:
                    raise InvalidExpression
                closed, group = group, around.pop()
                group.put(f"(?:{''.join(closed.parts)})", closed.cost)
            case "bar":
                group.begin_branch()
            case "times":
                group.repeat(found)
            case _:
                group.put(*_atom(found))
    if around:
        raise InvalidExpression
    return "".join(group.parts), group.cost


def _atom(found: re.Match[str]) -> tuple[str, int]:
    text = found[0]
    match found.lastgroup:
        case "anchor":
            return (r"\A" if text == "^" else r"\z"), 1
        case "dot":
            return _bracketed([_DOT], is_negated=False)
        case "named":
            return _bracketed([_named(text)], is_negated=False)
        case "set":
            members = _MEMBERS.finditer(text, 2 if text[1] == "^" else 1, len(text) - 1)
            return _bracketed([_member(one) for one in members], is_negated=text[1] == "^")
        case _:
            return _code(_character(text)), 2


def _named(text: str) -> _Set:
    """Return the set of an escape such as ``\\p{Lu}`` or ``\\d``."""
    if text[1] not in "pP":
        return _SETS[text[1].lower()]._replace(is_complement=text[1].isupper())
    name, is_negated = text[3:-1], text[1] == "P"
    if name in ("C", "Cn"):
        # RE2 has no set with the characters that are none: they are what no other set holds.
        controls = r"\p{Cc}\p{Cf}\p{Co}\p{Cs}" if name == "Cn" else ""
        return _Set(r"\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}" + controls, not is_negated, cost=36)
    return _Set(rf"\p{{{name}}}", is_negated, cost=24)


def _member(found: re.Match[str]) -> _Set:
    if found["named"]:
        return _named(found["named"])
    first = _character(found["first"])
    if not found["last"]:
        return _Set(_code(first))
    last = _character(found["last"])
    if last < first:
        raise InvalidExpression
    return _Set(f"{_code(first)}-{_code(last)}", cost=1 if last.isascii() else 6)


def _character(text: str) -> str:
    """Return the character that stands there, perhaps behind a backslash."""
    return {"n": "\n", "r": "\r", "t": "\t"}.get(text[1], text[1]) if len(text) > 1 else text


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
    return sign if sign.isascii() and sign.isalnum() else f"\\x{{{ord(sign):x}}}"
