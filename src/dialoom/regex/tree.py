"""The tree of a regular expression: what may match, without how it was written. Flags are already worked into it.

It has no groups: nobody needs the parts of a match.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final, TypeAlias

import msgspec

NEWLINE: Final = 0x0A
LAST: Final = 0x10FFFF

Span: TypeAlias = tuple[int, int]
"""Characters from one code point to another, both counted."""


class Assertion(Enum):
    """What must hold between two characters."""

    START = auto()
    END = auto()
    END_OR_LAST = auto()
    """At the end, or in front of a newline that is the last character: ``$`` and ``\\Z``."""
    LINE_START = auto()
    """At the start, or behind a newline that is not the last character: ``^`` with the option m."""
    LINE_END = auto()
    """At the end, or in front of a newline: ``$`` with the option m."""
    WORD = auto()
    NO_WORD = auto()


class Set(msgspec.Struct, frozen=True):
    """One character of a set. Properties are in RE2's words, such as ``\\p{Lu}``."""

    spans: tuple[Span, ...]
    properties: tuple[str, ...] = ()
    negated: bool = False
    newline: bool = False
    """True if a newline is one of them."""


class Seq(msgspec.Struct, frozen=True):
    """One node behind the other; the empty one matches the empty text."""

    nodes: tuple[Node, ...]


class Either(msgspec.Struct, frozen=True):
    """One of the nodes; the empty one matches nothing at all."""

    choices: tuple[Node, ...]


class Repeat(msgspec.Struct, frozen=True):
    """The node so many times, or without an upper limit."""

    node: Node
    least: int
    most: int | None
    lazy: bool = False
    """True if fewer times come first; where only whether a text matches is asked, it makes no difference."""


class AnyNewline(msgspec.Struct, frozen=True):
    """``\\R``: a newline of any system, and never the first half of one. ``query.regex.newlines`` turns it into an
    ``Either``."""

    at: int


_OF_PROPERTY: Final = 400
"""A set such as \\p{L} has 650 spans, and RE2 takes half a millisecond for each time that it is written out."""

Node: TypeAlias = Set | Assertion | Seq | Either | Repeat | AnyNewline

EMPTY: Final = Seq(())
NOTHING: Final = Either(())


def seq(nodes: Iterable[Node]) -> Node:
    """Return the nodes as one sequence, without nesting."""
    flat: list[Node] = []
    for node in nodes:
        if node == NOTHING:
            return NOTHING
        flat += node.nodes if isinstance(node, Seq) else [node]
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


def either(nodes: Iterable[Node]) -> Node:
    """Return the nodes as one alternative, without nesting."""
    flat: list[Node] = []
    for node in nodes:
        flat += node.choices if isinstance(node, Either) else [node]
    return flat[0] if len(flat) == 1 else Either(tuple(flat))


def repeat(node: Node, least: int, most: int | None, *, lazy: bool = False) -> Node:
    if most == 0 or node == EMPTY:
        return EMPTY
    return node if (least, most) == (1, 1) else Repeat(node, least, most, lazy)


def char(code: int) -> Set:
    return Set(((code, code),), newline=code == NEWLINE)


def is_nullable(node: Node, holding: frozenset[Assertion] = frozenset(Assertion)) -> bool:
    """Return whether the node matches the empty text where just these assertions hold."""
    match node:
        case Assertion():
            return node in holding
        case Seq(nodes):
            return all(is_nullable(inner, holding) for inner in nodes)
        case Either(choices):
            return any(is_nullable(inner, holding) for inner in choices)
        case Repeat(inner, least):
            return least == 0 or is_nullable(inner, holding)
        case _:
            return False


def without_empty(node: Node) -> Node:
    """Return the tree whose first match at each place is that of ``node`` which is not empty.

    A repetition of what may be empty itself may match more times than in Python.
    """
    return either(one for one, is_empty in _by_emptiness(node) if not is_empty) if is_nullable(node) else node


def _by_emptiness(node: Node) -> list[tuple[Node, bool]]:
    """Return the ways in which a node matches, in order, with whether each matches the empty text alone."""
    if not is_nullable(node):
        return [(node, False)]
    match node:
        case Seq((first, *others)):
            rest = seq(others)
            ways: list[tuple[Node, bool]] = []
            for one, is_empty in _by_emptiness(first):
                behind = _by_emptiness(rest) if is_empty else [(rest, False)]
                ways += [(seq([one, other]), is_empty_too) for other, is_empty_too in behind]
            return ways
        case Either(choices):
            return [way for choice in choices for way in _by_emptiness(choice)]
        case Repeat(inner, least, most, lazy):
            again = repeat(inner, max(least - 1, 0), None if most is None else most - 1, lazy=lazy)
            some = [(seq([one, again]), False) for one, is_empty in _by_emptiness(inner) if not is_empty]
            # A repetition of at least one time also matches the empty text as its node does.
            none: list[tuple[Node, bool]] = [
                (one, True) for one, is_empty in (_by_emptiness(inner) if least else [(EMPTY, True)]) if is_empty
            ]
            return none + some if lazy else some + none
    return [(node, True)]


def compile_cost(node: Node) -> int:
    """Return the cost of the node written out: about the microseconds to compile it, and some tens of nanoseconds a
    character to search."""
    match node:
        case Set(spans, properties):
            return 1 + len(spans) + _OF_PROPERTY * len(properties)
        case Seq(nodes) | Either(nodes):
            return 1 + sum(map(compile_cost, nodes))
        case Repeat(inner, least, most):
            return (least + 1 if most is None else most) * compile_cost(inner)
        case _:
            return 1


def has(node: Node, wanted: frozenset[Assertion]) -> bool:
    """Return whether the node contains one of the assertions."""
    match node:
        case Assertion():
            return node in wanted
        case Seq(nodes) | Either(nodes):
            return any(has(inner, wanted) for inner in nodes)
        case Repeat(inner):
            return has(inner, wanted)
        case _:
            return False
