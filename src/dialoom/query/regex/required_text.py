"""Finds what each text that matches a tree must hold, so that a database can tell it without a regular expression."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from string import ascii_uppercase
from typing import Final, NamedTuple

from dialoom.regex.tree import Assertion, Either, Node, Repeat, Seq, Set, is_nullable, seq

_MAX_WORDS: Final = 16
"""Words that are searched for one by one."""
_MIN_CODE_CHARS: Final = 3
"""JSONB copies write U+0000 and U+0001 as two characters each of the first three, so that these are not looked for."""
_AT_START: Final = frozenset((Assertion.START, Assertion.LINE_START))


class RequiredText(NamedTuple):
    """What is true of each text that matches; if ``exact``, of no other."""

    exact: bool
    among: tuple[str, ...] = ()
    """The text is one of these."""
    begins: str = ""
    """The text begins so."""
    contains: tuple[str, ...] = ()
    """One of these is in the text."""
    any_case: bool = False
    """``contains`` is true of the text with its ASCII letters in lower case."""


ANY_TEXT: Final = RequiredText(exact=True)
"""Every text matches."""


def trimmed(node: Node) -> Node:
    """Return a tree that is found in the same texts, without what may match nothing at both ends."""
    nodes = [*node.nodes] if isinstance(node, Seq) else [node]
    while nodes and is_nullable(nodes[-1], frozenset()):
        nodes.pop()
    while nodes and is_nullable(nodes[0], frozenset()):
        nodes.pop(0)
    return seq(nodes)


def required_text(node: Node) -> RequiredText:
    """Return what each text holds in which the tree is found."""
    if is_nullable(node, _AT_START):
        return ANY_TEXT
    nodes = node.nodes if isinstance(node, Seq) else (node,)
    if nodes[0] is Assertion.START:
        return _anchored(nodes[1:])
    for any_case, letter in ((False, _literal), (True, _caseless_literal)):
        words = _words(node, letter)
        if words:
            return RequiredText(exact=True, contains=words, any_case=any_case)
    return _containing(nodes)


def _anchored(nodes: Sequence[Node]) -> RequiredText:
    first, *rest = _runs(nodes, _literal) if nodes else [""]
    if not isinstance(first, str):
        return _containing(nodes)
    match rest:
        case []:
            return RequiredText(exact=True, begins=first)
        case [Assertion.END_OR_LAST]:
            return RequiredText(exact=True, among=(first, f"{first}\n"))
        case [Assertion.END]:
            return RequiredText(exact=True, among=(first,))
    return _containing(nodes[len(first) :])._replace(begins=first)


def _containing(nodes: Sequence[Node]) -> RequiredText:
    """Return the longest words of which one must be found."""
    exactly, anyhow = _longest(nodes, _literal), _longest(nodes, _caseless_literal)
    if _length(anyhow) > _length(exactly):
        return RequiredText(exact=False, contains=anyhow, any_case=True)
    return RequiredText(exact=False, contains=exactly)


def _longest(nodes: Sequence[Node], letter: Callable[[Node], str | None]) -> tuple[str, ...]:
    best: tuple[str, ...] = ()
    for run in _runs(nodes, letter):
        match run:
            case str():
                found: tuple[str, ...] = (run,)
            case Repeat(inner, least) if least > 0:
                found = _longest(inner.nodes if isinstance(inner, Seq) else [inner], letter)
            case Either():
                found = _words(run, letter)
            case _:
                continue
        if _length(found) > _length(best):
            best = found
    return best


def _words(node: Node, letter: Callable[[Node], str | None]) -> tuple[str, ...]:
    """Return the texts of which one must be found, where that is all."""
    words = []
    choices = node.choices if isinstance(node, Either) else (node,)
    for choice in choices[: _MAX_WORDS + 1]:
        match _runs(choice.nodes if isinstance(choice, Seq) else [choice], letter):
            case [str(word)]:
                words.append(word)
            case _:
                return ()
    return tuple(words) if len(words) <= _MAX_WORDS else ()


def _length(words: Sequence[str]) -> int:
    return min(map(len, words), default=0)


def _runs(nodes: Iterable[Node], letter: Callable[[Node], str | None]) -> list[str | Node]:
    """Return the nodes with neighbours that are single characters joined to a text."""
    runs: list[str | Node] = []
    for is_text, group in groupby(nodes, lambda node: letter(node) is not None):
        members = [*group]
        runs += ["".join(letter(member) or "" for member in members)] if is_text else members
    return runs


def _literal(node: Node) -> str | None:
    """Return the one character that the node matches; None if there are more."""
    if not isinstance(node, Set) or len(node.spans) != 1 or node.properties or node.negated:
        return None
    first, last = node.spans[0]
    return chr(first) if first == last >= _MIN_CODE_CHARS else None


def _caseless_literal(node: Node) -> str | None:
    """Return the same for what has no case, and for an ASCII letter in either case: not k and s, which have a third."""
    letter = _literal(node)
    if letter is not None:
        return None if letter.isascii() and letter.isalpha() else letter
    match node:
        case Set(((large, also_large), (small, also_small)), (), False):
            if large == also_large and small == also_small == large + 32 and chr(large) in ascii_uppercase:
                return chr(small)
    return None
