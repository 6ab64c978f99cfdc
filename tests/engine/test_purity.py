"""The engine and what it stands on know no clock, chance, log, network or store."""

import ast
import subprocess
import sys
from pathlib import Path

import dialoom

ROOT = Path(dialoom.__file__).parent
PURE = ("engine", "understanding", "flow", "template", "query", "messages")
FORBIDDEN = {
    "asyncio",
    "logging",
    "multiprocessing",
    "os",
    "queue",
    "random",
    "secrets",
    "select",
    "selectors",
    "signal",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "uuid",
    "aiohttp",
    "apsw",
    "litestar",
    "uvicorn",
    "requests",
    "http",
    "urllib.request",
}
ABOVE = {"auth", "channels", "cli", "data", "http", "service", "storage", "testing", "widget"}
CLOCK_CALLS = {"now", "today", "utcnow", "localtime", "getenv"}
SEEDED = {("understanding/intents.py", "random.Random")}
"""``random.Random(seed)`` shuffles the training examples: alike on every machine."""


def modules() -> list[Path]:
    return [path for room in PURE for path in sorted((ROOT / room).rglob("*.py"))]


def imported(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_no_pure_room_imports_a_clock_chance_log_network_or_store() -> None:
    wrong = []
    for path in modules():
        place = path.relative_to(ROOT).as_posix()
        for name in imported(ast.parse(path.read_text())):
            is_above = name.startswith("dialoom.") and name.split(".")[1] in ABOVE
            is_forbidden = name in FORBIDDEN or name.split(".")[0] in FORBIDDEN
            is_seeded = any(file == place and seeded.startswith(name) for file, seeded in SEEDED)
            if (is_above or is_forbidden) and not is_seeded:
                wrong.append(f"{place}: {name}")
    assert wrong == []


def test_no_pure_room_asks_for_the_time() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in CLOCK_CALLS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in {"datetime", "date", "time", "os"}
    ]
    assert wrong == []


def test_the_engine_loads_nothing_of_the_house_above_it() -> None:
    script = "import sys, dialoom.engine; print(*sorted(name for name in sys.modules if name.startswith('dialoom.')))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in loaded if name.split(".")[1] in ABOVE] == []
