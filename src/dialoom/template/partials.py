"""Compiled partials: ``{{> name}}``, partial blocks, ``{{#*inline}}``. None come from outside a template."""

from __future__ import annotations

from dialoom.errors import TemplateError
from dialoom.template.compiler import Compiler
from dialoom.template.frame import MAX_PARTIALS, Frame, Inner, Part, PartialBody
from dialoom.template.nodes import Block, Call, Inline, Node, Partial, Path
from dialoom.template.values.types import without_display


def inline_names(nodes: tuple[Node, ...]) -> set[str]:
    """Return the names of all inline partials of a template."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, Inline):
            names |= {node.name} | inline_names(node.body)
        elif isinstance(node, Block):
            names |= inline_names(node.body) | inline_names(node.inverse)
        elif isinstance(node, Partial) and node.block is not None:
            names |= inline_names(node.block)
    return names


def partial(compiler: Compiler, node: Partial) -> Part:
    name = node.name
    read_name = compiler.call(name, inside=True) if isinstance(name, Call) else None
    fixed = "" if isinstance(name, Call) else name.original
    is_block = isinstance(name, Path) and name.is_data and fixed == "partial-block"
    if node.block is None and read_name is None and not is_block and not compiler.may_find_partial(fixed):
        raise TemplateError(
            f'The partial {fixed} could not be found. Write it as {{{{#*inline "{fixed}"}}}}.', node.offset
        )
    read_given = compiler.partial_context(node.context)
    named = [(key, compiler.expression(value)) for key, value in node.named]
    inlines = compiler.inline_bodies(node.block or ())
    fallback = None if node.block is None else compiler.program_with(inlines, node.block)
    indent, offset = node.indent, node.offset

    def render(frame: Frame) -> str:
        wanted = fixed if read_name is None else str(read_name(frame))
        body = frame.block if is_block else frame.partials.get(wanted) or compiler.find_partial(wanted)
        if body is None and fallback is not None:
            body = PartialBody(fallback, frame)
        if body is None:
            raise TemplateError(f"The partial {wanted} could not be found.", offset)
        inner = _inner(frame, body, _context(read_given(frame), [(key, read(frame)) for key, read in named]))
        if fallback is not None and body.part is not fallback:
            inner.block = PartialBody(fallback, frame)
        if inlines:
            inner.partials = {**inner.partials, **{key: PartialBody(part, frame, True) for key, part in inlines}}
        return _indented(_run(body.part, inner, offset), indent)

    return render


def _inner(frame: Frame, body: PartialBody, context: object) -> Inner:
    """Make the frame of a partial: it sees the context that it is given, and behind it where it was written."""
    home = body.home if body.home is not None else frame
    stays = body.is_inline or context is home.context
    inner = Inner(context, home.parent if stays else home, frame)
    if body.home is not None:
        inner.locals = home.locals
        inner.block = home.block
    else:
        inner.locals = None
    return inner


def _context(given: object, named: list[tuple[str, object]]) -> object:
    given = without_display(given)
    if not named:
        return given
    return {**(given if isinstance(given, dict) else {}), **dict(named)}


def _run(part: Part, inner: Inner, offset: int) -> str:
    root = inner.root
    root.nested += 1
    if root.nested > MAX_PARTIALS:
        raise TemplateError(f"Partials call each other deeper than {MAX_PARTIALS}.", offset)
    root.loop(1, 1, offset)
    text = part(inner)
    root.nested -= 1
    return text


def _indented(text: str, indent: str) -> str:
    if not indent or not text:
        return text
    lines = text.split("\n")
    last = lines.pop()
    return "".join(f"{indent}{line}\n" for line in lines) + (f"{indent}{last}" if last else "")
