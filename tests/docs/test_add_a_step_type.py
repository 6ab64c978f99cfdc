"""The example of docs/do/add-a-step-type.md, put into a copy of the package, is read, checked, drawn and run."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.docs.pages import DOCS

if TYPE_CHECKING:
    from pathlib import Path

ROOT = DOCS.parent.parent
PAGE = (ROOT / "docs/do/add-a-step-type.md").read_text(encoding="utf-8")

TALK = """
import json, sys
from dialoom.engine import begin, compile_flow, turn
from dialoom.engine.events import Said
from dialoom.flow import check_files, read_files, schemas
from dialoom.flow.picture.boxes import boxes
from dialoom.messages import Profile

count = {"type": "count", "entity": "visits"}
steps = [count, {"type": "message", "messages": ["Visit {{visits}}."]}]
training = {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": [{"value": "go", "expressions": ["go"]}]}]}

def files(steps):
    flow = {"conversations": {"go": {"type": "goal", "steps": steps}}, "settings": {"persist-entities": ["visits"]}}
    return {"bot.json": json.dumps({"id": "b"}), "flow.json": json.dumps(flow), "training.json": json.dumps(training)}

bot = read_files(files(steps))
flow, state, said = compile_flow(bot), begin(), []
for number in range(2):
    profile = Profile(id="u", channel="rest", provider="rest")
    result = turn(flow, state, Said(id=f"e{number}", now=1, seed=1, profile=profile, text="go"))
    state = result.state
    said += [one.message.text for one in result.effects if type(one).__name__ == "Send"]
row = boxes(bot)[0].rows[0]
print(json.dumps({
    "said": said,
    "drawn": [row.kind, row.text],
    "schema": schemas()["flow.json"]["$defs"]["Count"],
    "findings": [one.message for one in check_files(files([{**count, "by": 2}, *steps])) if one.severity == "error"],
}))
"""


def apply(diff: str, file: Path) -> None:
    """Apply the hunks of a block; each must fit in exactly one place. A block of nothing but new lines is a new file."""
    if not file.exists():
        assert all(line.startswith("+") for line in diff.splitlines())
        file.write_text("".join(line[1:] + "\n" for line in diff.splitlines()), encoding="utf-8")
        return
    text = file.read_text(encoding="utf-8")
    for hunk in diff.split("@@\n"):
        old = "".join(line[1:] + "\n" for line in hunk.splitlines() if line[0] in " -")
        new = "".join(line[1:] + "\n" for line in hunk.splitlines() if line[0] in " +")
        assert text.count(old) == 1, f"{file.name}: this hunk fits in {text.count(old)} places:\n{hunk}"
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a copy of the package with the example gives."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__", "static"))
    blocks = re.findall(r"```diff (\S+)\n(.*?)```", PAGE, re.DOTALL)
    assert len({name for name, _ in blocks}) == 4
    for name, diff in blocks:
        apply(diff, copy / name)
    done = subprocess.run(
        [sys.executable, "-c", TALK],
        cwd=copy,
        env={"PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_example_runs(shown: Any) -> None:
    assert shown["said"] == ["Visit 1.", "Visit 2."]


def test_the_picture_shows_the_example(shown: Any) -> None:
    assert shown["drawn"] == ["count", "visits"]


def test_the_schema_describes_the_example(shown: Any) -> None:
    assert shown["schema"]["description"] == "This step counts up an entity."
    assert shown["schema"]["properties"]["entity"]["description"] == "Name of the entity that is counted up."


def test_the_linter_knows_the_keys_of_the_example(shown: Any) -> None:
    assert len(shown["findings"]) == 1
    assert shown["findings"][0].startswith('"by" is no key of a count step.')
