"""The first bot of the docs and of the README, made and talked to exactly as they say."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from dialoom.authoring.play import Player
from dialoom.authoring.scenarios import Happens, Scenario, TestStep, UserTurn
from dialoom.cli import main
from dialoom.engine import compile_flow
from dialoom.flow import read_bot

ROOT = Path(__file__).parents[2]
LEARN = (ROOT / "docs" / "learn" / "first-bot.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
FIRST_FLOW = README[README.index("## Your first flow") : README.index("## Where to read on")]

_STEP = re.compile(
    r"(?P<file>[\w-]+/[\w/-]+\.json)`"
    r"|```json\n(?P<json>.*?)```"
    r"|```sh\n(?P<shell>.*?)```"
    r"|(?:`\.venv/bin/dialoom (?P<inline>[^`]*)`)",
    re.DOTALL,
)
ROW = re.compile(r"^\| (?!You say)(?P<user>[^|]+) \| (?P<bot>[^|]+) \|$", re.MULTILINE)
_NEEDS_A_SERVICE = ("run", "token ")


def follow(page: str) -> None:
    """Do in the working folder what the page says, from top to bottom; commands must succeed as they do for a reader."""
    file: str | None = None
    for step in _STEP.finditer(page):
        if step["file"] is not None:
            file = step["file"]
        elif step["json"] is not None:
            assert file is not None, "a block of JSON that no file is named for"
            Path(file).write_text(step["json"], encoding="utf-8")
        else:
            for line in (step["shell"] or f".venv/bin/dialoom {step['inline']}").splitlines():
                obey(line)


def obey(line: str) -> None:
    if line.startswith("rm "):
        Path(line.removeprefix("rm ")).unlink()
    elif line.startswith(".venv/bin/dialoom "):
        command = line.removeprefix(".venv/bin/dialoom ")
        if not command.startswith(_NEEDS_A_SERVICE):
            assert main(command.split()) == 0, line


def play_table(folder: Path, rows: list[tuple[str, str]]) -> tuple[str, ...]:
    """What differs when each text of a table is said in a chat that welcomed its user; the answer begins as it says."""
    opened = TestStep(UserTurn(event=Happens("opening")), (({"textStartsWith": "Hello"},),))
    steps = [TestStep(UserTurn(text=said), (({"text": told},), ({"text": told}, {}))) for said, told in rows]
    bot = read_bot(folder)
    scenario = Scenario("the page", "it", (opened, *steps), {}, {}, {})
    return asyncio.run(Player(bot, compile_flow(bot)).play(scenario)).lines


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_first_bot_of_the_docs_answers_as_its_page_promises(here: Path) -> None:
    follow(LEARN)
    rows = ROW.findall(LEARN)
    assert len(rows) >= 5
    assert play_table(here / "tea", rows) == ()


def test_the_first_flow_of_the_readme_asks_and_answers(here: Path) -> None:
    follow(FIRST_FLOW)
    rows = [
        ("tea", "Which tea would you like?"),
        ("Green", "How many cups of Green?"),
        ("2", "2 × Green, coming up."),
    ]
    assert play_table(here / "my-bot", rows) == ()


@pytest.mark.parametrize(
    ("page", "commands"), [(LEARN, {"init", "check", "run", "test", "token"}), (FIRST_FLOW, {"init", "run"})]
)
def test_what_the_pages_tell_to_run_is_seen_by_these_tests(page: str, commands: set[str]) -> None:
    lines = [line for step in _STEP.finditer(page) for line in (step["shell"] or step["inline"] or "").splitlines()]
    assert {line.removeprefix(".venv/bin/dialoom ").split()[0] for line in lines} >= commands
