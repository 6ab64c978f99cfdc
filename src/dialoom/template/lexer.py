"""Cuts a template's text into content and tags, and tags into tokens. Which may follow which is left to ``parser``."""

from __future__ import annotations

import re
from typing import Final, NoReturn

import msgspec

from dialoom.errors import TemplateError


class Token(msgspec.Struct, frozen=True):
    """One word or sign inside a tag. ``kind`` is one of the group names of ``TOKEN``."""

    kind: str
    text: str
    offset: int


class Content(msgspec.Struct, frozen=True):
    """Text between tags, as the author wrote it but for escapes."""

    text: str
    offset: int
    is_raw: bool = False
    """Inside a raw block, where a tag is text."""


class Tag(msgspec.Struct, frozen=True):
    """``{{...}}``. ``kind``: a value of ``SIGILS``, raw-open, raw-close, else, else-chain or comment."""

    kind: str
    tokens: tuple[Token, ...]
    offset: int
    strips_left: bool = False
    strips_right: bool = False
    end: int = 0
    """Where its closing braces stand."""


SIGILS: Final = {
    "": "output",
    "&": "raw-output",
    "{": "raw-output",
    "#": "open",
    "^": "open-inverse",
    "/": "close",
    ">": "partial",
    "#>": "partial-open",
    "*": "decorator",
    "#*": "decorator-open",
}

OPENING: Final = re.compile(r"\{\{(~?)(#>|#\*|[#/>^{&*]|!--|!|)")
ELSE: Final = re.compile(r"\{\{(~?)(?:\^|\s*else)\s*(~?)\}\}")
ELSE_CHAIN: Final = re.compile(r"\{\{(~?)\s*else(?=\s)")
COMMENT_END: Final = re.compile(r"(~?)\}\}")
LONG_COMMENT_END: Final = re.compile(r"--(~?)\}\}")
CLOSING: Final = re.compile(r"(~?)\}\}")
RAW_CLOSING: Final = re.compile(r"()\}\}\}\}")
RAW_OUTPUT_CLOSING: Final = re.compile(r"\}(~?)\}\}")
RAW_BLOCK_EDGE: Final = re.compile(r"\{\{\{\{(?:/([^\s!\"#%-,./;->@\[-^`{-~]+)\}\}\}\}|(?!/))")
ESCAPED: Final = re.compile(r"(?s).{2,}?(?=\\{0,2}\{\{|\Z)")

NAME_SIGNS: Final = re.compile(r"[^\s!\"#%-,./;->@\[-^`{-~]+")

TOKEN: Final = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<sign>[=()])
  | (?P<pipe>\|)
  | (?P<up>\.\.)
  | (?P<dot>\.(?=[=~}\s/.)\]|]))
  | (?P<separator>[/.])
  | (?P<string>"(?:\\"|[^"])*"|'(?:\\'|[^'])*')
  | (?P<data>@)
  | (?P<literal>(?:true|false|null|undefined)(?=[~}\s)\]]))
  | (?P<number>-?[0-9]+(?:\.[0-9]+)?(?=[~}\s)\]]))
  | (?P<params>as\s+\|)
  | (?P<name>[^\s!"#%-,./;->@\[-^`{-~]+(?=[=~}\s/.)\]|]))
  | (?P<segment>\[(?:\\\]|[^\]])*\])
    """,
    re.VERBOSE,
)


def cut(source: str) -> list[Content | Tag]:
    """Return the template's pieces in order."""
    return _Cutter(source).run()


