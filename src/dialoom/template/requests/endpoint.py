"""Addresses of data sources: what a value may and may not do to the address that its author wrote.

Whether the address may be dialled at all is left to the egress guard.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, NoReturn, final
from urllib.parse import quote

from dialoom.errors import TemplateError
from dialoom.template.frame import Scope
from dialoom.template.nodes import Block, Node, Output, Path, Text
from dialoom.template.render import Escape, TemplateCompiler
from dialoom.template.template import CheckedTemplate, Template

ENCODING: Final = "$encodeURI"

BEGIN: Final = "\x01"
BEGIN_ENCODED: Final = "\x02"
END: Final = "\x03"
OWN_PERCENT: Final = "\x04"
"""Marks around inserted values, and in the place of a percent sign by which a value itself escapes, while the text is
rendered. A value's own control characters are encoded before."""

MARKS: Final = re.compile(f"[{BEGIN}{BEGIN_ENCODED}]([^{END}]*){END}")
ILLEGAL: Final = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
"""All but the characters of RFC 3986 section 2, and a percent sign that begins no escape."""

ADDRESS: Final = re.compile(r"(?i)https?://([^/?#]+)")
NO_HOST: Final = re.compile(r"[\s\\\"<>^`{|}%]")
HOST_AND_PORT: Final = re.compile(r"(?:[^\s/?#\\@:\[\]%]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
HOST_PART: Final = re.compile(r"[^\s/?#\\@:\[\]%]*")
WHOLE_BASE: Final = re.compile(r"(?i)https?://[^/?#\\@\s]+(?=[/?#]|\Z)")
PORT: Final = re.compile(r"[0-9]{1,5}")
SCHEME_PART: Final = re.compile(r"[A-Za-z]*")
DOT_SEGMENT: Final = re.compile(r"(?i)(?:\.|%2e){1,2}")


class Insert(NamedTuple):
    """A value in the rendered address, from ``start`` up to ``end``."""

    start: int
    end: int
    is_encoded: bool
    percents: tuple[int, ...] = ()
    """Where in the address the percent signs stand by which the value itself escapes."""


@final
class Endpoint(CheckedTemplate):
    """A compiled address."""

    __slots__ = ("begins_with_host", "unencoded")

    def __init__(self, source: str) -> None:
        super().__init__(Template(source, _EndpointCompiler(), display=False))
        first = self.template.tree[0] if self.template.tree else None
        self.begins_with_host: bool = isinstance(first, Text) and ADDRESS.match(first.text) is not None
        """True if the literal part is an http(s) address; the linter warns of one that is not."""
        self.unencoded: tuple[tuple[str, int], ...] = tuple(_unencoded(self.template.tree))
        """Values that stand outside of ``$encodeURI``, with their offsets in ``source``; the linter names them."""

    def render(self, scope: Scope) -> tuple[str, bool]:
        """Return the address, and whether scheme, host and port stand in the flow itself rather than in a value."""
        marked = self.template.plain(scope).strip()
        if "\r" in marked or "\n" in marked:
            fail("holds a line break")
        return _Address(*unmark(marked)).checked()


def _unencoded(nodes: tuple[Node, ...]) -> Iterator[tuple[str, int]]:
    for node in nodes:
        if isinstance(node, Block):
            yield from _unencoded(node.body)
            yield from _unencoded(node.inverse)
        elif isinstance(node, Output) and node.call.head.original != ENCODING:
            parameters = [one.original for one in node.call.parameters if isinstance(one, Path)]
            yield (parameters[0] if parameters else node.call.head.original), node.offset


def compile_endpoint(source: str) -> Endpoint:
    return Endpoint(source)


class _EndpointCompiler(TemplateCompiler):
    """Marks what is inserted, and what of it ``$encodeURI`` has encoded."""

    def escaping(self, node: Output) -> Escape:
        return _mark_encoded if node.call.head.original == ENCODING else _mark


def _mark(text: str) -> str:
    if "\r" in text or "\n" in text:
        fail("would hold a line break")
    return f"{BEGIN}{_encode(text, ILLEGAL_IN_VALUE)}{END}"


ILLEGAL_IN_VALUE: Final = re.compile(r"[\x00-\x20\"<>\\^`{|}\x7f]|%(?![0-9A-Fa-f]{2})|(?P<escape>%)")


def _mark_encoded(text: str) -> str:
    return f"{BEGIN_ENCODED}{text}{END}"


def _encoded_sign(match: re.Match[str]) -> str:
    return OWN_PERCENT if match.lastgroup == "escape" else quote(match.group(), safe="")


def _encode(text: str, illegal: re.Pattern[str]) -> str:
    try:
        return illegal.sub(_encoded_sign, text)
    except UnicodeEncodeError:
        fail("holds half a character (a lone surrogate)")


def fail(what: str) -> NoReturn:
    raise TemplateError(f"The endpoint {what}. Put the value through $encodeURI, or check it before the call.")


def unmark(marked: str) -> tuple[str, list[Insert]]:
    """Return the address without marks, and where the values stand in it."""
    pieces: list[str] = []
    inserts: list[Insert] = []
    position = length = 0
    for match in MARKS.finditer(marked):
        before, value = marked[position : match.start()], match[1]
        length += len(before)
        percents = tuple(length + at for at, sign in enumerate(value) if sign == OWN_PERCENT)
        value = value.replace(OWN_PERCENT, "%")
        inserts.append(Insert(length, length + len(value), match.group().startswith(BEGIN_ENCODED), percents))
        length += len(value)
        pieces += (before, value)
        position = match.end()
    pieces.append(marked[position:])
    return "".join(pieces), inserts


class _Address:
    """A rendered address with the stretches of it that came from values."""

    def __init__(self, text: str, inserts: list[Insert]) -> None:
        self.text = text
        self.inserts = [insert for insert in inserts if insert.end > insert.start]
        found = ADDRESS.match(text)
        if found is None:
            fail("is no http or https address")
        if NO_HOST.search(found[1]) or not found[1].isprintable():
            fail("has characters in its host that no host has")
        self.authority = text.index("://") + 3
        self.path = found.end()
        """Where path, query or fragment begins."""

    def checked(self) -> tuple[str, bool]:
        is_literal = True
        for insert in self.inserts:
            if insert.start < self.path:
                is_literal = False
                self.check_authority(insert)
            elif insert.start > self.path and self.text[self.path] == "/":
                self.check_path(insert)
        self.check_segments()
        return self.encoded(), is_literal

    def check_authority(self, insert: Insert) -> None:
        """Return a value in scheme, host or port may fill the place that is left to it, and no more."""
        value = self.text[insert.start : insert.end]
        fits: Callable[[str], object]
        if insert.start < self.authority:
            fits = SCHEME_PART.fullmatch if insert.end < self.authority else self.base(insert)
        else:
            fits = self.host(insert)
        # Names are compared and resolved in this form (UTS 46), in which a full-width slash is a slash.
        if not fits(value) or not fits(unicodedata.normalize("NFKC", value)):
            fail("would get another scheme, host, port or user info from a value")

    def host(self, insert: Insert) -> Callable[[str], object]:
        """Return a value that brings a part of the host, the whole of it, or the port."""
        before = self.text[insert.start - 1] if insert.start > self.authority else "@"
        if insert.end < self.path:
            return HOST_PART.fullmatch
        if before == "@":
            return HOST_AND_PORT.fullmatch
        if before == ":":
            return PORT.fullmatch
        if before.isalnum() and not any(other.start < insert.start <= other.end for other in self.inserts):
            fail("would get another host from a value, which must begin with / where it follows a whole host")
        return HOST_PART.fullmatch

    def base(self, insert: Insert) -> Callable[[str], object]:
        """Return a value that brings the scheme must bring the whole host, and stop where the author goes on."""
        if insert.start > 0:
            fail("would get another scheme, host, port or user info from a value")
        following = self.text[insert.end : insert.end + 1]
        if following in {"", "?", "#"}:
            return WHOLE_BASE.match
        if following == "/":
            return re.compile(WHOLE_BASE.pattern + r"[^?#]*").fullmatch
        return WHOLE_BASE.fullmatch

    def check_path(self, insert: Insert) -> None:
        value = self.text[insert.start : insert.end]
        before = self.text[self.path : insert.start]
        in_path = "?" not in before and "#" not in before
        if in_path and not insert.is_encoded and ("?" in value or "#" in value):
            fail("would get a ? or # in its path from a value")

    def check_segments(self) -> None:
        """Refuse a segment of the path that is a dot segment by way of a value; one that the author wrote stays.
        ``..;x`` is one as well: some servers drop what stands behind the semicolon before they go a step up."""
        end = min((at for at in (self.text.find(sign, self.path) for sign in "?#") if at >= 0), default=len(self.text))
        start = self.path
        for segment in self.text[self.path : end].split("/"):
            stop = start + len(segment)
            if DOT_SEGMENT.fullmatch(segment.partition(";")[0]) and any(
                insert.start < stop and insert.end > start for insert in self.inserts
            ):
                fail("would get a dot segment in its path from a value")
            start = stop + 1

    def encoded(self) -> str:
        """Encode illegal characters; a # that a value brings into the query is a character there, and
        so is a % that it brings into a path which has begun: else the far end would read ``%2f`` as a slash."""
        question = self.text.find("?", self.path)
        text = self.text
        has_query = question >= 0 and "#" not in text[self.path : question]
        for insert in reversed(self.inserts):
            if has_query and insert.start > question:
                value = text[insert.start : insert.end].replace("#", "%23")
                text = text[: insert.start] + value + text[insert.end :]
            elif self.path < insert.start and self.text[self.path] == "/":
                for at in reversed(insert.percents):
                    text = text[:at] + "%25" + text[at + 1 :]
        return text[: self.path] + _encode(text[self.path :], ILLEGAL)
