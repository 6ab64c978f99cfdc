"""Shows findings to the studio, in one form whatever was asked."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import msgspec

from dialoom.authoring.try_outs.tried_bots import NotLoadable
from dialoom.errors import FlowError, RequestError
from dialoom.flow import Finding

T = TypeVar("T")


class FindingView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Shows a finding. ``level``: "error" or "warning". Where only its sentence is known, the rest says so."""

    message: str
    file: str = ""
    path: str = ""
    rule: str = "not-loadable"
    level: str = "error"
    line: int = 1
    column: int = 1
    is_fixable: bool = False
    fix_title: str | None = None
    prevents_loading: bool = True


def view_of(finding: Finding) -> FindingView:
    return FindingView(
        file=finding.file,
        path=finding.path,
        rule=finding.rule,
        message=finding.message,
        level=finding.severity,
        line=finding.line,
        column=finding.column,
        is_fixable=finding.fix is not None,
        fix_title=None if finding.fix is None else finding.fix.title,
        prevents_loading=finding.prevents_loading,
    )


def views_of(error: FlowError) -> list[FindingView]:
    """Return why a bot cannot be loaded."""
    found = error.found if isinstance(error, NotLoadable) else {}
    return [view_of(found[one]) if one in found else FindingView(message=one) for one in error.findings]


async def loadable(done: Awaitable[T]) -> T:
    """Return what comes of something that loads a bot. Raises ``RequestError`` 422 for one that cannot be."""
    try:
        return await done
    except FlowError as error:
        raise RequestError(
            "findings",
            "The bot cannot be loaded with these files, so nothing was done. Mend what is found first.",
            members={"findings": views_of(error)},
        ) from error
