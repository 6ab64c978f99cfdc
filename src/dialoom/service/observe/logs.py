"""Writes log lines: to stderr, as text or as JSON, with ids and never with texts, names, tokens or addresses of people.

What an error says may hold any of them (``KeyError: 'Ada'``). So the trace of an error has the places it came through
and the classes of what was raised; a message stands there only where we wrote it for the log.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextvars import ContextVar, Token
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, TextIO

from dialoom.errors import DialoomError, QueryError, RemoteError, RequestError, TemplateError

_OF_USERS = (RequestError, QueryError, RemoteError, TemplateError)
"""Errors of ours whose message may quote what a user sent, or where a flow went with it."""
MAX_CHAINED_ERRORS = 8


Ids = Callable[[], Mapping[str, str]]
"""Gives the ids of what goes on; asked when a line is written."""

_ids: ContextVar[Ids | None] = ContextVar("ids", default=None)


def enter(ids: Ids) -> Token[Ids | None]:
    """Add these ids to all lines that are logged from here on, and by what is awaited from here, until ``leave``."""
    return _ids.set(ids)


def leave(token: Token[Ids | None]) -> None:
    _ids.reset(token)


def request_here() -> str:
    """Return the id of the request that goes on here; empty without one."""
    return _here().get("request", "")


def _here() -> Mapping[str, str]:
    ids = _ids.get()
    return {} if ids is None else {name: value for name, value in ids().items() if value}


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        head = f"{self.formatTime(record)} {record.levelname} {record.name}: {record.getMessage()}"
        line = " ".join((head, *(f"{name}={value}" for name, value in _here().items())))
        return f"{line}\n{trace_of(record.exc_info[1])}" if record.exc_info else line


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_here(),
        }
        if record.exc_info:
            line["trace"] = trace_of(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


def trace_of(error: BaseException | None) -> str:
    """Return an error with its causes, the first cause first, without the messages of other packages' errors."""
    parts: list[str] = []
    while error is not None and len(parts) < MAX_CHAINED_ERRORS:
        parts.append(_frames(error.__traceback__) + named(error))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n\nThis led to:\n\n".join(reversed(parts))


def _frames(trace: TracebackType | None) -> str:
    return "Traceback (most recent call last):\n" + "".join(traceback.format_tb(trace)) if trace is not None else ""


def named(error: BaseException) -> str:
    """Return the class of an error, and its message where it is one of this package."""
    name = type(error).__qualname__
    if isinstance(error, RequestError):
        return f"{name}: {error.code}"
    if isinstance(error, RemoteError):
        return f"{name}: {error.kind}"
    if isinstance(error, DialoomError) and not isinstance(error, _OF_USERS):
        return f"{name}: {error}"
    if isinstance(error, OSError) and error.strerror is not None:
        return f"{name}: {error.strerror}"
    return name


def loop_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log a fault of the event loop, for ``loop.set_exception_handler``: asyncio's own line shows objects with all that
    they hold."""
    logging.getLogger("asyncio").error(
        "%s", context.get("message", "fault in the event loop"), exc_info=context.get("exception")
    )


def writer(form: str, to: TextIO) -> logging.Handler:
    """Return the handler that writes lines in this format (``log_format``)."""
    handler = logging.StreamHandler(to)
    handler.setFormatter(_Json() if form == "json" else _Text())
    return handler


def configure(level: str, form: str) -> None:
    """Set up logging for the whole process; called by the command line, again once it has read all settings."""
    # What could not be written is not shown instead, with all that it holds.
    logging.raiseExceptions = False
    logging.basicConfig(level=level.upper(), handlers=[writer(form, sys.stderr)], force=True)
    logging.captureWarnings(capture=True)
    if form == "json":
        _take_over_faults()
    # Its start and stop lines say nothing that we do not; its warnings we want.
    logging.getLogger("uvicorn").setLevel(max(logging.WARNING, logging.getLogger().level))


def _take_over_faults() -> None:
    """Log what Python prints by itself otherwise: faults of threads, of finalizers, and those that end the process."""
    fault = logging.getLogger("python").critical
    sys.excepthook = lambda _, error, __: fault("fault of the program", exc_info=error)
    threading.excepthook = lambda told: fault("fault in a thread", exc_info=told.exc_value)
    sys.unraisablehook = lambda told: fault("fault while something was released", exc_info=told.exc_value)


QUIET_SECONDS = 10.0
"""Between two lines about one matter; what was left out meanwhile is counted in the next."""
MAX_MATTERS = 256
"""Matters that are remembered; the one told of longest ago goes for another."""


class ThrottledLog:
    """Writes lines that many requests cause, at most one about a matter in some seconds.

    While the store is away each request would write one: 100 a second, which one address may send, are 1 GB a day.
    """

    def __init__(self, log: logging.Logger, quiet: float = QUIET_SECONDS) -> None:
        self._log = log
        self._quiet = quiet
        self._told: dict[tuple[str, ...], tuple[float, int]] = {}
        """When, and how many were left out since; the latest told last."""

    def warn(self, line: str, now: float, *matter: str) -> None:
        """Log a warning, unless one about the same ``matter`` was logged a moment ago. ``now``: seconds of any clock
        that never goes back."""
        told_at, left_out = self._told.get(matter, (-math.inf, 0))
        if now - told_at < self._quiet:
            self._told[matter] = (told_at, left_out + 1)
            return
        self._told.pop(matter, None)
        if len(self._told) >= MAX_MATTERS:
            del self._told[next(iter(self._told))]
        self._told[matter] = (now, 0)
        more = f" ({left_out} more such lines were left out before)" if left_out else ""
        self._log.warning("%s%s", line, more)
