"""Clients that generators make of the description, as ``docs/do/generate-a-client.md`` uses them on a running service.

The tools are in ``.venv/clients`` and ``tests/clients/node_modules``; ``make test`` installs both.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.identity.provider import node
from tests.live import ROOT, Service, call, echo_bot

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent
MODULES = FOLDER / "node_modules"
COMPILER = MODULES / "typescript" / "bin" / "tsc"
TOOLS = ROOT / ".venv" / "clients" / "bin"
PAGE = (ROOT / "docs" / "do" / "generate-a-client.md").read_text("utf-8")
STRICT = {
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "exactOptionalPropertyTypes": True,
    "noImplicitOverride": True,
    "skipLibCheck": False,
    "module": "nodenext",
    "target": "es2022",
    "lib": ["es2023", "dom", "dom.iterable"],
    "types": [],
}
BETA = "OpenAPI 3.1 support is still in beta"
NO_NAME = "Failed to get the schema name: null"
"""Said of any description by this release of openapi-generator, of one without paths too."""


def block(language: str) -> str:
    """The page's example in this language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    bot = echo_bot(folder / "bot")
    channels = [{"id": "web", "type": "web"}, {"id": "rest", "type": "rest"}]
    (bot / "bot.json").write_text(json.dumps({"id": "shop", "channels": channels}))
    service = Service([bot], folder / "data")
    try:
        yield service
    finally:
        service.stop()


@pytest.fixture(scope="module")
def description(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("description") / "openapi.json"
    file.write_bytes(call("GET", f"{service.url}/openapi.json").body)
    return file


def run(command: list[str], folder: Path, **environment: str) -> str:
    """Run a command that must go well; return what it says."""
    given = os.environ | {"PATH": os.pathsep.join([str(TOOLS), str(Path(node()).parent), os.environ["PATH"]])}
    ran = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, check=False, env=given | environment
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def use(command: list[str], folder: Path, service: Service, channel: str, **environment: str) -> list[str]:
    """Run an example of the page against the service; return the lines that it prints."""
    tokens = {"CHANNEL_TOKEN": service.tokens[f"token of {channel}"], "HISTORY_TOKEN": service.tokens["history token"]}
    return run(command, folder, SERVICE=service.url, **tokens, **environment).splitlines()


def tool(name: str) -> str:
    assert (TOOLS / name).is_file(), f"{name} is missing: make .venv/clients/installed"
    return str(TOOLS / name)


def typescript(*words: str) -> list[str]:
    assert COMPILER.is_file(), "Packages are missing: python hatch_build.py packages tests/clients"
    return [node(), str(COMPILER), *words]


def test_openapi_typescript_makes_types_with_which_the_example_compiles_strictly(
    service: Service, description: Path, tmp_path: Path
) -> None:
    (tmp_path / "node_modules").symlink_to(MODULES)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    maker = MODULES / "openapi-typescript" / "bin" / "cli.js"
    run([node(), str(maker), str(description), "-o", "dialoom.d.ts"], tmp_path)
    (tmp_path / "example.ts").write_text(block("ts"))
    (tmp_path / "node.d.ts").write_text("declare const process: { env: Record<string, string | undefined> };\n")
    options = {"compilerOptions": STRICT, "files": ["example.ts", "dialoom.d.ts", "node.d.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(options))
    run(typescript("-p", "tsconfig.json"), tmp_path)
    lines = use([node(), "example.js"], tmp_path, service, "web")
    assert lines[:2] == ["user Hello", "bot Hello"]
    assert re.fullmatch(r"1 found: [0-9a-f-]{36}", lines[-1])


def test_openapi_python_client_drops_nothing_and_reads_every_answer(
    service: Service, description: Path, tmp_path: Path
) -> None:
    (tmp_path / "overrides.yaml").write_text(block("yaml"))
    words = ["generate", "--path", str(description), "--config", "overrides.yaml", "--output-path", "client"]
    told = run([tool("openapi-python-client"), *words], tmp_path)
    assert told.split() == ["Generating", "client"]
    (tmp_path / "example.py").write_text(block("python"))
    path = str(tmp_path / "client")
    lines = use([tool("python"), "example.py"], tmp_path, service, "rest", PYTHONPATH=path)
    assert lines == ["Hello", "true", "1 active", "unknown-operator"]


def test_openapi_generator_makes_a_client_that_works(service: Service, description: Path, tmp_path: Path) -> None:
    parts = "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"
    words = ["generate", "-g", "javascript", "-i", str(description), "-o", "client", "--global-property", parts]
    told = run([tool("openapi-generator-cli"), *words, "--additional-properties=usePromises=true"], tmp_path)
    warned = [line for line in told.splitlines() if re.search(r"\b(WARN|ERROR)\b", line)]
    assert [line for line in warned if BETA not in line and NO_NAME not in line] == []
    options = {"allowJs": True, "module": "commonjs", "esModuleInterop": True, "target": "es2022", "outDir": "dialoom"}
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["client/src"]}))
    run(typescript("-p", "tsconfig.json"), tmp_path)
    (tmp_path / "example.cjs").write_text(block("js").replace('require("dialoom")', 'require("./dialoom")'))
    lines = use([node(), "example.cjs"], tmp_path, service, "rest", NODE_PATH=str(MODULES))
    assert lines == ["Hello", "1"]
