"""A wheel made as ``docs/do/deploy.md`` says is installed by its hash, and runs without the source and Node."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "do" / "deploy.md").read_text("utf-8")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the page makes, but for the packages of others."""
    folder = tmp_path_factory.mktemp("wheel")
    (build,) = re.findall(r"^tools/bin/python -m (build .*)$", PAGE, re.MULTILINE)
    (hashes,) = re.findall(r"^\(cd wheels && sha256sum.*$", PAGE, re.MULTILINE)
    made = folder / "wheels"
    words = [str(made) if word == "wheels" else word for word in build.split()]
    subprocess.run([sys.executable, "-m", *words], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["sh", "-c", hashes], cwd=folder, check=True)
    return made


def test_the_wheel_has_the_built_pages_and_the_examples(wheels: Path) -> None:
    (wheel,) = wheels.glob("dialoom-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"dialoom/widget/static/{page}.html" for page in ("studio.en", "studio.de", "chat")} <= names
    assert "dialoom/examples/clinic/flow.json" in names


def _install(wheels: Path, to: Path) -> subprocess.CompletedProcess[str]:
    (flags,) = re.findall(r"pip install (--no-index --find-links) \S+ \\\n +(--require-hashes -r)", PAGE)
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--target", str(to)]
    words = [*flags[0].split(), str(wheels), *flags[1].split(), str(wheels / "requirements.txt")]
    return subprocess.run([*command, *words], capture_output=True, text=True, check=False)


def test_it_is_installed_by_its_hash_and_runs_without_source_and_node(wheels: Path, tmp_path: Path) -> None:
    installed = _install(wheels, tmp_path / "site")
    assert installed.returncode == 0, installed.stderr

    def dialoom(*words: str) -> subprocess.CompletedProcess[str]:
        # The packages of others are those of the tests; the source is not among them.
        environment = {"PYTHONPATH": str(tmp_path / "site"), "PATH": os.devnull, "HOME": str(tmp_path)}
        return subprocess.run(
            [sys.executable, "-m", "dialoom.cli", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    made = dialoom("init", str(tmp_path / "bot"), "--template", "appointment")
    assert made.returncode == 0, made.stderr
    checked = dialoom("check", str(tmp_path / "bot"))
    assert (checked.returncode, "nothing to mend" in checked.stdout) == (0, True)


def test_a_wheel_that_was_changed_is_not_installed(wheels: Path, tmp_path: Path) -> None:
    changed = tmp_path / "wheels"
    shutil.copytree(wheels, changed)
    (wheel,) = changed.glob("dialoom-*.whl")
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("dialoom/more.py", "")
    refused = _install(changed, tmp_path / "site")
    assert refused.returncode == 1
    assert "HASHES" in refused.stderr
