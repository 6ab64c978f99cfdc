"""What a process imports before it serves: heavy libraries are loaded when they are first needed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = (
    "aiohttp",
    "asyncpg",
    "babel",
    "cryptography.x509",
    "cryptography.hazmat.primitives.serialization",
    "dateparser",
    "dialoom.testing",
    "email_validator",
    "joserfc",
    "jsonpath",
    "opentelemetry.sdk",
    "phonenumbers",
    "prometheus_client",
    "rapidfuzz",
)
STARTED = """
import asyncio, sys
from pathlib import Path
from dialoom.cli import parser
from dialoom.service.service import build_service
from dialoom.service.settings import read_settings

async def start():
    parser("run")
    service = build_service(read_settings({"data": sys.argv[2]}, {}, Path("no.toml")), {})
    await service.start([Path(sys.argv[1])])
    print(*sys.modules)
    if sys.argv[3:]:
        await service.warm_up()
        print(*sys.modules)
    await service.stop(1)

asyncio.run(start())
"""
QUESTION = {"type": "question", "entity": "address", "entity-type": "Email", "messages": ["Your address?"]}
FLOW = {"conversations": {"sign-up": {"type": "goal", "display-name": "sign up", "steps": [QUESTION]}}}


def modules(program: str, *words: str) -> list[set[str]]:
    """Return the modules that each line printed by a program names."""
    ran = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
    return [set(line.split()) for line in ran.stdout.splitlines()]


def bot(folder: Path) -> Path:
    folder.mkdir()
    (folder / "bot.json").write_text(json.dumps({"id": "plain"}))
    (folder / "flow.json").write_text(json.dumps(FLOW))
    return folder


def test_a_start_imports_no_heavy_library(tmp_path: Path) -> None:
    [imported] = modules(STARTED, str(bot(tmp_path / "bot")), str(tmp_path / "data"))
    assert imported & set(HEAVY) == set()


def test_what_understanding_needs_is_loaded_after_the_start(tmp_path: Path) -> None:
    started, warm = modules(STARTED, str(bot(tmp_path / "bot")), str(tmp_path / "data"), "warm")
    assert {"phonenumbers", "email_validator"} <= warm - started
    assert any(name.startswith("phonenumbers.data.region_") for name in warm)


def test_help_imports_no_command() -> None:
    [imported] = modules("import sys; from dialoom.cli import parser; parser().format_help(); print(*sys.modules)")
    assert {name for name in imported if name.startswith("dialoom.")} == {
        "dialoom.cli",
        "dialoom.cli.usage",
        "dialoom.errors",
    }
