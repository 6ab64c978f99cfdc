"""The tree of a template. What it means when it runs is left to ``render``."""

from __future__ import annotations

import msgspec


class Path(msgspec.Struct, frozen=True):
    """A way to a value: ``a.b``, ``../a``, ``@index``, ``this``."""

    original: str
    """As the author wrote it, brackets taken off."""
    parts: tuple[str, ...]
    depth: int = 0
    """How many ``../`` lead it."""
    is_data: bool = False
    """Begins with ``@``."""
    is_scoped: bool = False
    """Begins with ``this``, ``.`` or ``..`` and so never names a helper or block parameter."""
    offset: int = 0


class Literal(msgspec.Struct, frozen=True):
    value: object
    original: str
    """Its spelling; a literal that stands alone, ``{{"foo bar"}}`` or ``{{12}}``, reads the field of that name."""
    offset: int = 0


class Call(msgspec.Struct, frozen=True):
    """A head with what follows it: a helper's call, or a plain look-up when nothing follows."""

    head: Path | Literal
    parameters: tuple[Expression, ...] = ()
    named: tuple[tuple[str, Expression], ...] = ()
    offset: int = 0

    @property
    def is_plain(self) -> bool:
        return not self.parameters and not self.named


Expression = Path | Literal | Call


class Text(msgspec.Struct, frozen=True):
    text: str


class Output(msgspec.Struct, frozen=True):
    """``{{...}}``; ``is_raw`` for ``{{{...}}}`` and ``{{&...}}``."""

    call: Call
    is_raw: bool = False
    offset: int = 0


class Block(msgspec.Struct, frozen=True):
    """``{{#...}}body{{else}}inverse{{/...}}``; ``{{^...}}`` has its body in ``inverse``."""

    call: Call
    body: tuple[Node, ...] = ()
    inverse: tuple[Node, ...] = ()
    names: tuple[str, ...] = ()
    """Block parameters of the body."""
    inverse_names: tuple[str, ...] = ()
    """Block parameters of ``{{^...}}``."""
    offset: int = 0


class Partial(msgspec.Struct, frozen=True):
    """``{{> name}}``, or with a block ``{{#> name}}...{{/name}}``."""

    name: Expression
    context: Expression | None = None
    named: tuple[tuple[str, Expression], ...] = ()
    block: tuple[Node, ...] | None = None
    indent: str = ""
    """The white space before it when it stands alone on its line; every line of it gets that."""
    offset: int = 0


class Inline(msgspec.Struct, frozen=True):
    """``{{#*inline "name"}}...{{/inline}}``."""

    name: str
    body: tuple[Node, ...]
    offset: int = 0


Node = Text | Output | Block | Partial | Inline
