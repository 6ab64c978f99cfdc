"""Runs templates as Handlebars itself would, for its own specification: HTML escaping, JavaScript's way of printing,
functions in data and helpers written in Python. The product knows none of that; the engine underneath is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from dialoom.errors import TemplateError
from dialoom.template.blocks import section
from dialoom.template.compiler import joined
from dialoom.template.frame import Frame, Inner, Part, PartialBody, Read, Root, Scope
from dialoom.template.nodes import Block, Call, Expression, Literal, Node, Output, Partial, Path
from dialoom.template.parser import parse
from dialoom.template.partials import partial
from dialoom.template.paths import read_context, read_path, step, walk
from dialoom.template.render import TemplateCompiler
from dialoom.template.values.printing import number_text
from dialoom.template.values.types import MISSING

HTML: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;", "`": "&#x60;", "=": "&#x3D;"}
)

Function = Callable[..., Any]
"""A helper: ``f(this, arguments, options)``."""


class Safe(str):
    """A text that is HTML already."""

    __slots__ = ()


def render(
    template: str,
    data: Any,
    helpers: Mapping[str, Any] | None = None,
    partials: Mapping[str, Any] | None = None,
    runtime: Mapping[str, Any] | None = None,
    compile_options: Mapping[str, Any] | None = None,
) -> str:
    """Return the text that Handlebars would print."""
    compiler = SpecificationCompiler(helpers or {}, partials or {}, compile_options or {})
    root = Root(Scope({}, data), False)
    given = (runtime or {}).get("data")
    root.data = {"root": data, **(given if isinstance(given, Mapping) else {})}
    return compiler.compiled(template)(root)


def script_text(value: Any) -> str:
    """Return the value as JavaScript turns it into a text."""
    if value is None or value is MISSING:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, (list, tuple)):
        return ",".join(map(script_text, value))
    return str(value) if isinstance(value, str) else "[object Object]"


class Options:
    """What a helper gets besides its arguments."""

    def __init__(self, frame: Frame, name: str, named: dict[str, Any], block: Block | None, parts: tuple[Part, Part]):
        self.frame = frame
        self.name = name
        self.hash = named
        self.data = frame.data
        self._names = (block.names, block.inverse_names) if block is not None else ((), ())
        self._parts = parts

    def fn(self, ctx: Any = None, data: Any = None, block_params: Any = None) -> str:
        return self._run(0, ctx, data, block_params)

    def inverse(self, ctx: Any = None, data: Any = None, block_params: Any = None) -> str:
        return self._run(1, ctx, data, block_params)

    def safe(self, text: str) -> Safe:
        return Safe(text)

    def escape(self, text: str) -> str:
        return text.translate(HTML)

    def _run(self, which: int, context: Any, data: Any, values: Any) -> str:
        frame = self.frame
        inner = Inner(context, frame.parent if context is frame.context else frame, frame)
        if data is not None:
            inner.data = data
        names = self._names[which]
        if names:
            filled = [*(values or ()), *[MISSING] * len(names)][: len(names)]
            inner.locals = (*filled, frame.locals)
        return self._parts[which](inner)


def _blank(_frame: Frame) -> str:
    return ""


class SpecificationCompiler(TemplateCompiler):
    def __init__(self, functions: Mapping[str, Any], partials: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        super().__init__()
        self.functions = functions
        self.sources = partials
        self.options = options
        self.strict = bool(options.get("strict"))
        self.assumes_objects = bool(options.get("assumeObjects"))
        self.partial_bodies: dict[str, PartialBody] = {}

    def compiled(self, source: str) -> Part:
        bound, self.bound = self.bound, []
        part = self.program(parse(source, standalone=not self.options.get("ignoreStandalone")))
        self.bound = bound
        return part

    # ---- text ----------------------------------------------------------------------------------------------------

    def output(self, node: Output) -> Part:
        read = self.call(node.call)
        if node.is_raw:
            return lambda frame: script_text(read(frame))

        def render_escaped(frame: Frame) -> str:
            value = read(frame)
            return value if isinstance(value, Safe) else script_text(value).translate(HTML)

        return render_escaped

    def block(self, node: Block) -> Part:
        call = node.call
        name = self.helper_name(call.head)
        if not call.is_plain or (name is not None and self.is_known(name)):
            if name in self.blocks and name not in self.functions:
                return super().block(node)
            result = self.invocation(call, node)
            return lambda frame: script_text(result(frame))
        parts = self.parts(node)
        read = self.section_value(call, node, parts)
        if "blockHelperMissing" in self.functions:
            missing = self.functions["blockHelperMissing"]

            def render_missing(frame: Frame) -> str:
                value = read(frame)
                return script_text(missing(frame.context, [value], Options(frame, call.head.original, {}, node, parts)))

            return render_missing
        return section(self, node, read, parts)

    def section_value(self, call: Call, node: Block, parts: tuple[Part, Part]) -> Read:
        """Return the value of a plain block's name; a function in the data may be a block helper."""
        read = self.look_up(call.head) if not self.strict else self.strict_look_up(call.head)

        def read_value(frame: Frame) -> Any:
            value = read(frame)
            if callable(value):
                return _present(value(frame.context, [], Options(frame, call.head.original, {}, node, parts)))
            return value

        return read_value

    # ---- partials ------------------------------------------------------------------------------------------------

    def piece(self, node: Node) -> str | Part:
        if isinstance(node, Partial) and node.indent and self.options.get("preventIndent"):
            bare = Partial(node.name, node.context, node.named, node.block, "", node.offset)
            return joined([node.indent, partial(self, bare)])
        return super().piece(node)

    def may_find_partial(self, name: str) -> bool:
        return True

    def find_partial(self, name: str) -> PartialBody | None:
        if name not in self.partial_bodies and isinstance(self.sources.get(name), str):
            self.partial_bodies[name] = PartialBody(self.compiled(self.sources[name]), None)
        return self.partial_bodies.get(name)

    def partial_context(self, given: Expression | None) -> Read:
        if given is None and self.options.get("explicitPartialContext"):
            return lambda _frame: {}
        return super().partial_context(given)

    # ---- values --------------------------------------------------------------------------------------------------

    def is_known(self, name: str) -> bool:
        return name in self.functions or name in self.blocks or name in {"lookup", "log"}

    def call(self, call: Call, *, inside: bool = False) -> Read:
        name = self.helper_name(call.head)
        if inside or not call.is_plain or (name is not None and self.is_known(name)):
            if name in {"lookup", "log"} and name not in self.functions:
                return self.helper(self.helpers[str(name)], call)
            return self.invocation(call, None)
        read = self.strict_look_up(call.head) if self.strict else self.look_up(call.head)
        missing = self.functions.get("helperMissing") if name is not None else None

        def read_value(frame: Frame) -> Any:
            value = read(frame)
            if value is MISSING and missing is not None:
                value = missing
            if callable(value):
                return _present(value(frame.context, [], self.plain_options(frame, call)))
            return value

        return read_value

    def plain_options(self, frame: Frame, call: Call) -> Options:
        return Options(frame, call.head.original, {}, None, (_blank, _blank))

    def invocation(self, call: Call, node: Block | None) -> Read:
        """Return the call of a helper that is given by name or found in the data."""
        head = call.head
        name = self.helper_name(head)
        function = self.functions.get(name) if name is not None else None
        if function is None and self.options.get("knownHelpersOnly"):
            raise TemplateError(f"{head.original} is no known helper.", call.offset)
        look_up = self.strict_look_up(head) if self.strict else self.look_up(head)
        missing = self.functions.get("helperMissing")
        reads = [self.expression(parameter) for parameter in call.parameters]
        named = [(key, self.expression(value)) for key, value in call.named]
        parts = (_blank, _blank) if node is None else self.parts(node)

        def read(frame: Frame) -> Any:
            found = function if function is not None else look_up(frame)
            if found is MISSING or found is None:
                if missing is None and not reads and not named:
                    return MISSING
                found = missing
            if not callable(found):
                raise TemplateError(f'Missing helper: "{head.original}"', call.offset)
            values = [_absent(one(frame)) for one in reads]
            options = Options(frame, head.original, {key: _absent(one(frame)) for key, one in named}, node, parts)
            return _present(found(frame.context, values, options))

        return read

    def subject(self, expression: Expression) -> Read:
        read = self.expression(expression)

        def read_subject(frame: Frame) -> Any:
            value = read(frame)
            if callable(value):
                return _present(value(frame.context, [], Options(frame, "", {}, None, (_blank, _blank))))
            return value

        return read_subject

    def path(self, path: Path) -> Read:
        if path.is_data and path.parts[:1] == ("root",):
            depth, parts = path.depth, path.parts

            def read_root(frame: Frame) -> Any:
                data: Any = frame.data
                for _ in range(depth):
                    data = data.get("_parent", MISSING) if isinstance(data, Mapping) else MISSING
                return walk(data, parts)

            return read_root
        is_free = bool(path.parts) and (path.is_data or path.is_scoped or self.local(path.parts[0]) is None)
        if self.options.get("compat") and is_free and not (path.is_scoped or path.is_data):
            return _read_outward(path.parts)
        if self.assumes_objects and is_free:
            return _read_assuming(
                super().path(Path("", path.parts[:-1], path.depth, path.is_data, True)), path.parts[-1]
            )
        return super().path(path)

    def strict_look_up(self, head: Path | Literal) -> Read:
        if isinstance(head, Literal):
            return _read_defined(read_context, (head.original,))
        if not head.parts or (not head.is_data and not head.is_scoped and self.local(head.parts[0])):
            return self.path(head)
        if head.is_data:
            return _read_defined(lambda frame: frame.data, head.parts)
        return _read_defined(read_path((), head.depth), head.parts)


def _read_defined(read: Read, parts: tuple[str, ...]) -> Read:
    def read_defined(frame: Frame) -> Any:
        value = read(frame)
        for part in parts:
            value = step(value, part)
            if value is MISSING:
                raise TemplateError(f'"{part}" not defined.')
        return value

    return read_defined


def _read_assuming(read: Read, name: str) -> Read:
    def read_assuming(frame: Frame) -> Any:
        value = read(frame)
        if value is None or value is MISSING:
            raise TemplateError(f'"{name}" is sought in nothing.')
        return step(value, name)

    return read_assuming


def _read_outward(parts: tuple[str, ...]) -> Read:
    def read_outward(frame: Frame) -> Any:
        level: Frame | None = frame
        while level is not None:
            value = step(level.context, parts[0])
            if value is not MISSING and value is not None:
                return walk(value, parts[1:])
            level = level.parent
        return MISSING

    return read_outward


def _absent(value: Any) -> Any:
    """Return a value as a helper in Python sees it: what is not there is ``None``."""
    return None if value is MISSING else value


def _present(value: Any) -> Any:
    """Return a helper's result as the engine sees it: ``None`` is nothing."""
    return MISSING if value is None else value
