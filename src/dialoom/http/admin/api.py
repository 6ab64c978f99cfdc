"""The Litestar part: dead letters, entity types, health. History and chat endpoints stand beside it (``http.app``)."""

import logging
from typing import Any

from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException

from dialoom.errors import DialoomError, RequestError
from dialoom.http import problems
from dialoom.http.admin.dead_letters import DeadLetters
from dialoom.http.admin.entity_types import EntityTypes
from dialoom.http.admin.health import ReadinessState, healthz, readyz
from dialoom.service.observe.logs import named
from dialoom.service.service import Service

log = logging.getLogger(__name__)

Incoming = Request[Any, Any, State]


def _answer(error: RequestError) -> Response[bytes]:
    status, headers, body = problems.encode(error)
    media_type = headers.pop("content-type")
    return Response(body, status_code=status, headers=headers, media_type=media_type)


def _ours(_: Incoming, error: DialoomError) -> Response[bytes]:
    if not isinstance(error, RequestError):
        log.error("a request failed: %s", named(error))
    return _answer(problems.as_request_error(error))


_CODES = {404: "not-found", 405: "method", 413: "too-large"}


def _litestar(request: Incoming, error: HTTPException) -> Response[bytes]:
    if isinstance(error, ValidationException):
        wrong = [item for item in error.extra or [] if isinstance(item, dict)] if isinstance(error.extra, list) else []
        detail = "; ".join(f'"{item.get("key", "?")}": {item.get("message", "not allowed")}' for item in wrong)
        return _answer(RequestError(400, "bad-parameter", (detail or error.detail) + "."))
    if error.status_code == 404:
        # Not ``request.url``: it is made of the query as well, which may be anything.
        return _answer(problems.not_found(f"There is nothing at {request.scope['path'][:200]}."))
    code = _CODES.get(error.status_code, "bad-request" if error.status_code < 500 else "internal")
    detail = f"{error.detail}." if error.status_code < 500 else problems.internal().detail
    return _answer(RequestError(error.status_code, code, detail, headers=error.headers))


def _not_unicode(_: Incoming, error: UnicodeDecodeError) -> Response[bytes]:
    return _answer(RequestError(400, "bad-text", f"The address is not UTF-8: {error.reason}."))


def _fault(request: Incoming, error: Exception) -> Response[bytes]:
    """The outermost loop of a request: the trace goes to the log, never to the client."""
    log.error("fault in %s %s", request.method, request.scope.get("path_template", "?"), exc_info=error)
    return _answer(problems.internal())


def build_api(service: Service, door: ReadinessState) -> Litestar:
    return Litestar(
        route_handlers=[EntityTypes, DeadLetters, healthz, readyz],
        state=State({"service": service, "door": door}),
        # ``http.openapi.document`` describes all of it; the framework's own pages would load scripts from elsewhere.
        openapi_config=None,
        exception_handlers={
            DialoomError: _ours,
            HTTPException: _litestar,
            UnicodeDecodeError: _not_unicode,
            Exception: _fault,
        },
        logging_config=None,
    )
