"""Reads a template's text into its tree, by the grammar of Handlebars. Which helpers exist is left to ``render``."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from dialoom.errors import TemplateError
from dialoom.template.lexer import Content, Tag, Token, cut
from dialoom.template.lines import trim
from dialoom.template.nodes import Block, Call, Expression, Inline, Literal, Node, Output, Partial, Path, Text

MAX_SOURCE_CHARS: Final = 512 * 1024
MAX_NESTING: Final = 50
"""Of blocks in blocks, and of parentheses in parentheses; far past what people write, far below Python's stack."""

ESCAPED_SIGN: Final = re.compile(r"\\([\\\]])")
WORDS: Final[dict[str, object]] = {"true": True, "false": False, "null": None, "undefined": None}
HEADS: Final = frozenset({"name", "segment", "up", "dot", "data", "string", "number", "literal"})


def parse(source: str, *, standalone: bool = True) -> tuple[Node, ...]:
    """Return the tree of a template; ``standalone`` switches the rule for tags alone on their line."""
    if len(source) > MAX_SOURCE_CHARS:
        raise TemplateError(
            f"The template has {len(source)} characters; at most {MAX_SOURCE_CHARS} are allowed.", MAX_SOURCE_CHARS
        )
    pieces, indents = trim(cut(source), standalone=standalone)
    return _Parser(pieces, indents, len(source)).run()


class _Parser:
    """Walks the pieces once. ``open_tags`` holds the tags whose end has not come yet."""

    def __init__(self, pieces: list[Content | Tag], indents: dict[int, str], end: int) -> None:
        self.pieces = pieces
        self.indents = indents
        self.end = end
        self.position = 0
        self.depth = 0

    def run(self) -> tuple[Node, ...]:
        body, tag = self.program()
        if tag is not None:
            what = "{{else}}" if tag.kind.startswith("else") else "This tag"
            self.fail(f"{what} stands outside of a block. Open the block with {{{{#name}}}} first.", tag.offset)
        return body

    def program(self) -> tuple[tuple[Node, ...], Tag | None]:
        """Nodes up to a tag that ends or turns the block; that tag is returned beside them."""
        nodes: list[Node] = []
        while self.position < len(self.pieces):
            piece = self.pieces[self.position]
            self.position += 1
            if isinstance(piece, Content):
                self.text(nodes, piece.text)
            elif piece.kind in {"close", "else", "else-chain", "raw-close"}:
                return tuple(nodes), piece
            elif piece.kind != "comment":
                nodes.append(self.statement(piece))
        return tuple(nodes), None

    def text(self, nodes: list[Node], text: str) -> None:
        if not text:
            return
        last = nodes[-1] if nodes else None
        if isinstance(last, Text):
            nodes[-1] = Text(last.text + text)
        else:
            nodes.append(Text(text))

    def statement(self, tag: Tag) -> Node:
        if tag.kind in {"output", "raw-output"}:
            return Output(self.whole_call(tag), tag.kind == "raw-output", tag.offset)
        if tag.kind == "partial":
            return self.partial(tag, None)
        if tag.kind == "decorator":
            self.fail("This decorator is not known. The only one is {{#*inline}}.", tag.offset)
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"Blocks are nested deeper than {MAX_NESTING}.", tag.offset)
        node = self.compound(tag)
        self.depth -= 1
        return node

    def compound(self, tag: Tag) -> Node:
        if tag.kind == "raw-open":
            return self.raw_block(tag)
        if tag.kind == "partial-open":
            words = _Words(tag)
            name = words.partial_name()
            body, end = self.program()
            self.closed(tag, end, name)
            return self.partial(tag, body)
        if tag.kind == "decorator-open":
            return self.inline(tag)
        return self.block(tag)

    def whole_call(self, tag: Tag) -> Call:
        words = _Words(tag)
        call = words.call()
        words.finish()
        return call

    def block(self, tag: Tag) -> Block:
        words = _Words(tag)
        call = words.call()
        names = words.block_parameters()
        words.finish()
        body, end = self.program()
        inverse: tuple[Node, ...] = ()
        inverted = tag.kind == "open-inverse"
        if end is not None and end.kind == "else":
            inverse, end = self.program()
        elif end is not None and end.kind == "else-chain" and not inverted:
            chained, end = self.chain(end)
            inverse = (chained,)
        self.closed(tag, end, call.head)
        if inverted:
            return Block(call, inverse, body, inverse_names=names, offset=tag.offset)
        return Block(call, body, inverse, names, offset=tag.offset)

    def chain(self, first: Tag) -> tuple[Block, Tag | None]:
        """``{{else if ...}}`` and what follows up to the end of the whole block, as blocks in each other's inverse."""
        links: list[tuple[Tag, Call, tuple[str, ...], tuple[Node, ...]]] = []
        inverse: tuple[Node, ...] = ()
        end: Tag | None = first
        while end is not None and end.kind == "else-chain":
            tag = end
            words = _Words(tag)
            call = words.call()
            names = words.block_parameters()
            words.finish()
            body, end = self.program()
            links.append((tag, call, names, body))
            if self.depth + len(links) > MAX_NESTING:
                self.fail(f"Blocks are nested deeper than {MAX_NESTING}; each {{{{else if}}}} counts.", tag.offset)
        if end is not None and end.kind == "else":
            inverse, end = self.program()
        for tag, call, names, body in reversed(links):
            block = Block(call, body, inverse, names, offset=tag.offset)
            inverse = (block,)
        return block, end

    def raw_block(self, tag: Tag) -> Block:
        call = self.whole_call(tag)
        body, end = self.program()
        self.closed(tag, end, call.head)
        return Block(call, body, offset=tag.offset)

    def closed(self, tag: Tag, end: Tag | None, head: Expression) -> None:
        """Complains unless ``end`` closes the block that ``tag`` opens."""
        name = head.original if isinstance(head, (Path, Literal)) else "..."
        if end is None:
            self.fail(f"The block {{{{#{name}}}}} is not closed. Close it with {{{{/{name}}}}}.", tag.offset)
        if end.kind.startswith("else"):
            self.fail(f"The block {{{{#{name}}}}} has no room for another {{{{else}}}} here.", end.offset)
        words = _Words(end)
        closing = words.expression() if words.peek() in HEADS else None
        words.finish()
        found = closing.original if isinstance(closing, (Path, Literal)) else ""
        if found != name:
            self.fail(f"{{{{/{found}}}}} closes the block {{{{#{name}}}}}. Write {{{{/{name}}}}}.", end.offset)

    def partial(self, tag: Tag, block: tuple[Node, ...] | None) -> Partial:
        words = _Words(tag)
        name = words.partial_name()
        parameters, named = words.arguments()
        words.finish()
        if len(parameters) > 1:
            self.fail(f"A partial takes one context; here are {len(parameters)}.", tag.offset)
        context = parameters[0] if parameters else None
        return Partial(name, context, named, block, self.indents.get(tag.offset, ""), tag.offset)

    def inline(self, tag: Tag) -> Inline:
        call = self.whole_call(tag)
        body, end = self.program()
        self.closed(tag, end, call.head)
        if call.head.original != "inline" or len(call.parameters) != 1 or not isinstance(call.parameters[0], Literal):
            self.fail('This decorator is not known. Write {{#*inline "name"}}.', tag.offset)
        return Inline(str(call.parameters[0].original), body, tag.offset)

    def fail(self, message: str, offset: int) -> NoReturn:
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

    def partial_name(self) -> Expression:
        return self.expression()

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
