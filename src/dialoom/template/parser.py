"""Reads a template's text into its tree, by the grammar of Handlebars. Which helpers exist is left to ``render``."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final, NoReturn

from dialoom.errors import TemplateError
from dialoom.template.lexer import Content, Tag, Token, cut
from dialoom.template.nodes import Block, Call, Expression, Inline, Literal, Node, Output, Partial, Path, Text
from dialoom.template.sections import MAX_NESTING, WITH_ELSE, Item, Section, nest
from dialoom.template.whitespace import trim

MAX_SOURCE_CHARS: Final = 512 * 1024

ESCAPED_SIGN: Final = re.compile(r"\\([\\\]])")
WORDS: Final[dict[str, object]] = {"true": True, "false": False, "null": None, "undefined": None}
HEADS: Final = frozenset({"name", "segment", "up", "dot", "data", "string", "number", "literal"})


def parse(source: str, *, standalone: bool = True) -> tuple[Node, ...]:
    """Return the tree of a template; ``standalone`` switches the rule for tags alone on their line."""
    if len(source) > MAX_SOURCE_CHARS:
        raise TemplateError(
            f"The template has {len(source)} characters; at most {MAX_SOURCE_CHARS} are allowed.", MAX_SOURCE_CHARS
        )
    items = nest(cut(source))
    return _Parser(trim(items, standalone=standalone)).program(items)


class _Parser:
    """Turns items into nodes. ``indents`` holds the white space before partials alone on their line, by offset."""

    def __init__(self, indents: dict[int, str]) -> None:
        self.indents = indents

    def program(self, items: list[Item] | None) -> tuple[Node, ...]:
        nodes: list[Node] = []
        shown = [item for item in items or () if not isinstance(item, Tag) or item.kind != "comment"]
        for is_text, group in groupby(shown, lambda item: isinstance(item, Content)):
            if is_text:
                text = "".join([item.text for item in group if isinstance(item, Content)])
                nodes += [Text(text)] if text else []
            else:
                nodes += [self.statement(item) for item in group if not isinstance(item, Content)]
        return tuple(nodes)

    def statement(self, item: Tag | Section) -> Node:
        if isinstance(item, Section):
            return self.section(item)
        if item.kind == "partial":
            return self.partial(item, None)
        if item.kind == "decorator":
            fail("This decorator is not known. The only one is {{#*inline}}.", item.offset)
        return Output(_call(item), item.kind == "raw-output", item.offset)

    def section(self, section: Section) -> Node:
        tag = section.tag
        if tag.kind == "partial-open":
            self.check_close(section, _Words(tag).expression())
            return self.partial(tag, self.program(section.program))
        words = _Words(tag)
        call = words.call()
        names = words.block_parameters() if tag.kind in WITH_ELSE else ()
        words.finish()
        self.check_close(section, call.head)
        body, inverse = self.program(section.program), self.program(section.inverse)
        if tag.kind == "decorator-open":
            if (
                call.head.original != "inline"
                or len(call.parameters) != 1
                or not isinstance(call.parameters[0], Literal)
            ):
                fail('This decorator is not known. Write {{#*inline "name"}}.', tag.offset)
            return Inline(call.parameters[0].original, body, tag.offset)
        if tag.kind == "open-inverse":
            return Block(call, body, inverse, inverse_names=names, offset=tag.offset)
        return Block(call, body, inverse, names, offset=tag.offset)

    def check_close(self, section: Section, head: Expression) -> None:
        """Complain unless the closing tag names the block."""
        if section.tag.kind == "else-chain":  # closed by the tag of the whole block
            return
        words = _Words(section.close)
        closing = words.expression() if words.peek() in HEADS else None
        words.finish()
        name, found = _name(head), _name(closing)
        if found != name:
            fail(f"{{{{/{found}}}}} closes the block {{{{#{name}}}}}. Write {{{{/{name}}}}}.", section.close.offset)

    def partial(self, tag: Tag, block: tuple[Node, ...] | None) -> Partial:
        words = _Words(tag)
        name = words.expression()
        parameters, named = words.arguments()
        words.finish()
        if len(parameters) > 1:
            fail(f"A partial takes one context; here are {len(parameters)}.", tag.offset)
        context = parameters[0] if parameters else None
        return Partial(name, context, named, block, self.indents.get(tag.offset, ""), tag.offset)


def _call(tag: Tag) -> Call:
    words = _Words(tag)
    call = words.call()
    words.finish()
    return call


def _name(head: Expression | None) -> str:
    if isinstance(head, Path) and head.is_data:
        return f"@{head.original}"
    return head.original if isinstance(head, (Path, Literal)) else ""


def fail(message: str, offset: int) -> NoReturn:
    raise TemplateError(message, offset)


class _Words:
    """Reads the tokens of one tag."""

    def __init__(self, tag: Tag) -> None:
        self.tag = tag
        self.tokens = tag.tokens
        self.position = 0
        self.depth = 0

    def peek(self, ahead: int = 0) -> str:
        index = self.position + ahead
        return self.tokens[index].kind if index < len(self.tokens) else "end"

    def next(self) -> Token:
        if self.position >= len(self.tokens):
            self.fail("Something is missing in this tag.")
        token = self.tokens[self.position]
        self.position += 1
        return token

    def sign(self) -> str:
        return self.tokens[self.position].text if self.peek() == "sign" else ""

    def finish(self) -> None:
        if self.position < len(self.tokens):
            self.fail(f"{self.tokens[self.position].text!r} is not expected here.")

    def call(self) -> Call:
        """Return a helper's name or path with its arguments."""
        offset = self.offset()
        head = self.expression()
        if isinstance(head, Call):
            self.fail("A tag begins with a name, not with a parenthesis.", offset)
        parameters, named = self.arguments()
        return Call(head, parameters, named, offset)

    def arguments(self) -> tuple[tuple[Expression, ...], tuple[tuple[str, Expression], ...]]:
        parameters: list[Expression] = []
        named: list[tuple[str, Expression]] = []
        while self.peek() in HEADS or self.sign() == "(":
            if (
                self.peek() in {"name", "segment"}
                and self.peek(1) == "sign"
                and self.tokens[self.position + 1].text == "="
            ):
                key = _segment(self.next())
                self.next()
                named.append((key, self.expression()))
            elif named:
                self.fail("A plain argument cannot follow a named one. Put it before.")
            else:
                parameters.append(self.expression())
        return tuple(parameters), tuple(named)

    def block_parameters(self) -> tuple[str, ...]:
        if self.peek() != "params":
            return ()
        self.next()
        names: list[str] = []
        while self.peek() in {"name", "segment"}:
            names.append(_segment(self.next()))
        if self.peek() != "pipe" or not names:
            self.fail("Block parameters are written as |name name|.")
        self.next()
        return tuple(names)

    def expression(self) -> Expression:
        token = self.next()
        if token.text == "(" and token.kind == "sign":
            self.depth += 1
            if self.depth > MAX_NESTING:
                self.fail(f"Parentheses are nested deeper than {MAX_NESTING}.", token.offset)
            call = self.call()
            if self.sign() != ")":
                self.fail("This parenthesis is not closed.", token.offset)
            self.next()
            self.depth -= 1
            return call
        if token.kind == "string":
            quote = token.text[0]
            text = token.text[1:-1].replace("\\" + quote, quote)
            return Literal(text, text, token.offset)
        if token.kind == "number":
            number = float(token.text)
            whole = number.is_integer() and "." not in token.text and len(token.text) < 17
            return Literal(int(token.text) if whole else number, token.text, token.offset)
        if token.kind == "literal":
            return Literal(WORDS[token.text], token.text, token.offset)
        return self.path(token)

    def path(self, first: Token) -> Path:
        is_data = first.kind == "data"
        token = self.next() if is_data else first
        depth, parts, original = 0, list[str](), ""
        is_scoped = token.kind in {"up", "dot"} or token.text == "this"
        while True:
            if token.kind not in {"name", "segment", "up", "dot", "literal", "number"}:
                self.fail(f"{token.text!r} cannot be a part of a path.", token.offset)
            segment = _segment(token)
            original += segment
            if token.kind != "segment" and segment in {"..", ".", "this"}:
                if parts:
                    self.fail(f"{original!r} is no path: {segment!r} stands at its beginning only.", first.offset)
                depth += segment == ".."
            else:
                parts.append(segment)
            if self.peek() != "separator":
                break
            original += self.next().text
            token = self.next()
        return Path(original, tuple(parts), depth, is_data, is_scoped and not is_data, first.offset)

    def offset(self) -> int:
        return self.tokens[self.position].offset if self.position < len(self.tokens) else self.tag.end

    def fail(self, message: str, offset: int | None = None) -> NoReturn:
        raise TemplateError(message, self.offset() if offset is None else offset)


def _segment(token: Token) -> str:
    return ESCAPED_SIGN.sub(r"\1", token.text[1:-1]) if token.kind == "segment" else token.text


def is_one_output(tree: tuple[Node, ...]) -> bool:
    """Return whether the template is exactly one expression, which then keeps its value's type."""
    return len(tree) == 1 and isinstance(tree[0], Output)
