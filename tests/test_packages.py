"""Packages stay small enough to be read as a list of subjects."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import dialoom

MAX_FILES = 15
SOURCE = Path(dialoom.__file__).parent


def test_no_package_but_the_command_line_has_more_than_fifteen_files() -> None:
    counts = Counter(file.parent.relative_to(SOURCE).as_posix() for file in SOURCE.rglob("*.py"))
    assert {folder: count for folder, count in counts.items() if count > MAX_FILES and folder != "cli"} == {}
