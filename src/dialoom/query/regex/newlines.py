"""Adapts a tree to RE2 in what differs about newlines: ``\\R``, and assertions about a newline at the end.

PCRE2's ``$`` holds in front of such a newline as well, and its ``^`` with the option m does not hold behind it. RE2
cannot look ahead. So a text that ends with a newline is searched without it, by a tree that is made for just that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dialoom.query.regex.characters import Source
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

_RETURN: Final = 0x0D
_PAIR_OR_ONE: Final = either([seq([char(_RETURN), char(NEWLINE)]), united(VERTICAL)])
_ENDING: Final = frozenset((Assertion.END_OR_LAST, Assertion.LINE_START))
_HOLDING_AT_END: Final = frozenset((Assertion.END, Assertion.END_OR_LAST, Assertion.LINE_END, Assertion.NO_WORD))
"""What holds behind a newline at the end of a text: on neither side of it is a character of a word."""


def depends_on_last_newline(node: Node) -> bool:
    """Return whether the node matches differently where the text ends with a newline."""
    return has(node, _ENDING)


def without_last_newline(node: Node) -> Node | None:
    """Return the tree that matches a text without its last newline where ``node`` matches it with the newline; None if
    ``node`` always does.

    In it, the end of the text is the place in front of that newline.
    """
    if is_nullable(node, _HOLDING_AT_END):
        return None
    return either([_before_last_newline(node), seq([_taking_last_newline(node), Assertion.END])])


def _before_last_newline(node: Node) -> Node:
    """Return the tree for matches that end before the last newline: the text does not end there, but ``$`` holds."""
    match node:
        case Assertion.END:
            return NOTHING
        case Assertion.END_OR_LAST:
            return Assertion.END
        case Seq(nodes):
            return seq(map(_before_last_newline, nodes))
        case Either(choices):
            return either(map(_before_last_newline, choices))
        case Repeat(inner, least, most):
            return repeat(_before_last_newline(inner), least, most)
        case _:
            return node


def _taking_last_newline(node: Node) -> Node:
    """Return what matches that take the last newline match in front of it."""
    match node:
        case Set():
            return Seq(()) if node.newline else NOTHING
        case Seq(nodes):
            # Behind the part that takes it there may only be parts that match nothing at all at the end.
            start = len(nodes) - 1
            while start > 0 and is_nullable(nodes[start], _HOLDING_AT_END):
                start -= 1
            return (
                seq([*map(_before_last_newline, nodes[:start]), _some_taking_last_newline(nodes[start:])])
                if nodes
                else NOTHING
            )
        case Either(choices):
            return either(map(_taking_last_newline, choices))
        case Repeat(inner, least, most):
            rest = 0 if is_nullable(inner, _HOLDING_AT_END) else max(least - 1, 0)
            before = repeat(_before_last_newline(inner), rest, None if most is None else most - 1)
            return seq([before, _taking_last_newline(inner)])
        case _:
            return NOTHING


def _some_taking_last_newline(nodes: Sequence[Node]) -> Node:
    """Return the same for parts of which each but the first may match nothing at the end, so that any can take it."""
    if len(nodes) == 1:
        return _taking_last_newline(nodes[0])
    # By halves: one alternative a part, each with all that stands before it, would grow with the square of the parts.
    half = len(nodes) // 2
    in_second = seq([*map(_before_last_newline, nodes[:half]), _some_taking_last_newline(nodes[half:])])
    return either([in_second, _some_taking_last_newline(nodes[:half])])


def write_out_any_newline(node: Node, source: Source) -> Node:
    """Return the tree with each ``\\R`` written out.

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
    """Return whether the node may begin with a newline, or depends on what stands around it."""
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
