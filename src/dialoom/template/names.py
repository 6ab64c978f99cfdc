"""Which memory entries a template may read: for the linter and for whoever waits for one of them."""

from __future__ import annotations

from collections.abc import Collection

from dialoom.template.nodes import Block, Call, Expression, Inline, Literal, Node, Output, Partial, Path, Text

NEVER, MAYBE, SURELY = range(3)
"""Whether a level of context is the memory (or what is given as ``this``)."""

Levels = tuple[int, ...]
"""Which of these each level of context is, outermost first."""

Bound = tuple[str, ...]
"""Block parameters in sight."""


class Names:
    """The entries that a template reads, each with the offset from which on its name first stands in the text.

    ``top``: may be read from the outermost context; ``sure``: those of them that surely are; ``root``: read through
    ``@root``.
    """

    def __init__(self, tree: tuple[Node, ...], helpers: Collection[str]) -> None:
        self.helpers = helpers
        self.top: dict[str, int] = {}
        self.sure: dict[str, int] = {}
        self.root: dict[str, int] = {}
        self._walk(tree, (SURELY,), ())

    def _walk(self, nodes: tuple[Node, ...], levels: Levels, bound: Bound) -> None:
        for node in nodes:
            if isinstance(node, Output):
                self._call(node.call, levels, bound)
            elif isinstance(node, Block):
                self._block(node, levels, bound)
            elif isinstance(node, Partial):
                self._partial(node, levels, bound)
            elif isinstance(node, Inline):
                self._walk(node.body, (*levels, MAYBE), bound)
            elif not isinstance(node, Text):
                raise TypeError(node)

    def _block(self, node: Block, levels: Levels, bound: Bound) -> None:
        call = node.call
        self._call(call, levels, bound)
        name = call.head.original
        inner, names = levels, node.names
        if name in {"each", "with"} and call.parameters:
            inner = self._pushed(call.parameters[0], levels, name == "with")
        elif name == "forEach":
            names = ("item", *names)
        elif name not in self.helpers:
            inner = (*levels, min(levels[-1], MAYBE))  # a section on true keeps its context
        self._walk(node.body, inner, (*bound, *names))
        self._walk(node.inverse, levels, (*bound, *node.inverse_names))

    def _partial(self, node: Partial, levels: Levels, bound: Bound) -> None:
        for expression in (node.name, node.context, *(value for _, value in node.named)):
            if isinstance(expression, Call) or (expression is not None and expression is not node.name):
                self._expression(expression, levels, bound)
        if node.block is not None:
            self._walk(node.block, (*levels, MAYBE), bound)

    def _pushed(self, expression: Expression, levels: Levels, may_stay: bool) -> Levels:
        """Return the levels inside a block whose context is the value of ``expression``."""
        if isinstance(expression, Path) and not expression.parts and not expression.is_data:
            if expression.depth == 0 and may_stay:
                return levels
            return (*levels, levels[max(0, len(levels) - 1 - expression.depth)] if may_stay else NEVER)
        is_root = isinstance(expression, Path) and expression.is_data and expression.parts == ("root",)
        return (*levels, SURELY if is_root and may_stay else NEVER)

    def _expression(self, expression: Expression, levels: Levels, bound: Bound) -> None:
        if isinstance(expression, Path):
            self._path(expression, levels, bound)
        elif isinstance(expression, Call):
            self._call(expression, levels, bound)

    def _call(self, call: Call, levels: Levels, bound: Bound) -> None:
        head = call.head
        is_helper = head.original in self.helpers
        if isinstance(head, Path):
            if not is_helper or head.is_scoped or head.original in bound:
                self._path(head, levels, bound)
        elif call.is_plain:
            self._add(head.original, levels[-1], head.offset)
        for parameter in call.parameters:
            self._expression(parameter, levels, bound)
        for _, value in call.named:
            self._expression(value, levels, bound)
        if is_helper and call.parameters:
            self._named_by_text(head.original, call.parameters, levels)

    def _named_by_text(self, helper: str, parameters: tuple[Expression, ...], levels: Levels) -> None:
        """Add the entry that ``$has "name"`` and ``lookup @root "name"`` name in a text."""
        last = parameters[-1]
        if not isinstance(last, Literal) or not isinstance(last.value, str):
            return
        if helper == "$has":
            self.root.setdefault(last.value.split(".")[0], last.offset)
        elif helper == "lookup" and isinstance(parameters[0], Path):
            level = self._pushed(parameters[0], levels, True)[-1]
            if level and parameters[0].is_data:
                self.root.setdefault(last.value, last.offset)
            else:
                self._add(last.value, level, last.offset)

    def _path(self, path: Path, levels: Levels, bound: Bound) -> None:
        if path.is_data:
            if path.parts[:1] == ("root",) and len(path.parts) > 1:
                self.root.setdefault(path.parts[1], path.offset)
        elif path.parts and not (path.parts[0] in bound and not path.is_scoped):
            level = len(levels) - 1 - path.depth
            if level >= 0:
                self._add(path.parts[0], levels[level], path.offset)

    def _add(self, name: str, level: int, offset: int) -> None:
        if level:
            self.top.setdefault(name, offset)
        if level == SURELY:
            self.sure.setdefault(name, offset)
