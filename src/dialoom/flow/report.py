"""From a fault that a check found to the finding that its author reads: place, path, sentence, nearest name.

The checks say what is wrong and where in their own words; how findings are sorted and printed is left to others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from dialoom.flow.finding import Finding, instead, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.flow.positions import Document, Path


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong at ``path`` of a file.

    ``word`` and ``allowed`` give the wrong name and the right ones; ``characters`` points into the text at ``path``;
    ``at_key`` points at the key instead of the value; ``hides_key`` leaves it out of the path that is shown.
    """

    path: Path
    message: str
    word: str | None = None
    allowed: tuple[str, ...] = ()
    characters: int | None = None
    at_key: bool = False
    hides_key: bool = False


def finding_of(
    fault: Fault,
    *,
    rule: str,
    file: str,
    documents: Mapping[str, Document],
    severity: Literal["error", "warning"] = "error",
    prevents_loading: bool = True,
) -> Finding:
    """The finding for ``fault``, with its line and column in ``file``."""
    document = documents[file]
    if fault.characters is None:
        offset = document.offset(fault.path, key=fault.at_key)
    else:
        offset = document.inside(fault.path, fault.characters)
    line, column = document.line_and_column(offset)
    meant = None if fault.word is None else nearest(fault.word, fault.allowed)
    return Finding(
        severity=severity,
        rule=rule,
        file=file,
        line=line,
        column=column,
        path="/".join(map(str, fault.path[:-1] if fault.hides_key else fault.path)),
        message=fault.message + instead(meant, fault.allowed),
        prevents_loading=prevents_loading and severity == "error",
        allowed=fault.allowed,
        meant=meant,
    )
