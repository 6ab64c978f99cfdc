"""A compiled template and how to ask it for a text, a value or a truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

from dialoom.template.frame import Part, Read, Root, Scope, check_length
from dialoom.template.names import Names
from dialoom.template.nodes import Node, Output, Path, Text
from dialoom.template.parser import is_one_output, parse
from dialoom.template.render import KNOWN, Escape, TemplateCompiler
from dialoom.template.values.printing import json_value, payload_value
from dialoom.template.values.types import MISSING, is_true, without_display


@final
class Template:
    """Compiled once, rendered often; safe to share."""

    __slots__ = (
        "_constant",
        "_display",
        "_part",
        "_read",
        "_takes_json",
        "names",
        "needs_formats",
        "root_names",
        "source",
        "tree",
    )

    source: str
    names: frozenset[str]
    """Top-level memory entries that it may read."""
    root_names: frozenset[str]
    """Those of them that are read through ``@root``, whatever the context is."""
    needs_formats: bool
    """True if it formats by language, so that ``prepare`` saves its first rendering a wait for the disk."""
    tree: tuple[Node, ...]

    def __init__(self, source: str, compiler: TemplateCompiler, *, display: bool = True) -> None:
        self.source = source
        self.tree = tree = parse(source)
        self._display = display
        found = Names(tree, KNOWN)
        self.root_names = frozenset(found.root)
        self.names = frozenset(found.top) | self.root_names
        self._constant: str | None = None
        if all(isinstance(node, Text) for node in tree):
            self._constant = "".join(node.text for node in tree if isinstance(node, Text))
        self._part: Part = compiler.template(tree)
        self.needs_formats = compiler.needs_formats
        self._read: Read | None = None
        self._takes_json = False
        if is_one_output(tree) and isinstance(tree[0], Output):
            call = tree[0].call
            self._takes_json = isinstance(call.head, Path) and call.head.original == "$json"
            self._read = compiler.expression(call.parameters[0]) if self._takes_json else compiler.call(call)

    def __repr__(self) -> str:
        return f"Template({self.source!r})"

    @property
    def is_constant(self) -> bool:
        """Return whether it has no expression at all."""
        return self._constant is not None

    def text(self, scope: Scope) -> str:
        """Return the rendered text."""
        constant = self._constant
        if constant is not None:
            return constant
        text = self._part(Root(scope, self._display))
        check_length(len(text))
        return text

    def value(self, scope: Scope) -> Any:
        """Return the value of a template that is exactly one expression, with its type; else the text."""
        read = self._read
        if read is None:
            return self.plain(scope)
        value = without_display(read(Root(scope, False)))
        return None if value is MISSING else value

    def leaf(self, scope: Scope) -> Any:
        """Return the value as a payload leaf, without metadata; ``{{$json x}}`` gives x with all of it."""
        if self._read is None:
            return self.plain(scope)
        value = self._read(Root(scope, False))
        return json_value(value) if self._takes_json else payload_value(value)

    def truth(self, scope: Scope) -> bool:
        """Return whether a condition holds. White space around a mixed text is left out: a condition may span lines."""
        if self._read is not None:
            return is_true(self._read(Root(scope, False)))
        return is_true(self.plain(scope).strip())

    def plain(self, scope: Scope) -> str:
        if self._constant is not None:
            return self._constant
        text = self._part(Root(scope, False))
        check_length(len(text))
        return text


class CheckedTemplate:
    """A template whose text must keep a rule; subclasses say which. It tells what the template itself tells."""

    __slots__ = ("is_constant", "names", "needs_formats", "source", "template")

    def __init__(self, template: Template) -> None:
        self.template = template
        self.source = template.source
        self.names = template.names
        self.needs_formats = template.needs_formats
        self.is_constant = template.is_constant


def compile(source: str, *, escape: Callable[[str], str] | None = None) -> Template:
    """Compiles a template for messages, titles, values and conditions; ``escape`` treats what ``{{...}}`` prints."""
    return Template(source, TemplateCompiler(escape))


def compile_guarded(source: str, escape: Escape) -> Template:
    """Return a template whose every insertion is treated, ``{{{...}}}`` too, and that shows no ``entity-display``."""
    return Template(source, TemplateCompiler(escape, escape), display=False)
