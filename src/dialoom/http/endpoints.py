"""The table of all endpoints, one row each, and the routes made from it.

Dispatch, ``Allow``, the labels of metrics, logs and traces, and the description of the interface are made from these
rows. What an endpoint does is in the room of its handler, which is found by the row's ``id``.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Literal, NamedTuple

from dialoom.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Access(Enum):
    """Who may call an endpoint."""

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


Rate = Literal["token", "address", "guard", "none"]
"""What a request counts for: its token (its address without one), its address, the same once a guard lets its refusal
be read (CORS headers, a page), or nothing."""


class Endpoint(NamedTuple):
    """One method of one path. Parts of the path in braces are given to the handler, ``{name*}`` takes all the rest."""

    id: str
    method: str
    path: str
    access: Access
    rate: Rate
    also: tuple[str, ...] = ()
    """Further methods of the path: HEAD gives the head of GET's answer, OPTIONS names what is allowed."""
    scope: Literal["", "read", "erase"] = ""
    summary: str = ""
    """Empty where the endpoint is not part of the public interface."""


HEAD = ("HEAD",)
OPTIONS = ("OPTIONS",)
READING = ("HEAD", "OPTIONS")

BOT = "/v1/bots/{bot_id}"
CHANNEL = f"{BOT}/channels/{{channel_id}}"
WEB = f"{CHANNEL}/web"
PICK = f"{CHANNEL}/pick/{{ticket}}"
LETTERS = f"{BOT}/dead-letters"
STUDIO = "/v1/studio"
STUDIO_BOT = f"{STUDIO}/bots/{{bot_id}}"
LINKING = "/v1/account-linking"

