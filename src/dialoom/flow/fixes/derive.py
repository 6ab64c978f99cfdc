"""Derives the fix of a finding: from a misspelt name with one near candidate, or from what its check says is meant.

A rule is mended only if it stands in ``FIXABLE_RULES``: there the nearest name is the one mending. The value of a key
that may be a secret never comes into a fix.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from dialoom.flow.fixes.edits import Edit, Fix, Op, pointer
from dialoom.flow.pieces import SECRET_KEYS
from dialoom.flow.positions import Document, Path, scan

FIXABLE_RULES = frozenset(
    {
        "doubled-key",
        "unknown-key",
        "wrong-type",
        "not-allowed",
        "bad-language",
        "bad-timezone",
        "unknown-entity-type",
        "unknown-slot",
        "unknown-conversation",
        "unknown-credential",
        "unknown-live-agent",
        "login-binding",
        "bad-command",
        "bad-day",
        "bad-template",
        "loose-selector",
        "unknown-value",
        "unset-entity",
        "default-taken",
    }
)

MIN_RATIO = 0.75
"""Likeness of two names (``difflib``), from which on one can be a slip of the other."""
MIN_LEAD = 0.1
"""By how much the nearest name must be more alike than the next one."""
MAX_WORD_CHARS = 100
"""Of a word that is compared: no name is longer, and comparing takes the square of it."""
MAX_TITLE_CHARS = 80


def sure_name(word: str, names: Iterable[str]) -> str | None:
    """Return the name that ``word`` is a slip of; None where no name, or more than one, comes into question."""
    if len(word) > MAX_WORD_CHARS:
        return None
    plain = _plain(word)
    matcher = difflib.SequenceMatcher(None, "", plain)
    ratios: list[tuple[float, str]] = []
    for name in dict.fromkeys(names):
        matcher.set_seq1(_plain(name))
        if matcher.real_quick_ratio() >= MIN_RATIO - MIN_LEAD and matcher.quick_ratio() >= MIN_RATIO - MIN_LEAD:
            ratios.append((matcher.ratio(), name))
    ratios.sort(reverse=True)
    if not plain or not ratios or ratios[0][0] < MIN_RATIO:
        return None
    is_sure = len(ratios) == 1 or ratios[0][0] - ratios[1][0] >= MIN_LEAD
    return ratios[0][1] if is_sure else None


def _plain(word: str) -> str:
    return word.casefold().replace("-", "").replace("_", "").replace(" ", "").lstrip("$")


def replacing(file: str, path: Path, value: Any) -> Fix:
    """Return the fix that puts ``value`` at ``path``."""
    return _fix("Write {}.", file, path, "replace", value)


def renaming(file: str, path: Path, key: str) -> Fix:
    """Return the fix that renames the key at ``path``."""
    return _fix("Rename the key to {}.", file, path, "rename-key", key)


def adding(file: str, path: Path, value: Any) -> Fix:
    """Return the fix that adds a member to an object."""
    return _fix(f'Add "{path[-1]}": {{}}.', file, path, "add", value)


def removing(file: str, path: Path) -> Fix:
    """Return the fix that removes a member of an object."""
    return Fix(title=f'Remove "{path[-1]}".', edits=(Edit(file=file, path=pointer(path), op="remove"),))


def removing_copies(file: str, document: Document) -> dict[Path, Fix]:
    """Return by path the fixes of keys that stand twice with one and the same value: the second one is removed."""
    doubled = Counter(problem.path for problem in document.problems if problem.rule == "doubled-key")
    first = scan(document.text, copy=0).value if doubled and not document.is_broken else None
    fixes = {}
    for path, times in doubled.items():
        is_alone = times == 1 and not any(path[:length] in doubled for length in range(len(path)))
        if first is not None and is_alone and _text(first, path) == _text(document.value, path):
            fixes[path] = removing(file, path)
    return fixes


def _text(value: Any, path: Path) -> str:
    return json.dumps(value_at(value, path), sort_keys=True)


def _fix(title: str, file: str, path: Path, op: Op, value: Any) -> Fix:
    shown = json.dumps(value, ensure_ascii=False)
    shown = shown if len(shown) <= MAX_TITLE_CHARS else shown[: MAX_TITLE_CHARS - 3] + "..."
    return Fix(title=title.format(shown), edits=(Edit(file=file, path=pointer(path), op=op, value=value),))


def renaming_slip(file: str, path: Path, allowed: Iterable[str], document: Any) -> Fix | None:
    """Return the fix of a misspelt key, if it is sure and the right key is not there already."""
    key = sure_name(str(path[-1]), allowed)
    owner = value_at(document, path[:-1])
    return None if key is None or not isinstance(owner, dict) or key in owner else renaming(file, path, key)


def replacing_slip(
    file: str, path: Path, word: str, meant: str | None, document: Any, characters: int | None = None
) -> Fix | None:
    """Return the fix that writes ``meant`` for ``word`` in the text at ``path``.

    ``characters``: where the word or the quote before it stands; without it the word stands there once.
    """
    text = value_at(document, path)
    if meant is None or not isinstance(text, str) or SECRET_KEYS.intersection(path) or "headers" in path:
        return None
    if text.casefold() == word.casefold():
        return replacing(file, path, meant)
    if characters is None:
        at = text.find(word) if text.count(word) == 1 else -1
    else:
        at = next((at for at in (characters, characters + 1) if text.startswith(word, at)), -1)
    return None if at < 0 else replacing(file, path, text[:at] + meant + text[at + len(word) :])


def value_at(value: Any, path: Path) -> Any:
    """Return what stands at ``path`` in a value; None where nothing does."""
    for part in path:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value
