"""Puts tags into each other: which tag closes which. What stands inside a tag is left to ``parser``."""

from __future__ import annotations

from typing import Final

from dialoom.errors import TemplateError
from dialoom.template.lexer import Content, Tag

MAX_NESTING: Final = 50
"""Of blocks in blocks, and of parentheses in parentheses; far past what people write, far below Python's stack."""

OPENING: Final = frozenset({"open", "open-inverse", "partial-open", "decorator-open", "raw-open"})
ENDING: Final = frozenset({"close", "else", "else-chain", "raw-close"})
WITH_ELSE: Final = frozenset({"open", "open-inverse", "else-chain"})


class Section:
    """A block with its tags. ``program`` runs when it holds, ``inverse`` when not; ``{{^...}}`` begins with that."""

    __slots__ = ("close", "inverse", "program", "tag", "turn")

    def __init__(self, tag: Tag) -> None:
        self.tag = tag
        self.program: list[Item] | None = None
        self.inverse: list[Item] | None = None
        self.turn: Tag | None = None
        """The tag between them."""
        self.close = tag
        """The tag whose ``~`` counts for the end; the second and later ``{{else if}}`` take their own, as in
        handlebars.js."""

    @property
    def first_inverse(self) -> list[Item]:
        """Return what follows the turn: the inverse, or the program of the block that ``{{else if ...}}`` opens in
        it."""
        items = self.inverse or []
        if self.turn is not None and self.turn.kind == "else-chain" and items and isinstance(items[0], Section):
            return items[0].program or []
        return items


Item = Content | Tag | Section


def nest(pieces: list[Content | Tag]) -> list[Item]:
    """Return the pieces with each block as one item."""
    nester = _Nester(pieces)
    items, end = nester.program()
    if end is not None:
        what = "{{else}}" if end.kind.startswith("else") else "This tag"
        raise TemplateError(f"{what} stands outside of a block. Open the block with {{{{#name}}}} first.", end.offset)
    return items


class _Nester:
    def __init__(self, pieces: list[Content | Tag]) -> None:
        self.pieces = iter(pieces)
        self.depth = 0

    def program(self) -> tuple[list[Item], Tag | None]:
        """Read items up to a tag that ends or turns the block; that tag is returned beside them."""
        items: list[Item] = []
        for piece in self.pieces:
            if isinstance(piece, Tag) and piece.kind in ENDING:
                return items, piece
            if isinstance(piece, Tag) and piece.kind in OPENING:
                section, end = self.section(piece)
                section.close = closing(section, end)
                items.append(section)
            else:
                items.append(piece)
        return items, None

    def section(self, tag: Tag) -> tuple[Section, Tag | None]:
        """Read a block from its opening tag on; the tag that closes it is returned beside it."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise TemplateError(
                f"Blocks are nested deeper than {MAX_NESTING}; each {{{{else if}}}} counts.", tag.offset
            )
        section = Section(tag)
        body, end = self.program()
        other: list[Item] | None = None
        if end is not None and end.kind == "else" and tag.kind in WITH_ELSE:
            section.turn = end
            other, end = self.program()
        elif end is not None and end.kind == "else-chain" and tag.kind in WITH_ELSE and tag.kind != "open-inverse":
            section.turn = end
            link, end = self.section(end)
            other = [link]
            if tag.kind != "else-chain" and end is not None:
                link.close = end
        section.program, section.inverse = (other, body) if tag.kind == "open-inverse" else (body, other)
        self.depth -= 1
        return section, end


def closing(section: Section, end: Tag | None) -> Tag:
    """Return the tag that closes the block, or complain."""
    name = section.tag.name
    if end is None:
        raise TemplateError(
            f"The block {{{{#{name}}}}} is not closed. Close it with {{{{/{name}}}}}.", section.tag.offset
        )
    if end.kind.startswith("else"):
        raise TemplateError(f"The block {{{{#{name}}}}} has no room for another {{{{else}}}} here.", end.offset)
    return end
