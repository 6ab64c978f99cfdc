"""RE2's text of a tree, for ``re2`` with options that ignore nothing and capture nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from dialoom.regex.tree import Assertion, Either, Node, Repeat, Seq, Set

if TYPE_CHECKING:
    from collections.abc import Mapping

_ASSERTIONS: Final[Mapping[Assertion, str]] = {
    Assertion.START: r"\A",
    Assertion.END: r"\z",
    # A last newline has been taken away from the text (``newlines``), so that these two need not look for it.
    Assertion.END_OR_LAST: r"\z",
    Assertion.LINE_START: "(?m:^)",
    Assertion.LINE_END: "(?m:$)",
    Assertion.WORD: r"\b",
    Assertion.NO_WORD: r"\B",
}
_NO_CHARACTER: Final = r"[^\x00-\x{10FFFF}]"


def written(node: Node) -> str:
    match node:
        case Assertion():
            return _ASSERTIONS[node]
        case Set():
            return _set(node)
        case Seq(nodes):
            return "".join(f"(?:{written(inner)})" if isinstance(inner, Either) else written(inner) for inner in nodes)
        case Either(choices):
            return "|".join(map(written, choices)) if choices else _NO_CHARACTER
        case Repeat(inner, least, most, lazy):
            repeated = written(inner) if isinstance(inner, Set) else f"(?:{written(inner)})"
            return f"{repeated}{_times(least, most)}{'?' if lazy else ''}"
    raise AssertionError(f"{node} is written out before")


@lru_cache(maxsize=64)  # properties written out have 700 spans
def _set(node: Set) -> str:
    if not node.spans and not node.properties:
        return r"[\x00-\x{10FFFF}]" if node.negated else _NO_CHARACTER
    if len(node.spans) == 1 and not node.properties and not node.negated and node.spans[0][0] == node.spans[0][1]:
        return _code(node.spans[0][0])
    spans = "".join(_code(first) if first == last else f"{_code(first)}-{_code(last)}" for first, last in node.spans)
    return f"[{'^' if node.negated else ''}{spans}{''.join(node.properties)}]"


def _code(code: int) -> str:
    character = chr(code)
    return character if character.isascii() and character.isalnum() else f"\\x{{{code:X}}}"


def _times(least: int, most: int | None) -> str:
    match least, most:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _, None:
            return f"{{{least},}}"
    return f"{{{least}}}" if least == most else f"{{{least},{most}}}"
