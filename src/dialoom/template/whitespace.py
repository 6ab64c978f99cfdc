"""White space around tags: ``~`` takes all of it, and a tag alone on its line takes the line with it.

The rules are those of handlebars.js 4.7, in its order: what a rule takes away hides nothing from the next, since each
looks at the text as it was written.
"""

from __future__ import annotations

from typing import Final

from dialoom.template.lexer import SPACE, Content, Tag
from dialoom.template.sections import Item, Section

INLINE: Final = frozenset({"comment", "partial"})
"""Kinds of tags that have no block and can stand alone on their line."""


def trim(items: list[Item], *, standalone: bool = True) -> dict[int, str]:
    """Take white space away from the contents; return the indent of each partial alone on its line, by offset."""
    trimmer = _Trimmer(standalone)
    trimmer.program(items, is_root=True)
    return trimmer.indents


class _Trimmer:
    def __init__(self, standalone: bool) -> None:
        self.standalone = standalone
        self.indents: dict[int, str] = {}

    def program(self, items: list[Item], *, is_root: bool = False) -> None:
        for index, item in enumerate(items):
            if isinstance(item, Content):
                continue
            before, after = _ends_line(items, index, is_root), _begins_line(items, index, is_root)
            if isinstance(item, Tag):
                self.strip(items, index, item, item)
                if self.standalone and item.kind in INLINE and before and after:
                    self.take_line(items, index, item)
                continue
            self.section(item)
            self.strip(items, index, item.tag, item.close)
            first = _first(item.program, item.inverse)
            if self.standalone and before and _begins_line(first, -1):
                _cut_start(first, 0)
                _cut_end(items, index - 1)
            last = item.first_inverse if item.program is not None and item.inverse is not None else first
            if self.standalone and after and _ends_line(last, len(last)):
                _cut_start(items, index + 1)
                last = _first(item.inverse, item.program)
                _cut_end(last, len(last) - 1)

    def strip(self, items: list[Item], index: int, opening: Tag, closing: Tag) -> None:
        if closing.strips_right:
            _cut_start(items, index + 1, SPACE)
        if opening.strips_left:
            _cut_end(items, index - 1, SPACE)

    def take_line(self, items: list[Item], index: int, tag: Tag) -> None:
        _cut_start(items, index + 1)
        before = items[index - 1] if index else None
        if _cut_end(items, index - 1) and tag.kind == "partial" and isinstance(before, Content):
            self.indents[tag.offset] = before.original[len(before.original.rstrip(" \t")) :]

    def section(self, section: Section) -> None:
        """Trim inside of a block."""
        for items in (section.program, section.inverse):
            if items is not None:
                self.program(items)
        program = _first(section.program, section.inverse)
        if section.tag.strips_right:
            _cut_start(program, 0, SPACE)
        if section.program is None or section.inverse is None or section.turn is None:
            if section.close.strips_left:
                _cut_end(program, len(program) - 1, SPACE)
            return
        inverse = section.first_inverse
        if section.turn.strips_left:
            _cut_end(program, len(program) - 1, SPACE)
        if section.turn.strips_right:
            _cut_start(inverse, 0, SPACE)
        if section.close.strips_left:
            _cut_end(inverse, len(inverse) - 1, SPACE)
        if self.standalone and _ends_line(program, len(program)) and _begins_line(inverse, -1):
            _cut_end(program, len(program) - 1)
            _cut_start(inverse, 0)


def _first(*programs: list[Item] | None) -> list[Item]:
    return next((items for items in programs if items is not None), [])


def _ends_line(items: list[Item], index: int, is_root: bool = False) -> bool:
    """Return whether nothing but white space stands between the item at ``index`` and the line's beginning."""
    if index == 0:
        return is_root
    before = items[index - 1]
    if not isinstance(before, Content):
        return False
    text = before.original
    space = text[len(text.rstrip(SPACE)) :]
    return "\n" in space or (is_root and index == 1 and space == text)


def _begins_line(items: list[Item], index: int, is_root: bool = False) -> bool:
    """Return whether nothing but white space stands between the item at ``index`` and the line's end."""
    if index == len(items) - 1:
        return is_root
    after = items[index + 1]
    if not isinstance(after, Content):
        return False
    text = after.original
    space = text[: len(text) - len(text.lstrip(SPACE))]
    return "\n" in space or (is_root and index == len(items) - 2 and space == text)


def _cut_start(items: list[Item], index: int, signs: str = "") -> None:
    """Take the ``signs`` from the beginning of a content; without them blanks and a line break, which is done once."""
    content = items[index] if index < len(items) else None
    if not isinstance(content, Content) or (not signs and content.is_start_cut):
        return
    text = content.text.lstrip(signs or " \t")
    if not signs:
        text = text.removeprefix("\r").removeprefix("\n")
    content.is_start_cut = text != content.text
    content.text = text


def _cut_end(items: list[Item], index: int, signs: str = "") -> bool:
    """Take the ``signs`` from the end of a content; without them blanks, which is done once. Return whether it did."""
    content = items[index] if index >= 0 else None
    if not isinstance(content, Content) or (not signs and content.is_end_cut):
        return False
    text = content.text.rstrip(signs or " \t")
    content.is_end_cut = text != content.text
    content.text = text
    return content.is_end_cut
