"""Compiled blocks: if, unless, each, with, forEach and plain sections. Expressions are left to ``render``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from dialoom.errors import TemplateError
from dialoom.template.compiler import Compiler
from dialoom.template.frame import MAX_OUTPUT_CHARS, Frame, Inner, Part, Read, check_length
from dialoom.template.helpers.row import kind_of
from dialoom.template.nodes import Block, Expression, Inline, Node, Partial, Text
from dialoom.template.values.types import MISSING, is_truthy, without_display


def weight(nodes: tuple[Node, ...]) -> int:
    """Return how many parts a body has: what one round of a loop costs, the loops inside not counted in."""
    total = 1
    for node in nodes:
        if isinstance(node, Block):
            total += weight(node.body) + weight(node.inverse)
        elif isinstance(node, (Partial, Inline)):
            total += weight((node.block if isinstance(node, Partial) else node.body) or ())
        elif not isinstance(node, Text):
            total += 1 + len(node.call.parameters) + len(node.call.named)
    return total


def condition_block(compiler: Compiler, node: Block) -> Part:
    """Compile ``#if``; ``#unless`` is the same with its programs exchanged."""
    read = compiler.subject(only_parameter(node, ("includeZero",)))
    yes, no = compiler.program(node.body), compiler.program(node.inverse)
    if node.call.head.original == "unless":
        yes, no = no, yes
    zero = dict(node.call.named).get("includeZero")
    if zero is not None:
        include_zero = compiler.expression(zero)

        def render_zero(frame: Frame) -> str:
            full = is_truthy(read(frame), include_zero=is_truthy(include_zero(frame)))
            return yes(frame) if full else no(frame)

        return render_zero

    def render(frame: Frame) -> str:
        value = read(frame)
        full = value if value is True or value is False else is_truthy(value)
        return yes(frame) if full else no(frame)

    return render


def only_parameter(node: Block, named: tuple[str, ...] = ()) -> Expression:
    """Return the one argument of a block that takes one."""
    call = node.call
    if len(call.parameters) != 1:
        raise TemplateError(
            f"#{call.head.original} requires exactly one argument; here are {len(call.parameters)}.", node.offset
        )
    for name, _ in call.named:
        if name not in named:
            raise TemplateError(f"#{call.head.original} takes no argument named {name}.", node.offset)
    return call.parameters[0]


def with_block(compiler: Compiler, node: Block) -> Part:
    parameter = only_parameter(node)
    read = compiler.subject(parameter)
    body = compiler.body(node.body, node.names)
    inverse = compiler.program(node.inverse)
    is_this = compiler.is_context(parameter)
    binds = len(node.names)

    def render(frame: Frame) -> str:
        value = without_display(read(frame))
        if not is_truthy(value, include_zero=True):
            return inverse(frame)
        stays = is_this or (value is frame.context and isinstance(value, Mapping))
        inner = Inner(value, frame.parent if stays else frame, frame)
        if binds:
            inner.locals = (value, *[MISSING] * (binds - 1), frame.locals)
        return body(inner)

    return render


def each_block(compiler: Compiler, node: Block) -> Part:
    read = compiler.subject(only_parameter(node))
    run = loop(node, compiler.body(node.body, node.names))
    inverse = compiler.program(node.inverse)

    def render(frame: Frame) -> str:
        elements = without_display(read(frame))
        if isinstance(elements, (list, tuple, Mapping)) and elements:
            return run(frame, elements)
        return inverse(frame)

    return render


Elements = list[object] | tuple[object, ...] | Mapping[str, object]


def loop(node: Block, body: Part, *, as_item: bool = False) -> Callable[[Frame, Elements], str]:
    """Runs the body for each element, which is then the context; ``as_item``: it is ``item``, and the context stays."""
    names = node.names
    padding = [MISSING] * max(0, len(node.names) - 2)
    cost = weight(node.body)
    offset = node.offset

    def run(frame: Frame, elements: Elements) -> str:
        count = len(elements)
        frame.root.loop(count, cost, offset)
        inner = Inner(frame.context, frame.parent if as_item else frame, frame)
        data = inner.data = {**frame.data, "_parent": frame.data, "first": True, "last": False}
        outer = frame.locals
        last = count - 1
        texts: list[str] = []
        length = 0
        pairs: Iterable[tuple[object, object]] = (
            elements.items() if isinstance(elements, Mapping) else enumerate(elements)
        )
        for index, (key, element) in enumerate(pairs):
            data["index"], data["key"] = index, key
            if index == last:
                data["last"] = True
            if as_item:
                inner.locals = (element, element, key, *padding, outer)
            else:
                inner.context = element
                if names:
                    inner.locals = (element, key, *padding, outer)
            text = body(inner)
            texts.append(text)
            length += len(text)
            if length > MAX_OUTPUT_CHARS:
                check_length(length, offset)
            data["first"] = False
        return "".join(texts)

    return run


def for_each_block(compiler: Compiler, node: Block) -> Part:
    """Compile ``#forEach list``: the element is ``item``, the context stays as it is."""
    read = compiler.subject(only_parameter(node))
    run = loop(node, compiler.body(node.body, ("item", *node.names)), as_item=True)
    inverse = compiler.program(node.inverse)
    offset = node.offset

    def render(frame: Frame) -> str:
        elements = without_display(read(frame))
        if isinstance(elements, (list, tuple, Mapping)):
            return run(frame, elements) if elements else inverse(frame)
        if elements is None or elements is MISSING:
            return inverse(frame)
        raise TemplateError(f"#forEach: the argument is {kind_of(elements)}. Give a list.", offset)

    return render


def section(compiler: Compiler, node: Block, read: Read, parts: tuple[Part, Part]) -> Part:
    """Compile ``{{#name}}``: loops over a list, keeps the context for true, takes the inverse for false and nothing;
    any other value is the context of the body."""
    body, inverse = parts
    run = loop(node, body)
    is_this = compiler.is_context(node.call.head)
    binds = len(node.names)

    def render(frame: Frame) -> str:
        value = without_display(read(frame))
        if value is None or value is False or value is MISSING:
            return inverse(frame)
        if isinstance(value, (list, tuple)):
            return run(frame, value) if value else inverse(frame)
        if value is True and not binds:
            return body(frame)
        context = frame.context if value is True else value
        stays = is_this or value is True or (value is frame.context and isinstance(value, Mapping))
        inner = Inner(context, frame.parent if stays else frame, frame)
        if binds:
            inner.locals = (value, *[MISSING] * (binds - 1), frame.locals)
        return body(inner)

    return render


BLOCKS: Final[Mapping[str, Callable[[Compiler, Block], Part]]] = {
    "if": condition_block,
    "unless": condition_block,
    "with": with_block,
    "each": each_block,
    "forEach": for_each_block,
}
