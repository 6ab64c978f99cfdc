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


class Content:
    """Text between tags: ``original`` as the author wrote it but for escapes, ``text`` what ``whitespace`` leaves."""

    __slots__ = ("is_end_cut", "is_start_cut", "original", "text")

    def __init__(self, text: str) -> None:
        self.original = self.text = text
        self.is_start_cut = self.is_end_cut = False


class Tag(msgspec.Struct, frozen=True):
    """``{{...}}``. ``kind``: a value of ``SIGILS``, raw-open, raw-close, else, else-chain or comment."""

    kind: str
    tokens: tuple[Token, ...]
    offset: int
    strips_left: bool = False
    strips_right: bool = False
    end: int = 0
    """Where its closing braces stand."""

    @property
    def name(self) -> str:
        """Return its first word, for errors."""
        text, end = "", None
        for token in self.tokens:
            if end is not None and token.offset != end:
                break
            text, end = text + token.text, token.offset + len(token.text)
        return text or "..."


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

SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""White space as JavaScript has it; Python's own counts U+001C to U+001F and U+0085 in, and U+FEFF out."""
NAME: Final = rf"""[^{SPACE}!"#%-,./;->@\[-^`{{-~]+"""

OPENING: Final = re.compile(r"\{\{(~?)(#>|#\*|[#/>^{&*]|!)?")
ELSE: Final = re.compile(rf"\{{\{{(~?)(?:\^|[{SPACE}]*else)[{SPACE}]*(~?)\}}\}}")
ELSE_CHAIN: Final = re.compile(rf"\{{\{{(~?)[{SPACE}]*else(?![A-Za-z0-9_])")
COMMENT_END: Final = re.compile(r"(~?)\}\}")
LONG_COMMENT_END: Final = re.compile(r"--(~?)\}\}")
CLOSING: Final = re.compile(r"(?P<raw>\}\}\}\})|\}(?P<triple>~?)\}\}|(?P<plain>~?)\}\}")
BRACES: Final = {"raw": ("{{{{", "}}}}"), "triple": ("{{{", "}}}"), "plain": ("{{", "}}")}
RAW_BLOCK_EDGE: Final = re.compile(rf"\{{\{{\{{\{{(?:/({NAME})\}}\}}\}}\}}|(?!/))")
ESCAPED: Final = re.compile(r"(?s).{2,}?(?=\\{0,2}\{\{|\Z)")

NAME_SIGNS: Final = re.compile(NAME)

