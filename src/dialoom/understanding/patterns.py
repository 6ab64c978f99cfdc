"""Values of a regex type: what a pattern finds in the text, and the reading of a whole text by it.

How a pattern is read and searched is for ``flow.patterns``.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from dialoom.errors import FlowError
from dialoom.flow.model import RegexType
from dialoom.flow.patterns import MAX_COST, MAX_TEXT_CHARACTERS, AuthorPattern, OpenedText, PatternError, TextSearch
from dialoom.flow.patterns.tree import ANY, SPACE
from dialoom.regex.sets import united
from dialoom.regex.tree import Assertion, Either, Node, Seq, Set, either, repeat, seq, without_empty
from dialoom.understanding.candidate import Stretch


def _signs(signs: str, more: Set) -> Set:
    return united([*((ord(sign), ord(sign)) for sign in signs), *more.spans])


# A stretch of whole words begins after white space or an opening sign and ends before white space, with or without
# closing signs. A hyphen or a colon inside does not end it: ``^\d+$`` finds nothing in "12:30".
_BEFORE: Final = _signs("([{\"'“„‘«¿¡", SPACE)
_AFTER: Final = seq([repeat(_signs(")]}\"'»”’.,;:!?…", united([])), 0, None), either([SPACE, Assertion.END])])

_SEARCH_STEPS: Final = 4 * MAX_COST * MAX_TEXT_CHARACTERS
"""Cost times characters of all searches in one text together, as if each went to the end of the text. Of a very long
message with very many values only the first are found."""
_STARTS: Final = frozenset((Assertion.START, Assertion.LINE_START))
_ENDS: Final = frozenset((Assertion.END, Assertion.LINE_END))


class Pattern:
    """One regex type, compiled."""

    def __init__(self, definition: RegexType) -> None:
        try:
            self._author = AuthorPattern(definition.data.pattern, is_case_sensitive=definition.data.case_sensitive)
            tree = self._author.tree
            branches = _branches(tree.choices if isinstance(tree, Either) else [tree])
            has_before = any(branch.begins for branch in branches)
            # Where an outer ^ asks what stands before a stretch, every branch takes the character before it, so that
            # of two branches still the one wins that begins first.
            self._inside = _search(branches, lambda branch: _BEFORE if branch.begins else ANY if has_before else None)
            self._at_start = _search(branches, lambda _: None, is_anchored=True) if has_before else None
            self.cost = max(self._author.cost, self._inside.cost, 1)
        except PatternError as problem:
            message = (
                f'training.json: the pattern "{definition.data.pattern}" of the entity type "{definition.name}" cannot '
                f"be used: it {problem}. Mend the pattern."
            )
            raise FlowError([message]) from None

    def find(self, text: str) -> list[Stretch]:
        """Return what the pattern finds in a text, in its order; a text longer than any user sends is looked at only at
        its beginning."""
        if len(text) > MAX_TEXT_CHARACTERS:
            text = text[:MAX_TEXT_CHARACTERS].rpartition(" ")[0]
        return [Stretch(start, end, {"value": text[start:end]}) for start, end in self._spans(text)]

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        inside = self._inside.opened(text)
        at_start = None if self._at_start is None else self._at_start.opened(text)
        may_start = self._author.starts_in(text)
        at, left = 0, _SEARCH_STEPS // self.cost
        while at <= len(text) and left > 0:
            left -= len(text) - at + 1
            span = _span(at_start, 0, is_here=True) if at == 0 and at_start is not None else None
            if span is None:
                span = _span(inside, at if at_start is None else max(at - 1, 0))
            if span is None:
                return
            is_found = may_start(span[0])
            if is_found:
                yield span
            at = span[1] if is_found else span[0] + 1

    def reads(self, text: str) -> dict[str, str] | None:
        """Return a whole text as a value."""
        return {"value": text} if self._author.is_whole(text) else None


class _Branch(NamedTuple):
    """Alternatives of a pattern, without an outer ``^`` and ``$`` that all of them have."""

    begins: bool
    ends: bool
    body: Node


def _branches(choices: Iterable[Node]) -> list[_Branch]:
    """Return one branch for all alternatives in a row that have the same outer anchors: each takes RE2 a group."""
    each = [_branch(choice) for choice in choices]
    return [
        _Branch(begins, ends, either(one.body for one in alike))
        for (begins, ends), alike in itertools.groupby(each, lambda one: (one.begins, one.ends))
    ]


def _branch(node: Node) -> _Branch:
    nodes = node.nodes if isinstance(node, Seq) else (node,)
    begins = bool(nodes) and nodes[0] in _STARTS
    nodes = nodes[1:] if begins else nodes
    ends = bool(nodes) and nodes[-1] in _ENDS
    # A value has at least one character; where the empty text comes first, a later alternative may still give one.
    return _Branch(begins, ends, without_empty(seq(nodes[:-1] if ends else nodes)))


def _search(
    branches: Iterable[_Branch], before: Callable[[_Branch], Node | None], *, is_anchored: bool = False
) -> TextSearch:
    """Return the search for each branch as a group between what must stand before and after it."""
    parts = [
        (seq([one for one in [before(branch)] if one is not None]), branch.body, _AFTER if branch.ends else seq([]))
        for branch in branches
    ]

    def expression(write: Callable[[Node], str]) -> str:
        return "|".join(f"(?:{write(first)})({write(body)})(?:{write(last)})" for first, body, last in parts)

    return TextSearch(either(map(seq, parts)), expression, with_groups=True, is_anchored=is_anchored)


def _span(text: OpenedText, at: int, *, is_here: bool = False) -> tuple[int, int] | None:
    """Return where the next match is, by characters of the text; ``is_here``: at this place or not at all."""
    look = text.expression.match if is_here else text.expression.search
    found = look(text.data, text.offset(at))
    if found is None:
        return None
    group = 1
    while (start := found.start(group)) < 0:
        group += 1  # each branch has a group, and one of them matched
    end = found.end(group)
    if text.offsets is None:
        return start, end
    return bisect_left(text.offsets, start), bisect_left(text.offsets, end)
