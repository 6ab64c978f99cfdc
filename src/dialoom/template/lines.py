"""White space around tags: ``~`` takes all of it, and a tag alone on its line takes its line with it."""

from __future__ import annotations

import re
from typing import Final

from dialoom.template.lexer import Content, Tag

STANDALONE: Final = frozenset(
    {
        "open",
        "open-inverse",
        "close",
        "else",
        "else-chain",
        "comment",
        "partial",
        "partial-open",
        "decorator-open",
        "raw-open",
        "raw-close",
    }
)
"""Kinds of tags that print nothing where they stand, and so take their line with them."""

LINE_AFTER: Final = re.compile(r"[^\S\n]*\n")
BLANK_LINE_START: Final = re.compile(r"[ \t]*\r?\n?")


def trim(pieces: list[Content | Tag], *, standalone: bool = True) -> tuple[list[Content | Tag], dict[int, str]]:
    """Return the pieces with white space taken away, and the indent of each partial alone on its line, by offset."""
    cuts = {index: (0, len(piece.text)) for index, piece in enumerate(pieces) if isinstance(piece, Content)}
    indents: dict[int, str] = {}
    for index, piece in enumerate(pieces):
        if not isinstance(piece, Tag):
            continue
        alone = standalone and piece.kind in STANDALONE and _is_alone(pieces, index)
        if index - 1 in cuts:
            text = _text(pieces[index - 1])
            if piece.strips_left:
                _end_at(cuts, index - 1, len(text.rstrip()))
            elif alone:
                end = _blank_end(text)
                if piece.kind == "partial":
                    indents[piece.offset] = text[end:]
                _end_at(cuts, index - 1, end)
        if index + 1 in cuts:
            text = _text(pieces[index + 1])
            if piece.strips_right:
                _begin_at(cuts, index + 1, len(text) - len(text.lstrip()))
            elif alone:
                match = BLANK_LINE_START.match(text)
                _begin_at(cuts, index + 1, match.end() if match else 0)
    return [_cut(piece, cuts.get(index)) for index, piece in enumerate(pieces)], indents


def _text(piece: Content | Tag) -> str:
    return piece.text if isinstance(piece, Content) else ""


def _blank_end(text: str) -> int:
    return len(text.rstrip(" \t"))


def _end_at(cuts: dict[int, tuple[int, int]], index: int, end: int) -> None:
    cuts[index] = (cuts[index][0], min(end, cuts[index][1]))


def _begin_at(cuts: dict[int, tuple[int, int]], index: int, start: int) -> None:
    cuts[index] = (max(start, cuts[index][0]), cuts[index][1])


def _cut(piece: Content | Tag, span: tuple[int, int] | None) -> Content | Tag:
    if span is None or not isinstance(piece, Content) or span == (0, len(piece.text)):
        return piece
    return Content(piece.text[span[0] : span[1]], piece.offset, piece.is_raw)


def _is_alone(pieces: list[Content | Tag], index: int) -> bool:
    """Return whether nothing but white space stands on the tag's line; the text's edges count as line ends."""
    return _ends_line(pieces, index) and _begins_line(pieces, index)


def _ends_line(pieces: list[Content | Tag], index: int) -> bool:
    if index == 0:
        return True
    before = pieces[index - 1]
    if not isinstance(before, Content):
        return False
    tail = before.text[_line_start(before.text) :]
    return not tail.strip() and (len(tail) < len(before.text) or index == 1)


def _line_start(text: str) -> int:
    return text.rfind("\n") + 1


def _begins_line(pieces: list[Content | Tag], index: int) -> bool:
    if index == len(pieces) - 1:
        return True
    after = pieces[index + 1]
    if not isinstance(after, Content):
        return False
    if LINE_AFTER.match(after.text):
        return True
    return index + 2 == len(pieces) and not after.text.strip()
