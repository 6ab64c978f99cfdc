"""Defines the rows of the table of endpoints, and finds the row and the parts that a path leads to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import Literal, NamedTuple

from dialoom.errors import RequestError
from dialoom.http.server.accept import JSON


class Access(Enum):
    """Lists who may call an endpoint."""

    ANYONE = auto()
    CHANNEL = auto()
    """The token of the channel."""
    SESSION = auto()
    """The token of a session of the web protocol."""
    SERVER = auto()
    """A server access token of the bot with the row's scope."""
    OPERATOR = auto()
    """The operator's token for metrics."""
    STUDIO = auto()
    """The cookie of a studio session."""


class Answer(NamedTuple):
    """Describes the answer of an endpoint when all is well. ``type``: as msgspec knows it, None for no body."""

    about: str
    type: object = None
    media: str = JSON
    status: int = 200


class Endpoint(NamedTuple):
    """Describes one method of one path. Parts of the path in braces are given to the handler, ``{name*}`` takes all the
    rest.

    Rows without a ``tag`` are no part of the public interface and are not described.
    """

    id: str
    """The name of the handler, and of the operation in the description."""
    method: str
    path: str
    access: Access = Access.ANYONE
    rate: Literal["token", "address", "guard", "none"] = "address"
    """What a request counts for: its token (its address without one), its address, the same once a guard lets its
    refusal be read (CORS headers, a page), or nothing."""
    also: tuple[str, ...] = ()
    """Further methods of the path: HEAD gives the head of GET's answer, OPTIONS names what is allowed."""
    scope: Literal["", "read", "erase"] = ""
    query: object = None
    """The type of the parameters behind the question mark."""
    body: object = None
    """The type of the JSON in the body."""
    shows: tuple[tuple[str, object], ...] = ()
    """Examples of the body: what each shows and its value."""
    answer: Answer = Answer("")
    roles: tuple[str, ...] = ()
    """The roles of the studio that may call it."""
    reach: Literal["bot", "service", "own"] = "bot"
    """Whom of the studio it is for who has a role for single bots: if the bot of its path is one of them; nobody, as it
    is about the whole service; or anybody, who sees what is theirs."""
    is_opened: bool = False
    """Whether people open it in a browser, which then shows refusals as a card."""
    tag: str = ""
    summary: str = ""
    about: str = ""
    """What it does, for readers of the description."""
    codes: tuple[str, ...] = ()
    """Problems that it may answer with, besides those that its access, rate and body bring."""


class Route:
    """Holds the rows of one path, by method. The rate and the guard of the first are those of all."""

    def __init__(self, first: Endpoint) -> None:
        self.path = first.path
        self.rate = first.rate
        self.first = first
        self.methods: dict[str, Endpoint] = {}

    @property
    def allow(self) -> str:
        return ", ".join(self.methods)

    def row(self, method: str) -> Endpoint:
        """Return the row of a method. Raise ``RequestError`` 405 for one that is not allowed."""
        found = self.methods.get(method)
        if found is None:
            raise RequestError("method", f"Allowed here: {self.allow}.", headers={"Allow": self.allow})
        return found


class _Node:
    """Holds the routes below one part of a path."""

    __slots__ = ("any", "literals", "rest", "route")

    def __init__(self) -> None:
        self.literals: dict[str, _Node] = {}
        self.any: _Node | None = None
        self.rest: Route | None = None
        self.route: Route | None = None


class Router:
    def __init__(self, rows: Iterable[Endpoint]) -> None:
        self.routes: dict[str, Route] = {}
        self._root = _Node()
        for row in rows:
            route = self.routes.get(row.path)
            if route is None:
                route = self.routes[row.path] = Route(row)
                self._add(route)
            for method in (row.method, *row.also):
                route.methods[method] = row

    def _add(self, route: Route) -> None:
        node = self._root
        for part in route.path.split("/"):
            if part.endswith("*}"):
                node.rest = route
                return
            if part.startswith("{"):
                node.any = node = node.any or _Node()
            else:
                node = node.literals.setdefault(part, _Node())
        node.route = route

    def find(self, parts: Sequence[str]) -> tuple[Route, tuple[str, ...]] | None:
        """Return the route of a path and its parts that stand in braces, which are never empty; None without one.
        Behind a path that answers OPTIONS one slash may stand: those are called by programs, no page's links are
        relative to them."""
        node, taken = self._root, []
        for index, part in enumerate(parts):
            following = node.literals.get(part)
            if following is None and node.any is not None and part:
                following = node.any
                taken.append(part)
            if following is None:
                if node.rest is not None:
                    return node.rest, (*taken, "/".join(parts[index:]))
                is_end = not part and index == len(parts) - 1
                if is_end and node.route is not None and "OPTIONS" in node.route.methods:
                    break
                return None
            node = following
        return None if node.route is None else (node.route, tuple(taken))
