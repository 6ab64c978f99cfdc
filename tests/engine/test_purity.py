"""The engine and what it stands on know no clock, chance, log, network or store."""

import ast
import subprocess
import sys
from pathlib import Path

import dialoom

ROOT = Path(dialoom.__file__).parent
PURE = ("engine", "understanding", "flow", "template", "query", "messages", "languages")
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
    "uvicorn",
    "requests",
    "http",
    "urllib.request",
}
ABOVE = {"auth", "channels", "cli", "data", "http", "service", "storage", "testing", "widget"}
CLOCK_CALLS = {"now", "today", "utcnow", "localtime", "getenv"}
ALLOWED = {("understanding/intents/linear_training.py", "random.Random"), ("flow/folder.py", "os")}
"""``random.Random(seed)`` shuffles the training examples: alike on every machine. A bot's folder is read when a bot is
loaded, never in a turn; so is the file of its language, which ``languages`` reads by ``pathlib`` (tests/languages)."""


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
            is_allowed = any(file == place and allowed.startswith(name) for file, allowed in ALLOWED)
            if (is_above or is_forbidden) and not is_allowed:
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


TURNS_THAT_READ_NOTHING = """
import json, sys
from dialoom.engine import begin, compile_flow, turn
from dialoom.engine.events import Said
from dialoom.flow import read_files
from dialoom.messages import Profile
from dialoom.understanding import prepare

phone = {"type": "question", "entity": "phone", "entity-type": "PhoneNumber", "messages": ["Phone?"]}
mail = {"type": "question", "entity": "mail", "entity-type": "Email", "messages": ["Mail?"]}
day = {"type": "question", "entity": "day", "entity-type": "Date", "messages": ["{{$date '2027-01-01T10:00Z' 'HH:mm'}}"]}
trait = {"name": "Conversation", "lookup-strategy": "trait", "data": [{"value": "go", "expressions": ["go"]}]}
flow = compile_flow(read_files({
    "bot.json": json.dumps({"id": "b"}),
    "flow.json": json.dumps({"conversations": {"go": {"type": "goal", "steps": [phone, mail, day]}},
                             "settings": {"timezone": "Europe/Sofia", "use-user-timezone": True}}),
    "training.json": json.dumps({"entity-definitions": [trait]}),
}))
prepare("en")  # as the service does after its start
opened = []
is_watching = False
def watch(event, arguments):
    if is_watching and event in ("open", "os.scandir", "os.listdir"):
        opened.append(str(arguments[0]))

def say(state, text, zone="Europe/Sofia"):
    result = turn(flow, state, Said(id=text, now=1, seed=1, profile=Profile(id="u", timezone=zone), text=text))
    return result.state, [effect.message.text for effect in result.effects if hasattr(effect, "message")]

state = begin()
for text in ("go", "+43 664 1234567", "a@example.com"):  # formats and the rest are loaded with the first use
    state, _ = say(state, text)
sys.addaudithook(watch)
is_watching = True
state = begin()
for text, zone in (("go", "Asia/Kathmandu"), ("+977 9841234567", "Pacific/Chatham"), ("b@example.org", "Asia/Kathmandu"),
                   ("so", "America/St_Johns"), ("so", "No/Where"), ("tomorrow", "Asia/Tehran")):
    state, said = say(state, text, zone)
    print(*said)
is_watching = False
print(opened)
"""


def test_no_turn_reads_a_file_for_a_zone_or_a_country_that_was_not_seen_before() -> None:
    """An audit hook cannot be taken away again, so this is done in a process of its own."""
    ran = subprocess.run([sys.executable, "-c", TURNS_THAT_READ_NOTHING], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    said = ran.stdout.splitlines()
    assert said[-1] == "[]"
    assert said[:3] == ["Phone?", "Mail?", "15:45"]
    assert said[3].endswith("06:30")
    assert said[4].endswith("12:00")
