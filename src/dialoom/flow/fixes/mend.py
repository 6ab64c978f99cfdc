"""Applies fixes to the texts of a bot's files: a fix stays only if the findings are fewer after it, and none is graver.

Reading and writing files is left to the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from dialoom.flow.finding import Finding
from dialoom.flow.fixes.edits import Edit, NotApplicable, mark_and_text, text_edit

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
        if tried is None or after is None or not _is_better(after, findings, len(fixable)):
            tried, after = None, None
            for finding in fixable:
                tried = _tried(texts, [finding])
                after = None if tried is None else check(tried[0])
                if after is not None and _is_better(after, findings, 1):
                    break
                refused.extend(finding.fix.edits if finding.fix else ())
                tried = None
        if tried is None or after is None:
            continue
        texts, findings = tried[0], after
        changes += tried[1]
    return Mended(texts, changes, findings)


def _of_different_places(findings: Iterable[Finding], refused: list[Edit]) -> list[Finding]:
    """Return the findings with a fix, one a place, what stands deeper before what is around it: a renamed key leads no
    pointer astray."""
    by_place: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        if finding.fix is not None and finding.fix.edits[0] not in refused:
            edit = finding.fix.edits[0]
            by_place.setdefault((edit.file, edit.path), finding)
    return [by_place[place] for place in sorted(by_place, key=lambda place: -place[1].count("/"))]


def _tried(texts: Mapping[str, str], findings: Iterable[Finding]) -> tuple[dict[str, str], list[Change]] | None:
    """Return the texts after the fixes of the findings, and the changes; None where an edit cannot be made."""
    after, changes = dict(texts), []
    for finding in findings:
        for edit in finding.fix.edits if finding.fix else ():
            try:
                changes.append(_change(finding, after, edit))
            except NotApplicable:
                return None
    return after, changes


def _change(finding: Finding, texts: dict[str, str], edit: Edit) -> Change:
    """Make the edit in its text and return what it changed. Raises ``NotApplicable``."""
    mark, text = mark_and_text(texts[edit.file])
    start, end, new = text_edit(text, edit)
    texts[edit.file] = mark + text[:start] + new + text[end:]
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    if edit.op == "remove":
        return Change(finding, line, column, f'"{edit.path.rpartition("/")[2]}"', "")
    return Change(finding, line, column, text[start:end], new)


def _is_better(after: list[Finding], before: list[Finding], fixes: int) -> bool:
    """Return whether the graver findings are fewer, or as many with fewer of the others.

    Warnings come only once no error keeps the bot from loading, so that more of them may come to light.
    """
    counts = _counts(after), _counts(before)
    if counts[0][0] == counts[1][0]:
        return sum(counts[0]) <= sum(counts[1]) - fixes and counts[0] < counts[1]
    return counts[0] < counts[1]


def _counts(findings: Iterable[Finding]) -> tuple[int, int, int]:
    """Return the numbers of findings that prevent loading, of other errors and of warnings."""
    counts = [0, 0, 0]
    for finding in findings:
        counts[2 if finding.severity == "warning" else int(not finding.prevents_loading)] += 1
    return counts[0], counts[1], counts[2]