class _Cutter:
    def __init__(self, source: str) -> None:
        self.source = source
        self.pieces: list[Content | Tag] = []

    def run(self) -> list[Content | Tag]:
        position = 0
        while position < len(self.source):
            start = self.source.find("{{", position)
            if start < 0:
                self.content(self.source[position:], position)
                break
            before = self.source[position:start]
            if before.endswith("\\") and not before.endswith("\\\\"):
                self.content(before[:-1], position)
                position = self.escaped(start)
                continue
            self.content(before[:-1] if before.endswith("\\\\") else before, position)
            position = self.tag(start)
        return self.pieces

    def content(self, text: str, offset: int) -> None:
        if text:
            self.pieces.append(Content(text, offset))

    def escaped(self, start: int) -> int:
        """Return a tag behind a backslash is text, up to where the next tag begins."""
        match = ESCAPED.match(self.source, start)
        end = len(self.source) if match is None else match.end()
        self.content(self.source[start:end], start)
        return end

    def tag(self, start: int) -> int:
        if self.source.startswith("{{{{", start):
            return self.raw_block(start)
        match = ELSE.match(self.source, start)
        if match is not None:
            self.pieces.append(Tag("else", (), start, bool(match[1]), bool(match[2])))
            return match.end()
        match = ELSE_CHAIN.match(self.source, start)
        if match is not None:
            return self.expression("else-chain", start, match.end(), bool(match[1]), CLOSING)
        match = OPENING.match(self.source, start)
        if match is None:  # the pattern matches wherever "{{" stands
            self.fail("A tag begins here that cannot be read.", start)
        sigil = match[2]
        if sigil.startswith("!"):
            end = (LONG_COMMENT_END if sigil == "!--" else COMMENT_END).search(self.source, match.end())
            if end is None:
                self.fail(f"The comment that begins here is not closed. Close it with {sigil[1:]}}}}}.", start)
            self.pieces.append(Tag("comment", (), start, bool(match[1]), bool(end[1])))
            return end.end()
        closing = RAW_OUTPUT_CLOSING if sigil == "{" else CLOSING
        return self.expression(SIGILS[sigil], start, match.end(), bool(match[1]), closing)

    def expression(self, kind: str, start: int, position: int, strips_left: bool, closing: re.Pattern[str]) -> int:
        tokens: list[Token] = []
        end = self.tokens(tokens, start, position, closing)
        self.pieces.append(Tag(kind, tuple(tokens), start, strips_left, bool(end[1]), end.start()))
        return end.end()

    def tokens(self, tokens: list[Token], start: int, position: int, closing: re.Pattern[str]) -> re.Match[str]:
        """Reads tokens up to the closing braces, which it returns."""
        while True:
            end = closing.match(self.source, position)
            if end is not None:
                if closing is CLOSING and self.source.startswith("}", end.end()):
                    self.fail("}}} closes {{{ only. Put a space between }} and a brace that is text.", position)
                return end
            match = TOKEN.match(self.source, position)
            if match is None:
                self.unreadable(start, position, closing)
            if match.lastgroup != "space":
                tokens.append(Token(match.lastgroup or "", match.group(), position))
            position = match.end()

    def unreadable(self, start: int, position: int, closing: re.Pattern[str]) -> NoReturn:
        sign = self.source[position : position + 1]
        if sign in ('"', "'"):
            self.fail(f"The text that begins here has no closing {sign}.", position)
        if sign == "[":
            self.fail("The segment that begins here has no closing ].", position)
        if sign == "" or self.source.find("}}", position) < 0:
            braces = {RAW_OUTPUT_CLOSING: "}}}", RAW_CLOSING: "}}}}"}.get(closing, "}}")
            self.fail(f"The tag that begins here is not closed. Close it with {braces}.", start)
        name = NAME_SIGNS.match(self.source, position)
        if name is not None:  # a name is cut short by a sign that may not follow it
            position = name.end()
            sign = self.source[position]
        self.fail(
            f"{sign!r} cannot stand here in a tag. Write a field of that name in brackets: {{{{[name]}}}}.", position
        )

    def raw_block(self, start: int) -> int:
        """``{{{{name}}}} ... {{{{/name}}}}``: all between is text, raw blocks inside included."""
        if self.source.startswith("/", start + 4):
            self.fail("This raw block is closed but was never opened.", start)
        tokens: list[Token] = []
        close = self.tokens(tokens, start, start + 4, RAW_CLOSING)
        position = close.end()
        self.pieces.append(Tag("raw-open", tuple(tokens), start, end=close.start()))
        depth, begin = 1, position
        while True:
            edge = RAW_BLOCK_EDGE.search(self.source, position)
            if edge is None:
                self.fail("The raw block that begins here is not closed. Close it with {{{{/name}}}}.", start)
            position = edge.end()
            depth += 1 if edge[1] is None else -1
            if depth == 0:
                break
        if edge.start() > begin:
            self.pieces.append(Content(self.source[begin : edge.start()], begin, is_raw=True))
        self.pieces.append(Tag("raw-close", (Token("name", edge[1], edge.start() + 5),), edge.start()))
        return position

    def fail(self, message: str, offset: int) -> NoReturn:
        raise TemplateError(message, offset)
