"""Every error of the package, drawn once: whose fault it is decides which branch it hangs on.

    DialoomError
    ├── FlowError          the flow's author: findings with file, line, column, path
    ├── TemplateError      a template of the author's: where in the text
    ├── SettingError       the operator: a setting, its source, what is allowed
    ├── RequestError       a client of our HTTP interface: becomes problem details
    │   └── QueryError     a history query that is not allowed: pointer and code
    ├── RemoteError        the far end of an outgoing call
    ├── StoreError         our own storage is away, damaged or newer than we are
    └── VaultError         a key is missing or a sealed value does not open

Each subclass's message is a sentence for people: what happened, where, and what to do next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class DialoomError(Exception):
    """The root of all errors that this package raises on purpose."""

    is_logged = False
    """True once the log says it: the caller need not."""


class FlowError(DialoomError):
    """A bot's files cannot be used. ``findings`` holds every mistake of every file, each already a full sentence."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("\n".join(findings))
        self.findings = tuple(findings)


class TemplateError(DialoomError):
    """A template cannot be read or rendered. ``offset`` counts characters from the start of the template's text.

    ``word`` is a name at ``offset`` that is unknown, ``allowed`` are the known ones.
    """

    def __init__(
        self, message: str, offset: int = 0, *, word: str | None = None, allowed: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.offset, self.word, self.allowed = offset, word, allowed


class SettingError(DialoomError):
    """A setting is wrong. The message names it, where its value came from, and what is allowed."""


class RequestError(DialoomError):
    """A request that we refuse. ``code`` is a stable word for programs; ``http.problems`` gives each its status."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        pointer: str | None = None,
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, object] | None = None,
    ) -> None:
        """``members``: what else the problem's document holds, by name."""
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.pointer = pointer
        self.headers = dict(headers or {})
        self.members = dict(members or {})


class QueryError(RequestError):
    """A history query, sort or page that is not allowed. ``pointer`` is the JSON pointer of the offending part."""

    def __init__(self, code: str, detail: str, pointer: str | None = None) -> None:
        super().__init__(code, detail, pointer=pointer)


class RemoteError(DialoomError):
    """An outgoing call got no usable answer. ``kind`` is a stable word (``timeout``, ``refused``, ``egress`` ...)."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def again(self) -> RemoteError:
        """Return a copy to raise: an exception that is raised twice carries both stacks."""
        return RemoteError(self.kind, str(self))


class StoreError(DialoomError):
    """The store cannot be used now. The message says what to do."""


class VaultError(DialoomError):
    """A sealed value does not open with the keys at hand."""
