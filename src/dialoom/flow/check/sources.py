"""Data sources: what a request needs, where it goes, what of its answer is looked at (flow-language.md section 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from dialoom.errors import TemplateError
from dialoom.flow.check.known import Known
from dialoom.flow.finding import Fault
from dialoom.flow.fixes.derive import adding
from dialoom.flow.pieces import Piece
from dialoom.flow.positions import Path
from dialoom.template import compile, compile_endpoint
from dialoom.template.nodes import Block, Node, Output
from dialoom.template.parser import parse

# The literal part may end within the scheme, as in "http{{s}}://".
_begins_as_web_address = re.compile(r"https?://|https?:?/?$", re.IGNORECASE).match
_is_token = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+").fullmatch
_TAG = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_has_user = re.compile(r"https?://[^/?#{]*@", re.IGNORECASE).match


def origins_of_data(source: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a data-source that has neither ``endpoint`` nor ``entity``, has both, or has an empty one."""
    given = [key for key in ("endpoint", "entity") if source.value.get(key) is not None]
    if not given:
        message = 'A data-source needs an "endpoint" to call or an "entity" to read.'
        yield Fault(path=source.path, message=message, allowed=("endpoint", "entity"))
    elif len(given) == 2:
        message = '"endpoint" and "entity" cannot stand together. Keep one of them.'
        yield Fault(path=source.at("entity"), message=message, at_key=True)
    elif source.text(given[0]) == "":
        yield Fault(path=source.at(given[0]), message=f'"{given[0]}" is empty.')


def header_names(source: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each header whose name HTTP does not allow (RFC 9110 section 5.1)."""
    headers = source.value.get("headers")
    for name in headers if isinstance(headers, dict) else ():
        if not _is_token(name):
            message = f'"{name[:80]}" is no header name: letters, digits and "-" only.'
            yield Fault(path=source.at("headers", name), message=message, at_key=True)


def literal_addresses(source: Piece, _: Known) -> Iterator[Fault]:
    """Warn of an endpoint whose literal beginning is no http(s) address or holds a user name: such a call always
    fails."""
    literal = (source.text("endpoint") or "").split("{{")[0]
    if literal and not _begins_as_web_address(literal):
        message = "This is no http(s) address, so that every call of it fails. Begin it with https:// or http://."
        yield Fault(path=source.at("endpoint"), message=message)
    elif _has_user(literal):
        message = "A user name in an address is refused, so that every call of it fails. Name an authentication-method."
        yield Fault(path=source.at("endpoint"), message=message)


def moving_addresses(source: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a value that brings scheme, host or port: where the call goes is then not the author's choice
    alone."""
    text = source.text("endpoint") or ""
    if "{{" not in text or (source.owner is not None and source.owner.kind == "dynamic-data"):
        return
    try:
        tree = parse(text)
    except TemplateError:  # said by another check
        return
    for node in _outputs(tree):
        _head, scheme_ends, tail = _TAG.sub("", text[: node.offset]).partition("://")
        if not (scheme_ends and any(sign in tail for sign in "/?#")):
            message = (
                f"{text[node.offset :].partition('}}')[0]}}}}} decides which host is called, and such a host must be "
                "public or listed by the operator. Write scheme, host and port out, with a / behind them."
            )
            yield Fault(path=source.at("endpoint"), message=message, characters=node.offset)
            return


def _outputs(nodes: tuple[Node, ...]) -> Iterator[Output]:
    for node in nodes:
        if isinstance(node, Output):
            yield node
        elif isinstance(node, Block):
            yield from _outputs(node.body)
            yield from _outputs(node.inverse)


def unseen_statuses(step: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a webhook in ``full`` mode without an entity: an error status does not fail the step, and is
    kept nowhere."""
    source = step.value.get("data-source")
    if step.text("type") != "webhook" or step.text("entity") or not isinstance(source, dict):
        return
    if source.get("response") == "full" and source.get("endpoint"):
        message = (
            'With "full" an error status does not fail the step, and without "entity" nobody sees it. Give the step '
            'an entity and look at its status, or remove "response".'
        )
        yield Fault(path=step.at("data-source", "response"), message=message)


def unused_responses(validation: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a custom validation that calls its data-source and does not look at the answer."""
    parameters = validation.value.get("parameters")
    if validation.text("type") != "custom" or not isinstance(parameters, dict) or "data-source" not in parameters:
        return
    condition = parameters.get("condition")
    if isinstance(condition, str) and "_response" not in condition:
        message = "The data-source is called, and the condition does not look at what it answered. Use _response in it."
        yield Fault(path=validation.at("parameters", "condition"), message=message)


def unencoded_values(source: Piece, _: Known) -> Iterator[Fault]:
    """Warn of each value behind the host that stands outside of ``$encodeURI``: a "/", "?" or "&" in it would change
    the address."""
    text = source.text("endpoint") or ""
    try:
        values = compile_endpoint(text).unencoded
    except TemplateError:  # said by another check
        return
    for name, offset in values:
        head, scheme_ends, tail = _TAG.sub("", text[:offset]).partition("://")
        if any(sign in (tail if scheme_ends else head) for sign in "/?#"):
            message = (
                f'"{name}" goes into the address as it is. Write {{{{$encodeURI {name}}}}}, so that it stays one value.'
            )
            yield Fault(path=source.at("endpoint"), message=message, characters=offset)


def missing_methods(source: Piece, _: Known) -> Iterator[Fault]:
    """Warn of a request without ``method``, which is sent as GET."""
    if source.text("endpoint") and "method" not in source.value:
        yield Fault(
            path=source.path,
            message='"method" is missing: GET is taken.',
            fix=partial(adding, path=source.at("method"), value="GET"),
        )


def dynamic_sources(data: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for dynamic data that is read from an entity: the list is read for all users at once, without a
    memory."""
    source = data.value.get("data-source")
    if isinstance(source, dict) and source.get("entity") is not None:
        message = 'The list of a type is the same for all users, and has no memory to read. Give an "endpoint".'
        yield Fault(path=data.at("data-source", "entity"), message=message, at_key=True)


def dynamic_values(data: Piece, _: Known) -> Iterator[Fault]:
    """Warn of expressions that read the memory in a request for dynamic data: they print nothing there."""
    for source in data.inner("data-source", "data-source"):
        for path, text in _requested(source):
            try:
                names = sorted(compile(text).names)
            except TemplateError:  # said by another check
                continue
            if names:
                message = f'There is no memory where the list is read: "{names[0]}" prints nothing here.'
                yield Fault(path=path, message=message)


def _requested(source: Piece) -> Iterator[tuple[Path, str]]:
    for key in ("endpoint", "selector", "payload"):
        text = source.text(key)
        if text is not None:
            yield source.at(key), text
    for key in ("headers", "payload"):
        values = source.value.get(key)
        for name, value in values.items() if isinstance(values, dict) else ():
            if isinstance(value, str):
                yield source.at(key, name), value
