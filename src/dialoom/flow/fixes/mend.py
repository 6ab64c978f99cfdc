"""Applies fixes to the texts of a bot's files: a fix stays only if the findings are fewer after it, and none is graver.

Reading and writing files is left to the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from dialoom.flow.finding import Finding
from dialoom.flow.fixes.edits import Edit, NotApplicable, TextEdit, spliced, text_edit
from dialoom.flow.positions import Document, scan

Check = Callable[[Mapping[str, str]], list[Finding]]
"""Finds everything that is wrong in texts by file name."""


class Change(NamedTuple):
    """What one edit replaced in a text: ``old`` by ``new``, at this line and column of the text before it.

    Of a member that is removed ``old`` is the key: its value may be a secret.
    """

    finding: Finding
    line: int
    column: int
    old: str
    new: str


class Mended(NamedTuple):
    """The texts after all fixes, what was changed, and the findings that are left."""

    files: dict[str, str]
    changes: list[Change]
    findings: list[Finding]


def mend(files: Mapping[str, str], check: Check) -> Mended:
    """Apply every fix that makes the findings fewer, first all at once and then one by one."""
    texts, changes, refused = dict(files), list[Change](), list[Edit]()
    findings = check(texts)
    while fixable := _of_different_places(findings, refused):
        tried = _tried(texts, fixable)
        after = None if tried is None else check(tried[0])
        if tried is None or after is None or not _is_better(after, findings, fixable):
            tried, after = None, None
            for finding in fixable:
                tried = _tried(texts, [finding])
                after = None if tried is None else check(tried[0])
                if after is not None and _is_better(after, findings, [finding]):
                    break
                refused.extend(finding.fix.edits if finding.fix else ())
                tried = None
        if tried is None or after is None:
            continue
        texts, findings = tried[0], after
        changes += tried[1]
    return Mended(texts, changes, findings)


def _of_different_places(findings: Iterable[Finding], refused: list[Edit]) -> list[Finding]:
    """Return the findings with a fix that was not refused, in their order, one a place."""
    by_place: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        if finding.fix is not None and finding.fix.edits[0] not in refused:
            edit = finding.fix.edits[0]
            by_place.setdefault((edit.file, edit.path), finding)
    return list(by_place.values())


def _tried(texts: Mapping[str, str], findings: Iterable[Finding]) -> tuple[dict[str, str], list[Change]] | None:
    """Return the texts after the fixes of the findings, and the changes; None where an edit cannot be made."""
    documents: dict[str, Document] = {}
    edits: dict[str, list[TextEdit]] = {}
    changes = []
    try:
        for finding in findings:
            for edit in finding.fix.edits if finding.fix else ():
                if edit.file not in documents:
                    documents[edit.file] = scan(texts[edit.file])
                made = text_edit(documents[edit.file], edit)
                edits.setdefault(edit.file, []).append(made)
                changes.append(_change(finding, documents[edit.file], edit, made))
        return {**texts, **{file: spliced(texts[file], made) for file, made in edits.items()}}, changes
    except NotApplicable:
        return None


def _change(finding: Finding, document: Document, edit: Edit, made: TextEdit) -> Change:
    line, column = document.line_and_column(made.start)
    if edit.op == "remove":
        return Change(finding, line, column, f'"{edit.path.rpartition("/")[2]}"', "")
    return Change(finding, line, column, document.text[made.start : made.end], made.new)


def _is_better(after: list[Finding], before: list[Finding], mended: list[Finding]) -> bool:
    """Return whether as many findings went as were mended, the graver ones counted first, so that no fix brings another
    finding.

    What has the wrong shape is not looked into, so that more findings may come to light once no error is left.
    """
    wanted = [old - gone for old, gone in zip(_counts(before), _counts(mended), strict=True)]
    counts = list(_counts(after))
    if counts[0] == 0 < _counts(before)[0]:
        return True
    return counts <= wanted


def _counts(findings: Iterable[Finding]) -> tuple[int, int, int]:
    """Return the numbers of findings that prevent loading, of other errors and of warnings."""
    counts = [0, 0, 0]
    for finding in findings:
        counts[2 if finding.severity == "warning" else int(not finding.prevents_loading)] += 1
    return counts[0], counts[1], counts[2]
