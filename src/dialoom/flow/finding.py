"""Findings: what the author of a flow is told, and the search for the name that was meant.

Where a finding stands in its file is worked out by ``flow.read``; how it is printed is left to the command line.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import msgspec

from dialoom.flow.fixes.derive import FIXABLE_RULES, renaming_slip, replacing_slip, sure_name
from dialoom.flow.fixes.edits import Fix
from dialoom.flow.positions import Document, Path

_MANY = 16
"""More names than this are not listed in a sentence; ``Finding.allowed`` has them all."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing wrong (``error``) or doubtful (``warning``) in a bot's files.

    ``prevents_loading`` is false for warnings and for a linter's errors: the bot runs, though not as its author meant.
    ``allowed`` are the names that could stand there, ``meant`` the nearest of them.
    ``fix`` is there where exactly one plain mending exists.
    """

    severity: Literal["error", "warning"]
    rule: str
    file: str
    line: int
    column: int
    path: str
    message: str
    prevents_loading: bool = True
    allowed: tuple[str, ...] = ()
    meant: str | None = None
    fix: Fix | None = None

    def __str__(self) -> str:
        position = f"{self.file}:{self.line}:{self.column}"
        return f"{position} {self.path}: {self.message}" if self.path else f"{position}: {self.message}"


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the name that was most likely meant, or None; case, ``-``, ``_`` and blanks do not count."""
    plain = {_plain(name): name for name in names}
    found = difflib.get_close_matches(_plain(word), plain, n=1, cutoff=0.65)
    return plain[found[0]] if found else None


def _plain(word: str) -> str:
    return word[:100].casefold().replace("-", "").replace("_", "").replace(" ", "")


def instead(meant: str | None, allowed: Iterable[str]) -> str:
    """Return the end of a sentence: the name that was meant, or else what is allowed, if that is not too long."""
    if meant is not None:
        return f' Did you mean "{meant}"?'
    names = list(allowed)
    return f" Allowed: {', '.join(names)}." if 0 < len(names) <= _MANY else ""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong at ``path`` of a file.

    ``word`` and ``allowed`` give the wrong name and the right ones; ``characters`` points into the text at ``path``;
    ``at_key`` points at the key instead of the value; ``hides_key`` leaves it out of the path that is shown.
    ``fix`` is the mending that the check is sure of; ``slip`` is a word of the text there and the one that was meant.
    """

    path: Path
    message: str
    word: str | None = None
    allowed: tuple[str, ...] = ()
    characters: int | None = None
    at_key: bool = False
    hides_key: bool = False
    slip: tuple[str, str | None] | None = None
    fix: Callable[[str], Fix] | None = None
    """Takes the file's name."""


def finding_of(
    fault: Fault,
    *,
    rule: str,
    file: str,
    documents: Mapping[str, Document],
    severity: Literal["error", "warning"] = "error",
    prevents_loading: bool = True,
) -> Finding:
    """Return the finding for ``fault``, with its line and column in ``file``."""
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
        fix=_fix_of(fault, file, document) if rule in FIXABLE_RULES else None,
    )


def _fix_of(fault: Fault, file: str, document: Document) -> Fix | None:
    """Return the fix that the check gives, or that of a misspelt name."""
    value = document.value
    if fault.fix is not None:
        return fault.fix(file)
    # Reading brings spellings to one form, such as a text to a list of one, whose elements the file does not have.
    if not document.holds(fault.path):
        return None
    if fault.slip is not None:
        return replacing_slip(file, fault.path, *fault.slip, value, fault.characters)
    if fault.word is None or fault.hides_key:
        return None
    if fault.at_key:
        return renaming_slip(file, fault.path, fault.allowed, value)
    meant = sure_name(fault.word, fault.allowed)
    return replacing_slip(file, fault.path, fault.word, meant, value, fault.characters)