_ANYONE, _CHANNEL, _SESSION, _SERVER = Access.ANYONE, Access.CHANNEL, Access.SESSION, Access.SERVER
ENDPOINTS = (
    Endpoint(
        "listConversations", "GET", f"{BOT}/conversations", _SERVER, "token", READING, "read", "List conversations"
    ),
    Endpoint("listMessages", "GET", f"{BOT}/messages", _SERVER, "token", READING, "read", "List messages"),
    Endpoint(
        "countConversations",
        "GET",
        f"{BOT}/conversations/_count",
        _SERVER,
        "token",
        READING,
        "read",
        "Count conversations",
    ),
    Endpoint("countMessages", "GET", f"{BOT}/messages/_count", _SERVER, "token", READING, "read", "Count messages"),
    Endpoint(
        "getConversation",
        "GET",
        f"{BOT}/conversations/{{conversation_id}}",
        _SERVER,
        "token",
        READING,
        "read",
        "One conversation",
    ),
    Endpoint(
        "exportUser",
        "GET",
        f"{BOT}/users/{{user_id}}/export",
        _SERVER,
        "token",
        READING,
        "read",
        "Everything kept of one user",
    ),
    Endpoint("eraseUser", "DELETE", f"{BOT}/users/{{user_id}}", _SERVER, "token", OPTIONS, "erase", "Erase one user"),
    Endpoint(
        "sendMessage",
        "POST",
        f"{CHANNEL}/rest/{{name}}",
        _CHANNEL,
        "token",
        summary="Send a message, get the bot's messages",
    ),
    Endpoint(
        "laterMessages",
        "GET",
        f"{CHANNEL}/rest/{{name}}/messages",
        _CHANNEL,
        "token",
        summary="Messages that no answer has carried yet",
    ),
    Endpoint("pickerPage", "GET", PICK, _ANYONE, "address", HEAD, summary="The hosted picker page"),
    Endpoint("pick", "POST", PICK, _ANYONE, "address", summary="Answer the question, once"),
    Endpoint(
        "pickerQuestion",
        "GET",
        f"{PICK}/question",
        _ANYONE,
        "address",
        summary="The question that the page is for",
    ),
    Endpoint("openSession", "POST", f"{WEB}/sessions", _CHANNEL, "guard", summary="Open a browser's session"),
    Endpoint("say", "POST", f"{WEB}/messages", _SESSION, "guard", summary="Say something"),
    Endpoint("poll", "GET", f"{WEB}/messages", _SESSION, "guard", summary="Messages behind a position"),
    Endpoint("listen", "GET", f"{WEB}/events", _SESSION, "guard", summary="Messages as server-sent events"),
    Endpoint("sendFile", "POST", f"{WEB}/files", _SESSION, "guard", summary="Keep a file, to be named by a message"),
    Endpoint(
        "readFile",
        "GET",
        f"{CHANNEL}/files/{{id}}",
        _ANYONE,
        "address",
        HEAD,
        summary="A file under its signed address",
    ),
    Endpoint("seeLogin", "GET", f"{WEB}/login", _SESSION, "guard", summary="Where a login stands"),
    Endpoint(
        "proveLogin", "POST", f"{WEB}/login-proof", _SESSION, "guard", summary="Prove that a login is this session's"
    ),
    Endpoint("startLogin", "GET", f"{LINKING}/start", _ANYONE, "guard", HEAD, summary="Where login links lead"),
    Endpoint(
        "goOnWithLogin", "POST", f"{LINKING}/start", _ANYONE, "guard", summary="On from the start page of a login"
    ),
    # No HEAD: what only looks must use nothing up.
    Endpoint("finishLogin", "GET", LINKING, _ANYONE, "guard", summary="Where the provider sends the browser back"),
    Endpoint(
        "refreshEntityType",
        "POST",
        f"{BOT}/entity-types/{{name}}/_refresh",
        _SERVER,
        "token",
        OPTIONS,
        "read",
        "Read a dynamic list now",
    ),
    Endpoint("listDeadLetters", "GET", LETTERS, _SERVER, "token", OPTIONS, "read", "List dead letters"),
    Endpoint(
        "resendDeadLetter",
        "POST",
        f"{LETTERS}/{{letter_id}}/resend",
        _SERVER,
        "token",
        OPTIONS,
        "erase",
        "Resend a dead letter",
    ),
    Endpoint(
        "dropDeadLetter", "DELETE", f"{LETTERS}/{{letter_id}}", _SERVER, "token", OPTIONS, "erase", "Drop a dead letter"
    ),
    Endpoint("health", "GET", "/healthz", _ANYONE, "none", READING, summary="The process answers"),
    Endpoint("ready", "GET", "/readyz", _ANYONE, "none", READING, summary="The service takes events"),
    Endpoint("metrics", "GET", "/metrics", Access.OPERATOR, "address", HEAD, summary="What Prometheus reads"),
    Endpoint("description", "GET", "/openapi.json", _ANYONE, "address", HEAD, summary="This description"),
    Endpoint("reference", "GET", "/docs", _ANYONE, "address", HEAD, summary="This description as a page"),
    Endpoint(
        "chatPage", "GET", "/chat/{bot_id}/{channel_id}", _ANYONE, "address", HEAD, summary="The hosted chat page"
    ),
    Endpoint("staticFile", "GET", "/static/{path*}", _ANYONE, "none", HEAD),
    # The studio's page is the same at its own address and at that of each room: the script reads the address.
    Endpoint("studioPage", "GET", "/studio", _ANYONE, "address", HEAD),
    Endpoint("studioPage", "GET", "/studio/", _ANYONE, "address", HEAD),
    Endpoint("studioRoom", "GET", "/studio/{bot_id}/settings", _ANYONE, "address", HEAD),
    Endpoint("studioSignIn", "POST", f"{STUDIO}/sign-in", _ANYONE, "address"),
    Endpoint("studioSignOut", "POST", f"{STUDIO}/sign-out", _ANYONE, "address"),
    Endpoint("studioSession", "GET", f"{STUDIO}/session", Access.STUDIO, "address"),
    Endpoint("studioBot", "GET", STUDIO_BOT, Access.STUDIO, "address"),
    Endpoint("studioMakeToken", "POST", f"{STUDIO_BOT}/tokens", Access.STUDIO, "address"),
    Endpoint("studioShowToken", "POST", f"{STUDIO_BOT}/tokens/{{id}}/show", Access.STUDIO, "address"),
    Endpoint("studioRevokeToken", "POST", f"{STUDIO_BOT}/tokens/{{id}}/revoke", Access.STUDIO, "address"),
)


class Route:
    """The rows of one path, by method. The rate and the guard of the first are those of all."""

    def __init__(self, first: Endpoint) -> None:
        self.path = first.path
        self.rate = first.rate
        self.first = first
        self.methods: dict[str, Endpoint] = {}

    @property
    def allow(self) -> str:
        return ", ".join(self.methods)

    def row(self, method: str) -> Endpoint:
        """Raises ``RequestError`` 405 for a method that is not allowed."""
        found = self.methods.get(method)
        if found is None:
            raise RequestError(405, "method", f"Allowed here: {self.allow}.", headers={"Allow": self.allow})
        return found


class _Node:
    """The routes below one part of a path."""

    __slots__ = ("any", "literals", "rest", "route")

    def __init__(self) -> None:
        self.literals: dict[str, _Node] = {}
        self.any: _Node | None = None
        self.rest: Route | None = None
        self.route: Route | None = None


class Router:
    def __init__(self, rows: Iterable[Endpoint] = ENDPOINTS) -> None:
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
        """The route of a path, and its parts that stand in braces, which are never empty. Behind a path that answers
        OPTIONS one slash may stand: those are called by programs, no page's links are relative to them."""
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
