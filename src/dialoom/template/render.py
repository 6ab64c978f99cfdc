"""What each statement of a template prints: outputs, blocks, partials. Expressions are left to ``compiler``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dialoom.errors import TemplateError
from dialoom.template.blocks import BLOCKS, section
from dialoom.template.compiler import Compiler
from dialoom.template.frame import Frame, Part, Read
from dialoom.template.helpers import HELPERS
from dialoom.template.nodes import Block, Node, Output, Partial, Text
from dialoom.template.partials import inline_names, partial
from dialoom.template.values.printing import number_text, plain_text, print_value

Escape = Callable[[str], str]

KNOWN: Final = frozenset({*HELPERS, *BLOCKS})


class TemplateCompiler(Compiler):
    """Compiles one template. ``escape`` treats what ``{{...}}`` prints, ``escape_raw`` what ``{{{...}}}`` prints."""

    helpers = HELPERS
    blocks = BLOCKS

    def __init__(self, escape: Escape | None = None, escape_raw: Escape | None = None) -> None:
        super().__init__()
        self.escape = escape
        self.escape_raw = escape_raw
        self.inlines: set[str] = set()

    def template(self, tree: tuple[Node, ...]) -> Part:
        """Compile a whole template."""
        self.inlines = inline_names(tree)
        return self.program(tree)

    def piece(self, node: Node) -> str | Part:
        if isinstance(node, Text):
            return node.text
        if isinstance(node, Output):
            return self.output(node)
        if isinstance(node, Block):
            return self.block(node)
        if isinstance(node, Partial):
            return partial(self, node)
        raise TypeError(node)

    def output(self, node: Output) -> Part:
        return printed(self.call(node.call), self.escaping(node), node.offset)

    def escaping(self, node: Output) -> Escape | None:
        return self.escape_raw if node.is_raw else self.escape

    def block(self, node: Block) -> Part:
        call = node.call
        name = self.helper_name(call.head)
        if name is not None and name in self.blocks:
            return self.blocks[name](self, node)
        if name is not None and name in self.helpers:
            raise TemplateError(f"{name} is no block. Write {{{{{name} ...}}}}.", node.offset)
        if not call.is_plain or (name is not None and name.startswith("$")):
            self.unknown(f"#{call.head.original}", call.head.original, self.blocks, node.offset)
        return section(self, node, self.look_up(call.head), self.parts(node))

    def may_find_partial(self, name: str) -> bool:
        return name in self.inlines


def printed(read: Read, escape: Escape | None, offset: int) -> Part:
    """Return the value as text. Texts are by far the most frequent and take the shortest way."""

    def show(value: object, frame: Frame) -> str:
        try:
            return print_value(value) if frame.root.display else plain_text(value)
        except TemplateError as error:
            raise TemplateError(str(error), offset) from None

    if escape is None:

        def render(frame: Frame) -> str:
            value = read(frame)
            if type(value) is str:
                return value
            return number_text(value) if type(value) is int or type(value) is float else show(value, frame)

        return render

    def render_escaped(frame: Frame) -> str:
        value = read(frame)
        return escape(value if type(value) is str else show(value, frame))

    return render_escaped
