"""The build of the front end: when it runs, and with which Node."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def hatch_build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def frontend(tmp_path: Path) -> Path:
    folder = tmp_path / "frontend"
    (folder / "src" / "view").mkdir(parents=True)
    (folder / "test").mkdir()
    (folder / "src" / "view" / "field.ts").write_text("field")
    (folder / "chat.html").write_text("page")
    (tmp_path / "src" / "dialoom" / "languages").mkdir(parents=True)
    (tmp_path / "src" / "dialoom" / "languages" / "sv.json").write_text("{}")
    return folder


def built(hatch_build: Any, frontend: Path) -> Path:
    static = frontend.parent / "static"
    static.mkdir()
    for page in hatch_build.BUILT:
        (static / page).write_text("page")
    (static / hatch_build.STAMP).write_text(hatch_build.digest(frontend) + "\n")
    return static


def test_nothing_is_built_while_the_sources_are_those_of_the_last_time(hatch_build: Any, frontend: Path) -> None:
    static = built(hatch_build, frontend)
    (frontend / "test" / "field.test.ts").write_text("a test is no source")
    assert hatch_build.is_fresh(frontend, static)
    assert hatch_build.build(frontend, static) is False


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "src" / "view" / "field.ts").write_text("another field"),
        lambda folder: (folder / "src" / "new.ts").write_text(""),
        lambda folder: (folder / "src" / "view" / "field.ts").rename(folder / "src" / "field.ts"),
        lambda folder: (folder / "package-lock.json").write_text("{}"),
        lambda folder: (folder.parent / "src" / "dialoom" / "languages" / "sv.json").write_text('{"chat": {}}'),
    ],
    ids=["changed", "added", "moved", "locked again", "a language"],
)
def test_a_change_of_the_sources_is_noticed(hatch_build: Any, frontend: Path, change: Any) -> None:
    static = built(hatch_build, frontend)
    change(frontend)
    assert not hatch_build.is_fresh(frontend, static)


def test_built_files_that_are_not_there_are_not_fresh(hatch_build: Any, frontend: Path) -> None:
    static = built(hatch_build, frontend)
    (static / "chat.html").unlink()
    assert not hatch_build.is_fresh(frontend, static)


def test_built_files_without_sources_are_taken_as_they_are(hatch_build: Any, frontend: Path) -> None:
    static = built(hatch_build, frontend)
    assert hatch_build.is_fresh(frontend.parent / "nowhere", static)


@pytest.mark.parametrize(
    ("version", "is_enough"),
    [
        ("v20.18.9", False),
        ("v20.19.0", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.0.0-rc.1", True),
        ("v18.20.0", False),
        ("", False),
        ("node", False),
    ],
)
def test_node_is_taken_from_20_19_and_22_12_on(hatch_build: Any, version: str, is_enough: bool) -> None:
    assert hatch_build.suits(version) is is_enough


def test_the_lock_file_names_no_registry(hatch_build: Any) -> None:
    assert '"resolved"' not in (hatch_build.FRONTEND / "package-lock.json").read_text()


def test_unknown_words_show_how_it_is_used(hatch_build: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert hatch_build.main(["frontent"]) == 2
    assert "python hatch_build.py frontend" in capsys.readouterr().err
