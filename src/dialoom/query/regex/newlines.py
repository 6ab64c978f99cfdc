"""What differs in RE2 about newlines: ``\\R``, and the assertions that know a newline at the very end of a text.

PCRE2's ``$`` holds in front of such a newline as well, and its ``^`` with the option m does not hold behind it. RE2
cannot look ahead. So a text that ends with a newline is searched without it, by a tree that is made for just that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dialoom.regex.sets import VERTICAL, united
from dialoom.regex.tree import (
    NEWLINE,
    NOTHING,
    AnyNewline,
    Assertion,
    Either,
    Node,
    Repeat,
    Seq,
    Set,
    char,
    either,
    has,
    is_nullable,
    repeat,
    seq,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.query.regex.source import Source

_RETURN: Final = 0x0D
_PAIR_OR_ONE: Final = either([seq([char(_RETURN), char(NEWLINE)]), united(VERTICAL)])
_ENDING: Final = frozenset((Assertion.END_OR_LAST, Assertion.LINE_START))
_HOLDING_AT_END: Final = frozenset((Assertion.END, Assertion.END_OR_LAST, Assertion.LINE_END, Assertion.NO_WORD))
"""What holds behind a newline at the end of a text: on neither side of it is a character of a word."""


def is_about_last(node: Node) -> bool:
    """Whether a newline at the end of the text must be told apart."""
    return has(node, _ENDING)


def without_last(node: Node) -> Node | None:
    """The tree that matches a text without its last newline where ``node`` matches the text with it; None: always.

    In it, the end of the text is the place in front of that newline.
    """
    if is_nullable(node, _HOLDING_AT_END):
        return None
    return either([_short(node), seq([_up_to_last(node), Assertion.END])])


def _short(node: Node) -> Node:
    """For matches that leave the last newline alone: the text does not end here, but ``$`` holds."""
    match node:
        case Assertion.END:
            return NOTHING
        case Assertion.END_OR_LAST:
            return Assertion.END
        case Seq(nodes):
            return seq(map(_short, nodes))
        case Either(choices):
            return either(map(_short, choices))
        case Repeat(inner, least, most):
            return repeat(_short(inner), least, most)
        case _:
            return node


def _up_to_last(node: Node) -> Node:
    """For matches that take the last newline: what they match in front of it."""
    match node:
        case Set():
            return Seq(()) if node.newline else NOTHING
        case Seq(nodes):
            # Behind the part that takes it there may only be parts that match nothing at all at the end.
            start = len(nodes) - 1
            while start > 0 and is_nullable(nodes[start], _HOLDING_AT_END):
                start -= 1
            return seq([*map(_short, nodes[:start]), _up_to_last_of(nodes[start:])]) if nodes else NOTHING
        case Either(choices):
            return either(map(_up_to_last, choices))
        case Repeat(inner, least, most):
            rest = 0 if is_nullable(inner, _HOLDING_AT_END) else max(least - 1, 0)
            before = repeat(_short(inner), rest, None if most is None else most - 1)
            return seq([before, _up_to_last(inner)])
        case _:
            return NOTHING


def _up_to_last_of(nodes: Sequence[Node]) -> Node:
    """The same for parts of which each but the first may match nothing at the end, so that any can take the newline."""
    if len(nodes) == 1:
        return _up_to_last(nodes[0])
    # By halves: one alternative a part, each with all that stands before it, would grow with the square of the parts.
    half = len(nodes) // 2
    in_second = seq([*map(_short, nodes[:half]), _up_to_last_of(nodes[half:])])
    return either([in_second, _up_to_last_of(nodes[:half])])


def with_newlines(node: Node, source: Source) -> Node:
    """The tree with each ``\\R`` written out.

    PCRE2 never takes half of a carriage return with a newline. Trying both is the same only where a newline cannot come
    next; elsewhere it is refused.
    """
    return _written_out(node, False, source)


def _written_out(node: Node, may_follow: bool, source: Source) -> Node:
    match node:
        case AnyNewline(at):
            if may_follow:
                instead = "Put it where no newline can follow, or write \\n."
                raise source.not_linear("\\R where another newline may follow", instead, at)
            return _PAIR_OR_ONE
        case Seq(nodes):
            written: list[Node] = []
            for part in reversed(nodes):
                written.append(_written_out(part, may_follow, source))
                may_follow = _may_begin(part) or (may_follow and is_nullable(part))
            return seq(reversed(written))
        case Either(choices):
            return either(_written_out(choice, may_follow, source) for choice in choices)
        case Repeat(inner, least, most):
            again = most != 1 and _may_begin(inner)
            return repeat(_written_out(inner, may_follow or again, source), least, most)
        case _:
            return node


def _may_begin(node: Node) -> bool:
    """Whether the node may begin with a newline, or asks what stands around it."""
    match node:
        case Assertion() | AnyNewline():
            return True
        case Set():
            return node.newline
        case Seq(nodes):
            for part in nodes:
                if _may_begin(part):
                    return True
                if not is_nullable(part):
                    return False
            return False
        case Either(choices):
            return any(map(_may_begin, choices))
        case Repeat(inner):
            return _may_begin(inner)