TOKEN: Final = re.compile(
    rf"""
    (?P<space>[{SPACE}]+)
  | (?P<sign>[=()])
  | (?P<pipe>\|)
  | (?P<up>\.\.)
  | (?P<dot>\.(?=[=~}}{SPACE}/.)|]))
  | (?P<separator>[/.])
  | (?P<string>"(?:\\"|[^"])*"|'(?:\\'|[^'])*')
  | (?P<data>@)
  | (?P<literal>(?:true|false|null|undefined)(?=[~}}{SPACE})]))
  | (?P<number>-?[0-9]+(?:\.[0-9]+)?(?=[~}}{SPACE})]))
  | (?P<params>as[{SPACE}]+\|)
  | (?P<name>{NAME}(?=[=~}}{SPACE}/.)|]))
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
                self.content(self.source[position:])
                break
            before = self.source[position:start]
            if before.endswith("\\") and not before.endswith("\\\\"):
                self.content(before[:-1])
                position = self.escaped(start)
                continue
            self.content(before[:-1] if before.endswith("\\\\") else before)
            position = self.tag(start)
        return self.pieces

    def content(self, text: str) -> None:
        if text:
            self.pieces.append(Content(text))

    def escaped(self, start: int) -> int:
        """Return a tag behind a backslash is text, up to where the next tag begins."""
        match = ESCAPED.match(self.source, start)
        end = len(self.source) if match is None else match.end()
        self.content(self.source[start:end])
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
            return self.expression("else-chain", start, match.end(), bool(match[1]), "plain")
        match = OPENING.match(self.source, start)
        if match is None:  # the pattern matches wherever "{{" stands
            self.fail("A tag begins here that cannot be read.", start)
        sigil = match[2] or ""
        if sigil == "!":
            is_long = self.source.startswith("--", match.end())
            end = (LONG_COMMENT_END if is_long else COMMENT_END).search(self.source, match.end())
            if end is None:
                self.fail(f"The comment that begins here is not closed. Close it with {'--' * is_long}}}}}.", start)
            self.pieces.append(Tag("comment", (), start, bool(match[1]), bool(end[1])))
            return end.end()
        closing = "triple" if sigil == "{" else "plain"
        return self.expression(SIGILS[sigil], start, match.end(), bool(match[1]), closing)

    def expression(self, kind: str, start: int, position: int, strips_left: bool, closing: str) -> int:
        tokens: list[Token] = []
        end = self.tokens(tokens, start, position, closing)
        self.pieces.append(Tag(kind, tuple(tokens), start, strips_left, bool(end[closing]), end.start()))
        return end.end()

    def tokens(self, tokens: list[Token], start: int, position: int, closing: str) -> re.Match[str]:
        """Reads tokens up to the closing braces, which must be of the kind ``closing``; returns them."""
        while True:
            end = CLOSING.match(self.source, position)
            if end is not None:
                if end.lastgroup != closing:
                    begin, braces = BRACES[end.lastgroup or ""]
                    wanted = BRACES[closing][1]
                    self.fail(
                        f"{braces} closes {begin} only. Close this tag with {wanted}. "
                        f"Put a space between {wanted} and a brace that is text.",
                        position,
                    )
                return end
            match = TOKEN.match(self.source, position)
            if match is None:
                self.unreadable(start, position, closing)
            if match.lastgroup != "space":
                tokens.append(Token(match.lastgroup or "", match.group(), position))
            position = match.end()

    def unreadable(self, start: int, position: int, closing: str) -> NoReturn:
        sign = self.source[position : position + 1]
        if sign in ('"', "'"):
            self.fail(f"The text that begins here has no closing {sign}.", position)
        if sign == "[":
            self.fail("The segment that begins here has no closing ].", position)
        if sign == "" or self.source.find("}}", position) < 0:
            self.fail(f"The tag that begins here is not closed. Close it with {BRACES[closing][1]}.", start)
        name = NAME_SIGNS.match(self.source, position)
        if name is not None:  # a name is cut short by a sign that may not follow it
            position = name.end()
            sign = self.source[position]
        self.fail(
            f"{sign!r} cannot stand here in a tag. Write a field of that name in brackets: {{{{[name]}}}}.", position
        )

    def raw_block(self, start: int) -> int:
        """Read ``{{{{name}}}} ... {{{{/name}}}}``: all between is text, raw blocks inside included."""
        if self.source.startswith("/", start + 4):
            self.fail("This raw block is closed but was never opened.", start)
        tokens: list[Token] = []
        close = self.tokens(tokens, start, start + 4, "raw")
        position = close.end()
        self.pieces.append(Tag("raw-open", tuple(tokens), start, end=close.start()))
        depth = 1
        while True:
            edge = RAW_BLOCK_EDGE.search(self.source, position)
            if edge is None:
                self.fail("The raw block that begins here is not closed. Close it with {{{{/name}}}}.", start)
            self.content(self.source[position : edge.start()])
            position = edge.end()
            depth += 1 if edge[1] is None else -1
            if depth == 0:
                break
            self.content(edge[0])
        self.pieces.append(Tag("raw-close", (Token("name", edge[1], edge.start() + 5),), edge.start()))
        return position

    def fail(self, message: str, offset: int) -> NoReturn:
        raise TemplateError(message, offset)
