"""The example of docs/do/add-a-channel.md, put into a copy of the project, passes its own test."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.docs.pages import DOCS
from tests.docs.test_add_a_step_type import apply

if TYPE_CHECKING:
    from pathlib import Path

ROOT = DOCS.parent.parent
REFUSALS = "tests/docs/plain_channel_refusals.py"
"""Tests of calls that are refused, of the platform that the example makes."""
PAGE = (ROOT / "docs/do/add-a-channel.md").read_text(encoding="utf-8")


def test_the_example_passes_its_own_test(tmp_path: Path) -> None:
    for folder in ("src", "tests"):
        ignored = shutil.ignore_patterns("__pycache__", "node_modules", "static")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    blocks = re.findall(r"```diff (\S+)\n(.*?)```", PAGE, re.DOTALL)
    assert [name for name, _ in blocks] == [
        "src/dialoom/flow/channels.py", "src/dialoom/channels/plain/__init__.py", "tests/channels/test_plain.py",
    ]  # fmt: skip
    for name, diff in blocks:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        apply(diff, tmp_path / name)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/channels/test_plain.py", REFUSALS],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "10 passed" in done.stdout
