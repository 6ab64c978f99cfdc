"""Estimates what a search of RE2 costs at each character of the worst text, from the tree.

Where the states of its automaton do not fit into its memory, RE2 looks at every alternative that is still open at each
character. So this counts those that can be open at one place: a run such as ``.{1,500}`` is one if it can begin only
once, behind ``^`` or behind a character that is not one of its own, and five hundred if it can begin anywhere.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dialoom.regex.tree import NEWLINE, Assertion, Either, Node, Repeat, Seq, Set

_BEYOND: Final = 1 << 128
_ASCII: Final = _BEYOND - 1
_ANY: Final = _ASCII | _BEYOND
_OF_PROPERTY: Final = {"L": "A-Z,a-z", "M": "", "N": "0-9", "Nd": "0-9"}


class SearchCost(NamedTuple):
    total: int
    """About a nanosecond each a character."""
    dearest: Repeat | None
    """The repetition that costs most."""


def search_cost(node: Node, *, is_anchored: bool = False) -> SearchCost:
    """Return the cost of a search. ``is_anchored``: it begins at one place alone, as if ``^`` stood in front."""
    counter = _Counter()
    total = counter.count(node, 0 if is_anchored else _ANY, is_repeated=False).cost
    return SearchCost(total, counter.dearest)


class _Counted(NamedTuple):
    cost: int
    last: int
    """The characters that can be the last of what matches, a bit each."""
    is_nullable: bool
    width: int | None
    """The number of characters that match, if it is always the same."""

    def behind(self, before: int) -> int:
        """Return the characters that can come before the next node; 0: it can begin at one place alone."""
        if not before and self.width is not None:
            return 0
        return self.last | (before if self.is_nullable else 0)


class _Counter:
    def __init__(self) -> None:
        self.dearest: Repeat | None = None
        self._most = 0

    def count(self, node: Node, before: int, *, is_repeated: bool) -> _Counted:
        match node:
            case Set():
                is_cheap = not is_repeated and _is_one_character(node)
                return _Counted(1 if is_cheap else _weight(node), _characters(node), False, 1)
            case Seq(nodes):
                return self._sequence(nodes, before, is_repeated=is_repeated)
            case Either(choices):
                each = [self.count(inner, before, is_repeated=is_repeated) for inner in choices]
                widths = {one.width for one in each}
                last = 0
                for one in each:
                    last |= one.last
                is_nullable = any(one.is_nullable for one in each)
                width = widths.pop() if len(widths) == 1 else None
                return _Counted(sum(one.cost for one in each), last, is_nullable, width)
            case Repeat():
                counted = self._repeated(node, before)
                if counted.cost > self._most:
                    self.dearest, self._most = node, counted.cost
                return counted
            case _:
                return _Counted(1, 0, True, 0)

    def _sequence(self, nodes: tuple[Node, ...], before: int, *, is_repeated: bool) -> _Counted:
        # While a sequence that begins at one place alone has a fixed width, just one of its nodes is open at a time.
        one_at_a_time = several = last = 0
        is_nullable, width = True, 0
        known = True
        for node in nodes:
            if node is Assertion.START:
                before = 0
            elif node is Assertion.LINE_START:
                before &= 1 << NEWLINE
            counted = self.count(node, before, is_repeated=is_repeated)
            if not before and counted.width is not None:
                one_at_a_time = max(one_at_a_time, counted.cost)
            else:
                several += counted.cost
            before = counted.behind(before)
            last = counted.last | (last if counted.is_nullable else 0)
            is_nullable = is_nullable and counted.is_nullable
            known = known and counted.width is not None
            width += counted.width or 0
        return _Counted(one_at_a_time + several, last, is_nullable, width if known else None)

    def _repeated(self, node: Repeat, before: int) -> _Counted:
        times = node.least + 1 if node.most is None else node.most
        first = self.count(node.node, before, is_repeated=True)
        width = first.width * times if first.width is not None and node.least == node.most else None
        if isinstance(node.node, Set):
            begins_once = not before & first.last
        else:
            begins_once = not before and first.width is not None
            if not begins_once:
                first = self.count(node.node, before | first.last, is_repeated=True)
        # What may be empty is tried again at each byte of a character, of which there are up to four.
        copies = 1 if begins_once else times if node.least else times + 4
        return _Counted(copies * max(first.cost, 1), first.last, first.is_nullable or node.least == 0, width)


def _is_one_character(one: Set) -> bool:
    return not one.negated and not one.properties and len(one.spans) <= 4 and all(a == b for a, b in one.spans)


def _weight(one: Set) -> int:
    """Return what RE2 tries at a byte. A set beyond ASCII has up to some forty alternatives there."""
    beyond = 12 * len(one.properties) + sum(1 for _, last in one.spans if last > 0x7F)
    within = sum(1 for first, _ in one.spans if first <= 0x7F)
    return 4 * (1 + within) + (2 * min(max(beyond, 6), 36) if beyond or one.negated else 0)


def _characters(one: Set) -> int:
    """Return the characters of ASCII that are in the set, a bit each, and one bit for those beyond."""
    found = 0
    for first, last in one.spans:
        if first < 0x80:
            found |= (1 << (min(last, 0x7F) + 1)) - (1 << first)
        if last > 0x7F:
            found |= _BEYOND
    for name in one.properties:
        ranges = _OF_PROPERTY.get(name[3:-1]) if name.startswith(r"\p") else None
        if ranges is None:
            return _ANY
        pairs = zip(ranges[::4], ranges[2::4], strict=False)
        found |= _BEYOND | sum((1 << (ord(last) + 1)) - (1 << ord(first)) for first, last in pairs)
    return (~found & _ASCII) | _BEYOND if one.negated else found
